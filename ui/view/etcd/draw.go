// Package etcd is the view of the store in depth: every revision and every RPC up to the
// step under the cursor, in the order of the store's history, and what of it compaction has
// taken away. It is pure, may import scenarios, the ui packages of texts and cells, and
// terminal libraries, and must never show what came after that step.
package etcd

import (
	"sort"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/view"
)

// Draw draws the store up to the cursor, the rows of its own step marked. in.At.Down counts
// lines from where the step's first row is in sight; in.At.Right moves what is said of RPCs.
// Where in.At.Open is set, storms are unfolded and others' revisions named.
func Draw(in view.Input, index *Index) view.Drawn {
	at := in.At
	if in.Size.Height <= 0 || in.Size.Width <= 0 {
		return view.Drawn{At: at}
	}
	d := drawing{Input: &in, index: index, table: tableAt(index, in.Cursor, in.Now.Etcd.Compacted, in.At.Open)}
	d.columns()
	total := d.table.len()
	fixed := d.heading(0, 0, 0) // as many lines in any case
	if in.Size.Height >= 5 {
		fixed = append(fixed, nil) // the columns' names
	}
	room := max(0, in.Size.Height-len(fixed))

	// The step's first row stands a little below the top, so that what was there right
	// before it is in sight.
	last := max(0, total-room)
	base := max(0, min(d.table.first-room/4, last))
	at.Down = max(-base, min(at.Down, last-base))
	top := base + at.Down
	end := min(total, top+room)
	var shown []line
	for i := top; i < end; i++ {
		shown = append(shown, d.line(i, i == top))
	}
	widest := 0
	for _, l := range shown {
		widest = max(widest, cells.Width(l.rest))
	}
	at.Right = max(0, min(at.Right, widest-d.room))
	d.right = at.Right

	lines := d.heading(top, end, total)
	if in.Size.Height >= 5 {
		lines = append(lines, d.names())
	}
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	for _, l := range shown {
		lines = append(lines, d.cells(l))
		text.WriteString(strings.TrimRight(d.spans(l, false).String(), " ") + "\n")
	}
	return view.Drawn{Lines: cells.Crop(lines, in.Size), At: at, Copy: text.String()}
}

// heading is the store as a whole: its head, what is compacted, where that is known from,
// and which of the table's lines are in sight.
func (d *drawing) heading(from, to, total int) []cells.Line {
	th, width, store := d.Theme, d.Size.Width, d.Now.Etcd
	if store.Head == 0 {
		return []cells.Line{cells.TextLine(d.In("not read yet"), &th.Dim)}
	}
	compacted := d.In("compacted none")
	switch {
	case store.Compacted > 0:
		compacted = d.In("compacted %d", store.Compacted)
	case !d.Trace.KnowsCompacted(store):
		compacted = d.In("compacted ?")
	}
	l := cells.Line{{"head ", &th.Text}, {number(store.Head), &th.Strong}, {"   " + compacted, &th.Text}}
	if store.Source != "" && width >= 70 {
		l = append(l, cells.Text("   "+d.In("read through: %s", d.In(store.Source)), &th.Dim))
	}
	var sight cells.Line
	if to-from < total {
		sight = cells.Line{{d.In("rows %d–%d of %d", from+1, to, total), &th.Dim}}
	}
	out := []cells.Line{cells.Spread(l, sight, width)}
	if !d.Trace.Sees(scenarios.CapabilityEtcdRPC) && d.Size.Height >= 10 {
		said := d.In("RPCs are not recorded on this cluster")
		if !d.Trace.Sees(scenarios.CapabilityEtcdAll) {
			said = d.In("RPCs are not recorded on this cluster; of revisions, only those of the scenario's kinds in its namespace are seen")
		}
		out = append(out, cells.WrapLines(said, width, &th.Dim)...)
	}
	if store.Compacted > 0 && d.Size.Height >= 10 {
		said := d.In("What each key held at revision %d is kept. What it held before is gone, and etcd refuses a read at an older revision.", store.Compacted)
		if strings.HasPrefix(d.Trace.Etcd, "kine") { // which answers as it can
			said = d.In("What each key held at revision %d is kept. What it held before is gone.", store.Compacted)
		}
		out = append(out, cells.WrapLines(said, width, &th.Dim)...)
	}
	if d.Size.Height >= 16 {
		out = append(out, nil)
	}
	return out
}

// table is the lines of the rows up to the cursor. Where the compacted revision lies among
// them, a rule stands before it, and what it would divide is divided.
type table struct {
	index *Index
	open  bool
	mark  mark
	end   int // of the index's own lines
	first int // line of the step under the cursor
	// rule is the line that the rule takes, -1 where there is none; cut is the row that
	// follows it, and split says that it divides a line.
	rule, cut int
	split     bool
}

// tableAt is the table at a step.
func tableAt(x *Index, step int, compacted int64, open bool) table {
	t := table{index: x, open: open, rule: -1}
	if x == nil || step < 0 || step >= len(x.marks) {
		return t
	}
	t.mark = x.marks[step]
	before := mark{}
	if step > 0 {
		before = x.marks[step-1]
	}
	t.end, t.first = t.mark.folded, before.folded
	if open {
		t.end, t.first = t.mark.rows, before.rows
	}
	if compacted <= 0 {
		return t
	}
	t.cut = sort.Search(t.mark.rows, func(i int) bool { return x.rows[i].upTo >= compacted })
	if t.cut > 0 && x.rows[t.cut-1].upTo == 0 { // it was compacted before any of this
		t.cut = 0
	}
	t.rule = sort.Search(t.end, func(i int) bool { return t.own(i).to > t.cut })
	t.split = t.rule < t.end && t.own(t.rule).from < t.cut
	switch {
	case t.first > t.rule && t.split:
		t.first += 2
	case t.first > t.rule:
		t.first++
	}
	if t.split {
		t.rule++
	}
	return t
}

// own is one of the index's own lines.
func (t *table) own(i int) span {
	if t.open {
		return span{from: i, to: i + 1}
	}
	return t.index.folded[i]
}

func (t *table) len() int {
	switch {
	case t.rule < 0:
		return t.end
	case t.split:
		return t.end + 2
	}
	return t.end + 1
}

// at is line i; rule says that it is the compaction's.
func (t *table) at(i int) (s span, rule bool) {
	switch {
	case t.rule < 0 || i < t.rule-1 || i < t.rule && !t.split:
		return t.own(i), false
	case i < t.rule:
		s = t.own(i)
		s.to = t.cut
		return s, false
	case i == t.rule:
		return span{}, true
	case t.split && i == t.rule+1:
		s = t.own(i - 2)
		s.from = t.cut
		return s, false
	case t.split:
		return t.own(i - 2), false
	}
	return t.own(i - 1), false
}
