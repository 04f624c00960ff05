package ui

import (
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/view"
)

// pressPane is a key for the panes: focus, zoom, scroll.
func (m *model) pressPane(msg tea.KeyPressMsg) tea.Cmd {
	k := keys.Keys
	half := max(1, m.size.Height/4)
	if m.slides() {
		switch {
		case key.Matches(msg, k.NextPane, k.PreviousPane):
			m.state.Note = m.in("one idea at a time: 1 to 5 open a pane, P ends the presenter's mode")
			return nil
		case key.Matches(msg, k.PageDown): // what a clicker sends
			m.stopPlaying()
			return m.forward()
		case key.Matches(msg, k.PageUp):
			m.stopPlaying()
			m.back()
			return nil
		case key.Matches(msg, k.Pane):
			m.state.View = screen.Zoomed // and below, the focus
		}
	}
	if cmd, done := m.pressLook(msg); done {
		return cmd
	}
	switch {
	case key.Matches(msg, k.Search):
		m.search()
	case key.Matches(msg, k.NextPane):
		m.cycle(1)
	case key.Matches(msg, k.PreviousPane):
		m.cycle(-1)
	case key.Matches(msg, k.Pane):
		if n, err := strconv.Atoi(msg.String()); err == nil {
			m.state.Focus, m.state.View = screen.Pane(n-1), m.pane()
			if m.state.Focus == screen.PaneWords && !screen.IsSingle(m.size) { // it is only ever shown alone
				m.state.View = screen.Zoomed
			}
		}
	case key.Matches(msg, k.Zoom):
		m.state.Scroll[m.state.Focus] = 0
		m.standLook()
		if m.state.View == screen.Zoomed {
			m.unzoom()
		} else {
			m.state.View = screen.Zoomed
		}
	case key.Matches(msg, k.Down):
		m.scroll(1)
	case key.Matches(msg, k.Up):
		m.scroll(-1)
	case key.Matches(msg, k.PageDown):
		m.scroll(half)
	case key.Matches(msg, k.PageUp):
		m.scroll(-half)
	}
	return nil
}

// pane is the view of the panes that a number leads to: from a view back to them.
func (m *model) pane() screen.View {
	if m.state.View.IsLook() {
		return screen.Panes
	}
	return m.state.View
}

// cycle moves the focus by so many panes. The words are among them where one pane is
// shown at a time.
func (m *model) cycle(by int) {
	n := int(screen.PaneWords)
	if m.state.View == screen.Zoomed || screen.IsSingle(m.size) {
		n++
	}
	m.state.Focus = screen.Pane((min(int(m.state.Focus), n-1) + by + n) % n)
}

func (m *model) unzoom() {
	m.state.View = screen.Panes
	if m.state.Focus == screen.PaneWords && !screen.IsSingle(m.size) {
		m.state.Focus = screen.PaneOf(m.story, m.state.Cursor)
	}
}

// follow shows the pane of whoever does the step under the cursor, where one pane is
// shown at a time. Who reads the words goes on with them: they tell every step.
func (m *model) follow() {
	if m.state.View == screen.Panes && m.state.Focus != screen.PaneWords && screen.IsSingle(m.size) {
		m.state.Focus = screen.PaneOf(m.story, m.state.Cursor)
	}
}

// scroll moves the focused pane's text by so many lines, down where n is positive.
func (m *model) scroll(n int) {
	if m.slides() {
		up, down := screen.SlideScroll(m.story, m.shown(), m.size, m.theme(), m.options.Lang)
		back := &m.state.Scroll[screen.PaneWords]
		*back = max(-down, min(up, *back-n))
		return
	}
	focus := m.state.Focus
	if screen.FromEnd(m.state) { // it stands at its end, and scroll counts from there
		n = -n
	}
	limit := screen.MaxScroll(m.story, m.shown(), m.size, m.theme(), m.options.Lang)
	m.state.Scroll[focus] = max(0, min(limit, m.state.Scroll[focus]+n))
}

func (m *model) toggleMouse() {
	m.mouse = !m.mouse
	said := m.in("mouse off: the terminal selects text")
	if m.mouse {
		said = m.in("mouse on")
	}
	m.note(said)
}

// ownClick is how soon after the terminal got the keyboard a click is what gave it.
const ownClick = 150 * time.Millisecond

func (m *model) click(msg tea.MouseClickMsg) {
	if m.options.Now().Sub(m.focused) < ownClick {
		return // it was meant for the window
	}
	if m.open == nil || m.help || m.state.View.IsLook() || m.slides() || msg.Button != tea.MouseLeft {
		return
	}
	if pane, ok := screen.PaneAt(m.story, m.shown(), m.size, m.theme(), m.options.Lang, msg.X, msg.Y); ok {
		m.state.Focus = pane
	}
}

func (m *model) wheel(msg tea.MouseWheelMsg) {
	n := 0
	switch msg.Button {
	case tea.MouseWheelDown:
		n = 1
	case tea.MouseWheelUp:
		n = -1
	}
	switch {
	case m.help:
		m.helpScroll = max(0, min(m.helpScroll+3*n, m.helpLimit()))
	case m.open == nil:
		m.choose(n)
	case m.state.Looks():
		m.change(func(at *view.State) { at.Down += 3 * n })
	case m.slides():
		m.scroll(3 * n)
	default:
		if pane, ok := screen.PaneAt(m.story, m.shown(), m.size, m.theme(), m.options.Lang, msg.X, msg.Y); ok {
			m.state.Focus = pane
			m.scroll(3 * n)
		}
	}
}
