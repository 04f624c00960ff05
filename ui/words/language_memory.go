package words

// chineseMemory is what is said of earlier runs, and of what comes next, in Chinese.
var chineseMemory = map[string]string{
	"enter opens the scenario; in it, → takes the next step": "enter 打开场景；打开后，→ 走下一步",
	"Last run": "上次运行", ". Last run: %s.": "。上次运行：%s。", "%d of %s taken": "走了 %[2]s中的 %[1]d 步",
	"predicted %d of %d": "猜对 %d/%d",

	"at the end of a scenario, open the next that was not run; while searching, the next place": "一个场景走完后，打开下一个还没跑过的场景；查找时是下一处",
	"chapter %s: %d of %d right":                               "章节 %s：猜对 %d/%d",
	"chapter %s: %d of %d scenarios answered, %d of %d right":  "章节 %s：%d/%d 个场景答过，猜对 %d/%d",
	"Chapter %s: %d of %d right.":                              "章节 %s：猜对 %d/%d。",
	"Chapter %s: %d of %d scenarios answered, %d of %d right.": "章节 %s：%d/%d 个场景答过，猜对 %d/%d。",
	"%d of %d right": "猜对 %d/%d", "%d of %d answered, %s": "答过 %d/%d 个，%s",

	"next scenario": "下一个场景", "next scenario: %s": "下一个场景：%s",
	"n opens the next scenario at the end of this one":                                  "走完这个场景后，n 打开下一个",
	"every scenario was run   r runs this one again   esc back to the list":             "所有场景都跑过了   r 再来一遍   esc 回到列表",
	"that was the last step   n next scenario   r runs it again   esc back to the list": "这是最后一步   n 下一个场景   r 再来一遍   esc 回到列表",
	"in the list: of so many predictions, so many were right (right/asked)":             "在列表里：猜对的次数/猜过的次数",

	"To begin: open %s. Then enter takes each step, and help says what else there is.": "第一次用：输入 open %s。打开后按 enter 一步一步走，help 看其他能输入的。",
	"Not run yet, and next: %s.":                       "还没跑过的下一个：%s。",
	"Not run yet, and next: %s. Type next to open it.": "还没跑过的下一个：%s。输入 next 打开它。",
	"That was the last step. Type next for the next scenario, restart to run this one again, list for all scenarios.": "这是最后一步。输入 next 打开下一个场景，restart 再来一遍，list 看全部场景。",
}
