package words

// chineseSearch is what searching in a pane or a view says, in Chinese.
var chineseSearch = map[string]string{
	"the next place": "下一处", "end of the search": "结束查找",
	"below: the setup": "下面是准备阶段", "below: step %d": "下面是第 %d 步", "playing   the step is under way   a stop": "自动播放   这一步还没走完   a 停止",
	"search in the focused pane or view":               "在当前窗格或视图里查找",
	"while searching, the place before; n is the next": "查找时，前一处；n 是下一处",
	"search": "查找",
	"enter keeps it: then n next, N before   esc ends it":                     "enter 确定：之后 n 下一处，N 前一处   esc 结束",
	"not here   esc ends it":                                                  "这里没有   esc 结束",
	"/%s   n next   N before   esc ends the search":                           "/%s   n 下一处   N 前一处   esc 结束查找",
	"%q is not in this pane   tab goes to the next   esc ends the search":     "这个窗格里没有 %q   tab 到下一个   esc 结束查找",
	"%q is not here   esc ends the search":                                    "这里没有 %q   esc 结束查找",
	"esc closes the view; then n opens the next scenario":                     "先 esc 关掉视图，再按 n 打开下一个场景",
	"the search went on from the other end":                                   "从另一头接着找",
	"a slide is all on the screen; 1 to 5 open a pane, which can be searched": "幻灯片上的都看得见；1 到 5 打开窗格，可以在里面查找",
}
