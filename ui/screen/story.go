package screen

import (
	"sort"

	"rvtui/scenarios"
	"rvtui/ui/view/diff"
	"rvtui/ui/view/etcd"
	"rvtui/ui/view/log"
	"rvtui/ui/view/timeline"
	"rvtui/ui/words"
)

// Story is a trace made ready to be drawn at any cursor: whatever would have to be
// counted from the beginning is counted once, when a step is added, so that a frame
// costs the same however long the trace is. It only grows.
type Story struct {
	Trace    scenarios.Trace
	history  *scenarios.History
	actors   [2]scenarios.Actor // whose panes the first two are
	log      []logged           // every exchange, in the history's order
	byActor  map[scenarios.Actor][]int
	table    []row          // the revision table's lines
	newest   map[string]int // by key, the table's line of its newest revision
	marks    []mark
	versions *diff.Index // of the objects
	timeline *timeline.Index
	logged   *log.Index
	store    *etcd.Index
}

// logged is an exchange with what is said of it.
type logged struct {
	ref     scenarios.ExchangeRef
	request words.Request
	answer  words.Answer
}

// row is a line of the revision table: one of the scenario's own revisions, or a gap
// that others' revisions leave before it.
type row struct {
	revision scenarios.Revision
	step     int
	gap      int   // > 0: this many revisions by others, and no revision
	next     int64 // the key's next revision; 0 while there is none
}

// mark is how much of the table belongs to the steps up to one.
type mark struct {
	rows     int
	trailing int // others' revisions since the last own one
}

// NewStory makes a trace ready.
func NewStory(t scenarios.Trace) *Story {
	steps := t.Steps
	t.Steps = nil
	if t.Setup != nil {
		setup := *t.Setup
		setup.Step = 0
		t.Setup = &setup
	}
	s := &Story{Trace: t, history: &scenarios.History{}, byActor: map[scenarios.Actor][]int{}, newest: map[string]int{}, versions: &diff.Index{}}
	s.timeline, s.logged = timeline.NewIndex(&s.Trace), log.NewIndex(&s.Trace)
	s.store = etcd.NewIndex(&s.Trace)
	s.actors = panesOf(t.Plan, steps)
	setup := t.Setup
	if setup == nil {
		setup = &scenarios.Observation{}
	}
	s.add(setup)
	for _, o := range steps {
		s.Append(o)
	}
	return s
}

// Append adds one more step.
func (s *Story) Append(o scenarios.Observation) {
	o.Step = len(s.Trace.Steps) + 1
	s.Trace.Steps = append(s.Trace.Steps, o)
	s.timeline.Append(&o)
	s.logged.Append(&o)
	s.store.Append(&o)
	s.add(&s.Trace.Steps[o.Step-1])
}

func (s *Story) add(o *scenarios.Observation) {
	s.history.Append(o)
	s.versions.Append(o)
	for i := range o.Exchanges {
		e := &o.Exchanges[i]
		s.byActor[e.Actor] = append(s.byActor[e.Actor], len(s.log))
		s.log = append(s.log, logged{
			ref:     scenarios.ExchangeRef{Step: o.Step, Index: i},
			request: words.Read(e), answer: words.ReadAnswer(e),
		})
	}
	gap := 0
	if n := len(s.marks); n > 0 {
		gap = s.marks[n-1].trailing
	}
	for _, revision := range o.Revisions {
		if revision.Others() {
			gap++
			continue
		}
		if gap > 0 {
			s.table = append(s.table, row{gap: gap, step: o.Step})
			gap = 0
		}
		if before, ok := s.newest[revision.Key]; ok {
			s.table[before].next = revision.Revision
		}
		s.newest[revision.Key] = len(s.table)
		s.table = append(s.table, row{revision: revision, step: o.Step})
	}
	s.marks = append(s.marks, mark{rows: len(s.table), trailing: gap})
}

// Taken is the number of steps taken, which is where the live edge is.
func (s *Story) Taken() int { return len(s.Trace.Steps) }

// Done reports whether no step is left.
func (s *Story) Done() bool { return s.Taken() >= len(s.Trace.Plan) }

// step is the observation of a step, or of the setup for 0; nil where there is none.
func (s *Story) step(n int) *scenarios.Observation {
	switch {
	case n == 0:
		return s.Trace.Setup
	case n > 0 && n <= len(s.Trace.Steps):
		return &s.Trace.Steps[n-1]
	}
	return nil
}

func (s *Story) exchange(ref scenarios.ExchangeRef) *scenarios.Exchange {
	o := s.step(ref.Step)
	if o == nil || ref.Index < 0 || ref.Index >= len(o.Exchanges) {
		return nil
	}
	return &o.Exchanges[ref.Index]
}

// logUpTo is how many exchanges belong to the steps up to n.
func (s *Story) logUpTo(n int) int { return s.history.At(n).Exchanges }

// of lists the exchanges of an actor in the steps up to n, as indexes into the log.
func (s *Story) of(actor scenarios.Actor, n int) []int {
	all, end := s.byActor[actor], s.logUpTo(n)
	return all[:sort.SearchInts(all, end)]
}

// heldBefore is what the actor of an exchange held of an object when it sent it.
func (s *Story) heldBefore(at int, name string) (scenarios.Held, bool) {
	entry := s.log[at]
	var before scenarios.State
	if entry.ref.Step > 0 {
		before = s.history.At(entry.ref.Step - 1)
	}
	return before.HeldBefore(s.step(entry.ref.Step), entry.ref.Index, name, entry.request.RV)
}

// panesOf says who the first two panes belong to: A and B, unless one of them has
// nothing to do in the whole scenario and an observer or the admin has.
func panesOf(plan []scenarios.PlannedStep, steps []scenarios.Observation) [2]scenarios.Actor {
	acts := map[scenarios.Actor]bool{}
	for _, p := range plan {
		acts[p.Actor] = true
		for _, other := range p.Others {
			acts[other] = true
		}
	}
	for _, o := range steps {
		acts[o.Actor] = true
	}
	var others []scenarios.Actor
	for _, actor := range []scenarios.Actor{scenarios.Observer, scenarios.Admin} {
		if acts[actor] {
			others = append(others, actor)
		}
	}
	actors := [2]scenarios.Actor{scenarios.A, scenarios.B}
	for i, actor := range actors {
		if !acts[actor] && len(others) > 0 {
			actors[i], others = others[0], others[1:]
		}
	}
	return actors
}
