package ui

import (
	"runtime/debug"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

type playMsg struct{ round int }

// Update takes a message in. A panic ends the program as any other end does, so that
// the terminal is restored before it is told.
func (m *model) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			m.panicked = &PanicError{Value: v, Stack: debug.Stack()}
			cmd = tea.Quit
		}
	}()
	return m, m.update(msg)
}

func (m *model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		if !m.fixed {
			m.size = cells.Size{Width: msg.Width, Height: msg.Height}
		}
	case tea.BackgroundColorMsg:
		if !m.told {
			m.dark, m.told = msg.IsDark(), true
		}
	case tea.ResumeMsg:
		return m.interruptible
	case tea.FocusMsg:
		m.focused = m.options.Now()
	case tickMsg:
		m.ticking = false
		m.now = m.options.Now()
		if m.busy() {
			return m.tick()
		}
	case phaseMsg:
		m.phases = append(m.phases, string(msg))
	case preparedMsg:
		return m.prepared(msg)
	case begunMsg:
		return m.begunWith(msg)
	case progressMsg:
		m.progress(msg)
	case steppedMsg:
		return m.stepped(msg)
	case playMsg:
		return m.play(msg)
	case savedMsg:
		m.saved(msg)
	case unsavedMsg:
		m.notKept(msg)
	case panicMsg:
		m.panicked = msg.err
		return tea.Quit
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		if m.state.Filtering {
			m.filterLog(m.state.Look.Filter + msg.Content)
			return nil
		}
		switch {
		case m.help:
		case m.state.Search.Typing:
			m.searchFor(m.state.Search.Text + strings.Join(strings.Fields(msg.Content), " "))
		case m.palette != nil:
			m.typeIn(msg.Content)
		case m.open == nil: // an error text is pasted to be found
			m.picker.Filtering = true
			m.filter(m.picker.Filter + msg.Content)
		}
	case tea.MouseClickMsg:
		m.click(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	}
	return nil
}

// press is a key: those that always work, then those of what is open.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.showPressed(msg)
	switch {
	case key.Matches(msg, keys.Keys.Interrupt):
		m.interrupted = true
		return tea.Quit
	case key.Matches(msg, keys.Keys.Suspend):
		return tea.Suspend
	case m.help:
		return m.pressHelp(msg)
	case m.palette != nil:
		return m.pressPalette(msg)
	case m.state.Filtering:
		m.pressLogFilter(msg)
		return nil
	case m.state.Search.Typing:
		m.state.Note = ""
		m.pressSearch(msg)
		return nil
	}
	before := m.seen()
	if m.open == nil {
		return m.answered(before, msg, m.pressPicker(msg))
	}
	return m.answered(before, msg, m.pressMain(msg))
}

func (m *model) pressHelp(msg tea.KeyPressMsg) tea.Cmd {
	k := keys.Keys
	switch {
	case key.Matches(msg, k.Quit):
		return tea.Quit
	case key.Matches(msg, k.Help, k.Close):
		m.help, m.helpScroll = false, 0
	case key.Matches(msg, k.Down):
		m.helpScroll = min(m.helpLimit(), m.helpScroll+1)
	case key.Matches(msg, k.Up):
		m.helpScroll = max(0, m.helpScroll-1)
	case key.Matches(msg, k.PageDown):
		m.helpScroll = min(m.helpLimit(), m.helpScroll+m.size.Height/2)
	case key.Matches(msg, k.PageUp):
		m.helpScroll = max(0, m.helpScroll-m.size.Height/2)
	case key.Matches(msg, k.First):
		m.helpScroll = 0
	case key.Matches(msg, k.Last):
		m.helpScroll = m.helpLimit()
	}
	return nil
}

func (m *model) pressMain(msg tea.KeyPressMsg) tea.Cmd {
	k := keys.Keys
	m.state.Note = ""
	if cmd, done := m.pressQuestion(msg); done {
		return cmd
	}
	if m.pressFound(msg) {
		return nil
	}
	m.state.Search.At = 0 // what moves the text moves the place
	switch {
	case key.Matches(msg, k.Quit):
		return tea.Quit
	case key.Matches(msg, k.Help):
		m.help = true
	case key.Matches(msg, k.Predict):
		return m.togglePredict()
	case key.Matches(msg, k.Presenter):
		m.togglePresenter()
	case key.Matches(msg, k.Close):
		if m.state.View != screen.Panes {
			m.unzoom()
			return nil
		}
		if m.options.Saved != nil {
			m.state.Note = m.alone()
			return nil
		}
		return m.left()
	case key.Matches(msg, k.Step):
		m.stopPlaying()
		return m.forward()
	case key.Matches(msg, k.Back):
		m.stopPlaying()
		m.back()
	case key.Matches(msg, k.First):
		m.stopPlaying()
		m.look(0)
		m.state.Idea = 0
	case key.Matches(msg, k.Last):
		if m.options.Saved != nil {
			return m.goTo(m.end())
		}
		m.look(m.story.Taken())
		m.lastIdea()
	case key.Matches(msg, k.Command):
		m.palette = &palette{}
	case key.Matches(msg, k.Restart):
		return m.restart()
	case key.Matches(msg, k.NextScenario):
		return m.goOn()
	case key.Matches(msg, k.Autoplay):
		return m.togglePlay()
	case key.Matches(msg, k.Faster):
		return m.setSpeed(m.speed + 1)
	case key.Matches(msg, k.Slower):
		return m.setSpeed(m.speed - 1)
	case key.Matches(msg, k.Mouse):
		m.toggleMouse()
	default:
		return m.pressPane(msg)
	}
	return nil
}

