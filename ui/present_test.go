package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/screen"
)

func (d *driver) hides(texts ...string) {
	d.t.Helper()
	frame := ansi.Strip(d.m.frame())
	for _, text := range texts {
		if strings.Contains(frame, text) {
			d.t.Errorf("%q is on the screen:\n%s", text, frame)
		}
	}
}

func TestAPresenterShowsOneIdeaAtATime(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "3", "enter")
	d.at(3, 3)
	d.press("P", "l", "l", "l", "l")
	d.shows("What comes back?")
	d.hides("409")
	d.press("l")
	d.at(4, 4)
	ideas := []string{"PUT cm1", "409 Conflict", "no write reached etcd", "as expected"}
	for i, idea := range ideas {
		if i > 0 {
			d.press("l")
		}
		d.shows(idea)
		d.hides(ideas[i+1:]...)
	}
	if d.m.state.Cursor != 4 {
		t.Fatalf("the cursor is at %d", d.m.state.Cursor)
	}
	for i := len(ideas) - 1; i > 0; i-- { // and back, one by one
		d.press("h")
		d.shows(ideas[i-1])
		d.hides(ideas[i:]...)
	}
	d.press("h")
	if d.m.state.Cursor != 3 || d.m.state.Idea != d.m.ideas()-1 {
		t.Errorf("before the first idea comes idea %d of step %d", d.m.state.Idea, d.m.state.Cursor)
	}
	d.press("P")
	d.shows("apiserver ")
	if d.m.state.Presenting {
		t.Error("P does not end it")
	}
}

func TestAPresentersKeysAreSeen(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("right")
	d.at(1, 1)
	d.hides("one step on")
	d.press("P", "right")
	d.shows("→  next idea")
	d.press("right")
	d.shows("→ ×2  next idea")
	d.press("x")
	d.shows("x  http")
	d.press("esc", ":", "l")
	d.shows(":l")
	d.press("esc", "?")
	d.shows("?  help")
}

func TestAClickersKeysStepWhileAPresenterShows(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("P", "ctrl+d")
	if d.m.state.Idea != 1 {
		t.Errorf("page down leads to idea %d", d.m.state.Idea)
	}
	d.press("ctrl+u")
	if d.m.state.Idea != 0 {
		t.Errorf("page up leads to idea %d", d.m.state.Idea)
	}
	d.press("tab")
	d.shows("1 to 5 open a pane")
	d.press("4")
	if d.m.state.View != screen.Zoomed || d.m.state.Focus != screen.PaneEtcd {
		t.Errorf("4 leads to view %d, pane %d", d.m.state.View, d.m.state.Focus)
	}
	d.press("esc")
	if !d.m.slides() {
		t.Error("esc does not lead back to the slide")
	}
}

func TestAutoplayGoesThroughTheIdeasAndEnds(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("P", "a")
	seen := map[[2]int]bool{}
	for range 200 {
		if d.m.state.Autoplay == 0 {
			break
		}
		seen[[2]int{d.m.state.Cursor, d.m.state.Idea}] = true
		d.update(playMsg{d.m.round})
		if d.m.state.Running != nil {
			d.until("the step", func() bool { return d.m.state.Running == nil })
		}
	}
	if d.m.state.Cursor != 6 || d.m.state.Autoplay != 0 || d.m.state.Idea != d.m.ideas()-1 {
		t.Errorf("it ends at idea %d of step %d, autoplay %s", d.m.state.Idea, d.m.state.Cursor, d.m.state.Autoplay)
	}
	if len(seen) < 20 {
		t.Errorf("only %d ideas were shown", len(seen))
	}
}
