package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
)

func TestEachViewOpensWithItsKeyAndClosesWithItOrEsc(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "4", "enter")
	d.at(4, 4)
	panes := d.m.frame()
	for name, v := range map[string]screen.View{"x": screen.HTTP, "d": screen.Diff, "t": screen.Timeline, "w": screen.Path, "L": screen.Log} {
		for _, closes := range []string{name, "esc"} {
			d.press(name)
			if d.m.state.View != v {
				t.Errorf("%s opens view %d, want %d", name, d.m.state.View, v)
			}
			d.shows("two-writers › " + v.Name())
			d.press(closes)
			if d.m.state.View != screen.Panes || d.m.frame() != panes {
				t.Errorf("%s does not close %s: view %d", closes, v.Name(), d.m.state.View)
			}
		}
	}
	d.press("x", "t")
	if d.m.state.View != screen.Timeline {
		t.Error("one view does not lead to another")
	}
	d.press("3")
	if d.m.state.View != screen.Panes || d.m.state.Focus != screen.PaneAPIServer {
		t.Errorf("a pane's number leads to view %d, pane %d", d.m.state.View, d.m.state.Focus)
	}
}

func TestAViewStaysOpenFromStepToStep(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("w")
	for n := 1; n <= 6; n++ {
		d.press("l")
		d.at(n, n)
		if d.m.state.View != screen.Path {
			t.Fatalf("after step %d it is view %d", n, d.m.state.View)
		}
	}
	d.press("h", "h")
	d.shows("› path", "409 Conflict", "──▶")
}

// manyRequests is a driver that stands at a step with several requests.
func manyRequests(t *testing.T) *driver {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.m.story = screen.NewStory(uitest.Trace(t, "true-race"))
	d.m.look(2)
	return d
}

func TestTheRequestsOfAStepAreChosenInItsViews(t *testing.T) {
	for _, name := range []string{"x", "w"} {
		d := manyRequests(t)
		d.press(name, "k", "k", "k")
		if at := d.m.state.Look.Chosen; at != 1 {
			t.Errorf("%s: the first request is number %d", name, at)
		}
		first := d.m.frame()
		d.press("j")
		if at := d.m.state.Look.Chosen; at != 2 || d.m.frame() == first {
			t.Errorf("%s: the next request is number %d", name, at)
		}
		d.press("j", "j", "j")
		if at := d.m.state.Look.Chosen; at != 2 {
			t.Errorf("%s: behind the last request comes number %d", name, at)
		}
		d.press("l")
		if at := d.m.state.Look.Chosen; at != 0 {
			t.Errorf("%s: at the next step request %d is chosen", name, at)
		}
	}
}

func TestTheDiffGoesFromRevisionToRevision(t *testing.T) {
	d := manyRequests(t)
	d.m.look(d.m.story.Taken())
	d.press("d")
	newest := ansi.Strip(d.m.frame())
	d.press("[", "[", "]")
	if d.m.state.Look.Newer != 1 || ansi.Strip(d.m.frame()) == newest {
		t.Errorf("the newer side is %d back", d.m.state.Look.Newer)
	}
	d.press("]", "]", "{")
	if d.m.state.Look.Newer != 0 || d.m.state.Look.Older != 1 {
		t.Errorf("the sides are %d and %d back", d.m.state.Look.Newer, d.m.state.Look.Older)
	}
	d.press("}")
	if ansi.Strip(d.m.frame()) != newest {
		t.Error("back at the newest revision it is another frame")
	}
}

func TestTheLogIsFilteredWhileItIsTyped(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.m.story = screen.NewStory(uitest.Trace(t, "exact-compacted"))
	d.m.look(d.m.story.Taken())
	d.press("L")
	all := d.m.frame()
	if !strings.Contains(all, "compaction") {
		t.Fatalf("the log tells of no compaction:\n%s", ansi.Strip(all))
	}
	d.press("/", "n", "o", "p", "e", "q")
	d.shows("/nopeq_")
	if strings.Contains(d.m.frame(), "finished scheduled compaction") {
		t.Error("a line that does not hold it is shown")
	}
	d.press("esc")
	if d.m.frame() != all {
		t.Error("esc does not show every line")
	}
	d.press("/", "c", "o", "m", "p", "a", "c", "t", "enter")
	d.shows("compact")
	if d.m.state.Filtering || d.m.state.Look.Filter != "compact" {
		t.Errorf("enter leaves the filter %q, typing %v", d.m.state.Look.Filter, d.m.state.Filtering)
	}
}

func TestCopyHandsTheTextToTheTerminal(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "4", "enter")
	d.at(4, 4)
	for name, want := range map[string]string{"x": "curl ", "d": "--- cm1 @", "t": "PUT cm1", "w": "──▶ 409 Conflict"} {
		d.press(name)
		cmd := d.m.copy()
		if cmd == nil {
			t.Errorf("%s: nothing is copied", name)
			continue
		}
		if text := fmt.Sprint(cmd()); !strings.Contains(text, want) {
			t.Errorf("%s: what is copied does not hold %q:\n%s", name, want, text)
		}
		d.press("esc")
	}
	if cmd := d.m.copy(); cmd != nil || d.m.state.Note == "" {
		t.Error("the panes copy something, or do not say that they do not")
	}
}
