package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/view"
)

// pressLook is a key that opens a view, or that an open one takes; done says whether it
// was one.
func (m *model) pressLook(msg tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	k := keys.Keys
	for _, opens := range []struct {
		key  key.Binding
		view screen.View
	}{
		{k.HTTP, screen.HTTP}, {k.Diff, screen.Diff}, {k.Timeline, screen.Timeline}, {k.Path, screen.Path}, {k.Log, screen.Log},
	} {
		if key.Matches(msg, opens.key) {
			m.toggleLook(opens.view)
			return nil, true
		}
	}
	if !m.state.Looks() {
		return nil, false
	}
	half := max(1, m.size.Height/2)
	whole := m.state.View.IsLook() // a zoomed pane has others beside it to go to
	switch {
	case key.Matches(msg, k.Down):
		m.next(1)
	case key.Matches(msg, k.Up):
		m.next(-1)
	case key.Matches(msg, k.PageDown):
		m.change(func(at *view.State) { at.Down += half })
	case key.Matches(msg, k.PageUp):
		m.change(func(at *view.State) { at.Down -= half })
	case key.Matches(msg, k.Right):
		m.change(func(at *view.State) { at.Right += 8 })
	case key.Matches(msg, k.Left):
		m.change(func(at *view.State) { at.Right -= 8 })
	case key.Matches(msg, k.Older, k.Newer) && (m.state.View == screen.HTTP || m.state.View == screen.Path):
		m.nextAnswer(key.Matches(msg, k.Newer))
	case key.Matches(msg, k.Older):
		m.change(func(at *view.State) { at.Newer++ })
	case key.Matches(msg, k.Newer):
		m.change(func(at *view.State) { at.Newer-- })
	case key.Matches(msg, k.OlderSide):
		m.change(func(at *view.State) { at.Older++ })
	case key.Matches(msg, k.NewerSide):
		m.change(func(at *view.State) { at.Older-- })
	case key.Matches(msg, k.NextPane) && whole:
		m.change(func(at *view.State) { *at = view.State{Open: at.Open, Filter: at.Filter, Object: at.Object + 1} })
	case key.Matches(msg, k.PreviousPane) && whole:
		m.change(func(at *view.State) { *at = view.State{Open: at.Open, Filter: at.Filter, Object: at.Object - 1} })
	case key.Matches(msg, k.Unfold):
		folded := cells.Plain(m.drawn().Lines)
		m.change(func(at *view.State) { at.Open = !at.Open })
		if slices.Equal(folded, cells.Plain(m.drawn().Lines)) {
			m.state.Look.Open = !m.state.Look.Open // so that the next one shows what is folded there
		}
	case key.Matches(msg, k.Filter) && m.state.View == screen.Log:
		m.state.Filtering = true
	case key.Matches(msg, k.Copy):
		return m.copy(), true
	default:
		return nil, false
	}
	return nil, true
}

// pressLogFilter is a key while the log's filter is typed.
func (m *model) pressLogFilter(msg tea.KeyPressMsg) {
	typed := m.state.Look.Filter
	switch {
	case key.Matches(msg, keys.Keys.Close):
		m.state.Filtering = false
		m.filterLog("")
	case msg.String() == "enter", msg.String() == "backspace" && typed == "":
		m.state.Filtering = false
		m.filterLog(typed)
	default:
		m.filterLog(edited(typed, msg))
	}
}

// filterLog shows the log's lines that hold a text.
func (m *model) filterLog(text string) {
	typed := strings.Join(strings.Fields(text), " ")
	if strings.HasSuffix(text, " ") && typed != "" { // another word may follow
		typed += " "
	}
	m.change(func(at *view.State) { at.Filter, at.Down = first(typed, maxFilter), 0 })
}

// maxFilter is how many characters a filter can have.
const maxFilter = 80

// toggleLook opens a view, or closes it where it is the open one.
func (m *model) toggleLook(v screen.View) {
	if m.unset() {
		m.state.Note = m.whyUnset()
		return
	}
	if m.state.View == v {
		m.unzoom()
		return
	}
	m.stand()
	m.state.Look.Open = false // it is another thing that is unfolded there
	m.state.Filtering = false
	m.state.View = v
}

// change changes how the reader looks at the open view, within its limits.
func (m *model) change(how func(*view.State)) {
	how(&m.state.Look)
	m.state.Look = m.drawn().At
}

func (m *model) drawn() view.Drawn {
	return screen.Look(m.story, m.shown(), m.size, m.theme(), m.options.Lang)
}

// next is the next thing that can be chosen, or where there are no two, the next line.
func (m *model) next(by int) {
	now := m.drawn()
	if now.Choices < 2 {
		m.change(func(at *view.State) { at.Down += by })
		return
	}
	m.change(func(at *view.State) {
		*at = now.At
		at.Chosen, at.Down = max(1, min(now.At.Chosen+by, now.Choices)), 0
	})
}

// nextAnswer chooses the nearest request of the step, forwards or backwards, that was
// answered in another way than the chosen one.
func (m *model) nextAnswer(forwards bool) {
	o := view.Observation(&m.story.Trace, m.state.Cursor)
	now := m.drawn()
	if o == nil || now.Choices < 2 {
		return
	}
	by := -1
	if forwards {
		by = 1
	}
	status := o.Exchanges[now.At.Chosen-1].Status
	for i := now.At.Chosen - 1; i >= 0 && i < len(o.Exchanges); i += by {
		if o.Exchanges[i].Status != status {
			m.next(i + 1 - now.At.Chosen)
			return
		}
	}
	m.state.Note = m.in("there is no other answer that way")
}

// copy asks the terminal to take what the view shows; not every terminal does.
func (m *model) copy() tea.Cmd {
	said := m.drawn().Copy
	if said == "" {
		m.state.Note = m.in("there is nothing to copy here")
		return nil
	}
	m.state.Note = m.in("copied, if the terminal lets programs do that (OSC 52)")
	return tea.SetClipboard(said)
}
