package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/keys"
)

func (d *driver) shows(want ...string) {
	d.t.Helper()
	frame := uitest.Cells(d.t, d.m.frame(), d.m.size.Width, d.m.size.Height)
	for _, s := range want {
		if !strings.Contains(frame, s) {
			d.t.Errorf("the screen does not show %q:\n%s", s, frame)
		}
	}
}

func TestTheFirstFrameIsThereBeforeTheControlPlane(t *testing.T) {
	stage := newStage(t)
	stage.ready = make(chan struct{})
	d := drive(t, stage, 0)
	d.shows("two-writers", "Whoever writes second conflicts", "starting the control plane", "etcd …")
	d.until("the phases", func() bool { return len(d.m.phases) == 2 })
	d.shows("etcd ✓", "kube-apiserver ✓", "ready …", "STARTING")
}

// Of a cluster of the reader's, it is said which one is connected to, and what was reached.
func TestTheFirstFrameNamesTheClusterThatIsConnectedTo(t *testing.T) {
	stage := newStage(t)
	stage.ready = make(chan struct{})
	d := drive(t, stage, 0)
	d.m.options.Context = "arn:aws:eks:eu-west-1:123456789012:cluster/prod"
	d.shows("connecting to arn:aws:eks:eu-west…6789012:cluster/prod")
	d.press("l")
	d.shows("1 step waiting for the cluster")
	d.until("the phases", func() bool { return len(d.m.phases) == 2 })
	d.shows("etcd ✓", "kube-apiserver ✓", "STARTING")
	d.m.Update(preparedMsg{err: errors.New("dial tcp: connection refused")})
	d.shows("No connection to arn:aws:eks:eu-west…6789012:cluster/prod", "connection refused")
}

func TestAStepAskedForTooEarlyWaitsVisiblyAndIsTakenThen(t *testing.T) {
	stage := newStage(t)
	stage.ready = make(chan struct{})
	d := drive(t, stage, 0)
	d.press("l", "l")
	d.shows("2 steps waiting for the control plane")
	d.press("h")
	d.shows("1 step waiting for the control plane")
	close(stage.ready)
	d.at(1, 1)
	d.shows("LIVE 1/6")
}

func TestSteppingBackAndForwardSendsNothingAndChangesNoFrame(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press("l", "right", "space", "enter", "l", "l")
	d.at(6, 6)
	var before []string
	for n := range 7 {
		d.m.look(n)
		before = append(before, d.m.frame())
	}
	for range 10 {
		for n := 6; n > 0; n-- {
			d.press("h")
			if d.m.frame() != before[n-1] {
				t.Fatalf("stepping back to %d shows another frame", n-1)
			}
		}
		for n := range 6 {
			d.press("l")
			if d.m.frame() != before[n+1] {
				t.Fatalf("stepping forward to %d shows another frame", n+1)
			}
		}
	}
	if d.stage.steps != 6 {
		t.Errorf("%d steps were taken, want 6", d.stage.steps)
	}
}

func TestThePastIsMarked(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press("l", "l", "l")
	d.at(3, 3)
	d.shows("LIVE 3/6")
	d.press("left")
	d.shows("PAST 2/6")
	d.press("g")
	d.shows("PAST 0/6", "Set up: cm1 at resourceVersion")
	d.press("G")
	d.shows("LIVE 3/6")
}

func TestGoToLooksBackAndTakesWhatIsMissing(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.until("the setup", func() bool { return d.m.begun })
	d.press(":")
	d.shows(":_", "goto STEP", "save FILE")
	d.press("4")
	d.shows("goto STEP", "4  B replaces cm1 with the resourceVersion that it read")
	d.press("enter")
	d.at(4, 4)
	d.press(":", "2", "enter")
	d.at(4, 2)
	d.press(":", "9", "backspace", "1", "esc")
	d.at(4, 2)
}

func TestANumberAboveTheNumberOfStepsIsRefusedAndTakesNothing(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("l")
	d.at(1, 1)
	d.press(":", "7", "enter")
	d.shows("there are 6 steps", ":7_")
	d.at(1, 1)
	d.press("esc")
	if d.stage.steps != 1 {
		t.Errorf("%d steps were taken, want 1", d.stage.steps)
	}
	d.press("h")
	d.at(1, 0)
}

func TestTheEndSaysSoAndRestartBeginsAfresh(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press(":", "6", "enter")
	d.at(6, 6)
	d.shows("What to do instead", "run it again")
	d.press("l")
	d.shows("that was the last step")
	if d.m.picker.Verdicts["two-writers"] != scenarios.OK {
		t.Errorf("the verdict is %q", d.m.picker.Verdicts["two-writers"])
	}
	d.press("r")
	d.at(0, 0)
	d.until("the first walk's end", func() bool {
		d.stage.mu.Lock()
		defer d.stage.mu.Unlock()
		return d.stage.begun == 2 && d.stage.closed == 1
	})
}

