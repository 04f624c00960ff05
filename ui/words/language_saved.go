package words

// chineseSaved is what is said of a saved trace, in Chinese.
var chineseSaved = map[string]string{
	"to the live edge; in a saved trace, to its end":                "到最新处；存档的记录则到末尾",
	"rvtui. A saved trace: %s.":                                     "rvtui。存档的记录：%s。",
	"That was the last step. Type restart to begin again, or quit.": "这是最后一步。输入 restart 从头再看，或者 quit。",
	"r begins again   q quits":                                      "r 从头再看   q 退出",
	"saved":                                                         "存档", "SAVED %s": "存档 %s", "SAVED": "存档",
	"a saved trace: the cursor stands at the newest step that was revealed; → reveals the next": "同上，但这是存档的记录；→ 揭开下一步",
	"The trace was saved here: what came of step %d is not in it.":                              "记录是在这里存下的：第 %d 步的结果不在里面。",
	"the trace was saved before step %d   r begins again   q quits":                             "这份记录存在第 %d 步之前   r 从头再看   q 退出",
	"that was the last step   r begins again   q quits":                                         "这是最后一步   r 从头再看   q 退出",
	"a saved trace is played alone; rvtui, without play, has the other scenarios   q quits":     "存档的记录是单独播放的；其他场景在 rvtui 里（不带 play）   q 退出",
}
