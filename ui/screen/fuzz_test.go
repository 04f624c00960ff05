package screen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
)

// FuzzFrame draws any trace, at any cursor, on a screen of any size: nothing panics,
// there are exactly as many lines as the screen has, and none is wider than it.
func FuzzFrame(f *testing.F) {
	full := uitest.TwoWriters(f)
	raw, err := json.Marshal(full)
	if err != nil {
		f.Fatal(err)
	}
	seed := func(trace string, w, h int) {
		for view := range 2 {
			f.Add([]byte(trace), uint16(w), uint16(h), 4, view, 3, view)
		}
	}
	for _, size := range [][2]int{{1, 1}, {2, 2}, {5, 3}, {39, 9}, {40, 10}, {60, 20}, {79, 24}, {80, 24}, {119, 23}, {120, 24}, {120, 36}, {150, 24}, {500, 200}} {
		seed(string(raw), size[0], size[1])
	}
	seed(strings.ReplaceAll(string(raw), "nobody", "没有人没有人没有人\x1b[31m\tred"), 80, 24)
	seed(strings.ReplaceAll(string(raw), `"exchange":0`, `"exchange":9`), 120, 36)
	seed(strings.ReplaceAll(string(raw), `"step":`, `"step":7`), 120, 36)
	seed(strings.ReplaceAll(string(raw), "cm1", strings.Repeat("a-very-long-name-", 9)), 120, 36)
	seed(`{}`, 120, 36)
	for _, etcd := range []string{"", "too long a reason for any screen, 太长了太长了太长了太长了太长了太长了太长了太长了太长了太长了太长了太长了"} {
		sources := `"` + strings.Repeat(`名字","`, 9) + strings.Repeat("x", 300) + `"`
		palette := `{"scenario":"名字名字名字名字名字名字名字名字名字名字名字名字","chapter":"goto","etcd":"` + etcd + `","sources":[` + sources + `]}`
		for _, size := range [][2]int{{1, 1}, {3, 2}, {20, 5}, {40, 10}, {79, 24}, {80, 24}, {120, 36}} {
			for chosen := range 11 {
				f.Add([]byte(palette), uint16(size[0]-1), uint16(size[1]-1), 0, 0, chosen, 4)
			}
		}
	}
	seed(`{"steps":[{},{"exchanges":[{}],"rpcs":[{}],"revisions":[{}],"objects":[{}],"checks":[{}]}]}`, 100, 30)

	f.Fuzz(func(t *testing.T, raw []byte, w, h uint16, cursor, view, focus, state int) {
		var trace scenarios.Trace
		if json.Unmarshal(raw, &trace) != nil {
			t.Skip("no trace")
		}
		size := cells.Size{Width: int(w%500) + 1, Height: int(h%200) + 1}
		s := screen.State{
			View: screen.View(view & 1), Cursor: cursor, Focus: screen.Pane(uint(focus) % 5),
			Scroll: [5]int{cursor, focus, state, view, cursor},
		}
		switch state & 7 {
		case 1:
			now := time.Unix(int64(cursor), 0)
			s.Running = &screen.Running{Step: cursor, Since: now, Now: now.Add(time.Minute)}
			for i := range trace.Steps {
				s.Running.Exchanges = append(s.Running.Exchanges, trace.Steps[i].Exchanges...)
				s.Running.Events = append(s.Running.Events, trace.Steps[i].Events...)
			}
		case 2:
			s.Starting = &screen.Starting{What: "starting", Phases: []string{"etcd", trace.Scenario}}
		case 3:
			s.Problem = &screen.Problem{Title: trace.Scenario, Detail: string(raw), Hint: "q"}
		case 4:
			s.Palette = &screen.Palette{
				Typed: trace.Scenario, Command: trace.Chapter, Does: trace.Namespace, Note: trace.Mode, Wrong: trace.Etcd, Chosen: focus,
				Candidates: make([]screen.Candidate, len(trace.Sources)),
			}
			for i, source := range trace.Sources {
				s.Palette.Candidates[i] = screen.Candidate{Name: source, About: source}
			}
		case 5:
			s.Note, s.Queued, s.Autoplay = trace.Namespace, focus, time.Second
		}
		story := screen.NewStory(trace)
		check(t, screen.Frame(story, s, size, dark, scenarios.Chinese), size)
		screen.MaxScroll(story, s, size, dark, scenarios.Chinese)
		behind := screen.BehindStory(story, s, size, dark, scenarios.Chinese)
		screen.HelpScroll(behind, size, dark, scenarios.Chinese)

		p := screen.Picker{Selected: cursor, Filter: trace.Chapter, Filtering: view&1 == 1, Palette: s.Palette, Scenarios: []*scenarios.Scenario{
			{Name: trace.Scenario, Chapter: trace.Chapter, Title: trace.Title, Summary: trace.Summary, Met: trace.Sources, Fix: trace.Fix},
		}}
		for _, lang := range []string{scenarios.English, scenarios.Chinese} {
			check(t, screen.PickerFrame(p, size, dark, lang), size)
		}
		check(t, screen.HelpFrame(behind, size, dark, scenarios.Chinese, cursor), size)
	})
}

