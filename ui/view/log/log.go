// Package log is the view of what the servers and the client libraries logged, up to the
// step under the cursor. It is pure, apart from the index remembering what it has
// searched; it may import scenarios, the ui packages of texts and cells, and terminal
// libraries, and must never show what was logged after that step.
package log

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// Draw draws the lines that the index holds of the steps up to the cursor, those of its
// own step marked. in.At.Down counts lines of the log, from where the step's first one is
// in sight; where in.At.Open is set they are wrapped, and else cut, for in.At.Right.
func Draw(in view.Input, index *Index) view.Drawn {
	at := in.At
	first, end, line := index.shown(in.Cursor, in.At.Filter)
	if in.Size.Height <= 0 || in.Size.Width <= 0 {
		return view.Drawn{At: at}
	}
	if end == 0 {
		at.Down, at.Right = 0, 0
		lines := cells.WrapLines(nothing(&in, index), in.Size.Width, &in.Theme.Text)
		return view.Drawn{Lines: lines[:min(len(lines), in.Size.Height)], At: at}
	}
	lines := []cells.Line{caption(&in, index, first, end)}
	d := drawing{Input: &in, line: line, named: in.Size.Height >= 10 && in.Size.Width >= 72}
	d.columns(end)
	if d.named {
		lines = append(lines, d.names())
	}
	height := in.Size.Height - len(lines)
	d.height = height

	// The step's first line stands a little below the top, so that what was logged right
	// before it is in sight.
	last := d.back(end, height)
	base := min(d.back(min(first+1, end), height/4), last)
	at.Down = max(-base, min(at.Down, last-base))
	top := base + at.Down
	at.Right = max(0, min(at.Right, d.widest(top, end)-d.room))
	if at.Open {
		at.Right = 0
	}
	d.right = at.Right
	for i := top; i < end && len(lines) < in.Size.Height; i++ {
		lines = append(lines, d.entry(i)...)
	}
	return view.Drawn{Lines: lines[:min(len(lines), in.Size.Height)], At: at, Copy: own(line, first, end)}
}

// caption says how many lines there are, how many are the step's own, and what they hold.
func caption(in *view.Input, index *Index, first, end int) cells.Line {
	left := cells.Line{{in.In("log"), &in.Theme.Strong}, {"  ", nil}}
	said := in.Count(end, "line", "lines")
	if in.At.Filter != "" {
		_, all := index.span(in.Cursor)
		said = in.In("%d of %s with “%s”", end, in.Count(all, "line", "lines"), cells.Clean(in.At.Filter))
	}
	of := "%d of this step"
	if in.Cursor == 0 {
		of = "%d of the setup"
	}
	said += in.In(", ") + in.In(of, end-first)
	left = append(left, cells.Span{said, &in.Theme.Dim})
	hint := in.In("o wraps")
	if in.At.Open {
		hint = in.In("o cuts")
	}
	return cells.Spread(left, cells.Line{{hint, &in.Theme.Dim}}, in.Size.Width)
}

// nothing says why there is no line to show.
func nothing(in *view.Input, index *Index) string {
	_, all := index.span(in.Cursor)
	switch {
	case all > 0:
		return in.In("No line up to this step holds “%s”.", cells.Clean(in.At.Filter))
	case index != nil && len(index.lines) > 0:
		return in.In("Nothing was logged up to this step.")
	case in.Trace.Mode != "" && !words.Ours(in.Trace.Mode):
		return in.In("Nothing was logged up to this step. Of a cluster of your own (%s), rvtui sees the lines of its client libraries and of the credential plugin alone.", cells.Clean(in.Trace.Mode))
	}
	return in.In("The trace holds no line of a log up to this step.")
}

// drawing is the log, about to be drawn.
type drawing struct {
	*view.Input
	height int
	line   func(int) *entry

	time, step, source, level int // widths
	room                      int // for the text
	right                     int
	named                     bool // the columns have their names above them
	below                     bool // wrapped texts stand below what is said of them
}

