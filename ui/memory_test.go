package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/runs"
)

var before = time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)

// ended are runs of an earlier session that came to their ends.
func ended(names ...string) runs.Memory {
	m := runs.Memory{Runs: map[string]runs.Run{}}
	for _, name := range names {
		m.Runs[name] = runs.Run{Verdict: scenarios.OK, Step: 6, Steps: 6, At: before}
	}
	return m
}

// remembering is the list as it opens for a reader with a memory.
func remembering(t *testing.T, m runs.Memory) *driver {
	t.Helper()
	d := drive(t, newStage(t), -1)
	d.m.options.Memory, d.m.picker.Memory = m, m
	d.m.picker.Selected = m.Resume(d.m.picker.Scenarios)
	d.until("the control plane", func() bool { return d.m.ready })
	return d
}

const welcome = "enter opens the scenario; in it, → takes the next step"

func TestTheFirstRunSaysWhatToPressUntilAScenarioWasOpened(t *testing.T) {
	d := drive(t, newStage(t), -1)
	d.until("the control plane", func() bool { return d.m.ready })
	d.shows("▸ two-writers", welcome)
	d.press("enter")
	d.at(0, 0)
	d.press("esc")
	d.shows("4 scenarios")
	if strings.Contains(d.m.frame(), welcome) {
		t.Error("it is still said")
	}
	if run := d.m.session.Runs["two-writers"]; run != (runs.Run{Steps: 6, At: d.clock}) {
		t.Errorf("what is remembered is %+v", run)
	}
}

func TestTheListOpensOnTheNextThatWasNotRunAndShowsEarlierRuns(t *testing.T) {
	m := ended("two-writers", "lost-update", "gone-since")
	m.Runs["lost-update"] = runs.Run{Verdict: scenarios.Failed, Step: 3, Steps: 6, At: before.Add(time.Hour)}
	m.Scores = map[string]runs.Score{"two-writers": {Right: 4, Asked: 6}}
	all := catalogue(uitest.TwoWriters(t))
	opened := newModel(Options{Scenarios: all, Memory: m, Now: time.Now}, newWork(t.Context(), newStage(t)))
	if opened.picker.Selected != 2 {
		t.Errorf("number %d is selected", opened.picker.Selected)
	}
	d := remembering(t, m)
	d.shows("▸ no-op", "4/6 ok", "FAILED", "4 scenarios · 2 run, 1 as expected")
	if strings.Contains(d.m.frame(), welcome) {
		t.Error("it is no first run")
	}
	d.press("g")
	d.shows("Last run       as expected · 2026-11-29 ·", "predicted 4 of 6")
	d.press("j")
	d.shows("Last run       NOT as expected · 2026-11-29")
	if len(d.m.session.Runs) != 0 {
		t.Errorf("nothing was run, and %v is remembered", d.m.session.Runs)
	}
}

func TestAWalkThatIsLeftIsGoneOnWith(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press("l", "l")
	d.at(2, 2)
	d.press("esc")
	d.shows("Last run       2 of 6 steps taken · 2026-11-30")
	if next := d.m.session.Resume(d.m.picker.Scenarios); next != 0 {
		t.Errorf("it goes on with number %d", next)
	}
}

func TestNLeadsFromTheEndToTheNextThatWasNotRun(t *testing.T) {
	d := remembering(t, ended("lost-update"))
	d.m.filter("two")
	d.press("g", "enter")
	d.at(0, 0)
	d.press("n")
	d.at(0, 0)
	d.shows("n opens the next scenario at the end of this one", "two-writers")
	d.press(":", "6", "enter")
	d.at(6, 6)
	d.shows("n next scenario", "next scenario: no-op   A write that changes nothing is no write")
	d.press("l")
	d.shows("that was the last step   n next scenario")
	d.press("h", "n") // also from a look back
	d.at(0, 0)
	d.shows("› no-op")
	d.press("esc")
	d.shows("▸ no-op", "4 scenarios · 2 run, 2 as expected")
}

