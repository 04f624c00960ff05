package ui

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/keys"
	"rvtui/ui/runs"
	"rvtui/ui/words"
)

// countingStage plays a trace again and counts what is asked of it. Its calls take time, on
// the bubble's clock, and some of them fail.
type countingStage struct {
	trace                  scenarios.Trace
	fails                  bool // the first start
	prepared, begun, steps atomic.Int64
}

func (s *countingStage) Prepare(ctx context.Context, report func(string)) (scenarios.Info, error) {
	n := s.prepared.Add(1)
	report("etcd")
	if n == 1 && s.fails {
		return scenarios.Info{}, errRefused
	}
	err := lasts(ctx, 300*time.Millisecond)
	return scenarios.Info{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3"}, err
}

func (s *countingStage) Begin(ctx context.Context, scenario *scenarios.Scenario) (Play, error) {
	n := s.begun.Add(1)
	if err := lasts(ctx, 20*time.Millisecond); err != nil {
		return nil, err
	}
	if n%5 == 4 {
		return nil, errRefused
	}
	trace := uitest.UpTo(s.trace, 0)
	trace.Scenario = scenario.Name
	return &countingPlay{s, trace}, nil
}

type countingPlay struct {
	stage *countingStage
	trace scenarios.Trace
}

func (p *countingPlay) Trace() scenarios.Trace { return p.trace }

func (p *countingPlay) Step(ctx context.Context, progress scenarios.Progress) (scenarios.Observation, error) {
	s := p.stage
	count, n := s.steps.Add(1), len(p.trace.Steps)
	if n >= len(s.trace.Steps) {
		return scenarios.Observation{}, io.EOF
	}
	o := s.trace.Steps[n]
	progress(scenarios.Partial{Exchanges: o.Exchanges[:len(o.Exchanges)/2]})
	if err := lasts(ctx, time.Duration(count%3)*400*time.Millisecond); err != nil {
		return scenarios.Observation{}, err
	}
	progress(scenarios.Partial{Exchanges: o.Exchanges, Events: o.Events})
	if count%9 == 8 {
		return scenarios.Observation{}, errRefused
	}
	p.trace.Steps = append(p.trace.Steps, o)
	return o, nil
}

func (p *countingPlay) Close(context.Context) error { return nil }

// lasts waits, or returns ctx's error.
func lasts(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// monkey presses keys, clicks, turns the wheel, pastes, types commands, changes the size and
// lets time pass, all at random. What the program asks for is done as in a terminal: beside
// it, on a clock that only the monkey moves.
type monkey struct {
	t     *testing.T
	r     *rand.Rand
	m     *model
	w     *work
	stage *countingStage
	pump
}

func newMonkey(t *testing.T, r *rand.Rand, trace scenarios.Trace) *monkey {
	k := &monkey{t: t, r: r, stage: &countingStage{trace: trace, fails: r.IntN(8) == 0}, pump: newPump()}
	all := catalogue(trace)
	o := Options{
		Stage: k.stage, Scenarios: all, Lang: words.Languages[r.IntN(len(words.Languages))],
		Profile: []colorprofile.Profile{colorprofile.ASCII, colorprofile.ANSI, colorprofile.TrueColor}[r.IntN(3)],
		Size:    cells.Size{Width: 120, Height: 36}, Now: time.Now,
		Memory: runs.Memory{Scores: map[string]runs.Score{"no-op": {Right: 1, Asked: 2}}},
	}
	if r.IntN(4) > 0 {
		o.Initial = all[0]
	}
	k.w = newWork(t.Context(), k.stage)
	k.w.send = k.send
	k.m = newModel(o, k.w)
	k.run(k.m.Init())
	if r.IntN(4) > 0 {
		time.Sleep(time.Second) // it is ready
	}
	k.settle()
	return k
}

// settle takes in what is reported without any more time passing.
func (k *monkey) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-k.msgs:
			k.take(msg)
		default:
			return
		}
	}
}

// standing is where the reader is, and what was asked of the stage so far.
type standing struct {
	walk                  *walk
	cursor, taken, queued int
	begun, steps          int64
}

func (k *monkey) standing() standing {
	m := k.m
	s := standing{walk: m.walk, cursor: m.state.Cursor, queued: m.state.Queued, begun: k.stage.begun.Load(), steps: k.stage.steps.Load()}
	if m.open != nil {
		s.taken = m.story.Taken()
	}
	return s
}

// take is a message: what the program does outside of itself because of it is counted.
func (k *monkey) take(msg tea.Msg) {
	m := k.m
	before := k.standing()
	goesTo := m.palette != nil // a command can go to a step that is still to come
	saves := m.palette != nil && strings.HasPrefix(strings.TrimSpace(m.typed()), "save")
	_, cmd := m.Update(msg)
	if m.panicked != nil {
		k.t.Fatalf("%#v: %v\n%s", msg, m.panicked, m.panicked.Stack)
	}
	if saves && m.palette != nil && m.palette.saving { // no file is written here
		asked := m.palette
		cmd = func() tea.Msg { return savedMsg{asked: asked, path: "x.json", err: errors.New("no room")} }
	}
	k.run(cmd)
	synctest.Wait()
	after := k.standing()
	past := after.cursor < after.taken
	switch {
	case past && (after.queued > 0 || m.state.Asking != nil):
		k.t.Fatalf("%#v: the reader looks at the past, step %d of %d taken, and %d steps wait", msg, after.cursor, after.taken, after.queued)
	case after.steps > before.steps+1:
		k.t.Fatalf("%#v: %d steps were begun at once", msg, after.steps-before.steps)
	case after.steps > before.steps && (past || before.cursor < before.taken && !goesTo):
		k.t.Fatalf("%#v: a step was begun while the reader looked at the past: %+v, then %+v", msg, before, after)
	case after.begun > before.begun && after.walk == before.walk:
		k.t.Fatalf("%#v: a scenario was set up a second time for the same walk", msg)
	}
}

