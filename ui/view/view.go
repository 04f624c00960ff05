// Package view is what the views of a trace have in common: what they are drawn from, how
// a reader looks at them, and what they give back. A view is a pure function from Input
// to Drawn, in a package of its own below this one; it may import scenarios, the ui
// packages of texts and cells, and terminal libraries. It does no I/O, asks neither clock
// nor environment, and its cost does not grow with the length of the trace.
package view

import (
	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// Input is what a view is drawn from.
type Input struct {
	Trace  *scenarios.Trace
	Cursor int // the step that is looked at; 0 is the setup
	// Before and Now are what is known before the step under the cursor and after it.
	Before, Now scenarios.State

	Size  cells.Size // of the view itself
	Theme *theme.Theme
	Lang  string
	At    State
}

// State is how a reader looks at a view. Each view uses what it has a use for.
type State struct {
	Down   int  // lines scrolled down, from where the view stands by itself; negative is up
	Right  int  // cells scrolled to the right
	Chosen int  // which of the things that can be chosen, from 1: an exchange, for one; 0 is where the view stands by itself
	Open   bool // what is folded is unfolded: managedFields, a storm's requests, others' revisions
	// Of the diff: which object, and how many revisions back the two sides are from where
	// they stand by themselves.
	Object, Older, Newer int
	Filter               string // of the log: what a line must hold
}

// Drawn is a view.
type Drawn struct {
	Lines []cells.Line // at most as many as the view is high, none wider than it is
	// At is the state with everything within its limits: what is scrolled beyond the end
	// stands at the end, and what is chosen has its number.
	At State
	// Choices is how many things can be chosen among with j and k; where there are fewer
	// than two, j and k scroll.
	Choices int
	Copy    string // what y copies; "" is nothing
}

// Step is the observation under the cursor; nil where there is none.
func (in *Input) Step() *scenarios.Observation { return Observation(in.Trace, in.Cursor) }

// Telling is the exchange that a step is about, where nobody chose one: the last one that
// was refused, or else the last. The step must have exchanges.
func Telling(o *scenarios.Observation) int {
	for i := len(o.Exchanges) - 1; i >= 0; i-- {
		if o.Exchanges[i].Status >= 400 {
			return i
		}
	}
	return len(o.Exchanges) - 1
}

// Observation is that of a step, or of the setup for 0; nil where there is none.
func Observation(t *scenarios.Trace, n int) *scenarios.Observation {
	switch {
	case n == 0:
		return t.Setup
	case n > 0 && n <= len(t.Steps):
		return &t.Steps[n-1]
	}
	return nil
}

// In is one of rvtui's own texts in the reader's language.
func (in *Input) In(english string, args ...any) string { return words.In(in.Lang, english, args...) }

// Count is a number with its noun in the reader's language.
func (in *Input) Count(n int, one, many string) string { return words.CountIn(in.Lang, n, one, many) }

// Actor is the style of whoever a text is about.
func (in *Input) Actor(actor scenarios.Actor) *lipgloss.Style {
	switch actor {
	case scenarios.A:
		return &in.Theme.A
	case scenarios.B:
		return &in.Theme.B
	}
	return &in.Theme.Neutral
}
