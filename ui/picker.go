package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/scenarios"
	"rvtui/ui/keys"
)

// pressPicker is a key in the list of scenarios.
func (m *model) pressPicker(msg tea.KeyPressMsg) tea.Cmd {
	k := keys.Keys
	m.picker.Note = ""
	if m.picker.Filtering {
		return m.pressFilter(msg)
	}
	page := max(1, m.size.Height/3)
	switch {
	case key.Matches(msg, k.Quit):
		return tea.Quit
	case key.Matches(msg, k.Help):
		m.help = true
	case key.Matches(msg, k.Filter):
		m.filter("") // what is typed now is another search
		m.picker.Filtering = true
	case key.Matches(msg, k.Close):
		m.filter("")
	case key.Matches(msg, k.Open):
		return m.openSelected()
	case key.Matches(msg, k.Down):
		m.choose(1)
	case key.Matches(msg, k.Up):
		m.choose(-1)
	case key.Matches(msg, k.PageDown):
		m.choose(page)
	case key.Matches(msg, k.PageUp):
		m.choose(-page)
	case key.Matches(msg, k.First):
		m.choose(-len(m.picker.Scenarios))
	case key.Matches(msg, k.Last):
		m.choose(len(m.picker.Scenarios))
	case key.Matches(msg, k.Restart):
		return m.retryPrepare()
	case key.Matches(msg, k.Command):
		m.palette = &palette{}
	case key.Matches(msg, k.Predict):
		return m.togglePredict()
	case key.Matches(msg, k.Presenter):
		m.togglePresenter()
	case key.Matches(msg, k.Mouse):
		m.toggleMouse()
	}
	return nil
}

func (m *model) pressFilter(msg tea.KeyPressMsg) tea.Cmd {
	typed := m.picker.Filter
	switch msg.String() {
	case "esc":
		m.filter("")
		m.picker.Filtering = false
	case "enter":
		m.picker.Filtering = false
		return m.openSelected()
	case "down":
		m.choose(1)
	case "up":
		m.choose(-1)
	default:
		if msg.String() == "backspace" && typed == "" {
			m.picker.Filtering = false
			return nil
		}
		m.filter(edited(typed, msg))
	}
	return nil
}

// filter narrows the list down, and keeps the selected scenario selected if it can.
func (m *model) filter(to string) {
	before := m.picker.Matching(m.options.Lang)
	m.picker.Filter = to
	m.reselect(before)
}

// reselect selects the scenario that was selected in what matched before, or else the first.
func (m *model) reselect(before []*scenarios.Scenario) {
	selected := m.picker.Selected
	m.picker.Selected = 0
	if selected >= len(before) {
		return
	}
	for i, s := range m.picker.Matching(m.options.Lang) {
		if s == before[selected] {
			m.picker.Selected = i
		}
	}
}

func (m *model) choose(n int) {
	m.picker.Selected = max(0, min(m.picker.Selected+n, len(m.picker.Matching(m.options.Lang))-1))
}

func (m *model) openSelected() tea.Cmd {
	matching := m.picker.Matching(m.options.Lang)
	if m.picker.Selected >= len(matching) {
		return nil
	}
	return m.opened(matching[m.picker.Selected])
}
