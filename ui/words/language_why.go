package words

// chineseWhy is why a key does nothing, in Chinese.
var chineseWhy = map[string]string{
	"that was the last step   h looks back":                  "这是最后一步   h 往回看",
	"the step is still under way":                            "这一步还没走完",
	"the scenario is not ready yet":                          "场景还没准备好",
	"this is the beginning   → steps on":                     "已经在开头   → 前进",
	"this is the live edge   → takes the next step":          "已经在最新处   → 走下一步",
	"/ searches; then n is the next place, N the one before": "先用 / 查找；之后 n 是下一处，N 是前一处",
	"nothing is further down":                                "下面没有了",
	"nothing is further up":                                  "上面没有了",
	"%s goes through revisions in the diff   d opens it":     "%s 在 diff 里换版本   d 打开它",
	"there is no revision further that way":                  "那个方向没有别的版本了",
	"%s is for a view   x d t w L open one":                  "%s 要在视图里用   x d t w L 打开一个",
	"nothing is folded here":                                 "这里没有折叠的",
	"nothing is further that way":                            "那边没有了",
	"there is no other one here":                             "这里没有别的",
	"that is the fastest":                                    "已经最快了",
	"that is the slowest":                                    "已经最慢了",
	"it has the keyboard already":                            "它已经是当前的了",
	"%s does nothing here   ? lists the keys":                "%s 在这里没有用处   ? 列出所有按键",
	"this is the list of scenarios   q quits":                "这是场景列表   q 退出",
	"that is the last one":                                   "已经是最后一个",
	"that is the first one":                                  "已经是第一个",
	"%s is for an open scenario   enter opens one":           "%s 要打开场景才能用   enter 打开一个",
}
