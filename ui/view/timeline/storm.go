package timeline

import (
	"math"
	"sort"

	"rvtui/ui/words"
)

// storm is many requests of the same kind at once, told together.
type storm struct {
	request   words.Request // what they have in common
	exchanges []int         // in the order of their answers
	by        [slots]int
	atOnce    int // at most so many were under way at the same instant
	begins    float64
	ends      float64
	shortest  float64
	longest   float64
	outcomes  []outcome
	txns      int // Txns that had something to write, and how many of them held
	held      int
	writes    string // what they write: "put", "delete"
	reads     int
	readFrom  int64 // the least and the greatest mod_revision that was read
	readTo    int64
	other     int   // RPCs of other kinds
	rounds    []int // by how many Txns it took: how many requests
	revisions []int // own ones, in order
	bars      []bar
}

// outcome is an answer, and how many were given it.
type outcome struct {
	status string
	n      int
}

// bar is how many requests took from so many Txns to so many.
type bar struct{ from, to, n int }

// A step's requests of one kind are a storm from so many on, if so many were under way at once.
const (
	stormSize   = 7
	stormAtOnce = 4
	bars        = 6
)

// storms finds a step's storms, in the order in which they began.
func storms(s *step) []*storm {
	if len(s.exchanges) < stormSize {
		return nil
	}
	o := s.o
	type kind struct{ verb, target, patch string }
	kinds := map[kind][]int{}
	for i := range s.exchanges {
		r := &s.exchanges[i].request
		k := kind{r.Verb, r.Target(), r.PatchType}
		kinds[k] = append(kinds[k], i)
	}
	var found []*storm
	for _, members := range kinds {
		if len(members) < stormSize {
			continue
		}
		st := &storm{exchanges: members, begins: math.Inf(1), ends: math.Inf(-1), shortest: math.Inf(1), request: s.exchanges[members[0]].request}
		if st.atOnce = atOnce(s, members); st.atOnce < stormAtOnce {
			continue
		}
		count := map[string]int{}
		for _, i := range members {
			e, x := &o.Exchanges[i], &s.exchanges[i]
			x.storm = st
			st.by[x.slot]++
			count[x.answer.Status]++
			st.begins = min(st.begins, e.StartedMs)
			st.ends = max(st.ends, e.StartedMs+max(0, e.DurationMs))
			st.shortest, st.longest = min(st.shortest, e.DurationMs), max(st.longest, e.DurationMs)
			if x.request.RV != st.request.RV {
				st.request.RV = ""
			}
			for len(st.rounds) <= x.txns {
				st.rounds = append(st.rounds, 0)
			}
			st.rounds[x.txns]++
		}
		for status, n := range count {
			st.outcomes = append(st.outcomes, outcome{status, n})
		}
		sort.Slice(st.outcomes, func(i, j int) bool {
			a, b := st.outcomes[i], st.outcomes[j]
			return a.status < b.status
		})
		st.bars = spread(st.rounds)
		found = append(found, st)
	}
	if len(found) == 0 {
		return nil
	}
	for i := range o.RPCs {
		r := &o.RPCs[i]
		e := s.exchange(r.Exchange)
		if e == nil || e.storm == nil {
			continue
		}
		switch {
		case r.Method == "Txn" && r.Writes != "":
			e.storm.txns++
			e.storm.writes = r.Writes
			if r.Wrote() {
				e.storm.held++
			}
		case r.Method == "Range":
			e.storm.read(r.ModRevision)
		default:
			e.storm.other++
		}
	}
	for i := range o.Revisions {
		if e := s.exchange(o.Revisions[i].Exchange); e != nil && e.storm != nil && o.Revisions[i].Own {
			e.storm.revisions = append(e.storm.revisions, i)
		}
	}
	for _, st := range found {
		sort.SliceStable(st.exchanges, func(i, j int) bool {
			a, b := &o.Exchanges[st.exchanges[i]], &o.Exchanges[st.exchanges[j]]
			return a.StartedMs+max(0, a.DurationMs) < b.StartedMs+max(0, b.DurationMs)
		})
	}
	sort.Slice(found, func(i, j int) bool {
		a, b := found[i], found[j]
		if a.begins != b.begins {
			return a.begins < b.begins
		}
		return a.exchanges[0] < b.exchanges[0]
	})
	return found
}

