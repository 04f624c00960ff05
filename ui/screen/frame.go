package screen

import (
	"time"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/runs"
	"rvtui/ui/theme"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// View is which view of the trace is shown.
type View int

// The views.
const (
	Panes    View = iota // the four panes beside each other, as far as the screen has room for them
	Zoomed               // the focused pane alone
	HTTP                 // the step's requests and answers, as they were sent
	Diff                 // an object between two of its revisions
	Timeline             // who asked whom for what, and when
	Path                 // the way of a request inside the apiserver
	Log                  // what servers and clients logged
)

// State is how the reader looks at a story.
type State struct {
	View   View
	Cursor int // 0 is after the setup; never above the story's Taken
	Focus  Pane
	Scroll [panes]int // lines away from where a pane stands by itself
	Look   view.State // how the reader looks at the open view
	// Filtering says that what is typed goes to the log's filter.
	Filtering bool
	Search    Search

	Starting *Starting // the control plane, or the scenario's setup, is not ready
	Running  *Running  // a step is being done
	Queued   int       // steps asked for that have not begun
	Problem  *Problem  // something could not be done

	Saved *Saved // the trace is a saved one; nil where it is live

	Predict   bool        // a step's question is asked before it is taken
	Asking    *Asking     // the question that is asked now; nil where none is
	Predicted map[int]int // by step, the choice that the reader took, from 1
	// Chapter is how the scenario's chapter stands, for its end; of a file of the reader's
	// it has no questions.
	Chapter runs.Chapter
	// Next is offered at the end; nil where there is none that was not run.
	Next *scenarios.Scenario

	// Presenting says that the panes give way to a slide that shows one idea at a time.
	Presenting bool
	Idea       int // the one that is shown, from 0

	Autoplay time.Duration // between two steps; 0 where it is off
	PlaysIn  time.Duration // until its next step
	Palette  *Palette      // what is typed after ":"; nil where nothing is
	Note     string        // one line for the reader, until the next key
}

// Starting is how far the start has come.
type Starting struct {
	What    string   // "starting the control plane", "connecting to kind-dev"
	Context string   // which one that is; "" where rvtui brings its own
	Phases  []string // reached so far, the last one being under way; with a Context, all of them reached
	Elapsed time.Duration
}

// Saved is a saved trace, of which as many steps can be taken as were saved.
type Saved struct{ Steps int }

// Problem is what went wrong, and what can be done.
type Problem struct {
	Title  string // "The step could not be done."
	Detail string
	Hint   string
	// Unset says that nothing was set up, so that there is nothing to walk through; Final that
	// to try again would not help.
	Unset, Final bool
}

// unset reports whether the scenario could not be set up.
func (f *frame) unset() bool { return f.state.Problem != nil && f.state.Problem.Unset }

// Frame draws a story. The result has exactly size.Height lines, none wider than size.Width.
func Frame(story *Story, state State, size cells.Size, th *theme.Theme, lang string) string {
	f := newFrame(story, state, size, th, lang)
	var rows []cells.Line
	switch {
	case f.layout.Shape == Sentence:
		rows = f.sentence()
	case state.Presenting && state.View == Panes:
		rows = f.slide().lines
	default:
		rows = f.draw()
	}
	if state.Palette != nil {
		rows = state.Palette.over(rows, size, th, lang)
	}
	return cells.Render(rows, size)
}

// MaxScroll is how far the focused pane can be scrolled.
func MaxScroll(story *Story, state State, size cells.Size, th *theme.Theme, lang string) int {
	f := newFrame(story, state, size, th, lang)
	r := f.layout.Panes[f.state.Focus]
	if r.W < 5 || r.H < 3 {
		return 0
	}
	return f.body(f.state.Focus, r.W-4, r.H-2).Limit
}

// FromEnd reports whether the focused pane stands at its end, so that scrolling counts
// the lines from there up.
func FromEnd(state State) bool {
	switch state.Focus {
	case PaneEtcd:
		return true
	case PaneAPIServer:
		return state.View == Panes
	}
	return false
}

// PaneOf is the pane that shows what step n did: its actor's, or else the apiserver's
// or etcd's, whichever it talked to. For the setup it is the apiserver's.
func PaneOf(story *Story, n int) Pane {
	o := story.step(n)
	if n == 0 || o == nil {
		return PaneAPIServer
	}
	for i, actor := range story.actors {
		if actor == o.Actor {
			return Pane(i)
		}
	}
	if len(o.Exchanges) > 0 {
		return PaneAPIServer
	}
	return PaneEtcd
}

// PaneAt is the pane under a cell; ok is false where there is none.
func PaneAt(story *Story, state State, size cells.Size, th *theme.Theme, lang string, x, y int) (pane Pane, ok bool) {
	for i, r := range newFrame(story, state, size, th, lang).layout.Panes {
		if x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H {
			return Pane(i), true
		}
	}
	return 0, false
}

// frame is what all parts of one drawing share.
type frame struct {
	story  *Story
	state  State
	size   cells.Size
	th     *theme.Theme
	lang   string
	layout Layout
	now    scenarios.State        // at the cursor
	step   *scenarios.Observation // at the cursor; nil where the setup was not observed
	words  []cells.Line           // the explanation
}

func newFrame(story *Story, state State, size cells.Size, th *theme.Theme, lang string) *frame {
	state.Cursor = clamp(state.Cursor, 0, story.Taken())
	state.Focus = Pane(clamp(int(state.Focus), 0, panes-1))
	f := &frame{story: story, state: state, size: size, th: th, lang: lang}
	f.now = story.history.At(state.Cursor)
	f.step = story.step(state.Cursor)
	f.layout = Arrange(size, 0, state.View, state.Focus) // how wide, and where it is fixed, how high
	if f.layout.Shape == Sentence {
		return f
	}
	f.words = f.explanation(f.layout.Explain.W - 2)
	f.layout = Arrange(size, len(f.words), state.View, state.Focus)
	if f.state.Asking != nil && f.live() && f.instead(size.Width) != nil {
		f.words = f.question(size.Width - 2)
		f.layout.makeRoom(len(f.words), f.state.Focus)
	}
	return f
}

// in is one of rvtui's own texts in the reader's language.
func (f *frame) in(english string, args ...any) string { return words.In(f.lang, english, args...) }

// count is a number with its noun in the reader's language.
func (f *frame) count(n int, one, many string) string { return words.CountIn(f.lang, n, one, many) }

// live reports whether the cursor is at the live edge.
func (f *frame) live() bool { return f.state.Cursor == f.story.Taken() }

// ended reports whether the cursor is where a saved trace ends before its scenario does.
func (f *frame) ended() bool {
	return f.state.Saved != nil && f.state.Cursor == f.state.Saved.Steps && !f.story.Done()
}

// draw puts the parts into their rectangles.
func (f *frame) draw() []cells.Line {
	rows := make([]cells.Line, f.size.Height)
	xs := make([]int, f.size.Height)
	put := func(r Rect, lines []cells.Line) {
		for i := 0; i < r.H && i < len(lines) && r.Y+i < len(rows); i++ {
			y := r.Y + i
			if xs[y] < r.X {
				rows[y] = append(rows[y], cells.Span{cells.Spaces(r.X - xs[y]), nil})
			}
			rows[y] = append(rows[y], lines[i].Fit(r.W)...)
			xs[y] = r.X + r.W
		}
	}
	l := f.layout
	if l.Look.H > 0 {
		put(l.Step, []cells.Line{append(cells.Line{{" ", nil}}, f.looking()...)})
		put(l.Look, f.found(f.look(l.Look).Lines))
	}
	if l.Header.H > 0 {
		put(l.Header, []cells.Line{f.header(l.Header.W)})
	}
	if l.Tabs.H > 0 {
		put(l.Tabs, []cells.Line{f.tabs(l.Tabs.W)})
	}
	// Left to right, so that each row is built in order.
	for _, i := range []Pane{PaneA, PaneB, PaneAPIServer, PaneEtcd, PaneWords} {
		if r := l.Panes[i]; r.W > 0 && r.H > 0 {
			put(r, f.box(i, r))
		}
	}
	if l.Request.H > 0 {
		request, response := f.wire()
		put(l.Request, f.plainBox(request, l.Request))
		put(l.Response, f.plainBox(response, l.Response))
	}
	if l.Explain.H > 0 {
		put(l.Explain, f.explain(l.Explain))
	}
	if l.Outline.H > 0 {
		put(l.Outline, f.outline(l.Outline))
	}
	if l.Footer.H > 0 {
		if l.Shape == Single && l.Look.H == 0 {
			put(l.Footer, []cells.Line{f.status(l.Footer.W)})
		} else {
			put(l.Footer, []cells.Line{f.footer(l.Footer.W)})
		}
	}
	for y := range rows {
		if xs[y] < f.size.Width {
			rows[y] = append(rows[y], cells.Span{cells.Spaces(f.size.Width - xs[y]), nil})
		}
	}
	return rows
}

// actorStyle is the style of whoever a text is about.
func (f *frame) actorStyle(actor scenarios.Actor) *lipgloss.Style {
	switch actor {
	case scenarios.A:
		return &f.th.A
	case scenarios.B:
		return &f.th.B
	}
	return &f.th.Neutral
}
