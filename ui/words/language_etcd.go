package words

// chineseEtcd is etcd in depth in Chinese.
var chineseEtcd = map[string]string{
	"nothing was seen in etcd": "etcd 里什么也没看到",
	"rows %d–%d of %d":         "第 %d–%d 行，共 %d 行",
	"What each key held at revision %d is kept. What it held before is gone, and etcd refuses a read at an older revision.": "每个键在修订版本 %d 时的内容还在；更早的内容已丢弃，etcd 拒绝读更早的修订版本。",
	"What each key held at revision %d is kept. What it held before is gone.":                                               "每个键在修订版本 %d 时的内容还在；更早的内容已丢弃。",
	"compacted at %d":                         "压缩到 %d",
	"kept":                                    "保留",
	"· %s: %d by others":                      "· %s：其他写入 %d 个",
	"… %d rows between; o unfolds them":       "… 中间还有 %d 行，o 展开",
	"waited %s at etcd's door for the others": "在 etcd 门口等了 %s，等别的也到",
	"rvtui's own call, not the apiserver's":   "rvtui 自己的调用，不是 apiserver 的",
	"%d Txns succeeded":                       "%d 次 Txn 条件成立",
	"%d Txns lost":                            "%d 次 Txn 条件不成立",
	"%d reads":                                "%d 次读",
	"%d failed":                               "%d 次出错",
	"%d others":                               "%d 次其他调用",
	"%d requests":                             "%d 个请求",
	"%d by others":                            "其他写入 %d 个",
}
