package diff

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"rvtui/ui/cells"
	"rvtui/ui/objects"
	"rvtui/ui/words"
)

const (
	context = 3 // unchanged lines that stand around a change
	foldsAt = 4 // unchanged lines that are folded away; fewer say more than what would stand for them
)

// folded is the line that stands for managedFields. YAML escapes what it ends in, so that
// no object has such a line.
const folded = "  managedFields:\x00"

// text is an object as YAML, as it is stored.
type text struct {
	known     bool // there is an object, and the trace holds it
	versioned bool // it holds a resourceVersion
	lines     []string
	// from and to are the lines of metadata.managedFields, which has so many entries.
	from, to, entries int
}

// read is what a revision holds.
func read(r *revision) text {
	if r == nil || r.gone() {
		return text{}
	}
	stored := words.Object(r.Value)
	if stored == nil {
		return text{}
	}
	t := text{known: true, lines: objects.Lines(words.PlainNumbers(stored))}
	metadata, _ := stored["metadata"].(map[string]any)
	_, t.versioned = metadata["resourceVersion"]
	entries, _ := metadata["managedFields"].([]any)
	if t.entries = len(entries); t.entries == 0 {
		return t
	}
	// The first line of that indent after metadata's own, and what is indented below it.
	for i := slices.Index(t.lines, "metadata:") + 1; i > 0 && i < len(t.lines) && strings.HasPrefix(t.lines[i], " "); i++ {
		if t.lines[i] != "  managedFields:" {
			continue
		}
		t.from, t.to = i, i+1
		for t.to < len(t.lines) && (strings.HasPrefix(t.lines[t.to], "   ") || strings.HasPrefix(t.lines[t.to], "  -")) {
			t.to++
		}
	}
	return t
}

// without is the text with that in the place of managedFields.
func (t *text) without(placeholder ...string) []string {
	if t.to == 0 {
		return t.lines
	}
	return slices.Concat(t.lines[:t.from], placeholder, t.lines[t.to:])
}

func (t *text) managed() []string { return t.lines[t.from:t.to] }

// item is a line of the comparison: a row, or what stands for folded ones.
type item struct {
	objects.Row
	fold    int    // > 0: so many unchanged lines
	path    string // of a fold: which fields the line after it lies in
	managed bool   // managedFields
}

// comparison is an object at two of its revisions.
type comparison struct {
	of           *object
	older, newer int // as sides says
	open         bool

	before, after           text
	beside, below           []item // in two columns, and in one
	besideWidth, belowWidth int    // of the widest line
	removed, added          int    // lines, managedFields left out
	managed                 bool   // managedFields differ
	timesOnly               bool   // and nothing in them but times
	copy                    string
}

// compare makes a comparison, or takes the last one where it is that.
func (x *Index) compare(of *object, older, newer int, open bool, name string) *comparison {
	if c := x.made; c != nil && c.of == of && c.older == older && c.newer == newer && c.open == open {
		return c
	}
	c := &comparison{of: of, older: older, newer: newer, open: open}
	if older >= 0 {
		c.before = read(&of.revisions[older])
	}
	c.after = read(&of.revisions[newer])
	if c.comparable() {
		c.lines()
		c.text(name)
	}
	x.made = c
	return c
}

// comparable reports whether both sides are known: an object, or that there is none.
func (c *comparison) comparable() bool {
	newer := &c.of.revisions[c.newer]
	switch {
	case !newer.gone() && !c.after.known:
		return false
	case c.older >= 0:
		return c.of.revisions[c.older].gone() || c.before.known
	}
	return !newer.gone() // the first revision that is known: all of the object is new to the reader
}

func (c *comparison) lines() {
	c.managed = !slices.Equal(c.before.managed(), c.after.managed())
	c.timesOnly = c.managed && slices.EqualFunc(c.before.managed(), c.after.managed(), func(a, b string) bool {
		return a == b || strings.HasPrefix(strings.TrimLeft(a, " -"), "time:") && strings.HasPrefix(strings.TrimLeft(b, " -"), "time:")
	})
	rows := objects.Rows(c.before.without(folded), c.after.without(folded))
	for _, r := range rows {
		if r.Before == folded || r.After == folded {
			continue
		}
		if r.Sign == '-' || r.Sign == '~' {
			c.removed++
		}
		if r.Sign == '+' || r.Sign == '~' {
			c.added++
		}
	}
	if c.open {
		rows = objects.Rows(c.before.lines, c.after.lines)
	}
	all := make([]item, len(rows))
	for i, r := range rows {
		all[i] = item{Row: r, managed: r.Before == folded || r.After == folded}
	}
	c.beside = all
	if !c.open {
		c.beside = fold(all)
	}
	c.below = inOneColumn(c.beside)
	c.besideWidth, c.belowWidth = widest(c.beside), widest(c.below)
}

// fold leaves of the unchanged lines those that are near a change.
func fold(all []item) []item {
	near := make([]bool, len(all))
	for i := range all {
		switch {
		case all[i].managed:
			near[i] = true
		case all[i].Sign != ' ':
			for j := max(0, i-context); j <= min(len(all)-1, i+context); j++ {
				near[j] = true
			}
		}
	}
	out := make([]item, 0, len(all))
	for i := 0; i < len(all); {
		end := i
		for end < len(all) && !near[end] {
			end++
		}
		if end-i >= foldsAt {
			out = append(out, item{fold: end - i, path: path(all, end)})
		} else {
			end = max(end, i+1)
			out = append(out, all[i:end]...)
		}
		i = end
	}
	return out
}

// path is the fields that a line lies in, from the outermost on: "spec.template.spec".
func path(all []item, at int) string {
	if at >= len(all) {
		return ""
	}
	indent := func(i int) (n int, text string) {
		l := all[i].After
		if all[i].Sign == '-' {
			l = all[i].Before
		}
		text = strings.TrimLeft(l, " -")
		return len(l) - len(text), text
	}
	var fields []string
	within, _ := indent(at)
	for i := at - 1; i >= 0 && within > 0; i-- {
		n, text := indent(i)
		if n >= within {
			continue
		}
		if key, ok := strings.CutSuffix(text, ":"); ok {
			fields = append(fields, key)
		}
		within = n
	}
	slices.Reverse(fields)
	return strings.Join(fields, ".")
}

// inOneColumn has a line and the one that replaces it below each other.
func inOneColumn(beside []item) []item {
	out := make([]item, 0, len(beside)+8)
	for _, it := range beside {
		if it.Sign != '~' {
			out = append(out, it)
			continue
		}
		removed, added := it, it
		removed.Sign, added.Sign = '-', '+'
		out = append(out, removed, added)
	}
	return out
}

func widest(items []item) int {
	n := 0
	for i := range items {
		if it := &items[i]; it.fold == 0 && !it.managed {
			n = max(n, cells.Width(cells.Clean(it.Before)), cells.Width(cells.Clean(it.After)))
		}
	}
	return n
}

// text is what can be copied: the difference as patch and git take it, without
// managedFields where they are folded.
func (c *comparison) text(name string) {
	label := func(at int) string {
		if at < 0 || c.of.revisions[at].gone() {
			return "/dev/null"
		}
		return words.Clean(name) + " @" + number(c.of.revisions[at].Revision.Revision)
	}
	whole := func(t text) string {
		lines := t.lines
		if !c.open {
			lines = t.without()
		}
		if len(lines) == 0 {
			return ""
		}
		return strings.Join(lines, "\n") + "\n"
	}
	c.copy = udiff.Unified(label(c.older), label(c.newer), whole(c.before), whole(c.after))
}
