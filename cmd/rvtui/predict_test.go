package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/cmd/rvtui/commands"
	"rvtui/scenarios"
	"rvtui/ui"
	"rvtui/ui/cells"
	"rvtui/ui/plain"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// TestNoAnswerIsShownBeforeTheChoice walks through every scenario of the catalogue that asks
// something. At each question it draws every view at every size in every language, and then
// takes the step: nothing that was said of it by then may have been on a screen before, or in
// the lines of the plain mode.
func TestNoAnswerIsShownBeforeTheChoice(t *testing.T) {
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(s *scenarios.Scenario) bool { return questions(scenarios.Preview(s).Plan) == 0 })
	t.Setenv("TMPDIR", temporary(t)) // a socket's path must be short
	plane, err := start(t.Context(), commands.StartOptions{Inside: true, Report: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Close(); err != nil {
			t.Error(err)
		}
	})

	asked := &tally{}
	one := func(s *scenarios.Scenario) {
		t.Run(s.Name, func(t *testing.T) { tellsNothing(t, plane.Cluster, s, asked) })
	}
	// Most of them wait for most of their time, the slow ones for nearly all of it.
	var walks sync.WaitGroup
	room := make(chan struct{}, 4)
	for _, scenario := range all {
		if scenario.Exclusive() {
			continue
		}
		walks.Go(func() {
			if !slices.Contains(scenario.Labels, "slow") {
				room <- struct{}{}
				defer func() { <-room }()
			}
			one(scenario)
		})
	}
	walks.Wait()
	for _, scenario := range all {
		if scenario.Exclusive() {
			one(scenario)
		}
	}
	asked.judge(t, all)
}

func questions(plan []scenarios.PlannedStep) (n int) {
	for _, step := range plan {
		if len(step.Choices) > 0 {
			n++
		}
	}
	return n
}

// tally counts the questions, and where the right one of their choices stood.
type tally struct {
	mu     sync.Mutex
	asked  int
	frames int
	right  [10]int
}

func (a *tally) add(right, frames int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
	a.right[right]++
	a.frames += frames
}

// judge fails where a question was passed over, or where a reader who always takes the same
// number would be right more often than not.
func (a *tally) judge(t *testing.T, all []*scenarios.Scenario) {
	want := 0
	for _, s := range all {
		want += questions(scenarios.Preview(s).Plan)
	}
	t.Logf("%d questions, %d frames; the right choice was by its number %v", a.asked, a.frames, a.right)
	if !t.Failed() && a.asked != want {
		t.Errorf("%d questions were asked, and there are %d", a.asked, want)
	}
	for n, times := range a.right {
		if n > 0 && times*2 > a.asked {
			t.Errorf("choice %d is right %d times of %d", n, times, a.asked)
		}
	}
}

func tellsNothing(t *testing.T, cluster scenarios.Cluster, scenario *scenarios.Scenario, asked *tally) {
	t.Helper()
	run, err := scenarios.Begin(t.Context(), cluster, scenario)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 10*time.Second)
		defer cancel()
		if err := run.Close(ctx); err != nil {
			t.Error(err)
		}
	}()
	for {
		before := run.Trace()
		before.Steps = slices.Clone(before.Steps)
		n := len(before.Steps)
		var shown map[string][]frame
		if n < len(before.Plan) && len(before.Plan[n].Choices) > 0 {
			shown = frames(before)
		}
		o, err := run.Step(t.Context(), nil)
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if shown == nil {
			continue
		}
		if o.Right == 0 {
			t.Errorf("step %d: no choice is right: %s", n+1, o.Got)
		}
		drawn := 0
		for lang, all := range shown {
			drawn += len(all)
			secrets := secretsOf(before, o, lang)
			for _, f := range all {
				if told := secrets.in(f.text); told != "" {
					t.Fatalf("step %d, %s tells %q before the choice:\n%s", n+1, f.of, told, f.text)
				}
			}
		}
		asked.add(o.Right, drawn)
	}
	tellsNothingInLines(t, scenario, run.Trace())
}

// frame is a screen with a question on it.
type frame struct{ of, text string }

// frames are all screens of a question, by language.
func frames(trace scenarios.Trace) map[string][]frame {
	story := screen.NewStory(trace)
	th := theme.For(theme.Auto, colorprofile.ASCII, true)
	shown := map[string][]frame{}
	for _, lang := range words.Languages {
		for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}} {
			draw := func(of string, state screen.State) {
				state.Predict, state.Asking = true, &screen.Asking{Step: story.Taken() + 1, At: 1}
				text := screen.Frame(story, state, size, th, lang)
				shown[lang] = append(shown[lang], frame{fmt.Sprintf("%s in %s at %dx%d", of, lang, size.Width, size.Height), ansi.Strip(text)})
			}
			for view := screen.Panes; view <= screen.Log; view++ {
				for focus := screen.PaneA; focus <= screen.PaneWords; focus++ {
					draw(fmt.Sprintf("view %d, pane %d", view, focus), screen.State{View: view, Focus: focus, Cursor: story.Taken()})
					if view > screen.Zoomed {
						break // it has no panes
					}
				}
			}
			for idea := range 4 {
				draw(fmt.Sprintf("slide, idea %d", idea), screen.State{Presenting: true, Idea: idea, Cursor: story.Taken()})
			}
			for cursor := range story.Taken() {
				draw(fmt.Sprintf("step %d, looked back at", cursor), screen.State{Cursor: cursor})
			}
		}
	}
	return shown
}

