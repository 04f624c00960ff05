package words

// chineseTimeline is the timeline in Chinese.
var chineseTimeline = map[string]string{
	// The legend.
	"not to scale: ┊ is a gap, with its length": "不按比例：┊ 是一段空档，旁边是它有多长",
	"┃ waiting for an answer":                   "┃ 在等应答",
	"● a revision, ○ others'":                   "● 一个修订版本，○ 其他写入的",
	"below ▸: seen, but after the cursor":       "▸ 以下：见过的，在光标之后",
	"╌ an event of a watch":                     "╌ watch 的一个事件",
	"o unfolds":                                 "o 展开", "o folds": "o 收起",

	"# which of the step's calls": "# 是这一步的第几次调用",

	// Requests and answers.
	"the apiserver is restarted: ready again after %s": "apiserver 重启，%s 后就绪",
	"restarted, ready after %s":                        "重启，%s 后就绪", "restarted, %s": "重启，%s",
	"no request":                   "没有请求",
	"setup: ":                      "准备：",
	"no answer: %s":                "没有应答：%s",
	"%s, the watch ended after %s": "%s，watch 在 %s 后结束",
	"%s, ended after %s":           "%s，%s 后结束",
	"%d after %s":                  "%d，用时 %s",
	"attempt %d of %d · no RPC reached etcd": "第 %d 次尝试，共 %d 次 · 没有 RPC 到达 etcd",
	"attempt %d of %d · no RPC":              "第 %d 次，共 %d 次 · 没有 RPC",
	"attempt %d of %d":                       "第 %d 次，共 %d 次",
	"attempt %d":                             "第 %d 次",
	"%s, as Retry-After: %s asks":            "%s，按 Retry-After: %s 的要求",
	"%s before attempt %d":                   "%s 后第 %d 次尝试",

	// RPCs and revisions.
	"succeeded":                    "条件成立",
	"lost, got mod %d":             "条件不成立，读到 mod %d",
	"error: compacted":             "错误：已被压缩",
	"%d by others":                 "其他写入 %d 个",
	"%s by someone else":           "别人：%s",
	"by someone else":              "别人写的",
	"no write":                     "没有写",
	"no RPC":                       "没有 RPC",
	"no RPC: from the watch cache": "没有 RPC：来自 watch cache",
	"%d RPCs":                      "%d 个 RPC",
	"%d Txns":                      "%d 个 Txn",

	// Many requests at once.
	"at the same time as the above:": "和上面的同时：", "meanwhile:": "同时：",
	"%d by %s":       "%[2]s %[1]d 个",
	"%s, %d at once": "%s，同时 %d 个", "%d–%d Txns": "%d–%d 个 Txn",
	"%s, at most %d at once":           "%s，同时最多 %d 个",
	"%d succeeded, %d lost":            "%d 个成立，%d 个不成立",
	"%d ok, %d lost":                   "成立 %d，不成立 %d",
	"%d lost":                          "不成立 %d",
	"%d other RPCs":                    "其他 RPC %d 个",
	"Txns  requests that took so many": "Txns  用了这么多次的请求",
	"Txns  requests":                   "Txns  请求数",
	"%d to %d Txns a request":          "每个请求 %d 到 %d 个 Txn",
	"%d–%d Txns each":                  "各 %d–%d 个 Txn",
	"… %d more answers (o shows all)":  "… 还有 %d 个应答（o 全部显示）",
	"… %d more (o)":                    "… 还有 %d 个（o）",
}
