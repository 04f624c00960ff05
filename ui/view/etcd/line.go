package etcd

import (
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// drawing is the table, about to be drawn.
type drawing struct {
	*view.Input
	index *Index
	table table

	// Widths of the columns; 0 for one that there is no room for.
	step, rev, op, key, by, took int
	version, create, mod         int
	gap                          int  // between two columns
	room                         int  // for what is said of an RPC, and for a revision's numbers
	right                        int  // of that, how much is out of sight
	full                         bool // keys are shown as they are in etcd

	versionName, createName, modName string
}

// line is one line of the table. It is whole where it has no columns.
type line struct {
	mark, step, rev, op, key, by, rest, took string
	actor                                    scenarios.Actor
	whole                                    string
	style, said                              *lipgloss.Style // of the line, and of the rest
	rule                                     bool
}

// columns gives each column its width: those of the rows up to the cursor, so that they do
// not move while one scrolls.
func (d *drawing) columns() {
	m, width := d.table.mark, d.Size.Width
	gap := 1
	if width >= 100 {
		gap = 2
	}
	d.gap = gap
	d.versionName, d.createName, d.modName = "ver", "create", "mod"
	if width >= 100 {
		d.versionName, d.createName, d.modName = "version", "create_revision", "mod_revision"
	}
	digits := len(number(max(d.Now.Etcd.Head, 100)))
	d.version, d.mod = max(len(d.versionName), 3), max(len(d.modName), digits)
	if width >= 72 {
		d.create = max(len(d.createName), digits)
	}
	if width >= 64 {
		d.step = max(len("step"), len(number(int64(d.Cursor))))
	}
	if width >= 58 && m.took > 0 {
		d.took = m.took
	}
	d.rev = min(max(digits, 3), 19)
	d.op = min(max(m.op, 2), 11)
	d.by = min(max(m.by, 2), max(6, width/6))
	d.key = m.own
	if d.At.Open {
		d.key = m.rest
	}
	if d.full = width >= 150 && d.Trace.Sees(scenarios.CapabilityEtcdRead); d.full { // or else nobody saw where they are
		d.key = m.ownFull
		if d.At.Open {
			d.key = m.restFull
		}
	}
	numbers := d.version + 2 + d.mod + 2 + max(cells.Width(d.In("gone")), cells.Width(d.In("kept")))
	if d.create > 0 {
		numbers += 2 + d.create
	}
	left := 2 + d.rev + d.op + d.by + 4*gap
	for _, w := range []int{d.step, d.took} {
		if w > 0 {
			left += w + gap
		}
	}
	most := width / 3
	if width < 100 {
		most = width / 4
	}
	wanted := max(numbers, min(30, width/2)) // what is said of an RPC takes that, mostly
	d.key = max(3, min(d.key, most, max(10, width-left-wanted)))
	d.room = max(1, width-left-d.key)
}

// names is the columns' names.
func (d *drawing) names() cells.Line {
	style := &d.Theme.Dim
	l := line{mark: "  ", step: "step", rev: "rev", op: "op", key: "key", by: "by", rest: d.numbers(d.versionName, d.createName, d.modName), style: style, said: style}
	return d.cells(l)
}

// numbers is what a revision says of its key.
func (d *drawing) numbers(version, create, mod string) string {
	said := cells.Pad(version, d.version, true)
	if d.create > 0 {
		said += "  " + cells.Pad(create, d.create, true)
	}
	return said + "  " + cells.Pad(mod, d.mod, true)
}

// line is line i of the table; top says that it is the first in sight.
func (d *drawing) line(i int, top bool) line {
	s, rule := d.table.at(i)
	if rule {
		return line{rule: true}
	}
	r := &d.index.rows[s.from]
	th := d.Theme
	l := line{mark: "  ", actor: r.actor(), style: &th.Dim, said: &th.Dim}
	current := r.step == d.Cursor
	if current {
		l.mark, l.style, l.said = "▸ ", &th.Text, &th.Text
	}
	if before := s.from - 1; top || before < 0 || d.index.rows[before].step != r.step {
		l.step = number(int64(r.step))
	}
	switch {
	case s.storm:
		l.whole = d.In("… %d rows between; o unfolds them", s.to-s.from)
	case r.sum != nil:
		l.whole = r.sum.comesTo(d.Input)
	case r.others() && !d.At.Open:
		first, last := r.revision.Revision, d.index.rows[s.to-1].revision.Revision
		which := number(first)
		if last != first {
			which += "–" + number(last)
		}
		l.whole, l.style = d.In("· %s: %d by others", which, s.to-s.from), &th.Dim
	case r.revision != nil:
		d.revised(&l, r, current)
	case r.rpc != nil:
		l.op, l.key, l.by = cells.Clean(r.rpc.Method), cells.Clean(r.key(d.index.namespace, d.full)), d.who(r)
		l.rest, l.took = called(d.Input, r.rpc), took(r.rpc.DurationMs)
		if current && (r.rpc.Error != "" || r.rpc.Succeeded != nil && !*r.rpc.Succeeded) {
			l.said = &th.Strong
		}
	case r.conclude != nil && r.conclude.exchange < 0:
		l.whole = concluded(d.Input, r.conclude)
	case r.conclude != nil:
		l.by, l.rest = d.who(r), concluded(d.Input, r.conclude)
		if current {
			l.said = &th.Strong
		}
	}
	return l
}

// revised is a revision's line.
func (d *drawing) revised(l *line, r *row, current bool) {
	rev := r.revision
	l.rev, l.op, l.key, l.by = number(rev.Revision), cells.Clean(rev.Op), cells.Clean(r.key(d.index.namespace, d.full)), d.who(r)
	l.rest = d.numbers(words.KeyNumber(rev, rev.Version), words.KeyNumber(rev, rev.CreateRevision), number(rev.ModRevision))
	if rev.Unreadable != "" {
		l.rest += "  " + cells.Clean(rev.Unreadable)
	}
	compacted := d.Now.Etcd.Compacted
	switch {
	case rev.Gone(r.next, compacted):
		l.rest += "  " + d.In("gone")
		l.style, l.said, l.actor = &d.Theme.Dim, &d.Theme.Dim, ""
		return
	case rev.Revision < compacted:
		l.rest += "  " + d.In("kept")
	}
	switch {
	case r.others():
		l.style, l.said, l.actor = &d.Theme.Dim, &d.Theme.Dim, ""
	case current:
		l.style, l.said = &d.Theme.Current, &d.Theme.Current
	default:
		l.style, l.said = &d.Theme.Text, &d.Theme.Text
	}
}

func (d *drawing) who(r *row) string {
	who := r.by()
	if who == scenarios.ByUnknown {
		if who = d.In(who); cells.Width(who) > d.by {
			who = d.In(words.By(scenarios.ByUnknown))
		}
		return who
	}
	return cells.Clean(who)
}

// cells is a line as it is drawn, what of the rest is in sight.
func (d *drawing) cells(l line) cells.Line { return d.spans(l, true) }

// spans is a line; where it is cut it is as wide as the view at most.
func (d *drawing) spans(l line, cut bool) cells.Line {
	th := d.Theme
	if l.rule {
		said := "── " + d.In("compacted at %d", d.Now.Etcd.Compacted) + " "
		for cells.Width(said) < d.Size.Width {
			said += "─"
		}
		return cells.Line{{cells.Cut(said, d.Size.Width), &th.Text}}
	}
	out := cells.Line{{l.mark, &th.Current}}
	put := func(text string, width int, right bool, style *lipgloss.Style) {
		if width > 0 {
			out = append(out, cells.Span{cells.Pad(text, width, right) + cells.Spaces(d.gap), style})
		}
	}
	put(l.step, d.step, true, &th.Dim)
	if l.whole != "" {
		said := cells.Clean(l.whole)
		if cut {
			said = cells.Cut(said, max(0, d.Size.Width-out.Width()))
		}
		return append(out, cells.Span{said, l.style})
	}
	put(l.rev, d.rev, true, l.style)
	put(l.op, d.op, false, l.style)
	put(l.key, d.key, false, l.style)
	by := l.style
	if l.actor == scenarios.A || l.actor == scenarios.B {
		by = d.Actor(l.actor)
	}
	put(l.by, d.by, false, by)
	rest := l.rest
	if cut {
		if d.right > 0 {
			rest = "…" + ansi.TruncateLeft(rest, d.right+1, "")
		}
		rest = cells.Cut(rest, d.room)
	}
	out = append(out, cells.Span{rest, l.said})
	if d.took > 0 && l.took != "" {
		blank := max(0, d.room-cells.Width(rest)) + d.gap
		out = append(out, cells.Span{cells.Spaces(blank) + cells.Pad(l.took, d.took, true), &th.Dim})
	}
	return out
}
