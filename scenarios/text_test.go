package scenarios

import (
	"strings"
	"testing"
)

func TestAChineseTextHasNoSpaceWhereItsLineEnds(t *testing.T) {
	const before, lines = "title: Small", "title:\n  en: >-\n    Small,\n    and folded\n  zh: >-\n    "
	for name, test := range map[string]struct{ written, want string }{
		"after punctuation":           {"缓存旧了，\n    就会错", "缓存旧了，就会错"},
		"between two characters":      {"缓存\n    旧了", "缓存旧了"},
		"punctuation, then latin":     {"他说，\n    etcd 变了", "他说，etcd 变了"},
		"beside a latin word it is":   {"读的是\n    etcd\n    里的", "读的是 etcd 里的"},
		"between two latin words too": {"watch\n    cache 旧了", "watch cache 旧了"},
	} {
		t.Run(name, func(t *testing.T) {
			title := mustDecode(t, strings.Replace(small, before, lines+test.written, 1)).Title
			if got := title.In(Chinese); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if got := title.In(English); got != "Small, and folded" {
				t.Errorf("the English text is %q", got)
			}
		})
	}
}
