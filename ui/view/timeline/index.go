package timeline

import (
	"sort"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// Index is a trace made ready to be drawn: what each step has to show is put in order
// once, when the step is added, so that a frame costs the same however long the trace is
// and however many requests a step has sent. It only grows.
type Index struct {
	recorded  bool // every RPC is known, so that one that was not seen did not happen
	namespace string
	acts      [slots]bool // who has a lane
	steps     []*step     // the setup, then the steps
	// ends is, for each form, how many rows there are up to the end of each step.
	ends [forms][]int
}

// The lanes of those who act, from left to right.
const (
	slotA = iota
	slotB
	slotObserver
	slotAdmin
	slots
)

var actors = [slots]scenarios.Actor{scenarios.A, scenarios.B, scenarios.Observer, scenarios.Admin}

func slotOf(actor scenarios.Actor) int {
	for slot, a := range actors {
		if a == actor {
			return slot
		}
	}
	return slotAdmin
}

// A form is one of the ways to show a step: folded or not, with or without room to spare.
type form int

const (
	roomy form = iota
	dense
	unfolded
	unfoldedDense
	forms
)

func (f form) dense() bool { return f == dense || f == unfoldedDense }
func (f form) open() bool  { return f == unfolded || f == unfoldedDense }

// step is one observation made ready.
type step struct {
	n         int
	o         *scenarios.Observation
	exchanges []exchange
	events    []string // what each watch event says
	storms    []*storm
	rows      [forms][]row
	ends      float64 // since the trace began, in milliseconds
}

// exchange is one exchange with what is said of it, and what it did in etcd.
type exchange struct {
	slot    int
	request words.Request
	answer  words.Answer
	rpcs    int
	txns    int
	wrote   bool // an RPC of its own, or a revision that may be its own
	// unwritten says that the revisions alone show that it wrote nothing.
	unwritten bool
	attempts  int // of its call
	storm     *storm
}

// NewIndex makes a trace ready, as far as it goes.
func NewIndex(t *scenarios.Trace) *Index {
	x := &Index{recorded: t.Sees(scenarios.CapabilityEtcdRPC), namespace: t.Namespace}
	for _, p := range t.Plan {
		// Of a step at the same time, the observer only keeps count.
		if len(p.Others) == 0 || p.Actor != scenarios.Observer {
			x.acts[slotOf(p.Actor)] = true
		}
		for _, other := range p.Others {
			x.acts[slotOf(other)] = true
		}
	}
	setup := t.Setup
	if setup == nil {
		setup = &scenarios.Observation{}
	}
	x.Append(setup)
	for i := range t.Steps {
		x.Append(&t.Steps[i])
	}
	return x
}

// Append adds one more observation, which must not change afterwards.
func (x *Index) Append(o *scenarios.Observation) {
	s := &step{n: len(x.steps), o: o}
	x.read(s)
	s.storms = storms(s)
	before := 0.0
	if s.n > 0 {
		before = x.steps[s.n-1].ends
	}
	build := func(f form) []row {
		b := builder{x: x, s: s, form: f}
		return b.build(before)
	}
	// Where there is no storm, all that room is used for is the empty row before a step.
	s.rows[roomy], s.rows[unfolded] = build(roomy), build(unfolded)
	s.rows[dense], s.rows[unfoldedDense] = withoutEmpty(s.rows[roomy]), withoutEmpty(s.rows[unfolded])
	if len(s.storms) > 0 {
		s.rows[dense] = build(dense)
	}
	s.ends = max(o.StartedMs+o.DurationMs, before)
	for f := range forms {
		total := len(s.rows[f])
		if s.n > 0 {
			total += x.ends[f][s.n-1]
		}
		x.ends[f] = append(x.ends[f], total)
	}
	x.steps = append(x.steps, s)
}

// withoutEmpty is a step's rows without the empty one before it.
func withoutEmpty(rows []row) []row {
	if len(rows) > 0 && rows[0].left == gapBetween && rows[0].gap == 0 {
		return rows[1:]
	}
	return rows
}

// read takes a step's exchanges and events apart.
func (x *Index) read(s *step) {
	o := s.o
	acts := func(actor scenarios.Actor) {
		if s.n > 0 { // the setup has no lane of its own
			x.acts[slotOf(actor)] = true
		}
	}
	attempts := map[int]int{}
	for i := range o.Exchanges {
		e := &o.Exchanges[i]
		attempts[e.Call] = max(attempts[e.Call], e.Attempt)
		s.exchanges = append(s.exchanges, exchange{
			slot: slotOf(e.Actor), request: words.Read(e), answer: words.ReadAnswer(e),
		})
		acts(e.Actor)
	}
	for i := range o.Exchanges {
		s.exchanges[i].attempts = attempts[o.Exchanges[i].Call]
		s.exchanges[i].unwritten = words.Unwritten(o, i, x.namespace)
	}
	for i := range o.RPCs {
		r := &o.RPCs[i]
		e := s.exchange(r.Exchange)
		if e == nil {
			if len(o.Exchanges) == 0 {
				acts(r.Actor)
			}
			continue
		}
		e.rpcs++
		e.wrote = e.wrote || r.Wrote()
		if r.Method == "Txn" {
			e.txns++
		}
	}
	unknown := false // whose a revision is: it may be anyone's of the step
	for i := range o.Revisions {
		r := &o.Revisions[i]
		if r.Others() {
			continue
		}
		if e := s.exchange(r.Exchange); e != nil {
			e.wrote = true
		} else {
			unknown = true
		}
	}
	if unknown {
		for i := range s.exchanges {
			s.exchanges[i].wrote = true
		}
	}
	for i := range o.Events {
		s.events = append(s.events, words.Event(o.Events[i]))
		acts(o.Events[i].Actor)
	}
}

// exchange is what an index into the step's exchanges names; nil where it names none.
func (s *step) exchange(at *int) *exchange {
	if at == nil || *at < 0 || *at >= len(s.exchanges) {
		return nil
	}
	return &s.exchanges[*at]
}

// total is how many rows there are in a form.
func (x *Index) total(f form) int { return x.ends[f][len(x.steps)-1] }

// first is which row a step begins with.
func (x *Index) first(f form, n int) int {
	if n == 0 {
		return 0
	}
	return x.ends[f][n-1]
}

// at is the step that a row belongs to, and which of its rows it is.
func (x *Index) at(f form, line int) (*step, int) {
	n := sort.SearchInts(x.ends[f], line+1)
	return x.steps[n], line - x.first(f, n)
}
