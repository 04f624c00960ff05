package words

// chineseHTTP is the http view in Chinese.
var chineseHTTP = map[string]string{
	// Which exchange it is.
	"attempt %d of %d": "尝试 %d/%d", "exchange %d of %d": "请求 %d/%d", "trace %s…": "trace %s…",
	"exchanges": "全部请求", "%d exchanges": "%d 个请求",
	"attempt %d": "第 %d 次尝试", "waited %s": "等了 %s", "%s after the %d": "%[2]d 之后 %[1]s", "Retry-After %s, waited %s": "Retry-After %s，等了 %s",

	// Where there is none.
	"Nothing is known of this step yet.":                                                 "这一步还什么都不知道。",
	"No HTTP request was sent in this step.":                                             "这一步没有发出 HTTP 请求。",
	"No HTTP request was sent in this step. It went to etcd itself, past the apiserver:": "这一步没有发出 HTTP 请求。它绕过 apiserver，直接找了 etcd：",

	// The two sides.
	"+ %s: %s (o unfolds)": "+ %s：%s（o 展开）", "+ %s (o unfolds)": "+ %s（o 展开）", "%d headers": "%d 个 header",
	"(%s, o unfolds)": "（%s，o 展开）", "(%s, changed, o unfolds)": "（%s，有变化，o 展开）", "%d entries": "%d 条",
	"+ %s unchanged (o unfolds)": "+ %s没有变（o 展开）", "%d lines": "%d 行",
	"- + against what %s held, rv %s:":           "- + 对照 %s 手里的 rv %s：",
	"- + against what %s held before, rv %s:":    "- + 对照 %s 先前手里的 rv %s：",
	"- + against what was stored before, rv %s:": "- + 对照先前存着的 rv %s：",
	"stored: %s": "存的是：%s", "before the step: %s": "这一步之前：%s",
	"(a body of %d KiB, too long to be shown here; the trace holds it)": "（正文有 %d KiB，太长，这里不显示；trace 里有）",
	"%s, by the time since the request:":                                "%s，时间从发出请求算起：", "%d events": "%d 个事件",
	"the trace holds no event of it": "trace 里没有它的事件",
	"continue holds: %s":             "continue 里是：%s",
	"not read to its end: %s":        "没有读到结尾：%s",
	"reached etcd: ":                 "到达 etcd：",

	// What is copied.
	"The trace does not hold this body: what a Secret holds is hidden. Write it into the file body first.": "trace 里没有这个正文：Secret 的内容已隐藏。请先把正文写进文件 body。",
	"The body cannot be shown here. Write it into the file body first.":                                    "正文在这里无法写出。请先把正文写进文件 body。",
	"The body has control characters, which cannot be pasted. Write it into the file body first.":          "正文含有控制字符，不能粘贴。请先把正文写进文件 body。",
}
