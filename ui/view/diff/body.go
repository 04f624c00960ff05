package diff

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
	"rvtui/ui/objects"
)

// column is a side of the comparison, or both sides in one.
type column struct {
	before, after bool
	width         int // of its text
	right         int // cells scrolled
}

// body draws the comparison, in two columns or in one, and says how far it is scrolled.
func (p *picture) body(size cells.Size, down, right int) (lines []cells.Line, downIn, rightIn int) {
	if size.Height <= 0 {
		return nil, 0, 0
	}
	items, widest := p.made.below, p.made.belowWidth
	beside := size.Width >= wide && size.Height >= 3
	boxed := size.Width >= 24 && size.Height >= 5
	columns := []column{{before: true, after: true, width: size.Width}}
	if beside {
		items, widest = p.made.beside, p.made.besideWidth
		columns = []column{{before: true, width: size.Width / 2}, {after: true, width: size.Width - size.Width/2}}
	}
	inner := size.Height
	if boxed {
		inner -= 2
		for i := range columns {
			columns[i].width -= 4
		}
	}
	const sign = 2
	rightIn = max(0, min(right, widest-(columns[0].width-sign)))
	window := windowOf(len(items), inner, down)
	downIn = window.from

	drawn := make([][]cells.Line, len(columns))
	for i, c := range columns {
		c.right = rightIn
		for j := window.from; j < window.to; j++ {
			drawn[i] = append(drawn[i], p.line(&items[j], c))
		}
		if !boxed {
			continue
		}
		if s := p.empty(c); s != "" && len(drawn[i]) == 0 || beside && s != "" {
			drawn[i] = cells.WrapLines(s, c.width, &p.in.Theme.Dim)
			drawn[i] = drawn[i][:min(len(drawn[i]), inner)]
		}
		body := cells.Body{Lines: drawn[i], Above: window.from, Below: len(items) - window.to}
		drawn[i] = cells.Box(p.caption(c), cells.Line{{"╮", &p.in.Theme.Border}}, body,
			cells.Size{Width: c.width + 4, Height: size.Height}, p.in.Theme, p.in.Lang, false)
	}
	if len(drawn) == 1 {
		return drawn[0], downIn, rightIn
	}
	for i := range max(len(drawn[0]), len(drawn[1])) {
		var l cells.Line
		for j, side := range drawn {
			width := columns[j].width
			if boxed {
				width += 4
			}
			var of cells.Line
			if i < len(side) {
				of = side[i]
			}
			l = append(l, of.Fit(width)...)
		}
		lines = append(lines, l)
	}
	return lines, downIn, rightIn
}

type window struct{ from, to int }

// windowOf is the part of so many lines that is seen, scrolled within its limits.
func windowOf(lines, height, down int) window {
	from := max(0, min(down, lines-height))
	return window{from, min(lines, from+height)}
}

// caption is the upper edge of a column's box.
func (p *picture) caption(c column) cells.Line {
	th := p.in.Theme
	l := cells.Line{{"╭ ", &th.Border}}
	if c.before {
		said := p.in.In("nothing")
		if older := p.at(p.older); older != nil {
			said = number(older.Revision.Revision)
		}
		l = append(l, cells.Span{"- " + said, &th.Neutral}, cells.Span{" ", &th.Border})
	}
	if c.before && c.after {
		l = append(l, cells.Span{"─ ", &th.Border})
	}
	if c.after {
		l = append(l, cells.Span{"+ " + number(p.at(p.newer).Revision.Revision), &th.Neutral}, cells.Span{" ", &th.Border})
	}
	return l
}

// empty says why a column has nothing to show; "" where it has.
func (p *picture) empty(c column) string {
	side := func(at int, known bool) string {
		r := p.at(at)
		switch {
		case known:
			return ""
		case r == nil && (p.at(p.newer).Version == 1 || p.at(p.newer).created):
			return p.in.In("no such key yet")
		case r == nil:
			return p.in.In("not in the trace")
		case r.gone():
			return p.in.In("deleted")
		case r.Unreadable != "":
			return cells.Clean(r.Unreadable)
		}
		return p.in.In("not in the trace")
	}
	switch {
	case c.before && c.after:
		return ""
	case c.before:
		return side(p.older, p.made.before.known)
	}
	return side(p.newer, p.made.after.known)
}

