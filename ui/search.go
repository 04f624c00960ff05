package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/view"
)

// maxSearch is how many characters can be searched for.
const maxSearch = 80

// search begins to search in what is focused.
func (m *model) search() {
	if m.slides() {
		m.state.Note = m.in("a slide is all on the screen; 1 to 5 open a pane, which can be searched")
		return
	}
	m.state.Search = screen.Search{Typing: true}
}

// pressSearch is a key while the searched text is typed.
func (m *model) pressSearch(msg tea.KeyPressMsg) {
	s := &m.state.Search
	switch {
	case key.Matches(msg, keys.Keys.Close), msg.String() == "backspace" && s.Text == "":
		*s = screen.Search{}
	case msg.String() == "enter":
		s.Typing = false
		if s.Text != "" && s.At == 0 { // the search stays on: n is not to open anything
			m.state.Note = m.absent()
		}
	default:
		m.searchFor(edited(s.Text, msg))
	}
}

// searchFor goes to the first place of a text from where the reader stands.
func (m *model) searchFor(text string) {
	s := &m.state.Search
	s.Text, s.At = first(visible(text), maxSearch), 0
	if s.Text != "" {
		m.find(1)
	}
}

// searchAgain looks for the text in what is on the screen now, while it is still typed.
func (m *model) searchAgain() {
	m.state.Search.At = 0
	if m.state.Search.Typing && m.state.Search.Text != "" && len(screen.Places(m.searched(), m.state.Search.Text)) > 0 {
		m.state.Search.At = 1
	}
}

// pressFound is a key while a search is on; done says whether it was one for it.
func (m *model) pressFound(msg tea.KeyPressMsg) (done bool) {
	s := &m.state.Search
	if s.Text == "" {
		return false
	}
	k := keys.Keys
	switch {
	case key.Matches(msg, k.Close):
		*s = screen.Search{}
	case key.Matches(msg, k.NextScenario):
		m.find(1)
	case key.Matches(msg, k.FoundBefore):
		m.find(-1)
	default:
		return false
	}
	return true
}

// find goes to the next place of the searched text, or the one before: on the screen, then
// further down or up, then in the view's next request, then from the other end. Where it is
// nowhere, the reader stays where they are.
func (m *model) find(by int) {
	stood := m.state
	s := &m.state.Search
	lines := m.searched()
	places := screen.Places(lines, s.Text)
	if at := s.At + by; s.At > 0 && at >= 1 && at <= len(places) || s.At == 0 && by > 0 && len(places) > 0 {
		s.At = at
		return
	}
	if s.At == 0 && by < 0 && len(places) > 0 {
		s.At = len(places)
		return
	}
	for turned := 0; turned < 2 && len(lines) > 0; { // where nothing is drawn, nothing stops
		moved := m.shift(by * max(1, len(lines)/2))
		before := lines
		lines = m.searched()
		var from, to int
		if moved > 0 {
			from, to = fresh(before, lines, moved, by)
		} else {
			if !m.shiftChosen(by) {
				turned++
				m.turn(by)
				m.state.Note = m.in("the search went on from the other end")
			}
			lines = m.searched()
			to = len(lines)
		}
		if at := pick(screen.Places(lines, s.Text), from, to, by); at > 0 {
			s.At = at
			return
		}
	}
	m.state = stood
	m.state.Note = m.absent()
}

// absent says that what is searched is not to be found, and where else it may be.
func (m *model) absent() string {
	text := cells.Cut(m.state.Search.Text, 24)
	if m.state.View == screen.Panes {
		return m.in("%q is not in this pane   tab goes to the next   esc ends the search", text)
	}
	return m.in("%q is not here   esc ends the search", text)
}

func (m *model) searched() []cells.Line {
	return screen.Focused(m.story, m.underneath(), m.size, m.theme(), m.options.Lang)
}

// shift scrolls what is focused, and returns by how many lines.
func (m *model) shift(n int) (moved int) {
	if m.state.Looks() {
		before := m.drawn().At.Down
		m.change(func(at *view.State) { at.Down += n })
		moved = m.state.Look.Down - before
	} else {
		before := m.state.Scroll[m.state.Focus]
		m.scroll(n)
		moved = m.state.Scroll[m.state.Focus] - before
	}
	return max(moved, -moved)
}

// shiftChosen chooses the view's next request, or the one before, and stands at its
// beginning or end; it reports whether there was one.
func (m *model) shiftChosen(by int) bool {
	if !m.state.Looks() {
		return false
	}
	now := m.drawn()
	if now.Choices < 2 || now.At.Chosen+by < 1 || now.At.Chosen+by > now.Choices {
		return false
	}
	m.change(func(at *view.State) { *at = now.At; at.Chosen += by; at.Down = -by * far })
	return (m.state.Look.Chosen-now.At.Chosen)*by > 0 // a view that has no room chooses nothing
}

// far is more lines than anything has.
const far = 1 << 20

// turn goes to the beginning for a search downwards, to the end for one upwards.
func (m *model) turn(by int) {
	if !m.state.Looks() {
		m.shift(-by * far)
		return
	}
	m.change(func(at *view.State) {
		at.Down -= by * far
		if choices := m.drawn().Choices; choices >= 2 {
			at.Chosen = 1
			if by < 0 {
				at.Chosen = choices
			}
		}
	})
}

// fresh are the lines that came into sight when a page moved by so many lines. What stands
// still above and below it did not.
func fresh(before, now []cells.Line, moved, by int) (from, to int) {
	was, is := cells.Plain(before), cells.Plain(now)
	top, bottom := 0, 0
	for top < min(len(was), len(is)) && was[top] == is[top] {
		top++
	}
	for bottom < min(len(was), len(is))-top && was[len(was)-1-bottom] == is[len(is)-1-bottom] {
		bottom++
	}
	if by > 0 {
		return max(top, len(is)-bottom-moved), len(is) - bottom
	}
	return top, min(len(is)-bottom, top+moved)
}

// pick is the number of the first place within lines, or the last one where by is negative.
func pick(places []int, from, to, by int) int {
	picked := 0
	for i, y := range places {
		if y < from || y >= to {
			continue
		}
		if by > 0 {
			return i + 1
		}
		picked = i + 1
	}
	return picked
}
