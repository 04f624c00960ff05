package ui

import (
	"reflect"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
)

// seen is all that a key can change on the screen.
type seen struct {
	state                                  screen.State
	picker                                 screen.Picker
	open                                   any
	help, palette, mouse, predict, present bool
	speed                                  int
}

func (m *model) seen() seen {
	s := seen{state: m.state, open: m.open, help: m.help, palette: m.palette != nil, mouse: m.mouse, predict: m.predict, present: m.presenting, speed: m.speed}
	s.picker = screen.Picker{Selected: m.picker.Selected, Filter: m.picker.Filter, Filtering: m.picker.Filtering, Note: m.picker.Note}
	return s
}

// answered makes sure that a key is answered: where it did nothing, it is said why.
func (m *model) answered(before seen, msg tea.KeyPressMsg, cmd tea.Cmd) tea.Cmd {
	before.state.Note, before.picker.Note = "", ""
	if cmd == nil && reflect.DeepEqual(before, m.seen()) {
		m.note(m.why(msg))
	}
	return cmd
}

// why is why a key does nothing now, and what would.
func (m *model) why(msg tea.KeyPressMsg) string {
	k := keys.Keys
	is := func(bindings ...key.Binding) bool { return key.Matches(msg, bindings...) }
	name := cells.Cut(cells.Clean(keys.Sign(msg.String())), 12)
	switch {
	case m.open == nil:
		return m.whyInList(msg, name)
	case m.unset() && is(k.Step, k.Back, k.First, k.Last, k.Autoplay):
		return m.whyUnset()
	case is(k.Step) && (m.state.Running != nil || m.state.Queued > 0):
		return m.in("the step is still under way")
	case is(k.Step) && !m.begun:
		return m.in("the scenario is not ready yet")
	case is(k.Back, k.First):
		return m.in("this is the beginning   → steps on")
	case is(k.Last, k.Autoplay) && m.story.Taken() >= m.end():
		return m.in("that was the last step   h looks back")
	case is(k.Last):
		return m.in("this is the live edge   → takes the next step")
	case is(k.FoundBefore):
		return m.in("/ searches; then n is the next place, N the one before")
	case is(k.Down, k.PageDown):
		return m.in("nothing is further down")
	case is(k.Up, k.PageUp):
		return m.in("nothing is further up")
	case is(k.Older, k.Newer, k.OlderSide, k.NewerSide) && m.state.View != screen.Diff:
		return m.in("%s goes through revisions in the diff   d opens it", name)
	case is(k.Older, k.Newer, k.OlderSide, k.NewerSide):
		return m.in("there is no revision further that way")
	case is(k.Unfold, k.Copy, k.Left, k.Right) && !m.state.Looks():
		return m.in("%s is for a view   x d t w L open one", name)
	case is(k.Unfold):
		return m.in("nothing is folded here")
	case is(k.Left, k.Right):
		return m.in("nothing is further that way")
	case is(k.NextPane, k.PreviousPane):
		return m.in("there is no other one here")
	case is(k.Faster):
		return m.in("that is the fastest")
	case is(k.Slower):
		return m.in("that is the slowest")
	case is(k.Pane):
		return m.in("this pane is the current one already")
	}
	return m.in("%s does nothing here   ? lists the keys", name)
}

// unset reports whether the open scenario could not be set up, so that there is nothing to
// walk through and nothing to look at.
func (m *model) unset() bool {
	return m.open != nil && !m.begun && m.state.Problem != nil && m.state.Problem.Unset
}

// whyUnset is why a key does nothing then.
func (m *model) whyUnset() string {
	switch {
	case m.state.Problem.Final:
		return m.in("this cluster cannot show it   esc back to the list")
	case m.prepare != nil:
		return m.in("there is nothing to walk on   r tries again   esc back to the list")
	}
	return m.in("the setup failed   r runs it again   esc back to the list")
}

func (m *model) whyInList(msg tea.KeyPressMsg, name string) string {
	k := keys.Keys
	switch {
	case key.Matches(msg, k.Close):
		return m.in("this is the list of scenarios   q quits")
	case key.Matches(msg, k.Down, k.PageDown, k.Last):
		return m.in("that is the last one")
	case key.Matches(msg, k.Up, k.PageUp, k.First):
		return m.in("that is the first one")
	case keys.Does(msg.String(), false) != "":
		return m.in("%s is for an open scenario   enter opens one", name)
	}
	return m.in("%s does nothing here   ? lists the keys", name)
}
