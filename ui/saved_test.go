package ui

import (
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
)

// driveSaved is a driver of a saved trace.
func driveSaved(t *testing.T, trace scenarios.Trace) *driver {
	t.Helper()
	stage := newStage(t)
	stage.trace = trace
	d := driveWith(t, stage, func(o *Options) {
		o.Scenarios, o.Saved, o.Initial = nil, &Saved{uitest.UpTo(trace, 0), len(trace.Steps)}, &scenarios.Scenario{Name: trace.Scenario}
	})
	d.shows("SAVED 0/" + itoa(len(trace.Plan))) // in the first frame already
	d.at(0, 0)
	return d
}

func TestASavedTraceLooksAsItDidLiveButForItsMark(t *testing.T) {
	saved, live := driveSaved(t, uitest.TwoWriters(t)), drive(t, newStage(t), 0)
	live.at(0, 0)
	saved.shows("embedded 1.37.2 · etcd 3.7.3")
	for n := range 7 {
		for _, d := range []*driver{saved, live} {
			if n > 0 {
				d.press("l")
			}
			d.at(n, n)
		}
		if n == 6 {
			break // the list that live offers at its end is not there
		}
		for _, key := range []string{"x", "x", "d", "d", "t", "t", "w", "w", "4", "z", "esc"} {
			saved.press(key)
			live.press(key)
			of := func(d *driver) string {
				frame := uitest.Cells(t, d.m.frame(), 120, 36)
				frame = strings.NewReplacer(" SAVED ", " ", "  LIVE ", " ").Replace(frame)
				return strings.Join(strings.Fields(strings.ReplaceAll(frame, "esc list", "")), " ")
			}
			if a, b := of(saved), of(live); a != b {
				t.Fatalf("step %d, %s: saved\n%s\nlive\n%s", n, key, saved.m.frame(), live.m.frame())
			}
		}
	}
}

func TestWhatIsToComeInASavedTraceIsNotSeenBefore(t *testing.T) {
	other := uitest.TwoWriters(t)
	for i := 3; i < 6; i++ {
		other.Steps[i] = scenarios.Observation{Title: scenarios.Text{scenarios.English: "otherwise"}}
	}
	d, o := driveSaved(t, uitest.TwoWriters(t)), driveSaved(t, other)
	for _, key := range []string{"l", "l", "l"} {
		d.press(key)
		o.press(key)
	}
	d.at(3, 3)
	o.at(3, 3)
	for _, key := range []string{"x", "d", "t", "w", "L", "esc", "?", "esc", "4", "z", "esc", ":", "esc"} {
		d.press(key)
		o.press(key)
		if frame := d.m.frame(); frame != o.m.frame() {
			t.Errorf("%s shows what is to come:\n%s\n%s", key, frame, o.m.frame())
		}
	}
	d.press("l")
	d.at(4, 4)
	d.shows("409 Conflict", "SAVED 4/6")
	d.press("h")
	d.shows("PAST 3/6")
}

func TestTheEndKeyRevealsTheWholeSavedTrace(t *testing.T) {
	d := driveSaved(t, uitest.TwoWriters(t))
	d.press("G")
	d.at(6, 6)
	d.shows("SAVED 6/6", "What to do instead")
	d.press("l")
	d.shows("that was the last step   r begins again   q quits")
	d.press("r")
	d.at(0, 0)
	d.shows("SAVED 0/6")
}

func TestALongSavedTraceIsRevealedInFewFrames(t *testing.T) {
	d := driveSaved(t, uitest.Long(uitest.TwoWriters(t), 3*atOnce+1))
	d.press("G")
	frames := 0
	d.until("the end", func() bool { frames++; return d.m.story.Taken() == 3*atOnce+1 && d.m.state.Running == nil })
	if frames > 10 {
		t.Errorf("it took %d frames", frames)
	}
	d.shows("SAVED 1501/1501")
}

func TestQuestionsAreAskedOfASavedTraceToo(t *testing.T) {
	trace := uitest.TwoWriters(t)
	d := driveSaved(t, trace)
	d.press("p", "G")
	asked := 0
	for d.m.story.Taken() < 6 {
		d.until("a question, or the end", func() bool { return d.m.state.Asking != nil || d.m.story.Taken() == 6 })
		if d.m.state.Asking != nil {
			if got := d.m.state.Asking.Step; got != d.m.story.Taken()+1 {
				t.Fatalf("step %d is asked for, and %d were taken", got, d.m.story.Taken())
			}
			asked++
			d.press("1")
		}
	}
	want := 0
	for _, step := range trace.Plan {
		if len(step.Choices) > 0 {
			want++
		}
	}
	if asked != want || want == 0 {
		t.Errorf("%d questions were asked, want %d", asked, want)
	}
}

func TestATraceThatWasSavedMidwayEndsThereAndSaysSo(t *testing.T) {
	for name, take := range map[string]func(d *driver){
		"step by step": func(d *driver) { d.press("l", "l", "l", "l", "l", "l") },
		"to the end":   func(d *driver) { d.press("G") },
		"by number":    func(d *driver) { d.command("6") },
		"predicting": func(d *driver) {
			d.press("p", "G")
			d.until("the question before the third step", func() bool { return d.m.state.Asking != nil })
			d.press("1")
		},
	} {
		d := driveSaved(t, uitest.UpTo(uitest.TwoWriters(t), 3))
		take(d)
		d.at(3, 3)
		d.shows("SAVED 3/6", "The trace was saved here: what came of step 4 is not in it.")
		d.press("l")
		d.shows("the trace was saved before step 4   r begins again   q quits")
		d.press("a")
		if d.m.state.Autoplay != 0 || d.m.state.Asking != nil || d.m.state.Queued != 0 {
			t.Errorf("%s: it goes on: %+v", name, d.m.state)
		}
	}
}

func TestNothingElseIsOpenedBesideASavedTrace(t *testing.T) {
	for _, lang := range []struct{ lang, says string }{{scenarios.English, "a saved trace is played alone"}, {scenarios.Chinese, "存档的记录是单独播放的"}} {
		d := driveSaved(t, uitest.TwoWriters(t))
		d.m.options.Lang = lang.lang
		d.press("esc")
		d.shows(lang.says)
		d.press("l")
		d.at(1, 1)
		d.press("n")
		d.shows(lang.says)
		d.command("scenario no-op")
		d.shows(lang.says)
		if d.quit || d.m.open == nil || !d.m.session.Empty() {
			t.Errorf("quit: %t, open: %v, remembered: %+v", d.quit, d.m.open, d.m.session)
		}
	}
}

func TestASavedTracesTitleNamesItAndCannotControlTheTerminal(t *testing.T) {
	trace := uitest.TwoWriters(t)
	if got := driveSaved(t, trace).m.View().WindowTitle; got != "rvtui two-writers (saved)" {
		t.Errorf("%q", got)
	}
	trace.Scenario = "a\x1b]0;b\x07"
	if got := driveSaved(t, trace).m.View().WindowTitle; strings.ContainsAny(got, "\x1b\x07") {
		t.Errorf("%q", got)
	}
}

func TestADamagedStepOfASavedTraceIsSaidInItsPlace(t *testing.T) {
	d := driveSaved(t, uitest.TwoWriters(t))
	d.stage.stepErr[2] = errRefused
	d.press("G")
	d.until("the mistake", func() bool { return d.m.state.Problem != nil })
	d.shows("Step 2 could not be done.", "connection refused", "r begins again   q quits", "SAVED 1/6")
}
