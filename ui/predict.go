package ui

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/keys"
)

// togglePredict turns the questions on and off. A question that is asked now goes with them.
func (m *model) togglePredict() tea.Cmd {
	m.predict = !m.predict
	said := m.in("no questions")
	if m.predict {
		said = m.in("predict: each question is asked before its step")
	}
	if m.open == nil {
		m.picker.Note = said
		return nil
	}
	m.state.Predict, m.state.Note = m.predict, said
	if m.predict || m.state.Asking == nil {
		return nil
	}
	m.state.Asking, m.state.Queued = nil, 0
	m.stopPlaying()
	m.state.Note = m.in("no questions   → takes the step")
	return nil
}

// asks reports whether the next step has a question that has not been answered.
func (m *model) asks() bool { return m.asksBefore(m.story.Taken()) }

// asksBefore reports whether the step after n has such a question.
func (m *model) asksBefore(n int) bool {
	if !m.state.Predict || n >= len(m.story.Trace.Plan) {
		return false
	}
	_, answered := m.state.Predicted[n+1]
	return !answered && len(m.story.Trace.Plan[n].Choices) > 0
}

// pressQuestion is a key while a question is asked; done says whether it was one for it.
func (m *model) pressQuestion(msg tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	ask := m.state.Asking
	if ask == nil || m.state.Cursor != m.story.Taken() {
		return nil, false
	}
	k := keys.Keys
	choices := len(m.story.Trace.Plan[ask.Step-1].Choices)
	if n, err := strconv.Atoi(msg.String()); err == nil {
		if n >= 1 && n <= choices {
			return m.answer(n), true
		}
		m.state.Note = m.in("there are %d answers", choices)
		return nil, true
	}
	at := *ask
	switch {
	case key.Matches(msg, k.Down):
		at.At = min(at.At+1, choices)
	case key.Matches(msg, k.Up):
		at.At = max(at.At-1, 1)
	case key.Matches(msg, k.Step):
		if ask.At > 0 {
			return m.answer(ask.At), true
		}
		m.state.Note = m.in("choose an answer: 1 to %d; p ends the questions", choices)
		return nil, true
	case key.Matches(msg, k.Close) && m.state.Search.Text != "":
		return nil, false // that is what esc ends first
	case key.Matches(msg, k.Close, k.Back):
		m.state.Asking, m.state.Queued = nil, 0
		m.stopPlaying()
		return nil, true
	default:
		return nil, false
	}
	m.state.Asking = &at
	return nil, true
}

// answer answers the question, and takes its step.
func (m *model) answer(n int) tea.Cmd {
	said := map[int]int{m.state.Asking.Step: n}
	for step, choice := range m.state.Predicted {
		said[step] = choice
	}
	m.state.Predicted, m.state.Asking = said, nil
	return m.stepIfQueued()
}
