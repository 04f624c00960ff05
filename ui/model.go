package ui

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/runs"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// model is the whole program's state. Update changes it and does no I/O; View draws it.
type model struct {
	options Options
	work    *work
	size    cells.Size
	fixed   bool // the size was given, and stays
	dark    bool // the terminal's background
	told    bool // by the terminal, of its background
	mouse   bool
	// focused is when the terminal got the keyboard; zero until it tells.
	focused time.Time

	// The control plane.
	started time.Time
	phases  []string
	ready   bool
	info    scenarios.Info
	took    time.Duration   // until it was ready
	prepare *screen.Problem // it did not come up
	ticking bool
	now     time.Time // of the last tick

	picker  screen.Picker
	session runs.Memory // what was run since the start

	// The open scenario; nil while the list is shown.
	open  *scenarios.Scenario
	walk  *walk // nil until its setup has been asked for
	begun bool
	story *screen.Story
	state screen.State
	speed int // index into speeds
	// predict says that questions are asked, in this scenario and the next.
	predict bool
	// presenting says that scenarios are shown as a presenter shows them.
	presenting bool
	pressed    pressedKey
	nextAt     time.Time // when autoplay takes its next step
	round      int       // of autoplay: ticks of an earlier one count for nothing

	palette    *palette // nil where nothing is typed after ":"
	help       bool
	helpScroll int

	interrupted bool
	panicked    *PanicError
	failed      error // what ended a program that plays by itself
}

// speeds are autoplay's intervals, slow to fast.
var speeds = []time.Duration{8 * time.Second, 5 * time.Second, 3 * time.Second, 2 * time.Second, time.Second, 500 * time.Millisecond}

const usualSpeed = 2

func newModel(o Options, w *work) *model {
	all := slices.Clone(o.Scenarios)
	var file *scenarios.Scenario
	if o.Initial != nil && !slices.Contains(all, o.Initial) {
		file = o.Initial
		at := len(all) // behind the others of its chapter
		for i, s := range all {
			if s.Chapter == file.Chapter {
				at = i + 1
			}
		}
		all = slices.Insert(all, at, file)
	}
	m := &model{
		options: o, work: w, size: o.Size, dark: true, mouse: true, speed: usualSpeed, started: o.Now(), now: o.Now(),
		picker: screen.Picker{
			Scenarios: all, File: file, Verdicts: map[string]scenarios.Verdict{}, Memory: o.Memory, Selected: o.Memory.Resume(all),
		},
	}
	if o.Initial != nil {
		m.picker.Selected = slices.Index(all, o.Initial)
		m.show(o.Initial)
	}
	return m
}

// Init starts the control plane behind the first frame.
func (m *model) Init() tea.Cmd {
	commands := []tea.Cmd{m.work.prepare(), m.tick(), m.interruptible}
	if m.options.Profile > colorprofile.ASCII {
		commands = append(commands, tea.RequestBackgroundColor)
	}
	return tea.Batch(commands...)
}

// interruptible is done whenever the terminal has gone into raw mode.
func (m *model) interruptible() tea.Msg {
	if m.options.In != nil {
		interruptible(m.options.In)
	}
	return nil
}

// View draws the program.
func (m *model) View() (view tea.View) {
	defer func() {
		if v := recover(); v != nil {
			m.panicked = &PanicError{Value: v, Stack: debug.Stack()}
			go m.work.send(tea.Quit())
			view = tea.NewView("")
		}
	}()
	if m.panicked != nil {
		return tea.NewView("")
	}
	view = tea.NewView(m.frame())
	view.AltScreen, view.ReportFocus = true, true
	if m.told { // before, the terminal would tell of the background that it was given
		view.BackgroundColor = m.theme().Background
	}
	view.WindowTitle = "rvtui"
	if m.open != nil {
		view.WindowTitle += " " + cells.Clean(m.open.Name)
	}
	if m.options.Saved != nil {
		view.WindowTitle += " (" + m.in("saved") + ")"
	}
	if m.mouse {
		view.MouseMode = tea.MouseModeCellMotion
	}
	return view
}

// in is one of rvtui's own texts in the reader's language.
func (m *model) in(english string, args ...any) string {
	return words.In(m.options.Lang, english, args...)
}

func (m *model) theme() *theme.Theme {
	return theme.For(m.options.Theme, m.options.Profile, m.dark)
}

func (m *model) frame() string {
	if m.presenting {
		return screen.Pressed(m.whole(), m.pressed.label, m.size, m.theme())
	}
	return m.whole()
}

func (m *model) whole() string {
	switch {
	case m.help:
		return screen.HelpFrame(m.behind(), m.size, m.theme(), m.options.Lang, m.helpScroll)
	case m.open != nil:
		return screen.Frame(m.story, m.shown(), m.size, m.theme(), m.options.Lang)
	}
	return screen.PickerFrame(m.list(), m.size, m.theme(), m.options.Lang)
}

