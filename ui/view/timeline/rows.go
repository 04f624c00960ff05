package timeline

import (
	"math"
	"slices"
	"sort"

	"rvtui/scenarios"
)

// row is one line of the diagram: at most one thing between a client and the apiserver,
// and one between the apiserver and etcd.
type row struct {
	at, until float64 // since the trace began, in milliseconds; NaN where that is not known
	left      leftKind
	right     rightKind
	exchange  int // whom the left side is about
	rpc       int // whom the right side is about
	event     int
	// beads are the step's own revisions that appear here, others those of others. Of these
	// nobody knows when they came.
	beads, others []int
	crowded       bool    // more than one request is not answered yet
	open          uint8   // a bit for each lane with a request that is not answered yet
	gap           float64 // how long nothing happened, in milliseconds
	storm         *storm
	part          part // of the storm
	n             int  // which of the storm's bars, or how many of its answers
}

// timed reports whether it is known when the row happened.
func (r *row) timed() bool { return !math.IsNaN(r.at) }

type leftKind uint8

const (
	nothing leftKind = iota
	request
	answer
	roundTrip // both, in one row
	event
	gapWithin  // nothing happens for a while, within a step
	gapBetween // …and between two steps
	directSend // an RPC of rvtui's own, which passes the apiserver by
	directBack
	stormRow
	noRequest // a step in which nothing was sent
)

type rightKind uint8

const (
	noRPC rightKind = iota
	send
	back
	bead // a revision that no known RPC wrote
	othersBeads
)

// pause is how long, in milliseconds, nothing has to happen for a row to say so.
const pause = 200

// manyAttempts is how many attempts of one call take one row each, where etcd has no part in them.
const manyAttempts = 3

// moment is one thing that happened. At the same instant, they are in this order.
type moment struct {
	at   float64
	kind momentKind
	n    int // which exchange, RPC, event, revision or storm
}

type momentKind uint8

const (
	sent momentKind = iota
	stormed
	rpcSent
	rpcBack
	revised
	watched
	answered
)

// builder puts a step's rows in order.
type builder struct {
	x    *Index
	s    *step
	form form

	written map[int][]int // by RPC: the revisions that it wrote
	// What others wrote of the scenario's own objects stands where it can have come at the
	// earliest, as what a request met was there before it: begin is before all of the step's
	// own revisions, after behind the newest of these. Of other keys nothing depends: they stand
	// before the own revision that follows, or at the end, which is rest.
	begin, after, rest []int
	before             map[int][]int
	newest             int // own revision, or -1
	opened             [slots]int
	out                []row
	last               float64 // until when something happened
	stormy             bool    // a storm has been shown
}

// build lists a step's rows. before is when the step before ended.
func (b *builder) build(before float64) []row {
	moments := b.moments()
	b.last = before
	if b.s.n > 0 {
		b.separate(moments)
		b.addOthers(b.begin)
		if len(moments) == 0 {
			b.out = append(b.out, row{at: math.NaN(), left: noRequest})
		}
	} else {
		b.addOthers(b.begin)
	}
	for len(moments) > 0 {
		moments = moments[b.add(moments):]
		if n := len(b.out); n > 0 && b.newest >= 0 && slices.Contains(b.out[n-1].beads, b.newest) {
			b.addOthers(b.after)
			b.after = nil
		}
	}
	b.rest = append(b.after, b.rest...)
	for i := range b.s.o.Revisions { // in order, whatever was not reached
		if others, ok := b.before[i]; ok {
			b.rest = append(b.rest, others...)
		}
	}
	sort.Ints(b.rest)
	b.addOthers(b.rest)
	return b.out
}

// separate begins a step: with a gap, or with an empty row where there is room for it.
func (b *builder) separate(moments []moment) {
	gap := 0.0
	if len(moments) > 0 && !math.IsNaN(moments[0].at) {
		gap = moments[0].at - b.last
	}
	if gap >= pause {
		b.out = append(b.out, row{at: math.NaN(), left: gapBetween, gap: gap})
	} else if !b.form.dense() {
		b.out = append(b.out, row{at: math.NaN(), left: gapBetween})
	}
	if len(moments) > 0 {
		b.last = moments[0].at
	}
}

// moments lists what happened in a step, in the order of time.
func (b *builder) moments() []moment {
	s, o := b.s, b.s.o
	var all []moment
	folded := func(e *exchange) bool { return e.storm != nil && !b.form.open() }
	for i := range o.Exchanges {
		e := &o.Exchanges[i]
		if folded(&s.exchanges[i]) {
			continue
		}
		all = append(all, moment{e.StartedMs, sent, i})
		if !e.InFlight {
			all = append(all, moment{e.StartedMs + max(0, e.DurationMs), answered, i})
		}
	}
	if !b.form.open() {
		for i, st := range s.storms {
			all = append(all, moment{st.begins, stormed, i})
		}
	}
	for i := range o.RPCs {
		r := &o.RPCs[i]
		e := s.exchange(r.Exchange)
		if e == nil && len(o.Exchanges) > 0 { // rvtui's own looking
			continue
		}
		if e != nil && folded(e) {
			continue
		}
		at := r.StartedMs
		if e != nil { // never before its request, whatever the clock says
			at = max(at, o.Exchanges[*r.Exchange].StartedMs)
		}
		all = append(all, moment{at, rpcSent, i}, moment{at + max(0, r.DurationMs), rpcBack, i})
	}
	for i := range o.Events {
		all = append(all, moment{b.eventAt(i), watched, i})
	}
	all = append(all, b.revisions(folded)...)
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].at != all[j].at {
			return all[i].at < all[j].at
		}
		return all[i].kind < all[j].kind
	})
	return all
}

