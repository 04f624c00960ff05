package words

// chinesePresent is what the presenter's mode says, in Chinese.
var chinesePresent = map[string]string{
	"presenter's mode, on and off: wide margins, one idea at a time, and each key that is pressed": "演示模式，开和关：留宽边，一次只讲一点，按了什么键看得见",
	"presenter's mode   P ends it": "演示模式   P 结束",
	"next idea":                    "下一点", "end": "结束", "  … and %d more": "  …… 还有 %d 项",
	"%s by others, of other keys or with other clients":                   "%s是别人写的：别的 key，或者别的客户端",
	"the presenter's mode is over":                                        "演示模式结束",
	"one idea at a time: 1 to 5 open a pane, P ends the presenter's mode": "演示模式一次只讲一点：1 到 5 打开窗格，P 结束演示模式",

	"presenter's mode: what there is to say of the step, shown and to come": "演示模式：这一步要讲的，已经讲的和还没讲的",

	"about": "讲什么", "set up": "先有", "asked": "请求", "answered": "应答", "done": "做了", "in etcd": "etcd 里", "so": "所以", "question": "想一想", "instead": "该怎么做",
	"revision %d: %s %s, version %s": "修订版本 %d：%s %s，version %s",
	"%s, by %s":                      "%s，%s写的",
	"%s, up to %d":                   "%s，直到 %d",
	"%d revisions more":              "还有 %d 个修订版本",
}
