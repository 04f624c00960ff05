package ui

import tea "charm.land/bubbletea/v2"

// autoSpeed is autoplay's, where nobody is at the keyboard: those who watch a recording
// read more than those who record it.
const autoSpeed = 1

// playByItself begins to play, with a first look at what there is.
func (m *model) playByItself() tea.Cmd {
	if !m.options.Auto {
		return nil
	}
	m.speed = autoSpeed
	m.state.Autoplay = speeds[m.speed]
	m.round++
	return m.playOn()
}

// endByItself ends a program that plays by itself, where autoplay has come to its end.
func (m *model) endByItself() tea.Cmd {
	if !m.options.Auto {
		return nil
	}
	return tea.Quit
}

// unable ends a program that plays by itself, since nobody is there to try again.
func (m *model) unable(err error) tea.Cmd {
	if !m.options.Auto {
		return nil
	}
	m.failed = err
	return tea.Quit
}