// behind is what the help screen covers.
func (m *model) behind() screen.Behind {
	if m.open != nil {
		return screen.BehindStory(m.story, m.shown(), m.size, m.theme(), m.options.Lang)
	}
	return screen.BehindPicker(m.list(), m.size, m.theme(), m.options.Lang)
}

// helpLimit is how far help can be scrolled.
func (m *model) helpLimit() int {
	return screen.HelpScroll(m.behind(), m.size, m.theme(), m.options.Lang)
}

// list is the list of scenarios as it is drawn: with the control plane's state.
func (m *model) list() screen.Picker {
	p := m.picker
	p.Info, p.Problem, p.Palette = m.info, m.prepare, m.palette.drawn(m)
	if m.ready {
		p.Ready = m.in("ready in %s", words.Seconds(m.took))
	}
	if !m.ready && p.Problem == nil {
		p.Starting = m.starting()
	}
	return p
}

// shown is the state as it is drawn: with the start's progress, and the time of the last tick.
func (m *model) shown() screen.State {
	s := m.underneath()
	s.Palette = m.palette.drawn(m)
	return s
}

// underneath is the same without what is typed over it.
func (m *model) underneath() screen.State {
	s := m.state
	s.Next = m.nextScenario()
	s.Chapter = m.chapter()
	if s.Problem == nil && !m.begun && m.options.Saved == nil {
		s.Starting = m.starting()
	}
	if s.Autoplay > 0 && s.Running == nil {
		s.PlaysIn = max(0, m.nextAt.Sub(m.now))
	}
	if s.Running != nil {
		running := *s.Running
		running.Now = m.now
		s.Running = &running
	}
	return s
}

func (m *model) starting() *screen.Starting {
	s := &screen.Starting{What: m.in("starting the control plane"), Context: m.options.Context, Elapsed: m.now.Sub(m.started)}
	if m.ready {
		s.What, s.Elapsed = m.in("setting up the scenario"), 0
		return s
	}
	if m.options.Context != "" { // what is reached on the way to a cluster is told as it comes
		s.What, s.Phases = m.in("connecting to %s", cells.CutMiddle(m.options.Context, longName)), slices.Clone(m.phases)
		return s
	}
	// A phase is told when it is reached, so the one after it is under way.
	order := []string{"etcd", "kube-apiserver", m.in("ready")}
	s.Phases = order[:min(len(m.phases)+1, len(order))]
	return s
}

// show opens a scenario on the screen, as far as it is known before its setup is done.
func (m *model) show(s *scenarios.Scenario) {
	m.open, m.walk, m.begun = s, nil, false
	m.story = screen.NewStory(m.unplayed(s))
	m.state = screen.State{Predict: m.predict, Presenting: m.presenting, Problem: m.prepare, Saved: m.savedTrace()}
	m.follow()
	m.round++
}

// opened shows a scenario and, once the control plane is ready, sets it up.
func (m *model) opened(s *scenarios.Scenario) tea.Cmd {
	left := m.left()
	m.show(s)
	return tea.Batch(left, m.beginIfReady())
}

// left gives up the open scenario's walk.
func (m *model) left() tea.Cmd {
	k := m.walk
	m.open, m.walk, m.begun, m.story, m.state = nil, nil, false, nil, screen.State{}
	m.round++
	if k == nil {
		return nil
	}
	return m.work.leave(k)
}

func (m *model) beginIfReady() tea.Cmd {
	if !m.ready || m.open == nil || m.walk != nil {
		return nil
	}
	k, cmd := m.work.begin(m.open)
	m.walk = k
	return tea.Batch(cmd, m.tick())
}

type tickMsg time.Time

// tick keeps elapsed times moving while something is under way.
func (m *model) tick() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return tea.Tick(100*time.Millisecond, func(t time.Time) tea.Msg { return tickMsg(t) })
}

func (m *model) busy() bool {
	return !m.ready && m.prepare == nil || m.open != nil && !m.begun && m.state.Problem == nil || m.state.Running != nil || m.state.Autoplay > 0
}

// notReady says that there is nothing to walk on.
func (m *model) notReady() string {
	if m.options.Context != "" {
		return m.in("No connection to %s.", cells.CutMiddle(m.options.Context, longName))
	}
	return m.in("The control plane did not start.")
}

// longName is how many cells of a cluster's name are shown in a title.
const longName = 40

// prepared is the end of the control plane's start.
func (m *model) prepared(msg preparedMsg) tea.Cmd {
	if msg.err != nil {
		m.prepare = &screen.Problem{
			Title: m.notReady(), Detail: msg.err.Error(), Hint: m.in("r tries again   q quits"), Unset: true,
		}
		if m.open != nil {
			m.state.Problem, m.state.Queued, m.state.View = m.prepare, 0, screen.Panes
		}
		return m.unable(msg.err)
	}
	m.ready, m.info = true, msg.info
	m.took = m.options.Now().Sub(m.started)
	return m.beginIfReady()
}

