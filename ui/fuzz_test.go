package ui

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/keys"
	"rvtui/ui/words"
)

// monkey presses keys at random. It is the world as well: what the program asks for is
// done at once, and nothing else happens.
type monkey struct {
	t     *testing.T
	m     *model
	trace scenarios.Trace
	names []string
}

func newMonkey(t *testing.T, trace scenarios.Trace, lang string) *monkey {
	stage := newStage(t)
	stage.trace = trace
	clock := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	all := catalogue(trace)
	o := Options{
		Stage: stage, Scenarios: all, Initial: all[0], Lang: lang, Profile: colorprofile.TrueColor,
		Size: cells.Size{Width: 120, Height: 36}, Now: func() time.Time { return clock },
	}
	w := newWork(context.Background(), stage)
	w.send = func(tea.Msg) {}
	k := &monkey{t: t, m: newModel(o, w), trace: trace}
	k.m.ticking = true // no clock runs
	k.m.fixed = false
	for _, group := range keys.Groups() {
		for _, b := range group.Bindings {
			for _, name := range b.Keys() {
				if name != "q" && name != "ctrl+c" && name != "ctrl+z" {
					k.names = append(k.names, name)
				}
			}
		}
	}
	k.names = append(k.names, "3", "6", "x", "lang zh", "goto 2", "ü", "名", "backspace", "enter", "right", "right", "right", "left", "left")
	k.m.prepared(preparedMsg{info: scenarios.Info{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3"}})
	k.world()
	return k
}

// world does what the program has asked for.
func (k *monkey) world() {
	for range 40 {
		m := k.m
		switch {
		case m.open != nil && m.walk != nil && !m.begun:
			trace := uitest.UpTo(k.trace, 0)
			trace.Scenario = m.open.Name
			m.begunWith(begunMsg{walk: m.walk, trace: trace})
		case m.state.Running != nil:
			n := m.story.Taken()
			m.progress(progressMsg{m.walk, scenarios.Partial{Exchanges: k.trace.Steps[n].Exchanges, Events: k.trace.Steps[n].Events}})
			k.check("while a step runs")
			m.stepped(steppedMsg{walk: m.walk, observation: k.trace.Steps[n]})
		default:
			return
		}
	}
}

func (k *monkey) check(when string) {
	k.t.Helper()
	frame := k.m.frame()
	size := k.m.size
	lines := strings.Split(frame, "\n")
	if len(lines) != size.Height {
		k.t.Fatalf("%s: %d lines on a screen of %d", when, len(lines), size.Height)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > size.Width {
			k.t.Fatalf("%s: line %d has %d cells on a screen of %d:\n%s", when, i+1, n, size.Width, ansi.Strip(frame))
		}
	}
}

func (k *monkey) act(r *rand.Rand) {
	m := k.m
	past := m.open != nil && m.begun && m.state.Cursor < m.story.Taken()
	idle := m.state.Running == nil
	switch r.IntN(12) {
	case 0:
		m.update(tea.WindowSizeMsg{Width: 1 + r.IntN(220), Height: 1 + r.IntN(70)})
	case 1:
		m.update(tea.MouseClickMsg{Button: tea.MouseLeft, X: r.IntN(220), Y: r.IntN(70)})
	case 2:
		m.update(tea.MouseWheelMsg{Button: []tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}[r.IntN(2)], X: r.IntN(220), Y: r.IntN(70)})
	case 3:
		m.update(tea.PasteMsg{Content: "Operation cannot be fulfilled: 名\x1b[31m\n"})
	default:
		m.update(press(k.names[r.IntN(len(k.names))]))
	}
	k.check("after a key")
	if past && idle && m.open != nil && m.begun && m.state.Cursor < m.story.Taken() && m.state.Running != nil {
		k.t.Fatal("a step was begun while the reader looks at the past")
	}
	k.world()
	k.check("once it is done")
}

// Keys, clicks, wheels and sizes at random, over recorded traces in both languages.
func FuzzKeys(f *testing.F) {
	var traces []scenarios.Trace
	for _, name := range []string{"two-writers", "true-race", "resume", "exact-compacted", "patch-storm"} {
		traces = append(traces, uitest.Trace(f, name))
	}
	for i := range 10 { // these run with every test
		f.Add(uint64(i), uint8(i), uint16(30))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8, presses uint16) {
		k := newMonkey(t, traces[int(which)%len(traces)], words.Languages[int(seed)%len(words.Languages)])
		r := rand.New(rand.NewPCG(seed, 7))
		for range presses % 200 {
			k.act(r)
		}
	})
}
