package timeline

import (
	"fmt"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/view"
)

func TestTheStepUnderTheCursorIsInSight(t *testing.T) {
	for _, name := range recorded {
		trace := uitest.Trace(t, name)
		index := NewIndex(&trace)
		for _, size := range append(sizes, cells.Size{Width: 40, Height: 8}) {
			for cursor := range len(trace.Steps) + 1 {
				for _, open := range []bool{false, true} {
					in := input(&trace, cursor, size)
					in.At.Open = open
					if drawn := Draw(in, index); !strings.Contains(text(drawn.Lines), "\n▸") && len(index.steps[cursor].rows[dense]) > 0 {
						t.Errorf("%s, step %d at %v:\n%s", name, cursor, size, text(drawn.Lines))
					}
				}
			}
		}
	}
}

func TestTheStormIsReadableOn120Columns(t *testing.T) {
	trace := uitest.Trace(t, "patch-storm")
	drawn := Draw(input(&trace, 1, cells.Size{Width: 120, Height: 34}), NewIndex(&trace))
	held, lost, last := 0, 0, int64(0)
	for _, r := range trace.Steps[0].RPCs {
		switch {
		case r.Writes == "":
		case r.Wrote():
			held++
		default:
			lost++
		}
	}
	for _, r := range trace.Steps[0].Revisions {
		if r.Own {
			last = max(last, r.Revision)
		}
	}
	for _, want := range []string{
		"50 × PATCH cm1", "25 by A, 25 by B", fmt.Sprintf("%d × Txn", held+lost), fmt.Sprintf("%d succeeded, %d lost", held, lost),
		fmt.Sprintf("%d (50)", last), "50 × 200 OK", "44 more answers",
	} {
		if !strings.Contains(text(drawn.Lines), want) {
			t.Errorf("%q is not to be seen:\n%s", want, text(drawn.Lines))
		}
	}
	if drawn.At.Right != 0 {
		t.Error("it is scrolled to the right by itself")
	}
}

func TestNothingIsConcludedWhereNotEveryRPCIsKnown(t *testing.T) {
	trace := uitest.TwoWriters(t)
	in := input(&trace, 4, cells.Size{Width: 120, Height: 34})
	if !strings.Contains(text(Draw(in, NewIndex(&trace)).Lines), "no write") {
		t.Fatal("the embedded control plane proves that nothing was written")
	}
	trace = uitest.Less(t, "two-writers")
	drawn := text(Draw(in, NewIndex(&trace)).Lines)
	for _, said := range []string{"no RPC", "Range", "Txn"} {
		if strings.Contains(drawn, said) {
			t.Errorf("it says %q:\n%s", said, drawn)
		}
	}
	if !strings.Contains(drawn, "●") || !strings.Contains(drawn, "no write") {
		t.Errorf("what the revisions show is not said:\n%s", drawn)
	}
	for i := range trace.Steps { // and where nobody reads the store, nothing is said of it
		trace.Steps[i].Etcd = scenarios.EtcdState{}
	}
	if drawn := text(Draw(in, NewIndex(&trace)).Lines); strings.Contains(drawn, "no write") {
		t.Errorf("it says that nothing was written:\n%s", drawn)
	}
}

func TestWhatMattersMostOfARowIsNotCut(t *testing.T) {
	trace := uitest.Trace(t, "resume")
	restart := uitest.UpTo(trace, 0)
	restart.Steps = append(restart.Steps, scenarios.Observation{Step: 1, Actor: scenarios.Admin, Operation: "apiserverRestart", DurationMs: 1140})
	expired := uitest.UpTo(trace, 5)
	first := 0
	expired.Steps[4].Events = []scenarios.WatchEvent{{Exchange: &first, Actor: scenarios.A, Type: "ERROR",
		Object: []byte(`{"code":410,"reason":"Expired","message":"too old resource version: 18 (27)"}`)}}
	for _, c := range []struct {
		trace *scenarios.Trace
		step  int
		width int
		want  string
	}{
		{&restart, 1, 200, "the apiserver is restarted: ready again after 1.1 s"},
		{&restart, 1, 120, "restarted, ready after 1.1 s"},
		{&restart, 1, 60, "restarted, 1.1 s"},
		{&expired, 5, 200, "ERROR 410 Expired: too old resource version: 18 (27)"},
		{&expired, 5, 120, "410 too old resource version: 18 (27)"},
		{&expired, 5, 60, "ERROR 410 ╌"},
	} {
		if drawn := text(Draw(input(c.trace, c.step, cells.Size{Width: c.width, Height: 34}), NewIndex(c.trace)).Lines); !strings.Contains(drawn, c.want) {
			t.Errorf("%d cells: no %q:\n%s", c.width, c.want, drawn)
		}
	}
}

func TestScrollingEndsAtTheEnds(t *testing.T) {
	trace := uitest.Trace(t, "patch-storm")
	index := NewIndex(&trace)
	size := cells.Size{Width: 50, Height: 20}
	for _, c := range []struct {
		at   view.State
		want string
	}{
		{view.State{Down: 1 << 62}, "▸"},
		{view.State{Down: -1 << 62, Right: 1 << 62}, "etcd"},
		{view.State{Down: 3, Right: -9, Open: true}, "▸"},
	} {
		in := input(&trace, 4, size)
		in.At = c.at
		drawn := Draw(in, index)
		if !strings.Contains(text(drawn.Lines), c.want) {
			t.Errorf("%+v does not show %q:\n%s", c.at, c.want, text(drawn.Lines))
		}
		in.At = drawn.At
		if again := Draw(in, index); again.At != drawn.At || text(again.Lines) != text(drawn.Lines) {
			t.Errorf("%+v became %+v, and then %+v", c.at, drawn.At, again.At)
		}
	}
}