// stand puts panes and views back to where they stand by themselves: at another step what
// was scrolled means nothing.
func (m *model) stand() {
	m.state.Scroll = screen.State{}.Scroll
	m.standLook()
	m.searchAgain()
}

func (m *model) standLook() {
	m.state.Look = view.State{Open: m.state.Look.Open, Filter: m.state.Look.Filter}
}

// forward looks one step further, and at the live edge takes the next one.
func (m *model) forward() tea.Cmd {
	if m.nextIdea() {
		return nil
	}
	if m.story.Taken() > m.state.Cursor {
		m.look(m.state.Cursor + 1)
		return nil
	}
	if m.state.Asking != nil {
		return nil // it waits for an answer
	}
	if m.slides() && (m.state.Queued > 0 || m.state.Running != nil) {
		return nil // what comes of this one is shown first
	}
	asked := m.story.Taken() + m.state.Queued
	if m.state.Running != nil {
		asked++
	}
	if asked >= m.end() {
		if m.state.Running == nil && m.begun {
			m.state.Note = m.atEnd()
		}
		return nil
	}
	if m.prepare != nil || m.state.Problem != nil && !m.begun {
		return nil // nothing to step in; what is wrong is on the screen
	}
	m.state.Queued++
	return m.stepIfQueued()
}

// back takes back a step that has not begun, or else looks one step back.
func (m *model) back() {
	m.state.Asking = nil
	if m.state.Queued > 0 {
		m.state.Queued--
		return
	}
	if m.ideaBefore() {
		return
	}
	if m.state.Cursor > 0 {
		m.look(m.state.Cursor - 1)
		m.lastIdea()
	}
}

// look moves the cursor within what was seen.
func (m *model) look(n int) {
	if m.unset() {
		return // there is the problem alone
	}
	n = max(0, min(n, m.story.Taken()))
	if n != m.state.Cursor {
		m.stand()
		m.state.Cursor, m.state.Idea = n, 0
		m.follow()
	}
	if n < m.story.Taken() { // nothing is sent for who looks back: what has not begun is taken back
		m.state.Queued, m.state.Asking = 0, nil
	}
	m.state.Problem = m.prepare
}

// restart runs the open scenario afresh; where the control plane did not start, that is tried again.
func (m *model) restart() tea.Cmd {
	scenario, focus, view := m.open, m.state.Focus, m.state.View
	retry := m.retryPrepare()
	left := m.left()
	m.show(scenario)
	m.state.Focus, m.state.View = focus, view
	return tea.Batch(retry, left, m.beginIfReady())
}

func (m *model) retryPrepare() tea.Cmd {
	if m.prepare == nil {
		return nil
	}
	m.prepare, m.phases, m.started = nil, nil, m.options.Now()
	return tea.Batch(m.work.prepare(), m.tick())
}

// note is one line for the reader, until the next key.
func (m *model) note(said string) {
	if m.open != nil {
		m.state.Note = said
	} else {
		m.picker.Note = said
	}
}

// goTo looks at step n; where it is still to come, the steps up to it are taken.
func (m *model) goTo(n int) tea.Cmd {
	m.stopPlaying()
	if m.unset() {
		m.state.Note = m.whyUnset()
		return nil
	}
	if n > m.end() {
		n, m.state.Note = m.end(), m.atEnd()
	}
	m.look(n)
	missing := n - m.story.Taken()
	if m.state.Running != nil {
		missing--
	}
	if missing > 0 && m.prepare == nil {
		m.state.Queued = missing
		return m.stepIfQueued()
	}
	return nil
}

func (m *model) togglePlay() tea.Cmd {
	if m.state.Autoplay > 0 {
		m.stopPlaying()
		return nil
	}
	if m.unset() {
		m.state.Note = m.whyUnset()
		return nil
	}
	m.state.Autoplay = speeds[m.speed]
	m.round++
	return m.play(playMsg{m.round})
}

func (m *model) stopPlaying() {
	m.state.Autoplay = 0
	m.round++
}

func (m *model) setSpeed(n int) tea.Cmd {
	m.speed = max(0, min(n, len(speeds)-1))
	if m.state.Autoplay == 0 {
		m.state.Note = m.in("autoplay would take a step every %s", words.Seconds(speeds[m.speed]))
		return nil
	}
	m.state.Autoplay = speeds[m.speed]
	m.round++
	return m.playOn()
}

// play is autoplay's next step.
func (m *model) play(msg playMsg) tea.Cmd {
	if msg.round != m.round || m.state.Autoplay == 0 || m.open == nil {
		return nil
	}
	if m.nextIdea() {
		return m.playOn()
	}
	if m.state.Cursor == m.story.Taken() && m.story.Taken() >= m.end() && m.begun {
		m.stopPlaying()
		return m.endByItself()
	}
	edge := m.state.Cursor == m.story.Taken()
	cmd := m.forward()
	if edge {
		return cmd // the step's end goes on
	}
	return tea.Batch(cmd, m.playOn())
}

// playOn sets autoplay's clock, where it plays and no step is under way.
func (m *model) playOn() tea.Cmd {
	if m.state.Autoplay == 0 || m.state.Running != nil {
		return nil
	}
	round := m.round
	m.now = m.options.Now()
	m.nextAt = m.now.Add(m.state.Autoplay)
	return tea.Batch(m.tick(), tea.Tick(m.state.Autoplay, func(time.Time) tea.Msg { return playMsg{round} }))
}