func TestWhoHasRunAllIsOfferedNothing(t *testing.T) {
	d := remembering(t, ended("lost-update", "no-op", "too-large"))
	d.press("enter")
	d.at(0, 0)
	d.press(":", "6", "enter")
	d.at(6, 6)
	if strings.Contains(d.m.frame(), "next scenario") {
		t.Error("there is a next one")
	}
	d.press("n")
	d.shows("every scenario was run", "two-writers")
	d.at(6, 6)
}

func TestAFileOfTheReadersIsNotRememberedAndLeadsOn(t *testing.T) {
	stage := newStage(t)
	own := &scenarios.Scenario{Name: "two-writers", Chapter: "conflicts", Title: scenarios.Text{scenarios.English: "Mine"}}
	d := drive(t, stage, -1)
	d.m = newModel(Options{
		Stage: stage, Scenarios: catalogue(stage.trace), Initial: own, Memory: ended("two-writers"), Lang: scenarios.English,
		Profile: colorprofile.ASCII, Size: cells.Size{Width: 120, Height: 36}, Now: func() time.Time { return d.clock },
	}, d.m.work)
	d.run(d.m.Init())
	d.at(0, 0)
	d.press(":", "6", "enter")
	d.at(6, 6)
	if len(d.m.session.Runs) != 0 {
		t.Errorf("%v is remembered", d.m.session.Runs)
	}
	d.shows("next scenario: no-op") // it stands behind its chapter, and lost-update before it
	d.press("n")
	d.at(0, 0)
	if d.m.open.Name != "no-op" {
		t.Errorf("%s is open", d.m.open.Name)
	}
}

func TestTheMemoryOfASessionComesBackWithItsEnd(t *testing.T) {
	keyboard, out, end, result := begin(t.Context(), t, newStage(t))
	out.wait(t, "LIVE 0/6")
	if _, err := keyboard.Write([]byte("l")); err != nil {
		t.Fatal(err)
	}
	out.wait(t, "as expected")
	if _, err := keyboard.Write([]byte("\x03")); err != nil {
		t.Fatal(err)
	}
	if err := wait(t, end); err != nil || !result.Interrupted {
		t.Fatalf("%v, %+v", err, result)
	}
	if run := result.Memory.Runs["two-writers"]; run.Steps != 6 || run.Verdict != "" || run.At.IsZero() {
		t.Errorf("%+v", result.Memory)
	}
}

func TestRememberedGoldens(t *testing.T) {
	m := ended("two-writers", "lost-update")
	m.Scores = map[string]runs.Score{"lost-update": {Right: 2, Asked: 3}}
	d := remembering(t, m)
	d.m.picker.Selected = slices.IndexFunc(d.m.picker.Scenarios, func(s *scenarios.Scenario) bool { return s.Name == "two-writers" })
	d.press("enter")
	d.at(0, 0)
	d.press(":", "6", "enter")
	d.at(6, 6)
	viewtest.Goldens(t, "memory/end", d.drawn)
}

func TestTheEndOfAChaptersLastScenarioTellsTheChaptersScore(t *testing.T) {
	m := ended("lost-update")
	m.Scores = map[string]runs.Score{"lost-update": {Right: 2, Asked: 3}}
	for _, size := range []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}} {
		d := remembering(t, m)
		d.m.size = size
		d.press("g", "enter")
		d.at(0, 0)
		d.press("p", ":", "6", "enter")
		for i, answer := range []string{"2", "3"} {
			d.until("the question", func() bool { return d.m.state.Asking != nil && d.m.state.Asking.Step == i+3 })
			d.press(answer)
		}
		d.at(6, 6)
		if size.Width < 80 { // the pane of the words is another one
			d.press("5")
		}
		d.shows("predicted 2 of 2   chapter conflicts: 4 of 5 right")
		if score := d.m.session.Scores["two-writers"]; score != (runs.Score{Right: 2, Asked: 2}) {
			t.Errorf("%+v is remembered", score)
		}
		d.press("esc")
		if size.Width >= 80 {
			d.shows("4 of 5 right")
		}
	}
}
