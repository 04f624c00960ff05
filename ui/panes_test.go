package ui

import (
	"testing"

	"rvtui/ui/cells"
	"rvtui/ui/screen"
)

func TestOnASmallScreenThePaneFollowsTheStepsActor(t *testing.T) {
	d := drive(t, newStage(t), -1)
	d.m.size = cells.Size{Width: 60, Height: 20}
	d.press("enter")
	d.at(0, 0)
	focus := func(when string, want screen.Pane) {
		t.Helper()
		if d.m.state.Focus != want {
			t.Errorf("%s: pane %d is shown, want %d", when, d.m.state.Focus+1, want+1)
		}
	}
	focus("after the setup", screen.PaneAPIServer)
	for i, want := range []screen.Pane{screen.PaneA, screen.PaneB, screen.PaneA, screen.PaneB, screen.PaneB, screen.PaneEtcd} {
		d.press("l")
		d.at(i+1, i+1)
		focus("after step "+itoa(i+1), want)
	}
	d.press("h", "h", "h")
	focus("looking back at step 3", screen.PaneA)
	d.press("4")
	focus("within a step, the reader chooses", screen.PaneEtcd)
	d.press("l")
	focus("at the next one", screen.PaneB)
	d.press("1", "z", "l")
	focus("zoomed, it stays", screen.PaneA)
	d.press("z", "5", "l")
	focus("who reads the words goes on reading", screen.PaneWords)
	d.press("tab")
	focus("after the words comes the first pane", screen.PaneA)
}

func TestTheWordsAreAPaneOfTheirOwnAtEverySize(t *testing.T) {
	const end = "took a lock" // the end of step 4's narration
	for _, size := range []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 10}} {
		d := drive(t, newStage(t), 0)
		d.press(":", "4", "enter")
		d.at(4, 4)
		d.m.size = size
		d.press("5")
		if size.Height == 10 {
			d.press("j", "j", "j", "j")
		}
		d.shows(end)
		if size.Width >= 80 {
			d.press("esc")
			if d.m.state.View != screen.Panes || d.m.state.Focus != screen.PaneB {
				t.Errorf("%v: closing the words leaves view %d, pane %d", size, d.m.state.View, d.m.state.Focus)
			}
			d.press("4", "tab")
			if d.m.state.Focus != screen.PaneA {
				t.Errorf("%v: tab goes from the last pane to pane %d", size, d.m.state.Focus)
			}
		}
	}
}

func TestFocusZoomAndScroll(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "6", "enter")
	d.at(6, 6)
	for _, c := range []struct {
		key  string
		want screen.Pane
	}{{"3", screen.PaneAPIServer}, {"tab", screen.PaneEtcd}, {"tab", screen.PaneA}, {"shift+tab", screen.PaneEtcd}, {"2", screen.PaneB}} {
		d.press(c.key)
		if d.m.state.Focus != c.want {
			t.Errorf("%s focuses pane %d, want %d", c.key, d.m.state.Focus, c.want)
		}
	}
	d.m.size = cells.Size{Width: 80, Height: 24}
	d.press("3", "k", "k", "k", "k", "k", "k", "k", "k", "k", "k")
	up := d.m.state.Scroll[screen.PaneAPIServer]
	if up == 0 {
		t.Error("k does not scroll the log up")
	}
	d.shows("setup POST cm1")
	d.press("ctrl+d", "ctrl+d")
	if d.m.state.Scroll[screen.PaneAPIServer] != 0 {
		t.Error("ctrl+d does not scroll back down")
	}
}