// begunWith is the end of a scenario's setup.
func (m *model) begunWith(msg begunMsg) tea.Cmd {
	if msg.walk != m.walk {
		return nil // left in the meantime; leaving closes it
	}
	if msg.err != nil {
		m.stopPlaying()
		m.state.Problem = &screen.Problem{
			Title: m.in("The scenario could not be set up."), Detail: msg.err.Error(),
			Hint: m.in("r tries again   esc back to the list   q quits"), Unset: true,
		}
		m.state.Queued, m.state.View = 0, screen.Panes
		if missing := (*scenarios.MissingError)(nil); errors.As(msg.err, &missing) { // trying again would not help
			m.state.Problem = &screen.Problem{
				Title: m.in("This cluster cannot show %s.", m.open.Name), Detail: words.Missing(missing, m.options.Lang), Hint: m.in("esc back to the list   q quits"), Unset: true, Final: true,
			}
			m.picker.Verdicts[m.open.Name] = scenarios.Skipped
		}
		return m.unable(fmt.Errorf("setting up %s: %w", m.open.Name, msg.err))
	}
	m.begun = true
	m.story = screen.NewStory(msg.trace)
	m.state.Cursor = m.story.Taken()
	m.follow()
	m.remember()
	return tea.Batch(m.stepIfQueued(), m.playByItself())
}

// stepped is the end of a step.
func (m *model) stepped(msg steppedMsg) tea.Cmd {
	if msg.walk != m.walk {
		return nil
	}
	atEdge := m.state.Cursor == m.story.Taken()
	m.state.Running = nil
	for _, o := range msg.observations {
		m.story.Append(o)
	}
	number := m.story.Taken() + 1
	if errors.Is(msg.err, io.EOF) { // the plan was longer than the scenario
		m.state.Queued = 0
		m.stopPlaying()
		return m.endByItself()
	}
	if msg.err != nil {
		m.state.Queued = 0
		m.stopPlaying()
		m.state.Problem = &screen.Problem{
			Title: m.in("Step %d could not be done.", number), Detail: msg.err.Error(),
			Hint: m.in("→ tries again   r starts afresh   esc back to the list   q quits"),
		}
		if m.options.Saved != nil {
			m.state.Problem.Hint = m.in("r begins again   q quits")
		}
		m.state.Cursor = m.story.Taken()
		return m.unable(fmt.Errorf("taking step %d of %s: %w", number, m.open.Name, msg.err))
	}
	if atEdge {
		m.state.Cursor, m.state.Idea = m.story.Taken(), 0
		m.follow()
		m.stand()
	}
	failed := func(o scenarios.Observation) bool { return o.Verdict == scenarios.Failed }
	if m.story.Done() || slices.ContainsFunc(msg.observations, failed) {
		m.picker.Verdicts[m.open.Name] = m.story.Trace.Verdict()
	}
	m.remember()
	return tea.Batch(m.stepIfQueued(), m.playOn())
}

// stepIfQueued takes the next step that was asked for, if none is under way.
func (m *model) stepIfQueued() tea.Cmd {
	if m.state.Queued == 0 || !m.begun || m.state.Running != nil {
		return nil
	}
	if m.story.Done() {
		m.state.Queued = 0
		return nil
	}
	if m.asks() {
		m.state.Asking = &screen.Asking{Step: m.story.Taken() + 1}
		m.state.Cursor = m.story.Taken()
		return nil
	}
	n := m.revealed()
	m.state.Queued -= n
	m.now = m.options.Now()
	m.state.Running = &screen.Running{Step: m.story.Taken() + 1, Since: m.now, Now: m.now}
	m.state.Problem = nil
	return tea.Batch(m.work.step(m.walk, n), m.tick())
}

// progress is what was seen of a step while it runs.
func (m *model) progress(msg progressMsg) {
	r := m.state.Running
	if msg.walk != m.walk || r == nil {
		return
	}
	now := m.options.Now()
	seen := make([]time.Time, len(msg.so.Exchanges))
	for i := range msg.so.Exchanges {
		switch {
		case i < len(r.Seen) && r.Exchanges[i].InFlight == msg.so.Exchanges[i].InFlight:
			seen[i] = r.Seen[i]
		default:
			seen[i] = now
		}
	}
	r.Exchanges, r.Seen = msg.so.Exchanges, seen
	for len(r.Came) < len(msg.so.Events) { // events only ever come to those that were there
		r.Came = append(r.Came, now)
	}
	r.Events = msg.so.Events
}
