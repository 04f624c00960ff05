package ui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/keys"
	"rvtui/ui/screen"
)

// pressedKey is the key that was pressed last, as a presenter's audience sees it.
type pressedKey struct {
	name  string
	times int
	label string
}

// togglePresenter turns the presenter's mode on and off.
func (m *model) togglePresenter() {
	m.presenting = !m.presenting
	m.pressed = pressedKey{}
	m.state.Presenting, m.state.Idea = m.presenting, 0
	m.state.Scroll[screen.PaneWords], m.state.Search = 0, screen.Search{}
	if m.presenting {
		m.note(m.in("presenter's mode   P ends it"))
		return
	}
	m.note(m.in("the presenter's mode is over"))
}

// slides reports whether a presenter's slide is on the screen.
func (m *model) slides() bool {
	return m.state.Presenting && m.state.View == screen.Panes && m.open != nil
}

func (m *model) ideas() int {
	return screen.Ideas(m.story, m.shown(), m.size, m.theme(), m.options.Lang)
}

// nextIdea shows the step's next idea; it reports whether there was one. A step that is
// under way, asked for or asked about comes first.
func (m *model) nextIdea() bool {
	s := &m.state
	if !m.slides() || s.Problem != nil || !m.begun || s.Idea >= m.ideas()-1 {
		return false
	}
	if s.Cursor == m.story.Taken() && (s.Running != nil || s.Queued > 0 || s.Asking != nil) {
		return false
	}
	s.Idea++
	s.Scroll[screen.PaneWords] = 0
	return true
}

// ideaBefore takes back the last idea; it reports whether there was one.
func (m *model) ideaBefore() bool {
	if !m.slides() || m.state.Idea == 0 {
		return false
	}
	m.state.Idea = min(m.state.Idea, m.ideas()-1) - 1
	m.state.Scroll[screen.PaneWords] = 0
	return true
}

// lastIdea shows all of a step, which the reader has come back to.
func (m *model) lastIdea() {
	if m.state.Presenting {
		m.state.Idea = m.ideas() - 1
	}
}

// showPressed keeps the key for those who watch. What is typed into a line is seen there.
func (m *model) showPressed(msg tea.KeyPressMsg) {
	if !m.presenting {
		return
	}
	name := msg.String()
	typing := m.palette != nil || m.state.Filtering || m.state.Search.Typing || m.open == nil && m.picker.Filtering
	if typing && msg.Text != "" {
		m.pressed = pressedKey{}
		return
	}
	if name != m.pressed.name {
		m.pressed = pressedKey{name: name}
	}
	m.pressed.times++
	label := keys.Sign(name)
	if m.pressed.times > 1 {
		label += fmt.Sprintf(" ×%d", m.pressed.times)
	}
	if does := m.does(msg); does != "" && !typing {
		label += "  " + does
	}
	m.pressed.label = label
}

// does is what a key does now, in a few words; "" where it is better not said.
func (m *model) does(msg tea.KeyPressMsg) string {
	k := keys.Keys
	switch {
	case m.help && !key.Matches(msg, k.Help, k.Close), m.answers(msg.String()):
		return ""
	case m.slides() && key.Matches(msg, k.Step, k.PageDown):
		return m.in("next idea")
	case m.slides() && key.Matches(msg, k.Back, k.PageUp):
		return m.in("back")
	case m.state.Search.Text != "" && key.Matches(msg, k.NextScenario):
		return m.in("the next place")
	case m.state.Search.Text != "" && key.Matches(msg, k.Close):
		return m.in("end of the search")
	case key.Matches(msg, k.NextScenario):
		return m.in("next scenario")
	}
	return strings.TrimSpace(keys.Brief(m.in(keys.Does(msg.String(), m.open == nil))))
}

// answers reports whether a key answers the question that is asked now.
func (m *model) answers(name string) bool {
	return m.state.Asking != nil && len(name) == 1 && name[0] >= '1' && name[0] <= '9'
}