// eventAt is when a watch's event came: never after its stream's end, however late the
// client came to read it.
func (b *builder) eventAt(i int) float64 {
	event := &b.s.o.Events[i]
	if event.Exchange == nil || b.s.exchange(event.Exchange) == nil {
		return event.AtMs
	}
	e := &b.s.o.Exchanges[*event.Exchange]
	return min(event.AtMs, e.StartedMs+max(0, e.DurationMs))
}

// add makes rows of the next moments, and returns how many it took.
func (b *builder) add(next []moment) int {
	s, o, m := b.s, b.s.o, next[0]
	r := row{at: m.at, until: m.at, exchange: -1, rpc: -1, event: -1}
	soon := func(kind momentKind) *moment { // the moment after this one, if it is of that kind
		if len(next) > 1 && next[1].kind == kind && next[1].at-m.at < pause {
			return &next[1]
		}
		return nil
	}
	b.wait(m)
	took := 1
	switch m.kind {
	case sent:
		e := &s.exchanges[m.n]
		r.left, r.exchange = request, m.n
		if n := b.inOneRow(next); n > 0 {
			r.left, took = roundTrip, n
			if n > 2 {
				b.toEtcd(&r, &next[1])
			}
			r.until = next[n-1].at
		} else if rpc := soon(rpcSent); rpc != nil && b.of(rpc.n) == m.n {
			took = 2
			b.toEtcd(&r, rpc)
		}
		b.opened[e.slot]++
		b.watch(&r)
		if r.left == roundTrip {
			b.opened[e.slot]--
		}
	case stormed:
		b.addStorm(s.storms[m.n])
		return 1
	case rpcSent:
		b.toEtcd(&r, &m)
		if r.exchange = b.of(m.n); r.exchange < 0 {
			r.left = directSend
			b.opened[slotOf(o.RPCs[m.n].Actor)]++
		}
		b.watch(&r)
	case rpcBack:
		r.right, r.rpc = back, m.n
		b.watch(&r)
		if r.exchange = b.of(m.n); r.exchange < 0 {
			r.left = directBack
			b.close(slotOf(o.RPCs[m.n].Actor))
		} else if end := soon(answered); end != nil && end.n == r.exchange {
			r.left, r.until, took = answer, end.at, 2
			b.close(s.exchanges[r.exchange].slot)
		}
	case revised:
		b.addBefore([]int{m.n})
		r.right, r.beads = bead, []int{m.n}
		r.at, r.until = math.NaN(), math.NaN() // nobody measured it
		b.watch(&r)
		took = b.untilAnswered(&r, next)
	case watched:
		r.left, r.event = event, m.n
		b.watch(&r)
	case answered:
		r.left, r.exchange = answer, m.n
		b.watch(&r)
		b.close(s.exchanges[m.n].slot)
	}
	if r.timed() {
		b.last = max(b.last, r.until)
	}
	b.out = append(b.out, r)
	return took
}

// inOneRow is how many of the next moments are one exchange that is told in one row, where
// there is nothing to be learned from its parts: an attempt among many in which etcd had
// no part, or what the setup wrote. 0 where there is more to it.
func (b *builder) inOneRow(next []moment) int {
	s, i := b.s, next[0].n
	e := &s.exchanges[i]
	is := func(at int, kind momentKind, n int) bool {
		return len(next) > at && next[at].kind == kind && (kind == answered && next[at].n == n || kind != answered && b.of(next[at].n) == n)
	}
	switch {
	case e.rpcs == 0 && e.attempts > manyAttempts && is(1, answered, i):
		return 2
	case s.n == 0 && !b.form.open() && !e.answer.Failed && is(1, rpcSent, i) && is(2, rpcBack, i) && is(3, answered, i) && b.s.o.RPCs[next[1].n].Wrote():
		return 4
	}
	return 0
}

// toEtcd puts an RPC on its way.
func (b *builder) toEtcd(r *row, m *moment) {
	r.right, r.rpc, r.beads, r.until = send, m.n, b.written[m.n], m.at
	b.addBefore(r.beads)
}

// of is the exchange that an RPC belongs to, or -1.
func (b *builder) of(rpc int) int {
	if r := &b.s.o.RPCs[rpc]; b.s.exchange(r.Exchange) != nil {
		return *r.Exchange
	}
	return -1
}

// wait adds a row for a while in which nothing happened.
func (b *builder) wait(m moment) {
	gap := m.at - b.last
	if gap < pause || math.IsInf(gap, 1) {
		return
	}
	r := row{at: math.NaN(), left: gapWithin, gap: gap, exchange: -1, open: b.mask()}
	if m.kind == sent {
		r.exchange = m.n
	}
	b.out = append(b.out, r)
	b.last = m.at
}

// watch notes in a row which requests are not answered yet.
func (b *builder) watch(r *row) {
	r.open = b.mask()
	total := 0
	for _, n := range b.opened {
		total += n
	}
	r.crowded = total > 1
}

func (b *builder) close(slot int) { b.opened[slot] = max(0, b.opened[slot]-1) }

// mask is which lanes have a request that is not answered yet.
func (b *builder) mask() uint8 {
	var m uint8
	for slot, n := range b.opened {
		if n > 0 {
			m |= 1 << slot
		}
	}
	return m
}

// writer is whose a revision is, in a word and as an actor.
func writer(r *scenarios.Revision) scenarios.Actor { return scenarios.Actor(r.By) }
