package ui

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
	"rvtui/scenarios"

	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
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

func TestZoomedEtcdIsAViewOfItsOwn(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.m.size = cells.Size{Width: 60, Height: 14}
	d.press(":", "6", "enter")
	d.at(6, 6)
	trace := uitest.TwoWriters(t)
	head := trace.Steps[5].Etcd.Head + 1
	trace.Steps[5].Etcd.Head = head
	trace.Steps[5].Revisions = append(trace.Steps[5].Revisions, scenarios.Revision{
		Revision: head, Op: "PUT", Key: "/registry/leases/kube-system/apiserver", ModRevision: head, CreateRevision: 1, Version: 9, By: scenarios.ByUnknown,
	})
	d.m.story = screen.NewStory(trace)
	d.press("x", "ctrl+d", "4", "z")
	if at := d.m.state.Look; at.Down != 0 {
		t.Errorf("it begins scrolled, by %d", at.Down)
	}
	d.shows("▸", fmt.Sprintf("· %d: 1 by others", head))
	d.press("o")
	d.shows(fmt.Sprintf("%d PUT", head), "other ")
	d.press("k", "k")
	if at := d.m.state.Look; at.Down != -2 {
		t.Errorf("k k scrolls to %d", at.Down)
	}
	d.m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown, X: 5, Y: 5})
	if at := d.m.state.Look; at.Down != 0 {
		t.Errorf("the wheel scrolls to %d, beyond the end or not at all", at.Down)
	}
	d.press(">")
	if d.m.state.Look.Right == 0 {
		t.Error("> does not scroll to the right")
	}
	d.press("y")
	d.shows("copied")
	d.press("tab")
	if d.m.state.Focus != screen.PaneWords || d.m.state.View != screen.Zoomed {
		t.Errorf("tab goes to pane %d in view %d", d.m.state.Focus, d.m.state.View)
	}
	d.press("shift+tab", "h")
	if d.m.state.Focus != screen.PaneEtcd || d.m.state.Cursor != 5 || d.m.state.Look.Right != 0 {
		t.Errorf("one step back: pane %d, step %d, %+v", d.m.state.Focus, d.m.state.Cursor, d.m.state.Look)
	}
	d.press("esc")
	if d.m.state.View != screen.Panes {
		t.Error("esc does not close it")
	}
}
