package timeline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/view"
)

// FuzzDraw draws any trace, at any cursor, in any size: nothing panics, no line is wider
// than the view, there are no more than it is high, and what is scrolled too far is
// brought back once.
func FuzzDraw(f *testing.F) {
	seed := func(trace string, w, h int) {
		f.Add([]byte(trace), uint16(w), uint16(h), 4, -3, 2, w&1 == 1)
	}
	for _, name := range []string{"two-writers", "too-large", "resume", "true-race"} {
		trace := uitest.Trace(f, name)
		raw, err := json.Marshal(trace)
		if err != nil {
			f.Fatal(err)
		}
		all := string(raw)
		for _, size := range [][2]int{{1, 1}, {3, 2}, {39, 9}, {60, 18}, {119, 22}, {120, 34}, {500, 200}} {
			seed(all, size[0], size[1])
		}
		seed(strings.ReplaceAll(all, `"exchange":0`, `"exchange":9`), 120, 36)
		seed(strings.ReplaceAll(all, `"durationMs":`, `"durationMs":-7`), 121, 36)
		seed(strings.ReplaceAll(all, `"startedMs":`, `"startedMs":1e3`), 121, 36)
		seed(strings.ReplaceAll(all, `"call":`, `"attempt":99,"call":`), 80, 36)
		seed(strings.ReplaceAll(all, "cm1", strings.Repeat("没有人\x1b[31m", 9)), 120, 36)
		seed(strings.ReplaceAll(all, `"actor":"B"`, `"actor":"nobody"`), 81, 22)
		seed(strings.ReplaceAll(all, `"by":"A"`, `"by":"\u200d"`), 81, 22)
	}
	seed(`{}`, 120, 36)
	seed(`{"steps":[{},{"exchanges":[{}],"rpcs":[{}],"revisions":[{}],"events":[{}]},{"rpcs":[{}],"revisions":[{"own":true}]}]}`, 100, 30)

	f.Fuzz(func(t *testing.T, raw []byte, w, h uint16, cursor, down, right int, open bool) {
		var trace scenarios.Trace
		if json.Unmarshal(raw, &trace) != nil {
			t.Skip("no trace")
		}
		index := NewIndex(&trace)
		in := input(&trace, cursor, cells.Size{Width: int(w % 500), Height: int(h % 200)})
		for _, in.Lang = range []string{scenarios.English, scenarios.Chinese} {
			in.At = view.State{Down: down, Right: right, Open: open}
			check(t, in, index)
		}
	})
}

func check(t *testing.T, in view.Input, index *Index) {
	t.Helper()
	drawn := Draw(in, index)
	if len(drawn.Lines) > in.Size.Height {
		t.Fatalf("%d lines in a view of %d", len(drawn.Lines), in.Size.Height)
	}
	for i, l := range drawn.Lines {
		if n := l.Width(); n > in.Size.Width {
			t.Fatalf("line %d has %d cells in a view of %d: %q", i+1, n, in.Size.Width, text(drawn.Lines[i:i+1]))
		}
		for _, span := range l {
			for _, r := range span.Text {
				if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 {
					t.Fatalf("line %d holds the control character %q", i+1, r)
				}
			}
		}
	}
	in.At = drawn.At
	if again := Draw(in, index); again.At != drawn.At || text(again.Lines) != text(drawn.Lines) {
		t.Fatalf("drawn again with %+v it is another, with %+v", drawn.At, again.At)
	}
}

