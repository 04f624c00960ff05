package timeline

import (
	"math"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// revisions finds out which RPC wrote each revision. Those of which that is not known stand
// at their exchange's answer, before which they came, or at the end.
func (b *builder) revisions(folded func(*exchange) bool) []moment {
	o := b.s.o
	type wrote struct {
		exchange int
		revision int64
	}
	writers := map[wrote]int{}
	for i := range o.RPCs {
		if r := &o.RPCs[i]; r.Wrote() && b.s.exchange(r.Exchange) != nil {
			writers[wrote{*r.Exchange, r.Revision}] = i
		}
	}
	b.written, b.before, b.newest = map[int][]int{}, map[int][]int{}, -1
	var loose []moment
	var others []int
	for i := range o.Revisions {
		r := &o.Revisions[i]
		if strange(r) {
			others = append(others, i)
			continue
		}
		if b.newest < 0 {
			b.begin, others = b.early(others)
		}
		if len(others) > 0 {
			b.before[i], others = others, nil
		}
		b.newest = i
		e := b.s.exchange(r.Exchange)
		switch {
		case e != nil && folded(e): // the storm shows it
		case e == nil:
			loose = append(loose, moment{math.Inf(1), revised, i})
		default:
			if rpc, ok := writers[wrote{*r.Exchange, r.Revision}]; ok {
				b.written[rpc] = append(b.written[rpc], i)
				continue
			}
			x := &o.Exchanges[*r.Exchange]
			loose = append(loose, moment{x.StartedMs + max(0, x.DurationMs), revised, i})
		}
	}
	if b.newest < 0 {
		b.begin, b.rest = b.early(others)
	} else {
		b.after, b.rest = b.early(others)
	}
	return loose
}

// early are others' revisions up to the last one of the scenario's own objects.
func (b *builder) early(others []int) (early, late []int) {
	for i := len(others); i > 0; i-- {
		if b.s.o.Revisions[others[i-1]].Own {
			return others[:i:i], others[i:]
		}
	}
	return nil, others
}

// untilAnswered puts a request's revisions, of which only the request is known, in one row with
// its answer where nothing is known to have come between, and returns how many moments that are.
func (b *builder) untilAnswered(r *row, next []moment) int {
	at := b.s.o.Revisions[next[0].n].Exchange
	if b.s.exchange(at) == nil {
		return 1
	}
	took := 1
	for ; took < len(next) && next[took].kind == revised; took++ {
		n := next[took].n
		if other := b.s.o.Revisions[n].Exchange; other == nil || *other != *at || len(b.before[n]) > 0 {
			return took
		}
		r.beads = append(r.beads, n)
	}
	if took < len(next) && next[took].kind == answered && next[took].n == *at {
		r.left, r.exchange, r.at, r.until = answer, *at, next[took].at, next[took].at
		b.close(b.s.exchanges[*at].slot)
		took++
	}
	return took
}

// addBefore shows what others wrote before some revisions.
func (b *builder) addBefore(revisions []int) {
	for _, i := range revisions {
		b.addOthers(b.before[i])
		delete(b.before, i)
	}
}

// addOthers shows revisions of others: those of the scenario's own objects each in a row, the
// rest side by side in one, or each in its own too.
func (b *builder) addOthers(revisions []int) {
	r := row{at: math.NaN(), right: othersBeads, exchange: -1, rpc: -1, open: b.mask()}
	own := func(at int) bool { return b.s.o.Revisions[revisions[at]].Own }
	for from := 0; from < len(revisions); {
		to := from + 1
		for !b.form.open() && to < len(revisions) && !own(from) && !own(to) {
			to++
		}
		r.others = revisions[from:to]
		b.out = append(b.out, r)
		from = to
	}
}

// strange reports whether nobody of the walk made a revision.
func strange(r *scenarios.Revision) bool { return r.Others() || words.Unclaimed(r) }
