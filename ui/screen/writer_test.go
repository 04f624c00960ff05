package screen

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/theme"
)

// cellsOf is the text of lines, one below the other.
func cellsOf(lines []cells.Line) string {
	var b strings.Builder
	for _, l := range lines {
		for _, s := range l {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// at is a frame of a trace with the cursor at its end.
func at(t scenarios.Trace, view View, size cells.Size) *frame {
	story := NewStory(t)
	return newFrame(story, State{Cursor: story.Taken(), View: view}, size, theme.For(theme.Auto, colorprofile.TrueColor, true), scenarios.English)
}

// answered is a trace whose B sends something else in step 4 than a PUT that conflicts.
func answered(t *testing.T, change func(*scenarios.Exchange)) scenarios.Trace {
	trace := uitest.UpTo(uitest.TwoWriters(t), 4)
	e := trace.Steps[3].Exchanges[0]
	change(&e)
	trace.Steps[3].Exchanges = []scenarios.Exchange{e}
	return trace
}

func patched(e *scenarios.Exchange) {
	e.Method, e.Status = "PATCH", 200
	e.RequestHeaders = map[string]string{"Content-Type": "application/merge-patch+json"}
	e.RequestBody = json.RawMessage(`{"data":{"color":"blue"}}`)
	e.ResponseBody = json.RawMessage(`{"kind":"ConfigMap","metadata":{"name":"cm1","resourceVersion":"999"},"data":{"owner":"A","color":"blue"}}`)
}

func TestAPatchIsNeverDrawnOverWhatItsWriterHeld(t *testing.T) {
	trace := answered(t, patched)
	for name, c := range map[string]struct {
		view   View
		height int
		want   []string
	}{
		"roomy":  {Panes, 22, []string{"holds rv 999", "sends this patch:", "+ data:\n+   color: blue", "no rv", "answered:", "    color: blue\n    owner: A"}},
		"zoomed": {Zoomed, 30, []string{"holds rv 999", "sends this patch:", "answered:", "    color: blue\n    owner: A"}},
		"tight":  {Panes, 5, []string{"holds rv 999", "sends this patch:", "+   color: blue"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := cellsOf(trimmed(at(trace, c.view, cells.Size{Width: 120, Height: 36}).writer(scenarios.B, 40, c.height, 0).Lines))
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
			if strings.Contains(got, "nobody") {
				t.Errorf("B's older copy is shown, which the patch was not applied to:\n%s", got)
			}
		})
	}
}

func trimmed(lines []cells.Line) []cells.Line {
	var out []cells.Line
	for _, l := range lines {
		out = append(out, cells.Line{{strings.TrimRight(strings.TrimSuffix(cellsOf([]cells.Line{l}), "\n"), " "), nil}})
	}
	return out
}

func TestAWritesBodyIsCaptionedWithWhatBecameOfIt(t *testing.T) {
	trace := uitest.TwoWriters(t)
	state := scenarios.NewHistory(&trace).At(3)
	held, stored := state.Held[scenarios.B]["cm1"].ResourceVersion, state.Objects["cm1"].ResourceVersion
	body := func(rv string) json.RawMessage {
		return json.RawMessage(`{"metadata":{"name":"cm1","resourceVersion":"` + rv + `"}}`)
	}
	for want, change := range map[string]func(*scenarios.Exchange){
		"sent, refused:": func(*scenarios.Exchange) {},
		"sent, stored:": func(e *scenarios.Exchange) {
			e.Status, e.ResponseBody = 200, json.RawMessage(`{"metadata":{"name":"cm1","resourceVersion":"999"},"data":{"owner":"B"}}`)
		},
		"sent, stored altered:": func(e *scenarios.Exchange) {
			e.Status, e.ResponseBody = 200, body("999")
		},
		"sent, nothing to store:": func(e *scenarios.Exchange) {
			e.Status, e.ResponseBody = 200, body(held)
		},
		"sent, nothing to store: ": func(e *scenarios.Exchange) { // not what B holds, but what is stored
			e.Status, e.ResponseBody = 200, body(stored)
		},
		"sent, no answer:":            func(e *scenarios.Exchange) { e.Status, e.ResponseBody, e.Error = 0, nil, "connection reset" },
		"sends this patch, refused:":  func(e *scenarios.Exchange) { patched(e); e.Status, e.ResponseBody = 409, nil },
		"sent, not stored (dry run):": func(e *scenarios.Exchange) { e.Status, e.ResponseBody, e.Path = 200, nil, e.Path+"&dryRun=All" },
		"Warning: unknown field \"x\"": func(e *scenarios.Exchange) {
			e.ResponseHeaders = map[string]string{"Warning": `299 - "unknown field \"x\""`}
		},
	} {
		for _, height := range []int{8, 22} {
			got := cellsOf(at(answered(t, change), Panes, cells.Size{Width: 120, Height: 36}).writer(scenarios.B, 60, height, 0).Lines)
			if !strings.Contains(got, strings.TrimSpace(want)) {
				t.Errorf("in %d lines, %q is missing in\n%s", height, want, got)
			}
		}
	}
}

func TestAnEarlierWriteOfAnotherActorStaysAndIsDim(t *testing.T) {
	trace := uitest.TwoWriters(t)
	f := at(uitest.UpTo(trace, 4), Panes, cells.Size{Width: 120, Height: 36})
	for actor, past := range map[scenarios.Actor]bool{scenarios.A: true, scenarios.B: false} {
		found := false
		for _, l := range f.writer(actor, 30, 22, 0).Lines {
			if len(l) > 0 && strings.HasPrefix(l[0].Text, "+") {
				found = true
				if dim := l[0].Style == &f.th.Dim; dim != past {
					t.Errorf("%s: %q is dim: %t, want %t", actor, l[0].Text, dim, past)
				}
			}
		}
		if !found {
			t.Errorf("%s: what was sent is not shown", actor)
		}
	}
}

func TestAZoomedWriterShowsTheBodiesOfItsLastExchange(t *testing.T) {
	f := at(uitest.UpTo(uitest.TwoWriters(t), 4), Zoomed, cells.Size{Width: 120, Height: 36})
	for _, width := range []int{116, 56} {
		got := cellsOf(f.writer(scenarios.B, width, 200, 0).Lines)
		for _, want := range []string{"request", "PUT /api/v1/namespaces/", "kind: ConfigMap", "response", "reason: Conflict"} {
			if !strings.Contains(got, want) {
				t.Errorf("%d cells: %q is missing in\n%s", width, want, got)
			}
		}
	}
}

func TestWhatWasAskedEarlierKeepsItsNumbers(t *testing.T) {
	trace := uitest.TwoWriters(t)
	e := &trace.Steps[3].Exchanges[0]
	e.Status = 200
	e.RequestBody = json.RawMessage(`{"metadata":{"name":"cm1","resourceVersion":"1025"}}`)
	e.ResponseBody = json.RawMessage(`{"metadata":{"name":"cm1","resourceVersion":"1026"}}`)
	got := cellsOf(at(trace, Panes, cells.Size{Width: 120, Height: 36}).writer(scenarios.B, 23, 22, 0).Lines)
	if !strings.Contains(got, "rv=1025") || !strings.Contains(got, "200→1026") {
		t.Errorf("a resourceVersion is cut:\n%s", got)
	}
}

func TestAWatchShowsItsEvents(t *testing.T) {
	trace := answered(t, func(e *scenarios.Exchange) {
		e.Method, e.Path, e.Status, e.RequestBody, e.ResponseBody = "GET", "/api/v1/namespaces/n/configmaps?watch=true&resourceVersion=10", 200, nil, nil
	})
	first := 0
	trace.Steps[3].Events = []scenarios.WatchEvent{
		{Actor: scenarios.B, Type: "MODIFIED", Name: "cm1", ResourceVersion: "24", Exchange: &first},
		{Actor: scenarios.B, Type: "ERROR", Exchange: &first, Object: []byte(`{"kind":"Status","code":410,"reason":"Expired","message":"too old"}`)},
	}
	for _, size := range []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}} {
		f := at(trace, Panes, size)
		shown := cellsOf(f.body(1, 40, 20).Lines)
		for _, event := range []string{"→ MODIFIED cm1 rv 24", "→ ERROR 410 Expired: too old"} {
			if !strings.Contains(shown, event) {
				t.Errorf("%v: no %q in\n%s", size, event, shown)
			}
		}
	}
}

func TestAWriteIsComparedWithTheVersionThatItNames(t *testing.T) {
	// B's two PUTs at the same instant, both made of what it held before: the second is not a
	// change of what the first one stored.
	trace := uitest.UpTo(uitest.TwoWriters(t), 4)
	won := trace.Steps[2].Exchanges[0]
	won.Actor = scenarios.B
	trace.Steps[3].Exchanges = append([]scenarios.Exchange{won}, trace.Steps[3].Exchanges...)
	story := NewStory(trace)
	held, ok := story.heldBefore(len(story.log)-1, "cm1")
	if sent := story.log[len(story.log)-1].request.RV; !ok || held.ResourceVersion != sent {
		t.Errorf("compared with rv %s, and sent was %s", held.ResourceVersion, sent)
	}
}
