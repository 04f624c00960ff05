package screen

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

func (f *frame) etcdTitle() string {
	if f.now.Etcd.Head == 0 {
		return f.in("revisions")
	}
	if f.layout.Panes[PaneEtcd].H-2 < airy { // no room for a line of its own
		return "head " + number(f.now.Etcd.Head)
	}
	return f.in("revisions")
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// etcd draws the store: its head, the table of revisions with the newest at the
// bottom, and what the step under the cursor did to it. Zoomed, it is the view of etcd in
// depth.
func (f *frame) etcd(width, height int) cells.Body {
	if f.state.View == Zoomed {
		return cells.Body{Lines: f.look(Rect{W: width, H: height}).Lines}
	}
	var head []cells.Line
	if height >= airy {
		head = f.storeLines(width)
	}
	facts := f.facts(width)
	total := f.tableLen()

	header := height >= 8
	fixed := len(head)
	if header {
		fixed++
	}
	gap := 0
	if len(facts) > 0 && height >= airy {
		gap = 1
	}
	room := height - fixed - gap - len(facts)
	if least := min(total, (height-fixed)/2); room < least {
		room = least
		keep := max(0, height-fixed-gap-room)
		if len(facts) > keep && keep > 0 {
			dropped := len(facts) - keep + 1
			facts = append([]cells.Line{cells.TextLine(f.in("… %d before", dropped), &f.th.Dim)}, facts[dropped:]...)
		}
		facts = facts[:min(len(facts), keep)]
	}
	limit := max(0, total-room)
	scroll := clamp(f.state.Scroll[PaneEtcd], 0, limit)
	to := total - scroll
	from := max(0, to-room)

	shown := make([]row, 0, to-from)
	for i := from; i < to; i++ {
		shown = append(shown, f.tableRow(i))
	}
	lines := slices.Clone(head)
	lines = append(lines, f.tableLines(shown, width, header)...)
	if len(facts) > 0 {
		if gap > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, facts...)
	}
	return cells.Body{Lines: lines, Above: from, Below: total - to, Limit: limit}
}

// storeLines are the head and the compacted revision, and where they are known from.
func (f *frame) storeLines(width int) []cells.Line {
	if f.now.Etcd.Head == 0 {
		return []cells.Line{cells.TextLine(f.in("not read yet"), &f.th.Dim), nil}
	}
	compacted := f.in("compacted none")
	switch {
	case f.now.Etcd.Compacted > 0:
		compacted = f.in("compacted %d", f.now.Etcd.Compacted)
	case !f.story.Trace.KnowsCompacted(f.now.Etcd):
		compacted = f.in("compacted ?")
	}
	left := cells.Line{{"head ", &f.th.Text}, {number(f.now.Etcd.Head), &f.th.Strong}}
	out := []cells.Line{cells.Spread(left, cells.TextLine(compacted, &f.th.Dim), width)}
	if source := f.now.Etcd.Source; source != "" && !words.Ours(f.story.Trace.Mode) {
		said := f.in("read through: %s", f.in(source))
		if cells.Width(cells.Clean(said)) > width { // the source itself tells
			said = f.in(source)
		}
		out = append(out, cells.TextLine(said, &f.th.Dim).Fit(width))
	}
	return append(out, nil)
}

// tableLen is the number of the table's lines at the cursor.
func (f *frame) tableLen() int {
	m := f.story.marks[f.state.Cursor]
	if m.trailing > 0 {
		return m.rows + 1
	}
	return m.rows
}

// tableRow is the table's line i; a gap that is still open at the cursor is its last.
func (f *frame) tableRow(i int) row {
	m := f.story.marks[f.state.Cursor]
	if i >= m.rows {
		return row{gap: m.trailing, step: f.state.Cursor}
	}
	return f.story.table[i]
}

// column is a column of the table.
type column struct {
	name  string
	right bool
	width int
	value func(scenarios.Revision) string
}

