package words

// chineseDiff is the diff view in Chinese.
var chineseDiff = map[string]string{
	// What is compared.
	"object %d of %d · tab": "第 %d 个对象，共 %d 个 · tab", "revision": "修订版本", "version %s": "version %s",
	"%s, step %d": "%s，第 %d 步", "%s, setup": "%s，准备时",
	"No resourceVersion is stored in the object: the apiserver takes it from the key's mod_revision, %d and %d.": "存下的对象里没有 resourceVersion：apiserver 用键的 mod_revision 来填，分别是 %d 和 %d。",
	"No resourceVersion is stored in the object: the apiserver takes it from the key's mod_revision, %d.":        "存下的对象里没有 resourceVersion：apiserver 用键的 mod_revision 来填，是 %d。",

	// What the step did to it.
	"This step did not write %s, which is still deleted.":                                             "这一步没有写 %s，它仍然是已删除的。",
	"This step did not write %s: its resourceVersion is still %d.":                                    "这一步没有写 %s：它的 resourceVersion 仍然是 %d。",
	"This step wrote %s %d times, and last at revision %d.":                                           "这一步写了 %s %d 次，最后一次是修订版本 %d。",
	"No revision of the scenario's objects is known up to here, so that there is nothing to compare.": "到这里还不知道场景里任何对象的修订版本，没有可比较的。",

	// What became of the key.
	"Revision %d deletes %s. The trace does not hold what it was before.":                              "修订版本 %d 删除了 %s。记录里没有它先前的内容。",
	"Revision %d is the first of %s in the trace, which does not hold what it was before.":             "记录里最早的是修订版本 %d，它之前的 %s 是什么样，记录里没有。",
	"Revision %d creates %s. It is the only revision up to here: there is nothing to compare it with.": "修订版本 %d 创建了 %s。到这里它只有这一个修订版本，没有可比较的。",
	"Revision %d creates %s.":                 "修订版本 %d 创建了 %s。",
	"At neither revision is anything stored.": "这两个修订版本时都没有存着什么。",
	"%s is there again, but it is another object: the one of this name was deleted at revision %d.":               "又有 %s 了，但它是另一个对象：原来叫这个名字的，在修订版本 %d 已被删除。",
	"Revision %d deletes %s. Until that is compacted, etcd can still be asked what it was before.":                "修订版本 %d 删除了 %s。在压缩之前，还可以向 etcd 查它先前的样子。",
	"Revision %d deletes %s. What it was before, etcd cannot be asked any more: it is compacted at %d.":           "修订版本 %d 删除了 %s。它先前的样子已不能再向 etcd 查：etcd 压缩到了 %d。",
	"These are two objects of one name: it was deleted and created again in between (create_revision %d and %d).": "这是同名的两个对象：其间删除过，又重新创建（create_revision 分别是 %d 和 %d）。",

	// What they contain.
	"A trace does not hold what a Secret contains: there are its revisions, but no contents to compare.": "记录里不存 Secret 的内容：有它的修订版本，但没有内容可以比较。",
	"The trace does not hold the object's contents at both revisions.":                                   "记录里没有对象在这两个修订版本时的全部内容。",
	"Nothing differs but a time in managedFields.":                                                       "不同的只有 managedFields 里的时间。",
	"Nothing differs but managedFields.":                                                                 "不同的只有 managedFields。",
	"The object is the same at both revisions.":                                                          "对象在这两个修订版本时完全一样。",
	"nothing": "无", "no such key yet": "还没有这个键", "not in the trace": "记录里没有",
	"… %d lines unchanged": "… %d 行没有变", ", then in %s": "，接着是 %s 里的",
	"%d entries": "%d 项", "%s, changed": "%s，有改动", " (o unfolds)": "（o 展开）",
}
