package log_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/view"
	"rvtui/ui/view/log"
	"rvtui/ui/words"
)

// logged is two-writers with lines such as the servers and client-go write: some at the
// start, and some for each request.
func logged(t testing.TB) scenarios.Trace {
	trace := uitest.TwoWriters(t)
	setup := *trace.Setup
	setup.Log = []scenarios.LogLine{
		{AtMs: -812.4, Source: "etcd", Level: "info", Text: `ready to serve client requests`},
		{AtMs: -31, Source: "kube-apiserver", Level: "warning", Text: `Watch cache is not ready yet, and requests are held until it is`},
		{AtMs: 1, Source: "kube-apiserver", Level: "info", Text: `"All caches are synced"`},
	}
	trace.Setup = &setup
	for i := range trace.Steps {
		o := &trace.Steps[i]
		for _, e := range o.Exchanges {
			level := "info"
			if e.Status >= 400 {
				level = "error"
			}
			o.Log = append(o.Log,
				scenarios.LogLine{AtMs: o.StartedMs + 1, Source: "kube-apiserver", Level: level, Text: fmt.Sprintf(`"HTTP" verb=%q URI=%q latency="2.1ms" userAgent="rvtui-%s" audit-ID="5ca25a21-9a1c-48ba-a648-059677ea25b3" srcIP="127.0.0.1:40312" resp=%d`, e.Method, e.Path, e.Actor, e.Status)},
				scenarios.LogLine{AtMs: o.StartedMs + 2, Source: "client-go", Level: "info", Text: fmt.Sprintf(`Response status=%d body 名字名字 {"kind":"ConfigMap"}`, e.Status)})
		}
	}
	return trace
}

func TestGoldens(t *testing.T) {
	full := logged(t)
	bare := uitest.TwoWriters(t)
	foreign := bare
	foreign.Mode = "kubeconfig"
	for name, c := range map[string]struct {
		trace scenarios.Trace
		step  int
		at    view.State
	}{
		"conflict":    {full, 4, view.State{}},
		"setup":       {full, 0, view.State{}},
		"wrapped":     {full, 4, view.State{Open: true}},
		"right":       {full, 4, view.State{Right: 40}},
		"filtered":    {full, 4, view.State{Filter: "PUT"}},
		"none-found":  {full, 4, view.State{Filter: "no such thing"}},
		"none":        {bare, 4, view.State{}},
		"none-beside": {foreign, 4, view.State{}},
	} {
		index := log.NewIndex(&c.trace)
		for _, size := range viewtest.Sizes {
			for _, lang := range words.Languages {
				golden := fmt.Sprintf("%s/%s-%dx%d", lang, name, size.Width, size.Height)
				t.Run(golden, func(t *testing.T) {
					d := viewtest.Drawn(t, draw(index), viewtest.Input(&c.trace, c.step, size, lang, c.at))
					uitest.Golden(t, golden, uitest.Cells(t, cells.Render(d.Lines, size), size.Width, size.Height))
				})
			}
		}
	}
}

func draw(index *log.Index) func(view.Input) view.Drawn {
	return func(in view.Input) view.Drawn { return log.Draw(in, index) }
}

// numbered is a trace of so many steps with so many lines each, "line STEP.N".
func numbered(steps, lines int) scenarios.Trace {
	trace := scenarios.Trace{Mode: "embedded", Setup: &scenarios.Observation{}}
	for i := range steps {
		o := scenarios.Observation{Step: i + 1}
		for j := range lines {
			o.Log = append(o.Log, scenarios.LogLine{AtMs: float64(1000*i + j), Source: "etcd", Level: "info", Text: fmt.Sprintf("line %d.%d", i+1, j)})
		}
		trace.Steps = append(trace.Steps, o)
	}
	return trace
}

func shown(t *testing.T, trace *scenarios.Trace, index *log.Index, cursor int, at view.State) (string, view.Drawn) {
	t.Helper()
	d := viewtest.Drawn(t, draw(index), viewtest.Input(trace, cursor, cells.Size{Width: 100, Height: 21}, scenarios.English, at))
	var lines []string
	for _, l := range d.Lines {
		lines = append(lines, viewtest.Text(l))
	}
	return strings.Join(lines, "\n"), d
}

func TestNothingIsShownThatWasLoggedAfterTheCursor(t *testing.T) {
	trace := numbered(9, 10)
	index := log.NewIndex(&trace)
	for cursor := range 10 {
		for _, at := range []view.State{{}, {Down: 1 << 40}, {Down: -1 << 40}, {Filter: "LINE"}, {Open: true}} {
			text, _ := shown(t, &trace, index, cursor, at)
			for later := cursor + 1; later < 10; later++ {
				if strings.Contains(text, fmt.Sprintf("line %d.", later)) {
					t.Fatalf("at step %d a line of step %d is shown:\n%s", cursor, later, text)
				}
			}
			if cursor > 0 && at.Down == 0 && !strings.Contains(text, fmt.Sprintf("line %d.0", cursor)) {
				t.Errorf("at step %d its first line is not in sight:\n%s", cursor, text)
			}
		}
	}
}

