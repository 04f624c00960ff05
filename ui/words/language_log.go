package words

// chineseLog is the log view in Chinese.
var chineseLog = map[string]string{
	"log": "日志", "%d of this step": "这一步有 %d 行", "%d of the setup": "准备时有 %d 行",
	"%d of %s with “%s”": "%[2]s中有 %[1]d 行含“%[3]s”",
	"o wraps":            "o 折行", "o cuts": "o 截断",
	"No line up to this step holds “%s”.": "到这一步为止，没有哪一行含“%s”。",
	"Nothing was logged up to this step.": "到这一步为止，什么也没有记录。",
	"Nothing was logged up to this step. Of a cluster of your own (%s), rvtui sees the lines of its client libraries and of the credential plugin alone.": "到这一步为止，什么也没有记录。你自己的集群（%s）上，rvtui 只看得到它的客户端库和凭据插件的日志。",
	"The trace holds no line of a log up to this step.": "到这一步为止，这个 trace 里没有日志。",
}
