package ui

import (
	"rvtui/scenarios"
	"rvtui/ui/screen"
)

// atOnce is how many steps of a saved trace are revealed between two frames: a long way
// through a long trace takes no frame for each step, and leaves no key without an answer.
const atOnce = 500

// savedTrace is what the screen needs to know of the saved trace; nil where none is played.
func (m *model) savedTrace() *screen.Saved {
	if m.options.Saved == nil {
		return nil
	}
	return &screen.Saved{Steps: m.options.Saved.Steps}
}

// unplayed is what is shown of a scenario before it is set up: of a saved trace all but its steps.
func (m *model) unplayed(s *scenarios.Scenario) scenarios.Trace {
	if m.options.Saved != nil {
		return m.options.Saved.Head
	}
	t := scenarios.Preview(s)
	t.Kubernetes, t.Etcd, t.Mode = m.info.Kubernetes, m.info.Etcd, m.info.Mode
	return t
}

// end is how many steps can be taken.
func (m *model) end() int {
	if m.options.Saved != nil {
		return m.options.Saved.Steps
	}
	return len(m.story.Trace.Plan)
}

// atEnd is what is said where no step is left.
func (m *model) atEnd() string {
	switch {
	case m.options.Saved != nil && m.end() < len(m.story.Trace.Plan):
		return m.in("the trace was saved before step %d   r begins again   q quits", m.end()+1)
	case m.options.Saved != nil:
		return m.in("that was the last step   r begins again   q quits")
	case m.nextScenario() != nil:
		return m.in("that was the last step   n next scenario   r runs it again   esc back to the list")
	}
	return m.in("that was the last step   r runs it again   esc back to the list")
}

// alone says why nothing else can be opened beside a saved trace.
func (m *model) alone() string {
	return m.in("a saved trace is played alone; rvtui, without play, has the other scenarios   q quits")
}

// revealed is how many of the steps that were asked for are taken by the next call: one,
// but of a saved trace all up to the next question.
func (m *model) revealed() int {
	if m.options.Saved == nil {
		return 1
	}
	n := 1
	for n < min(m.state.Queued, atOnce) && !m.asksBefore(m.story.Taken()+n) {
		n++
	}
	return n
}
