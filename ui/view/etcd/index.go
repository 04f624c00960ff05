package etcd

import (
	"cmp"
	"slices"
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// Index is a trace's revisions and RPCs in the order of the store's history, step by step,
// so that what a frame costs does not grow with the trace. It only grows, as the trace does.
type Index struct {
	// What is concluded depends on these, of the trace.
	can       []string
	namespace string

	rows   []row
	folded []span         // the same rows, as many of them together as are told in one line
	newest map[string]int // by key, the row of its newest revision
	marks  []mark         // by step, where its rows end; the first is the setup's
}

// NewIndex is the index of all that a trace holds.
func NewIndex(t *scenarios.Trace) *Index {
	x := &Index{can: t.Can, namespace: t.Namespace, newest: map[string]int{}}
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

// row is one thing that happened to the store, or is said of what happened to it; one of
// its fields says which.
type row struct {
	revision *scenarios.Revision
	rpc      *scenarios.RPC
	sum      *sum
	conclude *conclusion

	step    int
	several bool  // the step has several exchanges, so that they have to be told apart
	next    int64 // the revision's key's next one; 0 while there is none
	upTo    int64 // the highest revision of the rows up to this one
}

func (r *row) others() bool { return r.revision != nil && r.revision.Others() }

// sum is what a step of very many rows comes to.
type sum struct {
	rpcs, held, lost, reads, failed, more int
	own, others                           int
}

// conclusion is drawn from what was not seen to reach etcd, of one request or of several.
type conclusion struct {
	said     string // in English
	actor    scenarios.Actor
	exchange int // the first of them
	requests int
}

// span is rows that are told in one line: a row, others' revisions side by side, or what
// lies between the first and the last rows of a storm.
type span struct {
	from, to int
	storm    bool
}

// mark is how much of the table there is at the end of a step, and how wide it is.
type mark struct {
	rows, folded   int
	op, by, took   int
	own, ownFull   int // the widest key of the scenario's own, short and as it is in etcd
	rest, restFull int // of anybody's
}

// A step with more rows than many is told by the first and the last few of them.
const (
	many = 30
	few  = 6
)

// Append adds one more observation: the setup first, then each step.
func (x *Index) Append(o *scenarios.Observation) {
	step := len(x.marks)
	m := mark{op: 3, by: 2, own: 3, ownFull: 3, rest: 3, restFull: 3}
	if step > 0 {
		m = x.marks[step-1]
	}
	rows := ordered(o, x.upTo())
	rows = append(rows, x.conclusions(o)...)
	if len(rows) == 0 {
		said := "nothing was seen in etcd"
		if o.Verdict == scenarios.Skipped {
			said = "skipped"
		} else if t := (scenarios.Trace{Can: x.can}); words.Unrecorded(&t, o, scenarios.English) != "" {
			said = words.NoRevision(&t, o)
		}
		rows = append(rows, row{conclude: &conclusion{said: said, exchange: -1}})
	}
	stormy := len(rows) > many
	if stormy {
		rows = slices.Insert(rows, 0, row{sum: total(rows)})
	}
	from := len(x.rows)
	for _, r := range rows {
		r.step, r.several, r.upTo = step, len(o.Exchanges) > 1, x.upTo()
		if r.revision != nil {
			r.upTo = max(r.upTo, r.revision.Revision)
			if before, ok := x.newest[r.revision.Key]; ok {
				x.rows[before].next = r.revision.Revision
			}
			x.newest[r.revision.Key] = len(x.rows)
		}
		x.rows = append(x.rows, r)
		x.widen(&m, &r)
	}
	x.fold(from, stormy)
	m.rows, m.folded = len(x.rows), len(x.folded)
	x.marks = append(x.marks, m)
}

func (x *Index) upTo() int64 {
	if len(x.rows) == 0 {
		return 0
	}
	return x.rows[len(x.rows)-1].upTo
}

// ordered is a step's RPCs and revisions in the order of the store's history: an RPC stands
// where the revision of its answer says that the store was, and right before the revision
// that it made itself. head is the store's revision before the step.
func ordered(o *scenarios.Observation, head int64) []row {
	type placed struct {
		row
		revision int64
		order    int // among those at the same revision
	}
	const makes, is, sees = 0, 1, 2
	all := make([]placed, 0, len(o.RPCs)+len(o.Revisions))
	for i := range o.Revisions {
		r := &o.Revisions[i]
		all = append(all, placed{row{revision: r}, r.Revision, is})
	}
	at, order := head, sees
	for i := range o.RPCs {
		r := &o.RPCs[i]
		if r.Revision > 0 { // an error's answer has none: it stands where the one before it does
			at, order = r.Revision, sees
			if r.Wrote() {
				order = makes
			}
		}
		all = append(all, placed{row{rpc: r}, at, order})
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.revision, b.revision), cmp.Compare(a.order, b.order))
	})
	rows := make([]row, len(all))
	for i := range all {
		rows[i] = all[i].row
	}
	return rows
}

