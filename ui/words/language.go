package words

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rvtui/scenarios"
)

// Languages are those that rvtui speaks.
var Languages = []string{scenarios.English, scenarios.Chinese}

// Speaks reports whether rvtui speaks a language.
func Speaks(lang string) bool { return slices.Contains(Languages, lang) }

// In is what rvtui itself says, in a language; English where the language has no word
// for it. With args the text is a format.
func In(lang, english string, args ...any) string {
	said := english
	if lang == scenarios.Chinese {
		for _, table := range chineseTables {
			if s, ok := table[english]; ok {
				said = s
				break
			}
		}
	}
	if len(args) == 0 {
		return said
	}
	return fmt.Sprintf(said, args...)
}

// CountIn is a number with its noun, in a language.
func CountIn(lang string, n int, one, many string) string {
	if said := In(lang, "%d "+many); said != "%d "+many {
		return fmt.Sprintf(said, n)
	}
	return Count(n, one, many)
}

// Capital is a text with a capital letter at its beginning, in a script that has them.
func Capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// Slow is how long a step takes, as its author says it in English, in a language:
// "about 43 s" is "约 43 秒".
func Slow(lang, said string) string {
	if lang != scenarios.Chinese {
		return said
	}
	return strings.NewReplacer("about ", "约 ", " s", " 秒", " min", " 分钟").Replace(said)
}

// chineseTables are the interface in Chinese, a table for each part of it.
var chineseTables = []map[string]string{
	chinese, chineseHelp, chineseHTTP, chineseDiff, chineseTimeline, chinesePath, chineseLog, chineseEtcd, chinesePalette, chineseMemory,
	chinesePresent, chineseSearch, chineseWhy, chinesePlain, chineseSaved, chineseUnseen,
}

