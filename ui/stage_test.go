package ui

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

// fakeStage plays a trace that was recorded before. Gates hold its calls back until
// the test lets them go.
type fakeStage struct {
	trace      scenarios.Trace
	ready      chan struct{} // closed when the control plane is up
	gate       chan struct{} // one value for each step; nil lets all go
	prepareErr error
	beginErr   error
	stepErr    map[int]error // by step, once
	panicAt    int
	progress   []scenarios.Partial // told before the gate

	mu     sync.Mutex
	steps  int
	begun  int
	closed int
}

func (s *fakeStage) Prepare(ctx context.Context, report func(string)) (scenarios.Info, error) {
	report("etcd")
	report("kube-apiserver")
	select {
	case <-s.ready:
	case <-ctx.Done():
		return scenarios.Info{}, ctx.Err()
	}
	return scenarios.Info{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3"}, s.prepareErr
}

func (s *fakeStage) Begin(_ context.Context, scenario *scenarios.Scenario) (Play, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beginErr != nil {
		return nil, s.beginErr
	}
	s.begun++
	trace := uitest.UpTo(s.trace, 0)
	trace.Scenario = scenario.Name
	return &fakePlay{stage: s, trace: trace}, nil
}

type fakePlay struct {
	stage *fakeStage
	trace scenarios.Trace
}

func (p *fakePlay) Trace() scenarios.Trace { return p.trace }

func (p *fakePlay) Step(ctx context.Context, progress scenarios.Progress) (scenarios.Observation, error) {
	s := p.stage
	n := len(p.trace.Steps) + 1
	if n > len(s.trace.Steps) {
		return scenarios.Observation{}, io.EOF
	}
	if n == s.panicAt {
		panic("a step that panics")
	}
	for _, so := range s.progress {
		progress(so)
	}
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return scenarios.Observation{}, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps++
	if err := s.stepErr[n]; err != nil {
		delete(s.stepErr, n)
		return scenarios.Observation{}, err
	}
	o := s.trace.Steps[n-1]
	p.trace.Steps = append(p.trace.Steps, o)
	return o, nil
}

func (p *fakePlay) Close(context.Context) error {
	p.stage.mu.Lock()
	defer p.stage.mu.Unlock()
	p.stage.closed++
	return nil
}

func newStage(t testing.TB) *fakeStage {
	ready := make(chan struct{})
	close(ready)
	return &fakeStage{trace: uitest.TwoWriters(t), ready: ready, stepErr: map[int]error{}}
}

func catalogue(trace scenarios.Trace) []*scenarios.Scenario {
	en := func(s string) scenarios.Text { return scenarios.Text{scenarios.English: s} }
	steps := make([]scenarios.Step, len(trace.Plan))
	for i, p := range trace.Plan {
		steps[i] = scenarios.Step{Actor: p.Actor, Title: p.Title, Choices: make([]scenarios.Choice, len(p.Choices))}
	}
	return []*scenarios.Scenario{
		{Name: "two-writers", Chapter: "conflicts", Title: trace.Title, Summary: trace.Summary, Fix: trace.Fix, Steps: steps,
			See: en("optimistic concurrency, 409 Conflict"), Met: []string{"the object has been modified"}, Needs: []string{"etcd.read", "etcd.rpc"}},
		{Name: "lost-update", Chapter: "conflicts", Title: en("No resourceVersion, no conflict, no trace of A"), Steps: steps},
		{Name: "no-op", Chapter: "what-rv-is", Title: en("A write that changes nothing is no write"), Steps: steps},
		{Name: "too-large", Chapter: "reads", Title: en("A version from the future"), Met: []string{"Too large resource version"}, Steps: steps, Labels: []string{"slow"}},
	}
}

// driver runs a model without a terminal: keys go in, commands run beside it, and what
// they report comes back in order.
type driver struct {
	t     *testing.T
	m     *model
	stage *fakeStage
	pump
	quit  bool
	clock time.Time
}

func drive(t *testing.T, stage *fakeStage, initial int) *driver {
	t.Helper()
	return driveWith(t, stage, func(o *Options) {
		if initial >= 0 {
			o.Initial = o.Scenarios[initial]
		}
	})
}

// driveWith is drive with other options.
func driveWith(t *testing.T, stage *fakeStage, with func(*Options)) *driver {
	t.Helper()
	d := &driver{t: t, stage: stage, pump: newPump(), clock: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)}
	o := Options{
		Stage: stage, Scenarios: catalogue(stage.trace), Lang: scenarios.English, Profile: colorprofile.ASCII,
		Size: cells.Size{Width: 120, Height: 36}, Now: func() time.Time { return d.clock },
	}
	with(&o)
	w := newWork(context.Background(), stage)
	w.send = d.send
	d.m = newModel(o, w)
	t.Cleanup(func() {
		close(d.done)
		w.end(5*time.Second, 5*time.Second)
	})
	d.run(d.m.Init())
	return d
}

func (d *driver) update(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.quit = true
		return
	}
	_, cmd := d.m.Update(msg)
	d.run(cmd)
	d.m.View()
}

// until takes messages in until something is so.
func (d *driver) until(what string, so func() bool) {
	d.t.Helper()
	deadline := time.After(10 * time.Second)
	for !so() {
		select {
		case msg := <-d.msgs:
			d.update(msg)
		case <-deadline:
			d.t.Fatalf("%s: not within 10 s; the screen is\n%s", what, d.m.frame())
		}
	}
}

// drawn is the program's frame at a size, in a theme and in a language.
func (d *driver) drawn(size cells.Size, th *theme.Theme, lang string) string {
	d.m.size, d.m.options.Lang = size, lang
	if d.m.open == nil {
		return screen.PickerFrame(d.m.list(), size, th, lang)
	}
	d.m.follow() // as at a small size it has, step for step
	return screen.Frame(d.m.story, d.m.shown(), size, th, lang)
}

func (d *driver) press(names ...string) {
	for _, name := range names {
		d.update(press(name))
	}
}

// typed types a text, letter by letter.
func (d *driver) typed(text string) {
	for _, r := range text {
		if r == ' ' {
			d.press("space")
		} else {
			d.press(string(r))
		}
	}
}

// command types a command and does it.
func (d *driver) command(text string) {
	d.press(":")
	d.typed(text)
	d.press("enter")
}

func press(name string) tea.KeyPressMsg {
	switch name {
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "right":
		return tea.KeyPressMsg{Code: tea.KeyRight}
	case "left":
		return tea.KeyPressMsg{Code: tea.KeyLeft}
	case "up":
		return tea.KeyPressMsg{Code: tea.KeyUp}
	case "ctrl+u":
		return tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}
	case "down":
		return tea.KeyPressMsg{Code: tea.KeyDown}
	case "tab":
		return tea.KeyPressMsg{Code: tea.KeyTab}
	case "backspace":
		return tea.KeyPressMsg{Code: tea.KeyBackspace}
	case "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	case "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case "ctrl+c":
		return tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	case "ctrl+d":
		return tea.KeyPressMsg{Code: 'd', Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// at waits until the live edge and the cursor are where they are said to be.
func (d *driver) at(taken, cursor int) {
	d.t.Helper()
	d.until("the steps being taken", func() bool {
		return d.m.begun && d.m.story.Taken() == taken && d.m.state.Cursor == cursor && d.m.state.Running == nil
	})
}

var errRefused = errors.New("sending the request: connection refused")