// secret is texts in windows: pieces that are too long to be the field's own words alone, and
// short enough to stand in one line of a screen.
type secret []string

// The length of a window, and how far the next one stands from it, in characters.
const (
	windowOf, windowBy               = 30, 6
	windowOfChinese, windowByChinese = 15, 3
	chineseInWindow                  = 6 // or else it may be resourceVersion and the like
)

// secretsOf is what is said of a step once it is taken, and of the scenario at its end: as
// far as it was not said already, by an earlier step or a choice.
func secretsOf(before scenarios.Trace, o scenarios.Observation, lang string) (s secret) {
	texts := []string{o.Say.In(lang), o.Got, o.Expected, words.Judge(&before, &o, lang).Rest(), before.Title.In(lang), before.Summary.In(lang)}
	for _, c := range o.Checks {
		texts = append(texts, c.Expected.In(lang), c.Got.In(lang))
	}
	// What is planned is not known: it can be seen, and must tell nothing.
	var choices [][]scenarios.Text
	for _, p := range before.Plan {
		choices = append(choices, p.Choices)
	}
	raw, err := json.Marshal([]any{before.Setup, before.Steps, choices})
	if err != nil {
		panic(err) // it is plain data
	}
	known := string(raw)
	for i := range before.Steps {
		known += words.Judge(&before, &before.Steps[i], lang).Rest()
	}
	known = squeezed(known)
	long, by := windowOf, windowBy
	if lang == scenarios.Chinese {
		long, by = windowOfChinese, windowByChinese
	}
	for _, text := range texts {
		runes := []rune(squeezed(text))
		for i := 0; i+long <= len(runes); i += by {
			w := runes[i : i+long]
			if lang == scenarios.Chinese && chinese(w) < chineseInWindow || strings.Contains(known, string(w)) {
				continue
			}
			s = append(s, string(w))
		}
	}
	return s
}

func chinese(text []rune) (n int) {
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			n++
		}
	}
	return n
}

// in is a piece of the secret that a text holds; "" where it holds none.
func (s secret) in(text string) string {
	text = squeezed(text)
	for _, w := range s {
		if strings.Contains(text, w) {
			return w
		}
	}
	return ""
}

// squeezed is a text without spaces and ends of lines, and without what boxes are made of:
// it is found again whatever way it is broken into lines.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n\t│╭╮╰╯─", r) {
			return -1
		}
		return r
	}, text)
}

// tellsNothingInLines plays a trace that is there already to the plain mode, with every
// question answered by its first choice.
func tellsNothingInLines(t *testing.T, scenario *scenarios.Scenario, whole scenarios.Trace) {
	t.Helper()
	for _, lang := range words.Languages {
		typed := "predict\nopen " + scenario.Name + "\n"
		for i := range whole.Plan {
			typed += "next\n"
			if len(whole.Plan[i].Choices) > 0 {
				typed += "1\n"
			}
		}
		var out bytes.Buffer
		_, err := plain.Drive(t.Context(), strings.NewReader(typed), &out, &again{whole}, plain.Options{
			Scenarios: []*scenarios.Scenario{{Name: scenario.Name}}, Lang: lang, Now: time.Now,
		})
		if err != nil {
			t.Fatal(err)
		}
		rest, told := out.String(), ""
		for i := range whole.Plan {
			if len(whole.Plan[i].Choices) == 0 {
				continue
			}
			before, after, ok := strings.Cut(rest, words.In(lang, "Type the answer's number."))
			if !ok {
				t.Fatalf("in lines, in %s, step %d is not asked:\n%s", lang, i+1, out.String())
			}
			told, rest = told+before, after
			trace := whole
			trace.Steps = whole.Steps[:i]
			if secret := secretsOf(trace, whole.Steps[i], lang).in(told); secret != "" {
				t.Fatalf("step %d, in lines, in %s: %q is told before the choice:\n%s", i+1, lang, secret, told)
			}
		}
	}
}

// again is a stage on which a trace is played once more.
type again struct{ whole scenarios.Trace }

func (a *again) Prepare(context.Context, func(string)) (scenarios.Info, error) {
	return scenarios.Info{Mode: a.whole.Mode, Kubernetes: a.whole.Kubernetes, Etcd: a.whole.Etcd}, nil
}

func (a *again) Begin(context.Context, *scenarios.Scenario) (ui.Play, error) {
	begun := a.whole
	begun.Steps = nil
	return &replay{begun, a.whole.Steps}, nil
}

type replay struct {
	trace scenarios.Trace
	left  []scenarios.Observation
}

func (r *replay) Trace() scenarios.Trace { return r.trace }

func (r *replay) Step(context.Context, scenarios.Progress) (scenarios.Observation, error) {
	if len(r.left) == 0 {
		return scenarios.Observation{}, io.EOF
	}
	o := r.left[0]
	r.left, r.trace.Steps = r.left[1:], append(r.trace.Steps, o)
	return o, nil
}

func (*replay) Close(context.Context) error { return nil }