// FuzzTexts puts any text and any number where a cluster's own would be.
func FuzzTexts(f *testing.F) {
	full := uitest.TwoWriters(f)
	f.Add("cm1", "B writes", int64(214), 3.0, uint16(120), uint16(36))
	f.Add("名字名字名字", "谁后写谁冲突。\n\n\t句子", int64(-1), -1e9, uint16(80), uint16(24))
	f.Add("a\x1b[31mb\x00\u200d\u202e👩‍👩‍👧 é\u0301", strings.Repeat("x", 300), int64(1)<<62, 1e18, uint16(60), uint16(20))
	f.Fuzz(func(t *testing.T, name, said string, number int64, ms float64, w, h uint16) {
		trace := uitest.UpTo(full, len(full.Steps))
		body, err := json.Marshal(map[string]any{
			"kind": said, "message": said, "reason": name, "code": number,
			"metadata": map[string]any{"name": name, "resourceVersion": said},
		})
		if err != nil {
			t.Skip("no JSON of it")
		}
		for i := range trace.Steps {
			o := &trace.Steps[i]
			index := i % 2
			for range 9 {
				o.Exchanges = append(o.Exchanges, scenarios.Exchange{
					Actor: scenarios.Actor(name), Call: i, Attempt: int(number), Method: said, Path: "/api/v1/namespaces/x/" + name, Status: int(number),
					RequestBody: body, ResponseBody: body, ResponseHeaders: map[string]string{"Retry-After": said}, StartedMs: ms, DurationMs: ms, Error: said,
				})
			}
			o.RPCs = append(o.RPCs, scenarios.RPC{Exchange: &index, Actor: scenarios.Actor(name), Method: name, Key: said, RangeEnd: name, Error: said, StartedMs: ms, DurationMs: ms})
			o.RPCs = append(o.RPCs, scenarios.RPC{Exchange: &index, Method: "Txn", CompareModRevision: &number, Writes: name, StartedMs: ms})
			o.Revisions = append(o.Revisions, scenarios.Revision{Revision: number, Op: name, Key: said, Name: said, By: name, Own: i%2 == 0})
			o.Events = append(o.Events, scenarios.WatchEvent{Actor: scenarios.Actor(said), Type: name, Name: said, ResourceVersion: said, AtMs: ms, Object: body})
		}
		index := NewIndex(&trace)
		in := input(&trace, int(w%9), cells.Size{Width: int(w % 300), Height: int(h % 100)})
		for _, in.Lang = range []string{scenarios.English, scenarios.Chinese} {
			for _, open := range []bool{false, true} {
				in.At = view.State{Open: open, Down: int(number)}
				check(t, in, index)
			}
		}
	})
}

// Every size up to a large one, on every recorded trace.
func TestNoLineIsWiderThanTheViewAtAnySize(t *testing.T) {
	for _, name := range recorded {
		trace := uitest.Trace(t, name)
		index := NewIndex(&trace)
		for w := 0; w <= 210; w += 7 {
			for h := 0; h <= 64; h += 9 {
				in := input(&trace, w%(len(trace.Steps)+1), cells.Size{Width: w, Height: h})
				in.Lang, in.At.Open = scenarios.Chinese, h&1 == 1
				check(t, in, index)
			}
		}
	}
}

// BenchmarkDraw: a frame of 200×60. The budget is 5 ms, and neither the trace's length nor
// a step's must show.
func BenchmarkDraw(b *testing.B) {
	bench := func(name string, trace scenarios.Trace, cursor int, open bool) {
		b.Run(name, func(b *testing.B) {
			index := NewIndex(&trace)
			in := input(&trace, cursor, cells.Size{Width: 200, Height: 60})
			in.At.Open = open
			b.ReportAllocs()
			for b.Loop() {
				cells.Render(Draw(in, index).Lines, in.Size)
			}
		})
	}
	for _, steps := range []int{6, 1000} {
		bench(fmt.Sprintf("%d-steps", steps), uitest.Long(uitest.TwoWriters(b), steps), steps, false)
	}
	storm := uitest.Trace(b, "patch-storm")
	bench("storm", storm, 1, false)
	bench("storm-open", storm, 1, true)
	bench("1000-storms", uitest.Long(storm, 1000), 1000, true)
}

// BenchmarkAppend: what it costs once to add the step with 50 requests and 854 RPCs.
func BenchmarkAppend(b *testing.B) {
	storm := uitest.Trace(b, "patch-storm")
	index := NewIndex(&scenarios.Trace{Mode: storm.Mode, Namespace: storm.Namespace, Plan: storm.Plan})
	b.ReportAllocs()
	for b.Loop() {
		index.Append(&storm.Steps[0])
	}
}