func (f *frame) tableLines(rows []row, width int, header bool) []cells.Line {
	key := func(r scenarios.Revision) string {
		if r.Name != "" {
			return r.Name
		}
		return words.ShortKey(r.Key, f.story.Trace.Namespace)
	}
	op := func(r scenarios.Revision) string {
		if r.Op == "DELETE" && width < 60 {
			return "DEL"
		}
		return r.Op
	}
	columns := []column{
		{"rev", true, 0, func(r scenarios.Revision) string { return number(r.Revision) }},
		{"op", false, 0, op},
		{"key", false, 0, key},
		{"ver", true, 0, func(r scenarios.Revision) string { return words.KeyNumber(&r, r.Version) }},
		{"by", false, 0, func(r scenarios.Revision) string { return f.in(words.By(r.By)) }},
	}
	forgotten := map[int64]bool{}
	for _, r := range rows {
		if r.gap == 0 && r.revision.Gone(r.next, f.now.Etcd.Compacted) {
			forgotten[r.revision.Revision] = true
		}
	}
	if len(forgotten) > 0 {
		columns[len(columns)-1].value = func(r scenarios.Revision) string {
			switch {
			case !forgotten[r.Revision]:
				return f.in(words.By(r.By))
			case width < 60:
				return f.in("gone")
			}
			return f.in("%s, gone", f.in(words.By(r.By)))
		}
	}
	if width >= 60 {
		columns = slices.Insert(columns, 3,
			column{"create_revision", true, 0, func(r scenarios.Revision) string { return words.KeyNumber(&r, r.CreateRevision) }},
			column{"mod_revision", true, 0, func(r scenarios.Revision) string { return number(r.ModRevision) }})
		columns[5].name = "version"
	}
	const keyColumn = 2
	used := 2 // the mark
	for i := range columns {
		c := &columns[i]
		c.width = cells.Width(c.name)
		for _, r := range rows {
			if r.gap == 0 {
				c.width = max(c.width, cells.Width(cells.Clean(c.value(r.revision))))
			}
		}
		used += c.width
	}
	between := len(columns) - 1
	space := 1
	if used+2*between <= width {
		space = 2
	} else if over := used + between - width; over > 0 {
		columns[keyColumn].width = max(3, columns[keyColumn].width-over)
	}

	var out []cells.Line
	if header {
		l := cells.Line{{"  ", nil}}
		for i, c := range columns {
			if i > 0 {
				l = append(l, cells.Span{cells.Spaces(space), nil})
			}
			l = append(l, cells.Span{c.cell(c.name), &f.th.Dim})
		}
		out = append(out, l)
	}
	if len(rows) == 0 && header {
		return append(out, cells.TextLine("  "+f.in("none of the scenario's yet"), &f.th.Dim))
	}
	for _, r := range rows {
		if r.gap > 0 {
			out = append(out, cells.TextLine(f.in("· %d by others", r.gap), &f.th.Dim))
			continue
		}
		style, mark := &f.th.Text, "  "
		if r.step == f.state.Cursor {
			style, mark = &f.th.Current, "▸ "
		}
		gone := forgotten[r.revision.Revision]
		if gone {
			style = &f.th.Dim
		}
		l := cells.Line{{mark, style}}
		for i, c := range columns {
			if i > 0 {
				l = append(l, cells.Span{cells.Spaces(space), nil})
			}
			s := style
			if c.name == "by" && !gone {
				s = f.byStyle(r.revision.By)
			}
			l = append(l, cells.Span{c.cell(cells.Clean(c.value(r.revision))), s})
		}
		out = append(out, l)
	}
	return out
}

func (c column) cell(s string) string {
	s = cells.Cut(s, c.width)
	if c.right {
		return cells.Spaces(c.width-cells.Width(s)) + s
	}
	return s + cells.Spaces(c.width-cells.Width(s))
}

func (f *frame) byStyle(by string) *lipgloss.Style {
	if by == string(scenarios.A) || by == string(scenarios.B) {
		return f.actorStyle(scenarios.Actor(by))
	}
	return &f.th.Text
}

// facts are what the step under the cursor did in etcd.
func (f *frame) facts(width int) []cells.Line {
	if f.step == nil {
		return nil
	}
	var out []cells.Line
	if said := words.Unrecorded(&f.story.Trace, f.step, f.lang); said != "" {
		out = cells.WrapLines(said, width, &f.th.Dim)
	}
	before := scenarios.Actor("")
	for _, fact := range words.Evidence(&f.story.Trace, f.step, f.lang) {
		who, style := string(fact.Actor), f.actorStyle(fact.Actor)
		if f.step.Step == 0 {
			who, style = scenarios.BySetup, &f.th.Dim
		}
		said := cells.Clean(fact.Text)
		if fact.Short != "" && len(who)+2+cells.Width(said) > width {
			said = cells.Clean(fact.Short)
		}
		who = short(who, width-2-cells.Width(said))
		indent := len(who) + 2
		if indent+cells.Width(said) > width {
			indent--
		}
		if fact.Actor == before {
			who = cells.Spaces(len(who))
		}
		before = fact.Actor
		weight := &f.th.Text
		if fact.Wrote || fact.Conclusion {
			weight = &f.th.Strong
		}
		parts := strings.Fields(said) // a key too long for the pane is cut, not broken in two
		for i := range parts {
			parts[i] = cells.Cut(parts[i], width-indent)
		}
		for i, l := range cells.Wrap(strings.Join(parts, " "), width-indent) {
			if i > 0 {
				who = ""
			}
			out = append(out, cells.Line{cells.Text(who+cells.Spaces(indent-len(who)), style), {l, weight}})
		}
	}
	return out
}