func (t *storm) read(mod int64) {
	if t.reads == 0 {
		t.readFrom = mod
	}
	t.reads++
	t.readFrom, t.readTo = min(t.readFrom, mod), max(t.readTo, mod)
}

// atOnce is how many of some exchanges were under way at the same instant, at most.
func atOnce(s *step, members []int) int {
	type edge struct {
		at float64
		n  int
	}
	var edges []edge
	for _, i := range members {
		e := &s.o.Exchanges[i]
		edges = append(edges, edge{e.StartedMs, 1}, edge{e.StartedMs + max(0, e.DurationMs), -1})
	}
	sort.Slice(edges, func(i, j int) bool {
		if edges[i].at != edges[j].at {
			return edges[i].at < edges[j].at
		}
		return edges[i].n < edges[j].n
	})
	most, now := 0, 0
	for _, e := range edges {
		now += e.n
		most = max(most, now)
	}
	return most
}

// spread puts the numbers of rounds into a few bars of the same size, if there is
// anything to compare.
func spread(rounds []int) []bar {
	distinct, least := 0, -1
	for n, requests := range rounds {
		if requests > 0 {
			distinct++
			if least < 0 {
				least = n
			}
		}
	}
	if distinct < 3 {
		return nil
	}
	size := (len(rounds) - least + bars - 1) / bars
	var out []bar
	for from := least; from < len(rounds); from += size {
		b := bar{from: from, to: min(from+size, len(rounds)) - 1}
		for n := b.from; n <= b.to; n++ {
			b.n += rounds[n]
		}
		out = append(out, b)
	}
	return out
}

// part is what a row of a storm shows.
type part uint8

const (
	stormMeanwhile part = iota // that it began before the end of what stands above
	stormSent                  // how many of what, and by whom; the Txns that they became
	stormWho                   // by whom, and how many of the Txns held
	stormReads                 // what else was asked of etcd
	stormRounds                // a heading
	stormBar
	stormMore // so many answers are left out
	stormDone // what was answered
)

// shown reports whether one of a storm's answers has a row of its own: the first and the
// last ones have, and those that hardly any other is like.
func (t *storm) shown(at int, status string, dense bool) bool {
	few, rare := 3, 2
	if dense {
		few, rare = 1, 1
	}
	if at < few || at >= len(t.exchanges)-few {
		return true
	}
	for _, o := range t.outcomes {
		if o.status == status {
			return o.n <= rare
		}
	}
	return false
}

// addStorm makes a storm's rows.
func (b *builder) addStorm(st *storm) {
	if len(st.revisions) > 0 {
		b.addBefore(st.revisions[:1])
	}
	for slot, n := range st.by {
		b.opened[slot] += n
	}
	r := row{at: st.begins, until: st.begins, left: stormRow, exchange: -1, rpc: -1, storm: st, open: b.mask()}
	add := func(p part) *row {
		r.part = p
		b.out = append(b.out, r)
		r.at, r.until = math.NaN(), math.NaN()
		return &b.out[len(b.out)-1]
	}
	if st.begins < b.last && b.stormy {
		add(stormMeanwhile)
		r.at, r.until = st.begins, st.begins
	}
	b.stormy = true
	add(stormSent).beads = st.revisions
	add(stormWho)
	if st.reads > 0 && st.txns > 0 || st.other > 0 {
		add(stormReads)
	}
	if len(st.bars) > 0 {
		add(stormRounds)
	}
	if !b.form.dense() {
		for i := range st.bars {
			add(stormBar).n = i
		}
	}
	left := 0
	for at, i := range st.exchanges {
		e, x := &b.s.o.Exchanges[i], &b.s.exchanges[i]
		b.opened[x.slot]--
		if !st.shown(at, x.answer.Status, b.form.dense()) {
			left++
			continue
		}
		if left > 0 {
			add(stormMore).n, left = left, 0
		}
		ended := e.StartedMs + max(0, e.DurationMs)
		b.out = append(b.out, row{at: ended, until: ended, left: answer, exchange: i, rpc: -1, storm: st, open: r.open})
	}
	r.open = b.mask()
	done := add(stormDone)
	done.at, done.until = st.ends, st.ends
	b.last = max(b.last, st.ends)
}