func check(t *testing.T, frame string, size cells.Size) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != size.Height {
		t.Fatalf("%d lines on a screen of %d", len(lines), size.Height)
	}
	for i, line := range lines {
		if n := ansi.StringWidth(line); n > size.Width {
			t.Fatalf("line %d has %d cells on a screen of %d: %q", i+1, n, size.Width, line)
		}
		for _, r := range ansi.Strip(line) {
			if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 {
				t.Fatalf("line %d holds the control character %q", i+1, r)
			}
		}
	}
}

// Every size up to a large one, on the trace that everybody sees first.
func TestNoLineIsWiderThanTheScreenAtAnySize(t *testing.T) {
	story := screen.NewStory(uitest.TwoWriters(t))
	for w := 1; w <= 210; w += 3 {
		for h := 1; h <= 64; h += 3 {
			size := cells.Size{Width: w, Height: h}
			for _, view := range []screen.View{screen.Panes, screen.Zoomed} {
				check(t, screen.Frame(story, screen.State{Cursor: 4, View: view, Focus: screen.PaneB}, size, dark, scenarios.English), size)
			}
		}
	}
}

// BenchmarkFrame: a frame at 200×60 at the end of a short and of a long trace. The
// budget is 5 ms, and the length must not show.
func BenchmarkFrame(b *testing.B) {
	for _, steps := range []int{6, 1000} {
		b.Run(fmt.Sprintf("%d-steps", steps), func(b *testing.B) {
			story := screen.NewStory(uitest.Long(uitest.TwoWriters(b), steps))
			size := cells.Size{Width: 200, Height: 60}
			state := screen.State{Cursor: steps, Focus: screen.PaneEtcd}
			b.ReportAllocs()
			for b.Loop() {
				screen.Frame(story, state, size, dark, scenarios.English)
			}
		})
	}
}

// FuzzTexts puts any text and any number where a cluster's or a scenario's own would be.
func FuzzTexts(f *testing.F) {
	full := uitest.TwoWriters(f)
	f.Add("cm1", "B writes", int64(214), 3, uint16(120), uint16(36))
	f.Add("名字名字名字", "谁后写谁冲突。\n\n\t句子", int64(-1), 9, uint16(80), uint16(24))
	f.Add("a\x1b[31mb\x00\u200d\u202e👩‍👩‍👧 é\u0301", strings.Repeat("x", 300), int64(1)<<62, 0, uint16(60), uint16(20))
	f.Fuzz(func(t *testing.T, name, said string, number int64, n int, w, h uint16) {
		size := cells.Size{Width: int(w%300) + 1, Height: int(h%100) + 1}
		trace := uitest.UpTo(full, len(full.Steps))
		texts := scenarios.Text{scenarios.English: said}
		trace.Scenario, trace.Title, trace.Summary, trace.Fix = name, texts, texts, texts
		body, err := json.Marshal(map[string]any{
			"kind": name, "message": said, "reason": name, "data": map[string]any{name: said, "n": number, "list": []any{said, number}},
			"metadata": map[string]any{"name": name, "resourceVersion": said, "labels": map[string]any{said: name}},
		})
		if err != nil {
			t.Skip("no JSON of it")
		}
		for i := range trace.Steps {
			o := &trace.Steps[i]
			o.Title, o.Say, o.Error, o.Reason = texts, texts, said, name
			o.Checks = []scenarios.Check{{Expected: texts, Got: texts}}
			o.Etcd.Head, o.Etcd.Compacted = number, number
			o.Objects = append(o.Objects, scenarios.Object{Name: name, Exists: i%2 == 0, ResourceVersion: said, Object: body})
			o.Revisions = append(o.Revisions, scenarios.Revision{Revision: number, Op: name, Key: said, By: name, Own: i%2 == 0, Version: number})
			o.Exchanges = append([]scenarios.Exchange{{
				Actor: scenarios.Actor(name), Method: said, Path: said, Status: int(number), RequestBody: body, ResponseBody: body,
				RequestHeaders: map[string]string{name: said}, DurationMs: float64(number),
			}}, o.Exchanges...)
			o.RPCs = append([]scenarios.RPC{{Actor: scenarios.Actor(name), Method: name, Key: said, RangeEnd: name, Error: said}}, o.RPCs...)
		}
		story := screen.NewStory(trace)
		state := screen.State{Cursor: n, Focus: screen.Pane(uint(n) % 5), View: screen.View(n >> 2 & 1), Note: said, Scroll: [5]int{n, n, n, n, n}}
		for _, lang := range []string{scenarios.English, scenarios.Chinese} {
			check(t, screen.Frame(story, state, size, dark, lang), size)
		}
	})
}
