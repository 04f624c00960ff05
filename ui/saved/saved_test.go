package saved_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/plain"
	"rvtui/ui/saved"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

func TestEachStepRevealsTheNextObservationAndTheEndIsEOF(t *testing.T) {
	read := of(t, uitest.TwoWriters(t))
	trace, err := read.All()
	if err != nil {
		t.Fatal(err)
	}
	stage := saved.New(read)
	info, err := stage.Prepare(t.Context(), nil)
	if err != nil || info != (scenarios.Info{Mode: trace.Mode, Kubernetes: trace.Kubernetes, Etcd: trace.Etcd}) {
		t.Errorf("%+v, %v", info, err)
	}
	if got := stage.Scenario(); got.Name != "two-writers" || got.Title.In("en") != trace.Title.In("en") {
		t.Errorf("%+v", got)
	}
	for range 2 { // each walk begins at the beginning
		play, err := stage.Begin(t.Context(), stage.Scenario())
		if err != nil {
			t.Fatal(err)
		}
		for n := range trace.Steps {
			if so := play.Trace(); len(so.Steps) != n || so.Setup == nil || len(so.Plan) != 6 {
				t.Fatalf("%d steps are revealed, want %d", len(so.Steps), n)
			}
			o, err := play.Step(t.Context(), nil)
			if err != nil || !reflect.DeepEqual(o, trace.Steps[n]) {
				t.Fatalf("step %d: %+v, %v", n+1, o, err)
			}
		}
		if _, err := play.Step(t.Context(), nil); !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %v", err)
		}
		if err := play.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// of is a trace as it is read once it was saved.
func of(t *testing.T, trace scenarios.Trace) *scenarios.SavedTrace {
	t.Helper()
	var b bytes.Buffer
	if err := trace.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	saved, err := scenarios.ReadTrace(&b)
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func TestAWalkThatWasLeftRevealsNoMore(t *testing.T) {
	play, _ := saved.New(of(t, uitest.TwoWriters(t))).Begin(t.Context(), nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := play.Step(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

var look = theme.For(theme.Auto, colorprofile.TrueColor, true)

// Whatever ReadTrace lets through can be played: at each step, in each view, in lines.
func FuzzPlay(f *testing.F) {
	for _, name := range uitest.Traces(f) {
		trace := uitest.Trace(f, name)
		trace.Steps = trace.Steps[:min(3, len(trace.Steps))]
		raw, err := json.Marshal(trace)
		if err != nil {
			f.Fatal(err)
		}
		if len(raw) < 100_000 { // larger ones only make it slow
			f.Add(raw, uint16(120), uint16(36), 1)
			f.Add(bytes.ReplaceAll(raw, []byte(`"exchange":0`), []byte(`"exchange":9`)), uint16(80), uint16(24), -1)
			f.Add(bytes.ReplaceAll(raw, []byte(`"parent":0`), []byte(`"parent":1`)), uint16(200), uint16(60), 2)
		}
	}
	f.Add([]byte(`{"scenario":"mine","plan":[{}],"steps":[{"spans":[{"parent":0},{"parent":9,"exchange":-1}],"exchanges":[{"durationMs":1e308,"startedMs":-1e308}]}]}`), uint16(90), uint16(30), 1)
	f.Fuzz(func(t *testing.T, content []byte, w, h uint16, said int) {
		trace, err := scenarios.ReadTrace(bytes.NewReader(content))
		if err != nil || trace.Len() > 20 {
			return
		}
		size := cells.Size{Width: int(w%300) + 1, Height: int(h%100) + 1}
		lang := words.Languages[int(w)%len(words.Languages)]
		play, _ := saved.New(trace).Begin(t.Context(), nil)
		story := screen.NewStory(play.Trace())
		predicted := map[int]int{}
		for n := 0; ; n++ {
			plan := trace.Head.Plan
			state := screen.State{Cursor: n, Saved: &screen.Saved{Steps: trace.Len()}, Predicted: predicted, Predict: true}
			for state.View = screen.Panes; state.View <= screen.Log; state.View++ {
				check(t, screen.Frame(story, state, size, look, lang), size)
			}
			if n < len(plan) && len(plan[n].Choices) > 0 {
				asking := screen.State{Cursor: n, Asking: &screen.Asking{Step: n + 1}, Predict: true}
				check(t, screen.Frame(story, asking, size, look, lang), size)
				predicted[n+1] = 1 + int(uint(said)%uint(len(plan[n].Choices)))
			}
			o, err := play.Step(t.Context(), nil)
			if err != nil {
				break
			}
			story.Append(o)
		}
		stage, scenario := saved.New(trace), saved.New(trace).Scenario()
		var out strings.Builder
		_, err = plain.Drive(t.Context(), strings.NewReader(""), &out, stage, plain.Options{
			Scenarios: []*scenarios.Scenario{scenario}, Initial: scenario, Saved: stage.Saved(), Lang: lang, Now: time.Now,
		})
		if err != nil {
			t.Errorf("in lines: %v", err)
		}
		harmless(t, strings.ReplaceAll(out.String(), "\n", " "))
	})
}

func check(t *testing.T, frame string, size cells.Size) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != size.Height {
		t.Fatalf("%d lines on a screen of %d", len(lines), size.Height)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n > size.Width {
			t.Fatalf("%d cells on a screen of %d: %q", n, size.Width, line)
		}
		harmless(t, ansi.Strip(line))
	}
}

func harmless(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			t.Fatalf("the control character %q is in %q", r, text)
		}
	}
}