// look draws the program: exactly as many lines as the screen has, and none wider.
func (k *monkey) look() {
	k.t.Helper()
	frame := k.m.View().Content
	if k.m.panicked != nil {
		k.t.Fatalf("drawing at %v: %v\n%s", k.m.size, k.m.panicked, k.m.panicked.Stack)
	}
	size := k.m.size
	if n := strings.Count(frame, "\n") + 1; n != size.Height {
		k.t.Fatalf("%d lines on a screen of %d", n, size.Height)
	}
	for l := range strings.SplitSeq(frame, "\n") {
		if n := ansi.StringWidth(l); n > size.Width {
			k.t.Fatalf("a line has %d cells on a screen of %d:\n%s", n, size.Width, ansi.Strip(frame))
		}
	}
}

// likely are all keys but those that end or suspend the program; stepping is the likeliest.
var likely = func() (names []string) {
	for _, group := range keys.Groups() {
		for _, b := range group.Bindings {
			for _, name := range b.Keys() {
				if name != "q" && name != "ctrl+c" && name != "ctrl+z" {
					names = append(names, name)
				}
			}
		}
	}
	return append(names, "6", "ü", "名", "backspace", "enter", "right", "right", "right", "right", "left", "left", "a")
}()

// typed are commands, right ones and wrong ones.
var typed = []string{"goto 3", "5", "0", "99", "lang zh", "lang en", "lang xx", "theme light", "theme ansi", "theme high-contrast", "theme blue",
	"view path", "view log", "view etcd", "scenario two-writers", "scenario no-op", "scenario nothing", "save x.json", "sc", "bogus 名"}

var pasted = []string{"Operation cannot be fulfilled: 名\x1b[31m\n", "", strings.Repeat("宽", 300), "two"}

func (k *monkey) act() {
	switch r := k.r; r.IntN(16) {
	case 0:
		k.take(tea.WindowSizeMsg{Width: 1 + r.IntN(220), Height: 1 + r.IntN(70)})
	case 1:
		if r.IntN(3) == 0 {
			k.take(tea.FocusMsg{})
		}
		k.take(tea.MouseClickMsg{Button: tea.MouseLeft, X: r.IntN(220), Y: r.IntN(70)})
	case 2:
		k.take(tea.MouseWheelMsg{Button: []tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}[r.IntN(2)], X: r.IntN(220), Y: r.IntN(70)})
	case 3:
		k.take(tea.PasteMsg{Content: pasted[r.IntN(len(pasted))]})
	case 4:
		k.take(press(":"))
		for _, c := range typed[r.IntN(len(typed))] {
			k.take(tea.KeyPressMsg{Code: c, Text: string(c)})
		}
		k.take(press("enter"))
	case 5, 6, 7:
		time.Sleep(time.Duration(r.IntN(3)) * 700 * time.Millisecond)
	case 8:
		if m := k.m; m.help || m.palette != nil || m.state.Filtering || m.picker.Filtering || m.state.Search.Typing {
			k.take(press("esc")) // or else they would have nearly all keys
		} else {
			k.take(press("enter"))
		}
	case 9:
		k.take(press("right"))
		time.Sleep(time.Second)
	default:
		k.take(press(likely[r.IntN(len(likely))]))
	}
	k.settle()
}

func (k *monkey) end() {
	close(k.done)
	k.w.end(time.Minute, time.Minute)
	time.Sleep(time.Minute) // until the last clock has run out
}

// sequences is how many sequences of keys are tried.
var sequences = flag.Int("sequences", 120, "how many random sequences of keys, clicks, pastes and sizes TestNoSequenceOfKeysDoesHarm tries")

// Whatever is pressed, clicked, pasted or typed over any recorded trace, while steps take
// their time: nothing panics, a frame fits its screen, and who looks at the past sends nothing.
// For 100,000 of them, in minutes:
//
//	go test ./ui -run TestNoSequenceOfKeysDoesHarm -sequences 100000 -timeout 1h
//
// and led by what code they reach, which takes several times as long:
//
//	go test ./ui -run '^$' -fuzz FuzzKeys -fuzztime 100000x -fuzzminimizetime 1x
func TestNoSequenceOfKeysDoesHarm(t *testing.T) {
	traces := recorded(t)
	workers := runtime.GOMAXPROCS(0)
	for worker := range workers {
		t.Run(fmt.Sprintf("from %d on", worker), func(t *testing.T) {
			t.Parallel()
			for i := worker; i < *sequences; i += workers {
				if !sequence(t, traces, uint64(i), uint8(i), 40) {
					t.Fatalf("it was sequence %d", i)
				}
			}
		})
	}
}

func FuzzKeys(f *testing.F) {
	traces := recorded(f)
	for i := range 20 {
		f.Add(uint64(i), uint8(i), uint8(40))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which, actions uint8) {
		sequence(t, traces, seed, which, int(actions%64))
	})
}

func recorded(t testing.TB) (traces []scenarios.Trace) {
	for _, name := range uitest.Traces(t) {
		traces = append(traces, uitest.Trace(t, name))
	}
	return traces
}

// sequence is so many actions over one of the traces. It is drawn at its end, and now and then
// before.
func sequence(t *testing.T, traces []scenarios.Trace, seed uint64, which uint8, actions int) (ok bool) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, uint64(which)))
		k := newMonkey(t, r, traces[int(which)%len(traces)])
		defer k.end()
		for range actions {
			k.act()
			if r.IntN(12) == 0 {
				k.look()
			}
		}
		k.look()
	})
	return !t.Failed()
}