func TestOneStepAtATimeAndThePastMeanwhile(t *testing.T) {
	stage := newStage(t)
	stage.gate = make(chan struct{}, 10)
	stage.progress = []scenarios.Partial{{Exchanges: []scenarios.Exchange{
		{Actor: scenarios.B, Attempt: 1, Method: "GET", Path: "/api/v1/namespaces/x/configmaps/cm1?resourceVersion=1000214", Status: 504, DurationMs: 3004},
		{Actor: scenarios.B, Attempt: 2, Method: "GET", Path: "/api/v1/namespaces/x/configmaps/cm1?resourceVersion=1000214", InFlight: true},
	}}}
	d := drive(t, stage, 0)
	d.press("l")
	d.until("the first step running", func() bool { return d.m.state.Running != nil })
	stage.gate <- struct{}{}
	d.at(1, 1)
	d.press("l")
	d.until("the attempts", func() bool { return d.m.state.Running != nil && len(d.m.state.Running.Exchanges) == 2 })
	d.clock = d.clock.Add(17 * time.Second)
	d.update(tickMsg{})
	d.shows("RUNNING 2/6", "17 s", "attempt 1", "504 Gateway Timeout after 3.0s", "attempt 2", "waiting for the answer · 17 s")
	d.press("l")
	d.shows("1 step waiting until this one is done")
	d.press("h") // takes the waiting one back
	d.press("h") // looks back
	d.shows("PAST 0/6", "step 2 is running, 17 s")
	stage.gate <- struct{}{}
	d.at(2, 0) // who looks at the past stays there
}

func TestTheEventsOfAWatchAreShownWhileTheStepRuns(t *testing.T) {
	stage := newStage(t)
	stage.gate = make(chan struct{}, 10)
	watch := []scenarios.Exchange{{Actor: scenarios.A, Attempt: 1, Method: "GET", Path: "/api/v1/namespaces/x/configmaps?watch=true&resourceVersion=28", Status: 200, DurationMs: 2}}
	events := []scenarios.WatchEvent{
		{Actor: scenarios.A, Type: "ADDED", Name: "cm2", ResourceVersion: "29", Exchange: new(int)},
		{Actor: scenarios.A, Type: "BOOKMARK", ResourceVersion: "30", Exchange: new(int)},
	}
	stage.progress = []scenarios.Partial{{Exchanges: watch}, {Exchanges: watch, Events: events[:1]}}
	d := drive(t, stage, 0)
	d.press("l")
	d.until("the first event", func() bool { return d.m.state.Running != nil && len(d.m.state.Running.Events) == 1 })
	d.clock = d.clock.Add(2 * time.Second)
	d.update(progressMsg{d.m.walk, scenarios.Partial{Exchanges: watch, Events: events}})
	d.clock = d.clock.Add(time.Second)
	d.update(tickMsg{})
	d.shows("RUNNING 1/6", "WATCH configmaps rv=28", "ADDED cm2 rv 29", "3.0 s ago", "BOOKMARK rv 30", "1.0 s ago")
	d.update(progressMsg{&walk{}, scenarios.Partial{}}) // of a walk that was left
	d.shows("BOOKMARK rv 30")
	stage.gate <- struct{}{}
	d.at(1, 1)
}

func TestEscClosesAndNeverQuits(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("?")
	d.shows("keys", "On the screen now")
	d.press("esc", "z")
	d.shows("esc close")
	d.press("esc", "esc")
	if d.m.open != nil {
		t.Fatal("the list is not shown")
	}
	d.shows("lost-update")
	d.press("esc", "esc", "esc")
	if d.quit {
		t.Error("esc quit the program")
	}
	d.press("q")
	d.until("the end", func() bool { return d.quit })
}

func TestLeavingARunningStepCancelsItAndClosesTheWalk(t *testing.T) {
	stage := newStage(t)
	stage.gate = make(chan struct{}, 10) // never let go
	d := drive(t, stage, 0)
	d.press("l")
	d.until("the step running", func() bool { return d.m.state.Running != nil })
	d.press("esc")
	d.until("the walk's end", func() bool {
		stage.mu.Lock()
		defer stage.mu.Unlock()
		return stage.closed == 1
	})
	d.shows("scenarios")
}

func TestThePickerFiltersByTheErrorThatWasMetAndOpens(t *testing.T) {
	d := drive(t, newStage(t), -1)
	d.shows("two-writers", "lost-update", "no-op", "too-large", "4 scenarios", "You will see", "Needs")
	d.press("/")
	for _, r := range "TOO LARGE res" {
		d.press(string(r))
	}
	d.shows("1 of 4 scenarios", "▸ too-large")
	d.press("esc", "g", "j", "j", "k", "enter")
	d.at(0, 0)
	d.shows("conflicts › lost-update")
}

