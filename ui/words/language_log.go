package words

// chineseLog is the log view in Chinese.
var chineseLog = map[string]string{
	"log": "日志", "%d of this step": "这一步有 %d 行", "%d of the setup": "准备时有 %d 行",
	"%d of %s with “%s”": "%[2]s中有 %[1]d 行含“%[3]s”",
	"o wraps":            "o 折行", "o cuts": "o 截断",
	"No line up to this step holds “%s”.": "到这一步为止，没有哪一行含“%s”。",
	"Nothing was logged up to this step.": "到这一步为止，什么也没有记录。",
	"This trace holds no log: rvtui sees what its own embedded control plane logs, and this was another cluster (%s).": "这个 trace 里没有日志：rvtui 只看得到它自带的控制面的日志，而这是别的集群（%s）。",
	"The trace holds no line of a log up to this step.":                                                                "到这一步为止，这个 trace 里没有日志。",
}