// chinese is what the main screen and the list say in Chinese. Names of fields and of the API's and etcd's
// words stay as they are; so do the key names.
var chinese = map[string]string{
	// Numbers of something.
	"%d steps": "%d 步", "%d scenarios": "%d 个场景", "%d objects": "%d 个对象", "%d items": "%d 项",
	"%d keys": "%d 个键", "%d attempts": "%d 次尝试", "%d events": "%d 个事件", "%d revisions": "%d 个修订版本",

	"predicted": "猜对了", "undecided": "说不准", "not so": "不对", "you said: %s · it is: %s": "你选的是：%s · 其实是：%s",
	"predicted %d of %d": "猜对 %d/%d", "QUESTION %s": "提问 %s", "answer": "作答", "choose": "选择", "take it": "就选它", "not now": "先不答",
	"no questions": "不提问", "you are asked first: title and summary would give answers away, and wait until the end": "标题和概要会泄露答案，走完再显示", "predict": "预测", "predict: each question is asked before its step": "预测：每一步之前先提问",
	"there are %d answers": "一共 %d 个答案", "choose an answer: 1 to %d; p ends the questions": "选一个：1 到 %d；p 不再提问", "no questions   → takes the step": "不提问   → 走这一步",
	"lines that hold": "含有这些字的行", "enter keeps it, esc shows every line": "enter 保留，esc 显示全部",
	"there is no other answer that way":                      "那边没有别的应答",
	"there is nothing to copy here":                          "这里没有可复制的",
	"copied, if the terminal lets programs do that (OSC 52)": "已复制，如果终端允许程序这样做（OSC 52）",
	"the setup: what was there before the first step":        "准备：第一步之前已有的东西",
	"http": "HTTP", "diff": "差别", "timeline": "时间线", "scroll": "滚动", "path": "路径", "revision": "版本", "older side": "只动旧的", "object": "对象", "unfold": "展开", "copy": "复制",

	// What became of a step.
	"as expected": "符合预期", "NOT as expected": "不符合预期",
	"skipped": "已跳过", "skipped: %s": "已跳过：%s", "could not be done: %s": "没能做成：%s",
	"expected %s, got %s": "预期：%s，实际：%s",

	// A writer.
	"writer": "写入方", "reads only": "只读", "operates the cluster": "管理集群",
	"no request yet": "还没有请求", "holds rv %s": "手里 rv %s", "holds nothing": "手里什么都没有",
	"holds %s": "手里有 %s", "stale": "已过期", "list rv %s": "列表 rv %s",
	"sent, %s:": "发出的，%s：", "sends this patch:": "发出这个 patch：", "sends this patch, %s:": "发出这个 patch，%s：",
	"stored": "已存下", "stored altered": "存下时有改动", "refused": "被拒绝", "not answered yet": "还没有应答",
	"not stored (dry run)": "没有存（dry run）", "deleted with it": "随之删除", "nothing to store": "没有可存的改动",
	"answered:": "应答：", "  (no fields of its own)": "  （没有自己的字段）",
	"earlier": "先前", "earlier, and %d before": "先前，更早还有 %d 个", " (attempt %d)": "（第 %d 次尝试）", "Warning: %s": "警告：%s",
	"waiting for the answer": "等待应答", "no answer": "没有应答",

	// The apiserver.
	"no object": "没有对象", "no object yet": "还没有对象", "deleted": "已删除", "does not exist": "不存在", "none": "无", "… %d more lines": "… 还有 %d 行",
	"restarted": "重启了",

	// etcd.
	"revisions": "修订版本", "not read yet": "还没有读取", "compacted %d": "压缩到 %d", "read through: %s": "读自：%s",
	"compacted none": "没有压缩过",
	"gone":           "已丢弃", "%s, gone": "%s，已丢弃", "· %d by others": "· 其他写入 %d 个", "other": "其他", scenarios.ByUnknown: "别人", "… %d before": "… 前面还有 %d 条",
	"no write reached etcd":                        "没有写操作到达 etcd",
	"etcd wrote nothing":                           "etcd 什么也没写",
	"no RPC: served from the watch cache's memory": "没有 RPC：由 watch cache 的内存应答",
	"no RPC reached etcd":                          "没有 RPC 到达 etcd",
	"no such key":                                  "没有这个键", "only the revision, %d": "只取修订版本，%d", "error: %s": "出错：%s",
	"lost": "条件不成立", "lost, got mod=%d": "条件不成立，读到 mod=%d",

	// Request and response.
	"request": "请求", "response": "应答", "no HTTP request in this step": "这一步没有 HTTP 请求", "and so no answer": "所以也没有应答",
	"%s · %d of %d": "%s · %d/%d", "no answer: %s": "没有应答：%s", "(managedFields left out)": "（略去 managedFields）",

	// What is said of a step.
	"words": "解说", "Set up: ": "准备好的：", "%s at resourceVersion %s": "%s，resourceVersion %s", ", ": "，", ".": "。",
	"What to do instead:": "应该怎么做：", "next": "下一步", "  (takes %s)": "  （要 %s）",
	"%d above": "上面还有 %d 行", "%d more": "下面还有 %d 行",

	// Where one is.
	"LIVE %s": "最新 %s", " PAST %s ": " 回看 %s ", "RUNNING %s": "进行中 %s", "STARTING": "启动中",
	"There is more to see on 40×10 and larger.": "屏幕到 40×10 以上能看到更多。",
	"rvtui: the control plane is starting.":     "rvtui：控制面正在启动。",

	// Starting, running, what went wrong.
	"starting the control plane": "正在启动控制面", "setting up the scenario": "正在准备场景", "ready": "就绪", "ready in %s": "启动用时 %s",
	"%s waiting for the control plane": "%s等控制面就绪", "%s waiting until this one is done": "%s等这一步做完",
	"%s of %s": "%s / %s", "  … %s before": "  … 前面还有 %s", "%s ago": "%s 前", "attempt %-3d ": "第 %-2d 次 ",
	"waiting for the answer · %s": "等待应答 · %s", "etcd's head is %d · %s": "etcd 的 head 是 %d · %s",
	"%s after %s": "%s，用时 %s", "   Retry-After %s, waiting %s": "   Retry-After %s，已等 %s",
	"step %d is running, %s":                                           "第 %d 步正在进行，%s",
	"The control plane did not start.":                                 "控制面没能启动。",
	"The scenario could not be set up.":                                "场景没能准备好。",
	"Step %d could not be done.":                                       "第 %d 步没能做成。",
	"r tries again   q quits":                                          "r 再试一次   q 退出",
	"r tries again   esc back to the list   q quits":                   "r 再试一次   esc 回到列表   q 退出",
	"→ tries again   r starts afresh   esc back to the list   q quits": "→ 再试一次   r 从头再来   esc 回到列表   q 退出",

	// Notes and the prompt.
	"that was the last step   r runs it again   esc back to the list":           "这是最后一步   r 再来一遍   esc 回到列表",
	"playing, a step every %s, the next in %d s   a stop   + faster   - slower": "自动播放，每 %s 一步，还有 %d 秒   a 停止   + 加快   - 放慢",
	"autoplay would take a step every %s":                                       "自动播放会每 %s 走一步",
	"mouse off: the terminal selects text":                                      "鼠标已关：终端可以选取文字", "mouse on": "鼠标已开",
	"there are %s":                          "一共 %s",
	"rvtui does not speak %q; it speaks %s": "rvtui 不会说 %q，会的是 %s",

	// Keys.
	"try again": "再试一次", "back": "后退", "step": "走一步", "help": "帮助", "quit": "退出", "zoom": "放大", "play": "自动", "restart": "重来", "list": "列表",
	"pane": "窗格", "run it again": "再来一遍", "beginning": "回到开头", "close": "关闭", "down": "向下", "up": "向上", "open": "打开", "filter": "筛选",
	"? help ": "? 帮助 ",

	// The list of scenarios.
	"You will see": "会看到", "Met as": "报错原文", "Fix": "怎么办", "Needs": "需要", "Length": "长度", "slow": "较慢",
	"no scenario matches": "没有匹配的场景", "   no scenario matches": "   没有匹配的场景", "   esc clears the filter": "   esc 清除筛选",
	"   enter opens, ↑ ↓ choose, esc clears": "   enter 打开，↑ ↓ 选择，esc 清除", "   esc clears it": "   esc 清除",
	"to filter, by name or by the error text that you met": "按名字或遇到的报错原文筛选",
	" %d of %s": " %[2]s中的 %[1]d 个", " · %d run, %d as expected": " · 跑过 %d 个，%d 个符合预期",
	" file": " 文件", "FAILED": "不符", "%s (enter opens it)": "%s（enter 打开）",

	// The plain conversation.
	"Set up: %s":           "准备好的：%s",
	"head is %d":           "head 是 %d",
	"Head is %d":           "head 是 %d",
	"nothing is compacted": "没有压缩过", "revisions below %d are compacted": "%d 以前的修订版本已压缩",
	"Step %d of %d. %s.": "第 %d 步，共 %d 步。%s。", "Next: step %d. %s.": "下一步是第 %d 步。%s。",
	" %d of %d": "（%d/%d）", "Event: %s.": "事件：%s。", "token for more: %s": "续读 token：%s", "Request%s: %s": "请求%s：%s", "Answer%s: %s": "应答%s：%s", "Warning%s: %s": "警告%s：%s",
	"%s sends %s": "%s 发出 %s", "… %d more: %s.": "… 还有 %d 次：%s。",
	"… %d more: %s by %s, answered %s.": "… 还有 %d 次：%s，来自 %s，应答是 %s。", "… %d more %s": "… 还有 %d 次 %s", ", resourceVersion %s": "，resourceVersion %s", ", no resourceVersion": "，不带 resourceVersion",
	"not yet.": "还没有。", "none: %s.": "没有：%s。",
	", a list with %s":                       "，列表，%s",
	", a list at resourceVersion %s with %s": "，列表，resourceVersion %s，%s",
	" after %s.":                             "，用时 %s。",
	"Why: %s":                                "为什么：%s",
	"%s: %s":                                 "%s：%s", " ": "",
	"etcd: ": "etcd：", "%s: %s.": "%s：%s。", "apiserver: %s": "apiserver：%s",
	"New revision: %d, %s, version %s, by %s.": "新的修订版本：%d，%s，version %s，写入者 %s。",
	"In between: %s by others.":                "中间有其他写入的 %s。",
	"%s holds %s at resourceVersion %s":        "%s 手里的 %s 是 resourceVersion %s", ", which is stale": "，已过期",
	"The apiserver is another one now: restarted in %s.": "apiserver 已经换了一个：重启用了 %s。",
	"%s is deleted.": "%s 已删除。", "there is no %s.": "没有 %s。", "%s has resourceVersion %s": "%s 的 resourceVersion 是 %s",
	"What to do instead: %s": "应该怎么做：%s", "End: %s": "结束：%s",
	"%s, all as expected.": "%s，全部符合预期。", "%d as expected": "%d 步符合预期", "%d NOT as expected": "%d 步不符合预期",
	"%d skipped": "%d 步跳过", "%d with nothing expected": "%d 步没有预期", "; ": "；",
	"rvtui. Starting the control plane.": "rvtui。正在启动控制面。", "%s is up.": "%s 已启动。",
	"Ready: %s.": "就绪：%s。",
	"No scenario is open. Type list, or open NAME.":    "还没有打开场景。输入 list，或者 open 名字。",
	"goto takes a step's number.":                      "goto 后面要写步数。",
	"%q is nothing that can be typed here. Type help.": "这里不认识 %q。输入 help 看看。",
	"No scenario is called %q. Type list to see all.":  "没有叫 %q 的场景。输入 list 看全部。",
	"No scenario is called %q. The nearest: %s.":       "没有叫 %q 的场景。最接近的：%s。",
	"Chapter %s": "章节 %s", "%s. Type open NAME.": "%s。输入 open 名字。",
	"%s could not be set up: %s":    "%s 没能准备好：%s",
	"Removing what %s made: %s":     "清理 %s 留下的东西：%s",
	"Step %d could not be done: %s": "第 %d 步没能做成：%s",
	"Attempt %d: %s":                "第 %d 次尝试：%s",
	"There are %s.":                 "一共 %s。",
	"That was the last step. Type restart to run it again, list for the others.": "这是最后一步。输入 restart 再来一遍，list 看其他场景。",
	"Question before step %d: %s": "第 %d 步之前的问题：%s", "Type the answer's number.": "输入答案的号码。",
	"Your answer is undecided: %s.": "你的答案没有定论：%s。", "You were right: %s.": "猜对了：%s。",
	"You were wrong: you said %s; it is %s.": "不对：你选的是“%s”，其实是“%s”。", "You predicted %d of %d.": "猜对 %d/%d。",
	plainHelp: `可以输入：
直接按 enter 或 next：走下一步，或者往后看一步；走完之后，next 打开下一个还没跑过的场景
back：往回看一步
first、last：看开头，看最新的一步
N 或 goto N：看第 N 步，还没走的步会一一走过
restart：从头再来
predict：每一步之前先提问，再输入一次就不提问
state：现在各方手里有什么、刚写了什么，apiserver 给出什么，etcd 里有哪些修订版本
steps：全部步骤，和到这一步为止的请求与应答
http、diff、timeline、path、etcd、log：这一步的视图；http all：全部展开；http 2：第二个请求
list：全部场景
open NAME：打开另一个场景
lang en、lang zh：换语言
quit：结束
`,
	"What to do instead": "应该怎么做", "(5 shows all of it)": "（按 5 看全文）", "Sources": "出处", "Sent%s:": "发出的%s：", " (metadata.managedFields left out)": "（略去 metadata.managedFields）",
	"| | request | answer | |": "| | 请求 | 应答 | |",
}

// plainHelp is what can be typed in the plain conversation.
const plainHelp = `What can be typed:
enter or next: take the next step, or look one further; at the end, next opens the next scenario that was not run
back: look one step back
first, last: look at the beginning, at the newest step
N or goto N: look at step N, taking the steps up to it that are still to come
restart: run the scenario afresh
predict: each question is asked before its step; again: no more questions
state: how everything stands now: what each writer holds and wrote, what the apiserver serves, etcd's revisions
steps: all steps, with the requests and answers up to this one
http, diff, timeline, path, etcd, log: a view of the step; http all: with nothing folded; http 2: of its second request
list: all scenarios
open NAME: open another scenario
lang en, lang zh: the language
quit: end
`

// PlainHelp is what can be typed in the plain conversation, in a language.
func PlainHelp(lang string) string { return In(lang, plainHelp) }
