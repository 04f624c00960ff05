package words

// chinesePalette is what is said of commands in Chinese.
var chinesePalette = map[string]string{
	"commands": "命令", "command": "命令", "; in the list of scenarios too": "；在场景列表里也可以", "complete": "补全", "choose": "选择", "do it": "执行",
	"What can be typed after :": "可以在 : 后面输入的",
	"a command, or a step's number: what fits is shown, tab completes, enter does it": "命令，或者步数：会列出合适的，tab 补全，enter 执行",

	"STEP": "步数", "VIEW": "视图", "NAME": "名字", "THEME": "主题", "LANGUAGE": "语言", "FILE": "文件",
	"go to a step, taking those up to it; a number will do":   "去第几步；还没走的步会一一走过；只写数字也行",
	"open a view of the step":                                 "打开这一步的视图",
	"open another scenario":                                   "打开另一个场景",
	"change the colours":                                      "换颜色",
	"change the language":                                     "换语言",
	"save the trace to a new file, and each step as it comes": "把 trace 存进新文件，之后每一步也补进去",

	"every revision and every RPC":                              "每个修订版本和每次 RPC",
	"as the terminal's background is":                           "跟随终端的背景",
	"light text on a dark background":                           "深色背景，浅色文字",
	"dark text on a light background":                           "浅色背景，深色文字",
	"a contrast of at least 7:1, for a projector or tired eyes": "对比度至少 7:1，适合投影或者眼睛累了的时候",
	"the sixteen colours of the terminal's own scheme":          "终端自己配色里的十六种颜色",

	"nothing here begins with that":                   "没有以此开头的",
	"enter writes it; an existing file is left alone": "enter 写入；已有的文件不会动",
	"writing it":                           "正在写入",
	"there is no command %q; there are %s": "没有命令 %q；有的是 %s",
	"%s needs a scenario that is open; scenario NAME opens one": "%s 要先打开一个场景；scenario 加名字可以打开",
	"%s takes %s: %s":                                              "%s 后面要写%s：%s",
	"%q is no step's number; %s":                                   "%q 不是步数；%s",
	"there is no view %q; there are %s":                            "没有视图 %q；有的是 %s",
	"no scenario is called %q; near it are %s":                     "没有叫 %q 的场景；相近的有 %s",
	"no scenario is called %q; tab goes through all of them":       "没有叫 %q 的场景；tab 可以逐个看",
	"there is no theme %q; there are %s":                           "没有主题 %q；有的是 %s",
	"there is nothing to save yet: the scenario is not set up":     "还没有可存的：场景还没有准备好",
	"saved %s, %d bytes":                                           "已存入 %s，%d 字节",
	"saved %s, %d bytes; each step from here on is added":          "已存入 %s，%d 字节；之后每一步都会补进去",
	"; the next step tries again":                                  "；下一步会再试",
	"not saved: %s":                                                "没有存：%s",
	"%s could not be written: %s":                                  "%s 没能写入：%s",
	"%s is there already, and is left alone; another name will do": "%s 已经有了，不会动它；请换个名字",
	"no theme shows without colours: NO_COLOR, CLICOLOR=0, --color never, or a terminal that has none": "没有颜色时主题不起作用：NO_COLOR、CLICOLOR=0、--color never，或者终端没有颜色",
}