// conclusions are what is concluded of a step's requests, what is the same said once.
func (x *Index) conclusions(o *scenarios.Observation) []row {
	type key struct {
		actor scenarios.Actor
		said  string
	}
	var rows []row
	met := map[key]*conclusion{}
	t := scenarios.Trace{Can: x.can, Namespace: x.namespace}
	for i := range o.Exchanges {
		for _, fact := range words.EvidenceOf(&t, o, i, scenarios.English) {
			if !fact.Conclusion {
				continue
			}
			k := key{fact.Actor, fact.Kind}
			if met[k] == nil {
				met[k] = &conclusion{said: fact.Kind, actor: fact.Actor, exchange: i}
				rows = append(rows, row{conclude: met[k]})
			}
			met[k].requests++
		}
	}
	return rows
}

func total(rows []row) *sum {
	s := &sum{}
	for i := range rows {
		switch r := rows[i].rpc; {
		case rows[i].others():
			s.others++
		case rows[i].revision != nil:
			s.own++
		case r == nil:
		default:
			s.rpcs++
			switch {
			case r.Error != "":
				s.failed++
			case r.Succeeded != nil && *r.Succeeded:
				s.held++
			case r.Succeeded != nil:
				s.lost++
			case r.Method == "Range" || r.Method == "RangeStream":
				s.reads++
			default:
				s.more++
			}
		}
	}
	return s
}

// fold puts the rows of a step together, from the one where they begin.
func (x *Index) fold(from int, stormy bool) {
	end := len(x.rows)
	first, last := end, end
	if stormy {
		first, last = from+1+few, end-few // the sum stands before the first few
	}
	for i := from; i < end; {
		s := span{from: i, to: i + 1}
		switch {
		case i == first:
			s.to, s.storm = last, true
		case x.rows[i].others():
			for s.to < end && s.to != first && x.rows[s.to].others() {
				s.to++
			}
		}
		x.folded = append(x.folded, s)
		i = s.to
	}
}

// widen makes room for a row.
func (x *Index) widen(m *mark, r *row) {
	m.by = max(m.by, cells.Width(cells.Clean(r.by())))
	switch {
	case r.revision != nil:
		short, full := cells.Width(cells.Clean(r.key(x.namespace, false))), cells.Width(cells.Clean(r.revision.Key))
		m.op = max(m.op, cells.Width(cells.Clean(r.revision.Op)))
		m.rest, m.restFull = max(m.rest, short), max(m.restFull, full)
		if !r.revision.Others() {
			m.own, m.ownFull = max(m.own, short), max(m.ownFull, full)
		}
	case r.rpc != nil:
		m.op = max(m.op, cells.Width(cells.Clean(r.rpc.Method)))
		m.took = max(m.took, len(took(r.rpc.DurationMs)))
		short, full := cells.Width(cells.Clean(r.key(x.namespace, false))), cells.Width(cells.Clean(r.key(x.namespace, true)))
		m.rest, m.restFull, m.own, m.ownFull = max(m.rest, short), max(m.restFull, full), max(m.own, short), max(m.ownFull, full)
	}
}

// key is the row's key, short or as it is in etcd.
func (r *row) key(namespace string, full bool) string {
	switch {
	case r.revision != nil && full:
		return r.revision.Key
	case r.revision != nil && r.revision.Name != "":
		return r.revision.Name
	case r.revision != nil:
		return words.ShortKey(r.revision.Key, namespace)
	case r.rpc != nil && full && r.rpc.RangeEnd != "":
		if last, ok := words.Behind(r.rpc); ok {
			return "> " + last
		}
		return r.rpc.Key + "*"
	case r.rpc != nil && full:
		return r.rpc.Key
	case r.rpc != nil:
		return words.RPCKey(r.rpc, namespace)
	}
	return ""
}

// actor is whose style the row has.
func (r *row) actor() scenarios.Actor {
	switch {
	case r.revision != nil:
		return scenarios.Actor(r.revision.By)
	case r.rpc != nil:
		return r.rpc.Actor
	case r.conclude != nil:
		return r.conclude.actor
	}
	return ""
}

// by is who the row is by, and by which of the step's exchanges, where there are several.
func (r *row) by() string {
	who, exchange := string(r.actor()), -1
	if r.revision != nil {
		who = words.ByWhom(who)
	}
	switch {
	case r.revision != nil && r.revision.Exchange != nil:
		exchange = *r.revision.Exchange
	case r.rpc != nil && r.rpc.Exchange != nil:
		exchange = *r.rpc.Exchange
	case r.conclude != nil && r.conclude.requests == 1:
		exchange = r.conclude.exchange
	}
	if r.step == 0 && (exchange >= 0 || r.conclude != nil) {
		who = scenarios.BySetup
	}
	if r.several && exchange >= 0 {
		who += " #" + strconv.Itoa(exchange+1)
	}
	return who
}