func TestAnIndexThatGrowsIsThatOfTheWholeTrace(t *testing.T) {
	trace := uitest.Trace(t, "true-race")
	grown := uitest.UpTo(trace, 0)
	x := NewIndex(&grown)
	for i := range trace.Steps {
		x.Append(&trace.Steps[i])
	}
	in := input(&trace, 4, cells.Size{Width: 120, Height: 34})
	if got, want := text(Draw(in, x).Lines), text(Draw(in, NewIndex(&trace)).Lines); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestARequestWithoutAnAnswerStaysOpen(t *testing.T) {
	trace := uitest.TwoWriters(t)
	last := &trace.Steps[4].Exchanges[0]
	last.InFlight, last.Status, last.DurationMs = true, 0, 0
	trace.Steps[4].RPCs = nil
	rows := NewIndex(&trace).steps[5].rows[dense]
	if len(rows) != 1 || rows[0].left != request || rows[0].open != 1<<slotB {
		t.Errorf("%+v", rows)
	}
}

func TestAWaitIsPutDownToRetryAfterOnlyIfItWasThatLong(t *testing.T) {
	for wait, want := range map[float64]string{1001: "1.0 s, as Retry-After: 1 asks", 5000: "5.0 s before attempt 2"} {
		s := &step{o: &scenarios.Observation{Exchanges: []scenarios.Exchange{
			{Call: 1, Attempt: 1, ResponseHeaders: map[string]string{"retry-after": "1"}}, {Call: 1, Attempt: 2},
		}}}
		in := input(&scenarios.Trace{}, 0, cells.Size{})
		d := &drawing{in: &in}
		if got := d.waited(s, &row{gap: wait, exchange: 1}, 80); got != want {
			t.Errorf("after %v ms: %q, want %q", wait, got, want)
		}
	}
}

func TestLasted(t *testing.T) {
	for ms, want := range map[float64]string{-1: "0.0 ms", 0.04: "0.0 ms", 1.56: "1.6 ms", 14.8: "15 ms", 999.4: "999 ms", 3001: "3.0 s", 43035: "43.0 s"} {
		if got := lasted(ms); got != want {
			t.Errorf("%v ms: %q, want %q", ms, got, want)
		}
	}
}

func TestAStepInWhichNothingWasSentHasARow(t *testing.T) {
	trace := uitest.TwoWriters(t)
	trace.Steps[2] = scenarios.Observation{Verdict: scenarios.Skipped, Reason: "needs etcd"}
	trace.Steps[4] = scenarios.Observation{Verdict: scenarios.OK}
	index := NewIndex(&trace)
	for cursor, want := range map[int]string{3: "skipped: needs etcd", 5: "no request"} {
		drawn := text(Draw(input(&trace, cursor, cells.Size{Width: 80, Height: 22}), index).Lines)
		if !strings.Contains(drawn, want) || !strings.Contains(drawn, "\n▸") {
			t.Errorf("step %d does not say %q:\n%s", cursor, want, drawn)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		width int
		ways  []string
		want  string
	}{
		{20, []string{"409 Conflict", "409"}, "409 Conflict"},
		{5, []string{"409 Conflict", "409"}, "409"},
		{6, []string{"修订版本", "rv"}, "rv"},
		{6, []string{"409 Conflict", "Conflict"}, "Confl…"},
		{6, []string{"", "ok"}, "ok"},
		{2, []string{"409"}, ""},
		{0, []string{"a"}, ""},
		{-3, []string{"a"}, ""},
		{9, nil, ""},
	} {
		if got := fit(c.width, c.ways...); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.ways, c.width, got, c.want)
		}
	}
}

func TestACanvasKeepsItsWidthWhateverCoversWhat(t *testing.T) {
	var c canvas
	c.clear(8)
	c.put(0, "修订版本", nil)
	c.put(3, "│", nil) // the second half of a wide character
	c.put(7, "本", nil) // no room for it
	c.put(-1, "ab", nil)
	got := text([]cells.Line{c.line(0, 8)})
	if got != "b  │版本\n" {
		t.Errorf("%q", got)
	}
	if got := text([]cells.Line{c.line(5, 2)}); got != "  \n" {
		t.Errorf("cut within wide characters: %q", got)
	}
	for from := range 9 {
		for width := range 9 {
			if l := c.line(from, width); l.Width() > width {
				t.Errorf("from %d, %d cells: %q has %d", from, width, text([]cells.Line{l}), l.Width())
			}
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		rounds []int
		want   []bar
	}{
		{nil, nil},
		{[]int{0, 50}, nil},
		{[]int{13, 37}, nil},
		{[]int{0, 2, 3, 1}, []bar{{1, 1, 2}, {2, 2, 3}, {3, 3, 1}}},
		{[]int{0, 1, 1, 1, 1, 1, 1, 1}, []bar{{1, 2, 2}, {3, 4, 2}, {5, 6, 2}, {7, 7, 1}}},
	} {
		got := spread(c.rounds)
		if len(got) != len(c.want) {
			t.Errorf("%v: %v, want %v", c.rounds, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%v: %v, want %v", c.rounds, got, c.want)
			}
		}
	}
}