func TestAnErrorThatIsPastedOnTheListIsLookedFor(t *testing.T) {
	d := drive(t, newStage(t), -1)
	d.update(tea.PasteMsg{Content: "error: Operation cannot be fulfilled on deployments.apps \"web\":\nthe object has been modified; please apply your changes"})
	d.shows("1 of 4 scenarios", "▸ two-writers")
	d.press("x")
	d.shows("1 of 4 scenarios")
	d.press("esc")
	d.shows("4 scenarios")
}

func TestAFileOfTheReadersJoinsItsChapter(t *testing.T) {
	stage := newStage(t)
	for chapter, want := range map[string]int{"conflicts": 2, "mine": 4} {
		own := &scenarios.Scenario{Name: "own", Chapter: chapter, Title: scenarios.Text{scenarios.English: "Mine"}}
		m := newModel(Options{Scenarios: catalogue(stage.trace), Initial: own, Lang: scenarios.English, Now: time.Now,
			Size: cells.Size{Width: 120, Height: 36}}, newWork(t.Context(), stage))
		if m.picker.Selected != want || m.picker.Scenarios[want] != own {
			t.Errorf("%s: it is number %d of the list, want %d", chapter, m.picker.Selected, want)
		}
		m.left()
		frame := uitest.Cells(t, m.frame(), 120, 36)
		if strings.Count(frame, "\n "+chapter) != 1 || !strings.Contains(frame, "file  –") {
			t.Errorf("the list is\n%s", frame)
		}
	}
}

func TestAStepThatFailsIsSaidAndCanBeTriedAgain(t *testing.T) {
	stage := newStage(t)
	stage.stepErr[2] = errRefused
	d := drive(t, stage, 0)
	d.press("l", "l", "l")
	d.until("the problem", func() bool { return d.m.state.Problem != nil })
	d.shows("Step 2 could not be done.", "connection refused", "→ tries again")
	d.press("l")
	d.at(2, 2)
}

func TestAControlPlaneThatDoesNotStartIsSaidAndTriedAgain(t *testing.T) {
	stage := newStage(t)
	stage.prepareErr = errRefused
	d := drive(t, stage, 0)
	d.until("the problem", func() bool { return d.m.prepare != nil })
	d.shows("The control plane did not start.", "connection refused", "r tries again")
	d.press("l", "esc")
	d.shows("The control plane did not start.", "connection refused")
	d.press("r")
	d.until("the problem again", func() bool { return d.m.prepare != nil })
	stage.prepareErr = nil
	d.press("enter", "r")
	d.at(0, 0)
}

func TestASetupThatFailsIsSaid(t *testing.T) {
	stage := newStage(t)
	stage.beginErr = errRefused
	d := drive(t, stage, 0)
	d.until("the problem", func() bool { return d.m.state.Problem != nil })
	d.shows("The scenario could not be set up.", "connection refused")
	stage.mu.Lock()
	stage.beginErr = nil
	stage.mu.Unlock()
	d.press("r")
	d.at(0, 0)
}

func TestAutoplayGoesToTheEndAndStops(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	for range speeds {
		d.press("+")
	}
	d.press("a")
	d.shows("playing")
	d.at(6, 6)
	d.until("autoplay's end", func() bool { return d.m.state.Autoplay == 0 })
}

func TestTheLegendCanBeReadAtEverySize(t *testing.T) {
	for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 50, Height: 14}} {
		d := drive(t, newStage(t), -1)
		d.m.size = size
		d.press("?")
		seen := map[string]bool{}
		for range 40 {
			for _, l := range strings.Split(uitest.Cells(t, d.m.frame(), size.Width, size.Height), "\n") {
				seen[strings.Join(strings.Fields(l), " ")] = true
			}
			d.press("ctrl+d")
		}
		all := ""
		for l := range seen {
			all += l + "\n"
		}
		for _, sign := range []string{"LIVE", "PAST", "stale", "head", "compacted N", "gone", "rev", "op", "key", "ver", "by", "create_revision",
			"mod_revision", "Range", "Txn if mod=N → put", "by others", "● ◉ ○", "▸", "–", "no rv"} {
			if !strings.Contains(all, sign+" ") {
				t.Errorf("%v: %q is not explained", size, sign)
			}
		}
	}
}

func TestEveryKeyOfTheMapDoesSomethingOrIsSaidTwice(t *testing.T) {
	seen := map[string]string{}
	for _, group := range keys.Groups() {
		if group.Title == keys.InTheList {
			continue // the keys mean something else there
		}
		for _, b := range group.Bindings {
			for _, name := range b.Keys() {
				if other, ok := seen[name]; ok {
					t.Errorf("%s is both %q and %q", name, other, b.Help().Desc)
				}
				seen[name] = b.Help().Desc
			}
		}
	}
	if !key.Matches(press("space"), keys.Keys.Step) || !key.Matches(press("enter"), keys.Keys.Step) {
		t.Error("space and enter do not step")
	}
}
