package screen

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/theme"
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

// What to do instead is what one came for: at the end of a walk it is on the smallest screen
// that has panes, or its beginning with where the rest is.
func TestAtTheEndOfAWalkThereIsWhatToDoInstead(t *testing.T) {
	size := cells.Size{Width: 80, Height: 24}
	for _, name := range []string{"two-writers", "exact-compacted", "patch-storm", "kubectl-apply", "resume"} {
		trace := uitest.Trace(t, name)
		for _, fix := range []string{trace.Fix.In(scenarios.English), strings.Repeat("Read the object again, and redo your change on it. ", 20)} {
			trace.Fix = scenarios.Text{scenarios.English: fix}
			shown := ansi.Strip(Frame(NewStory(trace), State{Cursor: len(trace.Steps)}, size, theme.For("", colorprofile.ASCII, true), scenarios.English))
			flat := strings.Join(strings.Fields(shown), " ")
			if !strings.Contains(flat, "What to do instead: "+strings.Join(strings.Fields(fix)[:6], " ")) {
				t.Errorf("%s does not say what to do instead:\n%s", name, shown)
			}
			if whole := strings.Contains(flat, strings.TrimSpace(fix)); whole == strings.Contains(flat, "(5 shows all of it)") {
				t.Errorf("%s shows the whole of it: %t, and says otherwise:\n%s", name, whole, shown)
			}
		}
	}
}
