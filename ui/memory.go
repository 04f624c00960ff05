package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rvtui/scenarios"
	"rvtui/ui/runs"
)

// remember notes down how far the open scenario has come. A file of the reader's is not
// remembered: its name says nothing of what will stand in it another time.
func (m *model) remember() {
	if m.open == nil || m.open == m.picker.File {
		return
	}
	m.learn(m.picker.Memory.After(m.open.Name, &m.story.Trace, m.state.Predicted, m.options.Now()))
}

// learn adds to what is known of this session, and of all.
func (m *model) learn(more runs.Memory) {
	m.session = m.session.And(more)
	m.picker.Memory = m.picker.Memory.And(more)
}

// nextScenario is the one to go on with after the open one; nil where all others were run.
func (m *model) nextScenario() *scenarios.Scenario {
	all := m.options.Scenarios // the reader's file is no part of the way
	from := slices.Index(all, m.open) + 1
	if m.open == m.picker.File {
		from = slices.Index(m.picker.Scenarios, m.open)
	}
	if next := m.picker.Memory.Next(all, from); next != m.open {
		return next
	}
	return nil
}

// chapter is how the open scenario's chapter stands, at its end. A file of the reader's is in
// none.
func (m *model) chapter() runs.Chapter {
	if m.open == nil || m.open == m.picker.File || !m.begun || !m.story.Done() {
		return runs.Chapter{}
	}
	return m.picker.Memory.Chapter(m.options.Scenarios, m.open.Chapter)
}

// goOn opens the next scenario, from the end of one.
func (m *model) goOn() tea.Cmd {
	next := m.nextScenario()
	switch {
	case m.options.Saved != nil:
		m.state.Note = m.alone()
		return nil
	case m.state.View.IsLook() && m.begun && m.story.Done():
		m.state.Note = m.in("esc closes the view; then n opens the next scenario")
		return nil
	case !m.begun || !m.story.Done():
		m.state.Note = m.in("n opens the next scenario at the end of this one")
		return nil
	case next == nil:
		m.state.Note = m.in("every scenario was run   r runs this one again   esc back to the list")
		return nil
	}
	m.filter("") // the list is to show where the reader has come to
	m.picker.Selected = slices.Index(m.picker.Scenarios, next)
	return m.opened(next)
}