// columns gives each column its width. They are those of the lines around the end, so
// that they do not move while one scrolls through a long log.
func (d *drawing) columns(end int) {
	const looked = 200
	for i := max(0, end-looked); i < end; i++ {
		e := d.line(i)
		d.source = max(d.source, cells.Width(cells.Clean(e.Source)))
		d.level = max(d.level, cells.Width(cells.Clean(e.Level)))
		d.time = max(d.time, len(stamp(e.AtMs)))
	}
	d.time = min(max(d.time, len(stamp(d.line(0).AtMs))), 12)
	d.step = len(strconv.Itoa(d.line(end - 1).step))
	d.source, d.level = min(d.source, 16), min(d.level, 8)
	if d.named {
		d.time, d.step = max(d.time, len("time")), max(d.step, len("step"))
		d.source, d.level = max(d.source, len("source")), max(d.level, len("level"))
	}
	d.room = d.Size.Width - (2 + d.time + 1 + d.step + 2 + d.source + 1 + d.level + 1)
	if d.room < 24 { // the time and the source give way
		d.source = max(4, min(d.source, d.source-(24-d.room)))
		d.room = d.Size.Width - (2 + d.time + 1 + d.step + 2 + d.source + 1 + d.level + 1)
	}
	d.room = max(1, d.room)
	if d.below = d.At.Open && d.room < 60 && d.Size.Width > 2*indent; d.below {
		d.room = d.Size.Width - indent
	}
}

// names are the columns' names, over them; as etcd's table has them, in English.
func (d *drawing) names() cells.Line {
	return d.fit(cells.Line{
		{"  ", nil}, {cells.Pad("time", d.time, true) + " ", &d.Theme.Dim},
		{cells.Pad("step", d.step, true) + "  ", &d.Theme.Dim}, {cells.Pad("source", d.source, false) + " ", &d.Theme.Dim},
		{"level", &d.Theme.Dim},
	})
}

// indent is that of a text that stands below what is said of it.
const indent = 6

func stamp(ms float64) string { return strconv.FormatFloat(ms/1000, 'f', 3, 64) + "s" }

// entry is a line of the log, as one line of the view or, wrapped, as several.
func (d *drawing) entry(i int) []cells.Line {
	e := d.line(i)
	mark, style := "  ", &d.Theme.Dim
	if e.step == d.Cursor {
		mark, style = "▸ ", &d.Theme.Text
	}
	level := style
	if e.Level == "warning" || e.Level == "error" || e.Level == "fatal" {
		level = &d.Theme.Strong
	}
	head := cells.Line{
		{mark, &d.Theme.Current}, {cells.Pad(stamp(e.AtMs), d.time, true) + " ", &d.Theme.Dim},
		{cells.Pad(strconv.Itoa(e.step), d.step, true) + "  ", style}, {cells.Pad(cells.Clean(e.Source), d.source, false) + " ", style},
		{cells.Pad(cells.Clean(e.Level), d.level, false) + " ", level},
	}
	if !d.At.Open {
		return []cells.Line{d.fit(append(head, cells.Span{d.cut(cells.Clean(e.Text)), style}))}
	}
	var out []cells.Line
	first := cells.Span{cells.Spaces(head.Width()), nil}
	if d.below {
		out = append(out, d.fit(head))
		first = cells.Span{cells.Spaces(indent), nil}
		head = cells.Line{first}
	}
	for _, l := range cells.Wrap(e.Text, d.room) {
		out = append(out, d.fit(append(head, cells.Span{l, style})))
		head = cells.Line{first}
	}
	return out
}

// rows is how many lines of the view a line of the log takes.
func (d *drawing) rows(i int) int {
	if !d.At.Open {
		return 1
	}
	n := len(cells.Wrap(d.line(i).Text, d.room))
	if d.below {
		n++
	}
	return n
}

// cut is what of a text is in sight, with signs where something is missing.
func (d *drawing) cut(text string) string {
	if d.right > 0 {
		text = "…" + ansi.TruncateLeft(text, d.right+1, "")
	}
	return cells.Cut(text, d.room)
}

func (d *drawing) fit(l cells.Line) cells.Line {
	if l.Width() > d.Size.Width {
		return l.Fit(d.Size.Width)
	}
	return l
}

// back is the line that is the first in sight where those from it to the one before end
// are to take at most so many of the view's lines; there is at least one.
func (d *drawing) back(end, height int) int {
	rows := 0
	for i := end - 1; i >= 0; i-- {
		if rows += d.rows(i); rows > height {
			return min(i+1, end-1)
		}
	}
	return 0
}

// widest is the width of the longest text in sight.
func (d *drawing) widest(top, end int) int {
	widest := 0
	for i := top; i < min(end, top+d.height); i++ {
		widest = max(widest, cells.Width(cells.Clean(d.line(i).Text)))
	}
	return widest
}

// own is the lines of the step under the cursor, as text.
func own(line func(int) *entry, first, end int) string {
	var b strings.Builder
	for i := first; i < end; i++ {
		e := line(i)
		b.WriteString(stamp(e.AtMs) + " " + words.Clean(e.Source) + " " + words.Clean(e.Level) + " " + words.Clean(e.Text) + "\n")
	}
	return b.String()
}