// line is one line of a column.
func (p *picture) line(it *item, c column) cells.Line {
	th := p.in.Theme
	switch {
	case it.fold > 0:
		l := cells.Line{{"  " + p.in.In("… %d lines unchanged", it.fold), &th.Dim}}
		if it.path != "" {
			l = append(l, cells.Text(p.in.In(", then in %s", it.path), &th.Dim))
		}
		return l.Fit(c.width)
	case it.managed:
		return p.managed(it, c)
	case it.Sign == ' ':
		return p.text(' ', it.Before, nil, 0, c, &th.Text, nil)
	case c.before && it.Sign != '+':
		return p.text('-', it.Before, it.Removed, differsFrom(it.Row), c, &th.Removed, &th.RemovedWord)
	case c.after && it.Sign != '-':
		return p.text('+', it.After, it.Added, differsFrom(it.Row), c, &th.Added, &th.AddedWord)
	}
	return nil
}

// differsFrom is the byte from which a replaced line differs, which is the same one on
// both sides; 0 where that is not known.
func differsFrom(r objects.Row) int {
	switch {
	case len(r.Removed) > 0 && len(r.Added) > 0:
		return min(r.Removed[0].From, r.Added[0].From)
	case len(r.Removed) > 0:
		return r.Removed[0].From
	case len(r.Added) > 0:
		return r.Added[0].From
	}
	return 0
}

// text is a line of the object, from where it is scrolled to, with some words marked.
func (p *picture) text(sign byte, s string, marks []objects.Part, differs int, c column, style, marked *lipgloss.Style) cells.Line {
	room := c.width - 2
	l := cells.Line{{string(sign) + " ", style}}
	if room <= 0 {
		return l.Fit(c.width)
	}
	from := 0
	if c.right == 0 && differs > 0 {
		var before string
		if before, from = skipped(s, differs, room); from > 0 {
			l = append(l, cells.Text(before, style))
		}
	}
	// What is far beyond the column's end need not be measured.
	end := len(s)
	for limit := from + 8*(c.right+room) + 256; limit < end; {
		for !utf8.RuneStart(s[limit]) {
			limit--
		}
		end = limit
	}
	scroll := c.right
	add := func(part string, style *lipgloss.Style) {
		part = cells.Clean(part)
		if scroll > 0 {
			n := cells.Width(part)
			part = ansi.TruncateLeft(part, scroll, "")
			scroll = max(0, scroll-n)
		}
		if part != "" {
			l = append(l, cells.Span{part, style})
		}
	}
	at := from
	for _, m := range marks {
		if m.To <= at || m.From >= end {
			continue
		}
		add(s[at:max(at, m.From)], style)
		add(s[max(at, m.From):min(m.To, end)], marked)
		at = min(m.To, end)
	}
	add(s[at:max(at, end)], style)
	return l.Fit(c.width)
}

// skipped is, for a line that begins to differ beyond the room that there is, what stands
// in the place of the part that is the same, and the byte from which it goes on.
func skipped(s string, differs, room int) (instead string, from int) {
	const lead = 12 // what is the same, in front of what differs
	if differs > 4*room || cells.Width(cells.Clean(s[:differs]))+lead > room {
		for from = max(0, differs-lead); from > 0 && !utf8.RuneStart(s[from]); {
			from--
		}
	}
	if from == 0 {
		return "", 0
	}
	rest := strings.TrimLeft(s[:from], " -")
	instead = s[:from-len(rest)]
	if key, _, ok := strings.Cut(rest, ":"); ok && !strings.ContainsAny(key, " \"'{[") {
		instead += key + ": "
	}
	return cells.Cut(cells.Clean(instead), max(1, room/2)) + "…", from
}

// managed is the line that stands for managedFields.
func (p *picture) managed(it *item, c column) cells.Line {
	before, after := p.made.before.entries, p.made.after.entries
	entries := func(n int) string { return p.in.Count(n, "entry", "entries") }
	sign, said, style := "  ", entries(after), &p.in.Theme.Dim
	switch {
	case it.Sign == '-' && !c.before, it.Sign == '+' && !c.after:
		return nil
	case it.Sign == '-':
		sign, said, style = "- ", entries(before), &p.in.Theme.Removed
	case it.Sign == '+':
		sign, style = "+ ", &p.in.Theme.Added
	case c.before && !c.after:
		said = entries(before)
	case c.before && before != after:
		said = strconv.Itoa(before) + " → " + said
	}
	if c.after && it.Sign == ' ' && p.made.managed {
		said = p.in.In("%s, changed", said)
	}
	l := cells.Line{{sign, style}, {"  managedFields: " + said, style}}
	if c.after || it.Sign == '-' {
		l = append(l, cells.Span{p.in.In(" (o unfolds)"), &p.in.Theme.Dim})
	}
	return l.Fit(c.width)
}
