// Package timeline draws a trace as a space-time diagram: a lane for each who acts, for
// the apiserver and for etcd, time from top to bottom, and an arrow for each message. It
// shows what was recorded, in the order of its time stamps, and draws no distances: where
// nothing happened for a while, a gap says for how long. Like every view it is a pure
// function, does no I/O and asks no clock.
package timeline

import (
	"strings"

	"rvtui/ui/cells"
	"rvtui/ui/view"
)

// drawing is one frame while it is drawn.
type drawing struct {
	in     *view.Input
	index  *Index
	form   form
	lanes  lanes
	right  int // cells that are scrolled away on the left
	canvas canvas
}

// The heights from which there is room for more.
const (
	roomyHeight  = 28 // empty rows between steps, and a storm's bars
	legendHeight = 10
	namesHeight  = 3
)

// copied is at most so many rows of a step that y copies.
const copied = 200

// Draw is the timeline with the step under the cursor in sight. The index must be that of
// the input's trace.
func Draw(in view.Input, x *Index) view.Drawn {
	size := in.Size
	if size.Width <= 0 || size.Height <= 0 {
		return view.Drawn{At: in.At}
	}
	in.Cursor = max(0, min(in.Cursor, len(x.steps)-1))
	d := &drawing{in: &in, index: x, lanes: x.lanes(size.Width)}
	if size.Height < roomyHeight {
		d.form = dense
	}
	if in.At.Open {
		d.form += unfolded
	}
	at := in.At
	at.Right = max(0, min(at.Right, d.lanes.width-size.Width))
	d.right = at.Right

	var lines, foot []cells.Line
	if size.Height >= namesHeight {
		lines = append(lines, d.names())
	}
	if size.Height >= legendHeight {
		foot = append(foot, d.legend())
	}
	height := size.Height - len(lines) - len(foot)
	top := d.top(height)
	limit := max(0, x.total(d.form)-height)
	// Neither sum can overflow: top lies between 0 and limit.
	down := max(-top, min(at.Down, limit-top))
	at.Down = down
	lines = append(lines, d.rows(top+down, height)...)
	for len(lines)+len(foot) < size.Height {
		lines = append(lines, nil)
	}
	return view.Drawn{Lines: append(lines, foot...), At: at, Copy: d.copy()}
}

// top is the row that stands on top by itself: so that the step under the cursor is in
// sight as a whole, with what came before it, and a little of what came after.
func (d *drawing) top(height int) int {
	x, f := d.index, d.form
	from, to := x.first(f, d.in.Cursor), x.ends[f][d.in.Cursor]
	limit := max(0, x.total(f)-height)
	if to-from >= height { // its beginning, without the gap before it
		if from < to && x.steps[d.in.Cursor].rows[f][0].left == gapBetween {
			from++
		}
		return min(from, limit)
	}
	below := min(x.total(f)-to, (height-(to-from))/4)
	return max(0, min(to+below-height, limit))
}

// rows draws so many rows, from one on.
func (d *drawing) rows(from, height int) []cells.Line {
	var lines []cells.Line
	x := d.index
	end := min(from+height, x.total(d.form))
	before := -1
	for line := from; line < end; line++ {
		s, i := x.at(d.form, line)
		r := &s.rows[d.form][i]
		lines = append(lines, d.row(s, r, s.n != before))
		if r.left != gapBetween {
			before = s.n
		}
	}
	return lines
}

// legend says what the signs mean, as far as there is room for it.
func (d *drawing) legend() cells.Line {
	in := d.in
	parts := []string{
		in.In("not to scale: ┊ is a gap, with its length"),
		in.In("┃ waiting for an answer"),
		in.In("● a revision, ○ others'"),
	}
	if in.Cursor < len(d.index.steps)-1 {
		parts = append(parts, in.In("below ▸: seen, but after the cursor"))
	}
	if len(d.index.steps[in.Cursor].events) > 0 {
		parts = append(parts, in.In("╌ an event of a watch"))
	}
	if d.foldable() {
		fold := in.In("o unfolds")
		if in.At.Open {
			fold = in.In("o folds")
		}
		parts = append([]string{fold}, parts...)
	}
	if len(d.index.steps[in.Cursor].storms) > 0 {
		parts = append(parts, in.In("# which of the step's calls"))
	}
	said := ""
	for _, part := range parts {
		longer := said + "   " + part
		if cells.Width(longer) > in.Size.Width-1 {
			break
		}
		said = longer
	}
	return cells.TextLine(strings.TrimPrefix(said, "  "), &in.Theme.Dim)
}

// foldable reports whether the step under the cursor has anything folded or unfolded.
func (d *drawing) foldable() bool {
	s := d.index.steps[d.in.Cursor]
	return len(s.rows[unfoldedDense]) != len(s.rows[dense])
}

// copy is the step under the cursor as text, folded.
func (d *drawing) copy() string {
	s := d.index.steps[d.in.Cursor]
	plain := *d
	in := *d.in
	in.Size.Width = max(in.Size.Width, plain.lanes.width)
	plain.in, plain.form, plain.right = &in, roomy, 0
	var b strings.Builder
	text := func(l cells.Line) {
		b.WriteString(strings.TrimRight(l.String(), " "))
		b.WriteByte('\n')
	}
	text(plain.names())
	first := true
	for i := range s.rows[roomy] {
		r := &s.rows[roomy][i]
		if r.left == gapBetween {
			continue
		}
		if i >= copied {
			b.WriteString("…\n")
			break
		}
		text(plain.row(s, r, first))
		first = false
	}
	return b.String()
}
