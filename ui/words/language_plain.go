package words

// chinesePlain is what the plain conversation says of how everything stands, in Chinese.
var chinesePlain = map[string]string{
	"This is a saved trace, of %s. There is no list to go to.": "这是 %s 的存档，没有列表可回。",
	"State of %s after the setup:":                             "%s 准备好之后的状态：",
	"State of %s after step %d of %d:":                         "%s 第 %d 步之后的状态，共 %d 步：",
	"%s holds nothing.":                                        "%s 手里没有对象。",
	"%s, step %d, %s":                                          "%s，第 %d 步，%s",
	"nothing that it did not hold":                             "没有和手里不同的内容",
	"; instead of ":                                            "；原来是 ",
	", and %d more":                                            "，还有 %d 项",
	" (%s before)":                                             "（之前是 %s）",
	"Revision %d: %s, version %s, by %s":                       "修订版本 %d：%s，version %s，写入者 %s",
	", which compaction has taken away":                        "，已被压缩掉",
	"Steps of %s; step %d is looked at, %d of %d are taken:":   "%s 的步骤；正在看第 %d 步，走了 %d 步，共 %d 步：",
	"etcd: %s": "etcd：%s", "Revisions: %s.": "修订版本：%s。", "none of the scenario's yet": "场景还没有写过",
	"to come": "还没走", "nothing was expected": "没有预期",
	"%d, %s: %s.": "%d，%s：%s。", "%s, answered %s after %s.": "%s，应答 %s，用时 %s。", "%s %s, answered %s after %s.": "%s %s，应答 %s，用时 %s。",
	"Chapter %s.": "章节 %s。", "Source: %s": "出处：%s", "It takes %s.": "用时：%s。",
	"The trace could not be saved: %s. The next step tries again.": "trace 没能存下：%s。下一步会再试。",
	"Waiting for the answer: %s etcd's head is %d.":                "等待应答：%setcd 的 head 是 %d。",
}