func TestScrollingEndsAtTheFirstAndTheLastLine(t *testing.T) {
	trace := numbered(9, 10)
	index := log.NewIndex(&trace)
	top, d := shown(t, &trace, index, 5, view.State{Down: -1 << 62})
	if !strings.Contains(top, "line 1.0") {
		t.Errorf("the first line is not at the top:\n%s", top)
	}
	if d.At.Down >= 0 {
		t.Errorf("scrolled up to %d", d.At.Down)
	}
	end, d := shown(t, &trace, index, 5, view.State{Down: 1 << 62})
	if !strings.HasSuffix(strings.TrimSpace(end), "line 5.9") {
		t.Errorf("the last line is not at the end:\n%s", end)
	}
	if one, _ := shown(t, &trace, index, 5, view.State{Down: d.At.Down - 1}); strings.HasSuffix(strings.TrimSpace(one), "line 5.9") {
		t.Errorf("one line up, and the last line is still at the end:\n%s", one)
	}
}

func TestAFilterSaysHowManyOfHowMany(t *testing.T) {
	trace := numbered(9, 10)
	index := log.NewIndex(&trace)
	for filter, want := range map[string]string{
		"LINE 3.": "10 of 50 lines with “LINE 3.”, 0 of this step",
		".7":      "5 of 50 lines with “.7”, 1 of this step",
		"etcd":    "50 of 50 lines with “etcd”, 10 of this step",
		"info":    "50 of 50 lines with “info”, 10 of this step",
	} {
		if text, _ := shown(t, &trace, index, 5, view.State{Filter: filter}); !strings.Contains(text, want) {
			t.Errorf("%q: no %q in\n%s", filter, want, text)
		}
	}
	if text, _ := shown(t, &trace, index, 5, view.State{Filter: "line 6"}); !strings.Contains(text, "No line up to this step holds “line 6”.") {
		t.Errorf("a later line was found:\n%s", text)
	}
}

func TestTheIndexGrowsWithTheTraceUnderAFilter(t *testing.T) {
	trace := numbered(9, 10)
	grown := &log.Index{}
	grown.Append(trace.Setup)
	for i := range trace.Steps {
		grown.Append(&trace.Steps[i])
		part := uitest.UpTo(trace, i+1)
		at := view.State{Filter: ".7"}
		got, _ := shown(t, &part, grown, i+1, at)
		want, _ := shown(t, &part, log.NewIndex(&part), i+1, at)
		if got != want {
			t.Fatalf("after step %d:\n%s\nwant\n%s", i+1, got, want)
		}
	}
}

func TestTheStepsOwnLinesAreCopied(t *testing.T) {
	trace := numbered(3, 2)
	_, d := shown(t, &trace, log.NewIndex(&trace), 2, view.State{})
	if want := "1.000s etcd info line 2.0\n1.001s etcd info line 2.1\n"; d.Copy != want {
		t.Errorf("copied %q, want %q", d.Copy, want)
	}
}

func TestNoLineIsWiderThanTheViewAtAnySize(t *testing.T) {
	trace := logged(t)
	index := log.NewIndex(&trace)
	for w := 0; w <= 210; w += 7 {
		for h := 0; h <= 60; h += 5 {
			for _, at := range []view.State{{Right: w / 2}, {Open: true, Down: h}, {Filter: "http", Down: -h}} {
				viewtest.Drawn(t, draw(index), viewtest.Input(&trace, 4, cells.Size{Width: w, Height: h}, scenarios.Chinese, at))
			}
		}
	}
}

func FuzzDraw(f *testing.F) {
	raw, err := json.Marshal(logged(f))
	if err != nil {
		f.Fatal(err)
	}
	for i, size := range [][2]uint16{{1, 1}, {19, 9}, {60, 18}, {80, 22}, {120, 34}, {200, 58}} {
		f.Add([]byte(`{"setup":{"log":[{"text":"a\u001b[31mb\n\tc"}]},"steps":[{"log":[{},{"atMs":1e300,"source":"名字名字名字名字名字","level":"`+strings.Repeat("x", 40)+`"}]}]}`), size[0], size[1], i&1, i, -i, i&1 == 1, "")
		f.Add(raw, size[0], size[1], 4, i, i*9, i&1 == 1, "http")
	}
	f.Fuzz(func(t *testing.T, raw []byte, w, h uint16, cursor, down, right int, open bool, filter string) {
		var trace scenarios.Trace
		if json.Unmarshal(raw, &trace) != nil {
			t.Skip("no trace")
		}
		size := cells.Size{Width: int(w % 300), Height: int(h % 100)}
		index := log.NewIndex(&trace)
		for _, lang := range words.Languages {
			viewtest.Drawn(t, draw(index), viewtest.Input(&trace, cursor, size, lang, view.State{Down: down, Right: right, Open: open, Filter: filter}))
		}
		viewtest.Drawn(t, draw(nil), viewtest.Input(&trace, cursor, size, scenarios.English, view.State{Down: down, Filter: filter}))
	})
}

// BenchmarkDraw: a frame at 200×60 must not show how long the log is.
func BenchmarkDraw(b *testing.B) {
	for _, steps := range []int{6, 1000} {
		for name, at := range map[string]view.State{"cut": {}, "wrapped": {Open: true}, "filtered": {Filter: ".7"}} {
			b.Run(fmt.Sprintf("%s/%d-steps", name, steps), func(b *testing.B) {
				trace := numbered(steps, 20)
				index := log.NewIndex(&trace)
				in := viewtest.Input(&trace, steps, cells.Size{Width: 200, Height: 58}, scenarios.English, at)
				b.ReportAllocs()
				for b.Loop() {
					log.Draw(in, index)
				}
			})
		}
	}
}
