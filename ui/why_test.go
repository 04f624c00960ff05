package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rvtui/scenarios"
	"rvtui/ui/screen"
)

func TestAKeyThatDoesNothingSaysWhy(t *testing.T) {
	for _, test := range []struct {
		at   string // keys that lead there
		key  string
		says string
	}{
		{"", "h", "this is the beginning"},
		{"l", "G", "this is the live edge"},
		{"l", "[", "in the diff   d opens it"},
		{"l", "o", "x d t w L open one"},
		{"l", "N", "/ searches"},
		{"l", "Q", "Q does nothing here   ? lists the keys"},
		{"lx", "o", "unfold"},
		{"ld", "[", "no revision further that way"},
		{"lt", "j", "nothing is further down"},
		{"l1", "1", "this pane is the current one already"},
		{"------", "-", "a step every 8.0 s"},
	} {
		d := drive(t, newStage(t), 0)
		d.at(0, 0)
		for _, name := range test.at {
			d.press(string(name))
			if name == 'l' {
				d.at(1, 1)
			}
		}
		d.press(test.key)
		d.shows(test.says)
		d.press("?", "esc") // the next key takes it away
		if d.m.state.Note != "" {
			t.Errorf("after %s and another key it is said: %s", test.key, d.m.state.Note)
		}
	}
	d := drive(t, newStage(t), -1)
	d.until("the control plane", func() bool { return d.m.ready })
	d.press("x")
	d.shows("x is for an open scenario   enter opens one")
	d.press("up")
	d.shows("that is the first one")
	d.press("esc")
	d.shows("this is the list of scenarios   q quits")
}

func TestAutoplayCountsDownToItsNextStep(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	d.m.options.Now = func() time.Time { return now }
	d.press("a")
	d.at(1, 1)
	d.shows("the next in 3 s")
	now = now.Add(1200 * time.Millisecond)
	d.update(tickMsg(now))
	d.shows("the next in 2 s")
	now = now.Add(time.Second)
	d.update(tickMsg(now))
	d.shows("the next in 1 s")
	d.press("a")
}

func TestTheClickThatBringsTheTerminalForwardMovesNoFocus(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	d.m.options.Now = func() time.Time { return now }
	click := tea.MouseClickMsg{Button: tea.MouseLeft, X: 100, Y: 5}
	d.update(tea.FocusMsg{})
	d.update(click)
	if d.m.state.Focus != screen.PaneA {
		t.Error("the click moved the focus")
	}
	now = now.Add(time.Second)
	d.update(click)
	if d.m.state.Focus != screen.PaneEtcd {
		t.Error("the next click did not move the focus")
	}
}

// What is offered where nothing could be set up is what works there.
func TestWhereTheSetupFailedTheKeysSaySo(t *testing.T) {
	stage := newStage(t)
	stage.beginErr = errRefused
	d := drive(t, stage, 0)
	d.until("the problem", func() bool { return d.m.state.Problem != nil })
	d.shows("r try again   esc list")
	for _, name := range []string{"l", "h", "g", "G", "a", "x", "d", "t", "w", "L"} {
		d.press(name)
		d.shows("The scenario could not be set up.", "the setup failed   r runs it again   esc back to the list")
	}
	d.press(":", "3", "enter")
	d.shows("The scenario could not be set up.", "the setup failed")
	stage.mu.Lock()
	stage.beginErr = nil
	stage.mu.Unlock()
	d.press("r")
	d.at(0, 0)
	d.press("x")
	if d.m.state.View != screen.HTTP {
		t.Error("x opens no view after the setup")
	}

	stage = newStage(t)
	stage.beginErr = &scenarios.MissingError{Scenario: "two-writers", Missing: []string{scenarios.CapabilityEtcdCompact}}
	d = drive(t, stage, 0)
	d.until("the refusal", func() bool { return d.m.state.Problem != nil })
	d.press("l")
	d.shows("this cluster cannot show it   esc back to the list")
}
