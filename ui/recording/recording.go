// Package recording makes a recording of a trace: the frames that a reader who walks
// through it would see, each with the time that it stays. It is a pure function of trace
// and options: no clock, no terminal, so a trace gives the same recording on every machine.
// The formats that recordings are written in are packages below this one, each a function
// of a Recording. It may import scenarios, the ui packages of screens and texts, and
// terminal libraries; it must never import ui itself, cluster, or anything that does I/O.
package recording

import (
	"errors"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// Options are how a trace is recorded.
type Options struct {
	Size  cells.Size
	Theme string // one of theme.Names; "" is dark
	Lang  string
	Steps []int // the steps to show, 0 being the setup; nil is all of them
	// Views are what is shown of each step, one after the other; nil is the panes.
	Views   []screen.View
	Hold    time.Duration // how long a frame stays; 0 is as long as it takes to read
	Predict bool          // each question is shown before its step
	Present bool          // one idea at a time, as in the presenter's mode
	Keys    bool          // the key that leads to a frame is shown in it
}

// Frame is one picture of a recording.
type Frame struct {
	Content string // as the screen draws it: lines with their styles
	Hold    time.Duration
	Step    int
	// Label is the step's title where the frame is the step's first, "" on the others.
	Label string
	View  screen.View
	// Asking says that it is a step's question, before the step.
	Asking bool
	// Passing says that the frame is only on the way to another: of a step that runs, or
	// with a key in it.
	Passing bool
}

// Recording is a trace made ready to be written in any format.
type Recording struct {
	Options
	Title string
	// Colours are those of cells that have none of their own.
	Colours Colours
	trace   *scenarios.Trace
}

// New makes a recording of a trace that has its steps.
func New(trace *scenarios.Trace, options Options) (*Recording, error) {
	if options.Size.Width < 40 || options.Size.Height < 10 {
		return nil, errors.New("a recording is at least 40×10")
	}
	if options.Theme == "" || options.Theme == theme.Auto {
		options.Theme = theme.Dark
	}
	for _, n := range options.Steps {
		if n < 0 || n > len(trace.Steps) {
			return nil, errors.New("there is no step " + strconv.Itoa(n) + "; the trace has " + words.Count(len(trace.Steps), "step", "steps"))
		}
	}
	if len(options.Views) == 0 {
		options.Views = []screen.View{screen.Panes}
	}
	return &Recording{Options: options, Title: cells.Clean(trace.Title.In(options.Lang)), Colours: coloursOf(options.Theme), trace: trace}, nil
}

// Trace is what is recorded.
func (r *Recording) Trace() *scenarios.Trace { return r.trace }

// Frames are the frames, one at a time: each call begins anew, and gives the same ones.
func (r *Recording) Frames() iter.Seq[Frame] {
	return func(yield func(Frame) bool) {
		w := &walk{Recording: r, th: theme.For(r.Theme, colorprofile.TrueColor, true), yield: yield}
		head := *r.trace
		head.Steps = nil
		w.story = screen.NewStory(head)
		for n := 0; n <= len(r.trace.Steps); n++ {
			shown := r.shows(n)
			if n > 0 {
				if shown && (!w.question(n) || !w.running(n)) {
					return
				}
				w.story.Append(r.trace.Steps[n-1])
			}
			if shown && !w.step(n) {
				return
			}
		}
	}
}

// Len is the number of frames.
func (r *Recording) Len() int {
	n := 0
	for range r.Frames() {
		n++
	}
	return n
}

func (r *Recording) shows(n int) bool {
	if r.Steps == nil {
		return true
	}
	for _, step := range r.Steps {
		if step == n {
			return true
		}
	}
	return false
}

// walk is one way through the frames.
type walk struct {
	*Recording
	th       *theme.Theme
	story    *screen.Story
	yield    func(Frame) bool
	labelled int  // the step that has its label, plus one
	stopped  bool // nobody wants more
}

// emit gives a frame of a step to whoever asked for it; it reports whether they want more.
func (w *walk) emit(n int, state screen.State, key string, hold time.Duration) bool {
	if w.stopped {
		return false
	}
	drawn := screen.Frame(w.story, state, w.Size, w.th, w.Lang)
	frame := Frame{Content: drawn, Hold: hold, Step: n, View: state.View, Asking: state.Asking != nil, Passing: state.Running != nil}
	if w.labelled <= n {
		w.labelled, frame.Label = n+1, w.label(n)
	}
	if key == "" || !w.Keys {
		w.stopped = !w.yield(frame)
		return !w.stopped
	}
	label := keys.Sign(key)
	if w.Present && state.View == screen.Panes && key == "right" {
		label += "  " + words.In(w.Lang, "next idea")
	} else if does := keys.Does(key, false); does != "" {
		label += "  " + keys.Brief(words.In(w.Lang, does))
	}
	first := frame
	first.Content, first.Hold = screen.Pressed(drawn, label, w.Size, w.th), min(hold, keyShown)
	first.Passing = hold > keyShown
	if w.stopped = !w.yield(first); w.stopped || hold <= keyShown {
		return !w.stopped
	}
	frame.Label, frame.Hold = "", hold-keyShown
	w.stopped = !w.yield(frame)
	return !w.stopped
}

// keyShown is how long a key is seen.
const keyShown = time.Second

func (w *walk) label(n int) string {
	if n == 0 {
		return w.Title
	}
	o := &w.trace.Steps[n-1]
	said := o.Title.In(w.Lang)
	if said == "" {
		said = string(o.Actor) + ": " + o.Operation
	}
	return strconv.Itoa(n) + "  " + cells.Clean(said)
}

// question shows a step's question before it is taken.
func (w *walk) question(n int) bool {
	if !w.Predict || n > len(w.trace.Plan) || len(w.trace.Plan[n-1].Choices) == 0 {
		return true
	}
	asked := w.trace.Plan[n-1].Ask.In(w.Lang)
	for _, choice := range w.trace.Plan[n-1].Choices {
		asked += choice.In(w.Lang)
	}
	state := screen.State{Cursor: n - 1, Predict: true, Presenting: w.Present, Asking: &screen.Asking{Step: n}}
	return w.emit(n, state, "", w.hold(asked)+thinking)
}

// thinking is the pause that a question gets beyond its reading.
const thinking = 3 * time.Second

// running shows a step that took long while it runs: each of its requests for a moment.
func (w *walk) running(n int) bool {
	o := &w.trace.Steps[n-1]
	if o.DurationMs < slow || len(o.Exchanges) == 0 || len(o.Exchanges) > 12 {
		return true
	}
	began := time.Time{}
	at := func(ms float64) time.Time { return began.Add(time.Duration(ms * float64(time.Millisecond))) }
	for i := range o.Exchanges {
		so := make([]scenarios.Exchange, i+1)
		seen := make([]time.Time, i+1)
		copy(so, o.Exchanges)
		for j := range so {
			seen[j] = at(so[j].StartedMs + so[j].DurationMs)
		}
		now := at(so[i].StartedMs + so[i].DurationMs*0.8)
		so[i] = scenarios.Exchange{Actor: so[i].Actor, Method: so[i].Method, Path: so[i].Path, Attempt: so[i].Attempt, Call: so[i].Call, RequestHeaders: so[i].RequestHeaders, RequestBody: so[i].RequestBody, StartedMs: so[i].StartedMs, InFlight: true}
		seen[i] = at(so[i].StartedMs)
		state := screen.State{Cursor: n - 1, Running: &screen.Running{Step: n, Since: began, Now: now, Exchanges: so, Seen: seen}}
		if !w.emit(n, state, "", runningHold) {
			return false
		}
	}
	return true
}

const (
	slow        = 1500 // milliseconds, from which a step is shown while it runs
	runningHold = 700 * time.Millisecond
)

// ideaHold is what an idea before the last has beyond a glance.
const ideaHold = 2 * time.Second

// step shows a step that was taken.
func (w *walk) step(n int) bool {
	said := w.trace.Summary.In(w.Lang)
	if n > 0 {
		o := &w.trace.Steps[n-1]
		head, narration := words.Narration(o, w.Lang)
		said = o.Title.In(w.Lang) + head + narration + strings.Join(words.SomeoneElse(w.trace, o, w.Lang), "")
		if n == len(w.trace.Plan) {
			said += w.trace.Fix.In(w.Lang)
		}
	}
	key := "right"
	if n == 0 {
		key = ""
	}
	for i, view := range w.Views {
		state := screen.State{View: view, Cursor: n, Presenting: w.Present, Predict: w.Predict}
		state.Focus = screen.PaneOf(w.story, n)
		if i > 0 {
			key = view.Key()
		}
		ideas := 1
		if w.Present && view == screen.Panes {
			ideas = screen.Ideas(w.story, state, w.Size, w.th, w.Lang)
		}
		for state.Idea = range ideas {
			hold := w.hold(said)
			if ideas > 1 && state.Idea < ideas-1 {
				hold = w.hold("") + ideaHold
			}
			if !w.emit(n, state, key, hold) {
				return false
			}
			key = "right"
		}
	}
	return true
}

// hold is how long a text takes to read beside what is shown with it.
func (w *walk) hold(said string) time.Duration {
	if w.Hold > 0 {
		return w.Hold
	}
	per := 35 * time.Millisecond
	if w.Lang == scenarios.Chinese {
		per = 120 * time.Millisecond
	}
	return min(2500*time.Millisecond+time.Duration(utf8.RuneCountInString(said))*per, 14*time.Second).Round(100 * time.Millisecond)
}
