package recording

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
)

var usual = cells.Size{Width: 120, Height: 36}

func record(t *testing.T, name string, options Options) *Recording {
	t.Helper()
	trace := uitest.Trace(t, name)
	if options.Size == (cells.Size{}) {
		options.Size = usual
	}
	r, err := New(&trace, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestARecordingHasAFrameAndALabelForEachStep(t *testing.T) {
	var labels []string
	trace := uitest.Trace(t, "two-writers")
	third := "3  " + trace.Steps[2].Title.In(scenarios.English)
	for f := range record(t, "two-writers", Options{Lang: scenarios.English}).Frames() {
		labels = append(labels, f.Label)
		if !strings.Contains(ansi.Strip(f.Content), "LIVE ") || f.Hold < time.Second {
			t.Errorf("step %d: %s, and the frame\n%s", f.Step, f.Hold, f.Content)
		}
	}
	if len(labels) != 7 || labels[0] != "Whoever writes second conflicts" || labels[3] != third {
		t.Errorf("the labels are %q", labels)
	}
}

func TestTwoRecordingsOfATraceAreTheSame(t *testing.T) {
	options := Options{Lang: scenarios.Chinese, Predict: true, Present: true, Keys: true, Views: []screen.View{screen.Panes, screen.HTTP, screen.Timeline}}
	for _, name := range []string{"two-writers", "too-large"} {
		first := slices.Collect(record(t, name, options).Frames())
		second := record(t, name, options)
		for range 2 {
			if !slices.Equal(first, slices.Collect(second.Frames())) {
				t.Errorf("%s: two recordings differ", name)
			}
		}
		if len(first) < 20 || second.Len() != len(first) {
			t.Errorf("%s: %d frames", name, len(first))
		}
	}
}

func TestAQuestionComesBeforeItsStep(t *testing.T) {
	frames := slices.Collect(record(t, "two-writers", Options{Lang: scenarios.English, Predict: true, Steps: []int{4}}).Frames())
	if len(frames) != 2 || !strings.Contains(frames[0].Content, "QUESTION 4/6") || strings.Contains(ansi.Strip(frames[0].Content), "as expected  409") || !strings.Contains(frames[1].Content, "LIVE 4/6") {
		t.Errorf("there are %d frames", len(frames))
	}
}

func TestASlowStepIsSeenRunning(t *testing.T) {
	running := 0
	for f := range record(t, "too-large", Options{Lang: scenarios.English}).Frames() {
		if strings.Contains(f.Content, "RUNNING") {
			running++
		}
	}
	if running < 11 {
		t.Errorf("%d frames of running steps", running)
	}
}

func TestStillsAreTheFramesThatStandAlone(t *testing.T) {
	var labels []string
	for f := range record(t, "too-large", Options{Lang: scenarios.English, Keys: true}).Stills() {
		labels = append(labels, f.Label)
		if text := ansi.Strip(f.Content); f.Passing || strings.Contains(text, "RUNNING") || strings.Contains(text, "→  ") {
			t.Errorf("step %d is\n%s", f.Step, text)
		}
	}
	if trace := uitest.Trace(t, "too-large"); len(labels) != 1+len(trace.Steps) || slices.Contains(labels, "") {
		t.Errorf("the labels are %q", labels)
	}
}

func TestAGridHasTheFramesCells(t *testing.T) {
	r := record(t, "two-writers", Options{Lang: scenarios.Chinese})
	for f := range r.Frames() {
		g := NewGrid(f.Content, r.Size, r.Colours)
		for y, line := range strings.Split(ansi.Strip(f.Content), "\n") {
			if got := g.Text(y); got != strings.TrimRight(line, " ") {
				t.Fatalf("row %d is %q, and should be %q", y, got, line)
			}
		}
	}
}

func TestWhatCannotBeRecordedIsRefused(t *testing.T) {
	trace := uitest.TwoWriters(t)
	for _, options := range []Options{{Size: cells.Size{Width: 30, Height: 10}}, {Size: usual, Steps: []int{7}}, {Size: usual, Steps: []int{-1}}} {
		if _, err := New(&trace, options); err == nil {
			t.Errorf("%+v is recorded", options)
		}
	}
}

func TestNoControlCharacterOfATraceIsInALabelOrTheTitle(t *testing.T) {
	trace := uitest.TwoWriters(t)
	hostile := scenarios.Text{scenarios.English: "Hi\x1b]0;x\a\u2028\nline2"}
	trace.Title, trace.Steps[0].Title = hostile, hostile
	r, err := New(&trace, Options{Size: usual, Lang: scenarios.English})
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{r.Title, slices.Collect(r.Frames())[0].Label, slices.Collect(r.Frames())[1].Label} {
		if strings.ContainsFunc(said, func(r rune) bool { return r < ' ' || r == '\u2028' }) || !strings.Contains(said, "line2") {
			t.Errorf("it is %q", said)
		}
	}
}

func TestAQuestionIsAskedOnThePresentersSlide(t *testing.T) {
	frames := slices.Collect(record(t, "two-writers", Options{Lang: scenarios.English, Predict: true, Present: true, Steps: []int{4}}).Frames())
	if !strings.Contains(frames[0].Content, "QUESTION 4/6") || strings.Contains(frames[0].Content, "╭") {
		t.Errorf("it is asked on\n%s", ansi.Strip(frames[0].Content))
	}
}
