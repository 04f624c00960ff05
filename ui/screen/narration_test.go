package screen

import (
	"regexp"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
)

// placeholder is a value that a narration waits for, such as ${etcd.head}.
var placeholder = regexp.MustCompile(`\$\{[^}]*\}`)

// The explanation at 120×36 has nine lines before the panes have to move: what is said of
// a step has five of them, beside its title, the verdict, and what comes next.
func TestNoNarrationIsLongerThanItsPlace(t *testing.T) {
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	size := cells.Size{Width: 120, Height: 36}
	explain := Arrange(size, 0, Panes, PaneA).Explain
	const others = 4 // title, verdict, air, next
	for _, s := range all {
		for i := range s.Steps {
			for _, lang := range []string{scenarios.English, scenarios.Chinese} {
				said := placeholder.ReplaceAllString(s.Steps[i].Say.In(lang), "1234")
				if n := len(cells.Wrap(said, explain.W-2)); n > explain.H-others {
					t.Errorf("%s, step %d, %s: %d lines, and there is room for %d", s.Name, i+1, lang, n, explain.H-others)
				}
			}
		}
	}
}
