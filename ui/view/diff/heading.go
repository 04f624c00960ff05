package diff

import (
	"slices"
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

func number(n int64) string { return strconv.FormatInt(n, 10) }

// heading is what stands above the comparison: lines of the view's width, the least
// needed ones left out where there is room for so many only.
func (p *picture) heading(room int) []cells.Line {
	title := p.title()
	revisions := p.revisions()
	var said, note, strip []cells.Line
	for _, s := range p.sentences() {
		said = append(said, p.indented(s)...)
	}
	strip = []cells.Line{p.strip()}
	if s := p.stored(); s != "" {
		for _, l := range cells.WrapLines(s, p.width(), &p.in.Theme.Dim) {
			note = append(note, p.margin(l))
		}
	}
	total := func() int { return 1 + len(revisions) + len(said) + len(note) + len(strip) }
	for _, least := range []*[]cells.Line{&note, &strip, &said, &revisions} {
		if total() > room {
			*least = nil
		}
	}
	return slices.Concat([]cells.Line{title}, revisions, strip, said, note)
}

// width is that of what has a margin.
func (p *picture) width() int { return max(1, p.in.Size.Width-2) }

func (p *picture) margin(l cells.Line) cells.Line {
	if p.in.Size.Width < 3 {
		return l.Fit(p.in.Size.Width)
	}
	return append(cells.Line{{" ", nil}}, l...)
}

func (p *picture) indented(s string) []cells.Line {
	var out []cells.Line
	for _, l := range cells.WrapLines(s, p.width(), &p.in.Theme.Text) {
		out = append(out, p.margin(l))
	}
	return out
}

// title is the object: its kind and name, its key, and which of several it is.
func (p *picture) title() cells.Line {
	th := p.in.Theme
	left := cells.Line{cells.Text(p.name(), &th.Strong)}
	var right cells.Line
	if p.count > 1 {
		right = cells.TextLine(p.in.In("object %d of %d · tab", p.position+1, p.count), &th.Dim)
	}
	key := p.of.key
	if !p.in.Trace.Sees(scenarios.CapabilityEtcdRead) { // nobody saw where it is stored
		key = words.Resource(key, p.in.Trace.Namespace)
	}
	key = cells.Clean("   " + key)
	if left.Width()+cells.Width(key)+right.Width()+2 <= p.width() {
		left = append(left, cells.Span{key, &th.Dim})
	}
	return p.margin(cells.Spread(left, right, p.width()))
}

// name is the object's kind and name.
func (p *picture) name() string {
	if p.of.kind == "" {
		return p.short()
	}
	return p.of.kind + " " + p.short()
}

func (p *picture) short() string {
	if p.of.name != "" {
		return p.of.name
	}
	return words.ShortKey(p.of.key, p.in.Trace.Namespace)
}

// who is who wrote a revision, and when.
func (p *picture) who(r *revision) string {
	by := p.in.In(words.By(r.By))
	switch {
	case r.step > 0:
		return p.in.In("%s, step %d", by, r.step)
	case r.By == scenarios.BySetup:
		return by
	}
	return p.in.In("%s, setup", by)
}

// revisions says which two are compared, and by how many lines they differ.
func (p *picture) revisions() []cells.Line {
	th := p.in.Theme
	newer := p.at(p.newer)
	side := func(r *revision) cells.Line {
		return cells.Line{{number(r.Revision.Revision), &th.Strong}, cells.Text(" ("+p.who(r)+")", p.in.Actor(scenarios.Actor(r.By)))}
	}
	l := cells.Line{{p.in.In("revision") + " ", &th.Text}}
	version := words.KeyNumber(&newer.Revision, newer.Version)
	if older := p.at(p.older); older != nil {
		l = append(append(l, side(older)...), cells.Span{" → ", &th.Text})
		version = words.KeyNumber(&older.Revision, older.Version) + " → " + version
	}
	l = append(l, side(newer)...)
	about := cells.Line{{p.in.In("version %s", version), &th.Text}}
	if c := p.made; c.removed+c.added > 0 {
		about = append(about, cells.Span{"   -" + strconv.Itoa(c.removed) + " +" + strconv.Itoa(c.added), &th.Strong})
	}
	if l.Width()+3+about.Width() <= p.width() {
		return []cells.Line{p.margin(cells.Spread(l, about, p.width()))}
	}
	return []cells.Line{p.margin(l.Fit(p.width())), p.margin(about.Fit(p.width()))}
}

// strip is the object's revisions up to the cursor, those compared in brackets, and those
// around them as far as there is room.
func (p *picture) strip() cells.Line {
	th := p.in.Theme
	right := cells.TextLine(p.in.Count(len(p.known), "revision", "revisions"), &th.Dim)
	label := func(i int) string {
		s := number(p.known[i].Revision.Revision)
		if p.known[i].gone() {
			s += " DEL"
		}
		if i == p.newer || i == p.older {
			return "[" + s + "]"
		}
		return s
	}
	const between = 3                                     // cells, of a dash or an ellipsis
	left := p.width() - right.Width() - 2 - 3*(between+1) // the ellipses
	var shown []int
	take := func(i int) bool {
		if i < 0 || i >= len(p.known) || slices.Contains(shown, i) {
			return true
		}
		n := cells.Width(label(i)) + between
		if n > left && i != p.newer && i != p.older {
			return false
		}
		left -= n
		shown = append(shown, i)
		return true
	}
	take(p.newer)
	take(p.older)
	for d := 1; d < len(p.known); d++ {
		if !take(p.newer-d) || !take(p.newer+d) || !take(p.older-d) || !take(p.older+d) {
			break
		}
	}
	slices.Sort(shown)
	var l cells.Line
	last := -1
	for _, i := range shown {
		switch {
		case i > last+1:
			gap := " … "
			if len(l) == 0 {
				gap = "… "
			}
			l = append(l, cells.Span{gap, &th.Dim})
		case len(l) > 0:
			l = append(l, cells.Span{" ─ ", &th.Dim})
		}
		style := &th.Dim
		if i == p.newer || i == p.older {
			style = &th.Strong
		}
		l = append(l, cells.Span{label(i), style})
		last = i
	}
	if last < len(p.known)-1 {
		l = append(l, cells.Span{" …", &th.Dim})
	}
	return p.margin(cells.Spread(l, right, p.width()))
}

// stored says where the resourceVersion is, which the stored object does not have.
func (p *picture) stored() string {
	before, after := p.made.before, p.made.after
	if before.versioned || after.versioned || !p.in.Trace.Sees(scenarios.CapabilityEtcdRead) { // as the API gave it, that says nothing
		return ""
	}
	if before.known && after.known {
		return p.in.In("No resourceVersion is stored in the object: the apiserver takes it from the key's mod_revision, %d and %d.",
			p.at(p.older).ModRevision, p.at(p.newer).ModRevision)
	}
	holds := p.at(p.newer)
	if before.known {
		holds = p.at(p.older)
	}
	if !before.known && !after.known {
		return ""
	}
	return p.in.In("No resourceVersion is stored in the object: the apiserver takes it from the key's mod_revision, %d.", holds.ModRevision)
}
