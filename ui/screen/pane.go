package screen

import (
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
)

// body is what stands in a pane: at most as many lines as it has, and how much of it
// is out of sight.
type body struct {
	lines        []line
	above, below int
	limit        int // how far it can be scrolled
}

// body draws the inside of a pane, width by height cells.
func (f *frame) body(p Pane, width, height int) body {
	if width <= 0 || height <= 0 {
		return body{}
	}
	switch p {
	case PaneAPIServer:
		return f.apiserver(width, height)
	case PaneEtcd:
		return f.etcd(width, height)
	case PaneWords:
		return window(f.said(width), height, f.state.Scroll[p])
	default:
		return f.writer(f.story.actors[p], width, height, f.state.Scroll[p])
	}
}

// window shows height lines of a text that is longer, from the line that scroll says.
func window(lines []line, height, scroll int) body {
	height = max(0, height)
	limit := max(0, len(lines)-height)
	from := clamp(scroll, 0, limit)
	to := min(len(lines), from+height)
	return body{lines: lines[from:to], above: from, below: len(lines) - to, limit: limit}
}

// title is a pane's name and what stands in it now, and the style of the name.
func (f *frame) title(p Pane) (name, about string, style *lipgloss.Style) {
	switch p {
	case PaneAPIServer:
		return "apiserver", f.objectsTitle(), &f.th.Neutral
	case PaneEtcd:
		return "etcd", f.etcdTitle(), &f.th.Neutral
	case PaneWords:
		return f.in("words"), "", &f.th.Neutral
	}
	actor := f.story.actors[p]
	about = "writer"
	switch actor {
	case scenarios.Observer:
		about = "reads only"
	case scenarios.Admin:
		about = "operates the cluster"
	}
	return string(actor), f.in(about), f.actorStyle(actor)
}

// acts reports whether a pane belongs to whoever does the step under the cursor.
func (f *frame) acts(p Pane) bool {
	return f.state.Cursor > 0 && f.step != nil && p < PaneAPIServer && f.story.actors[p] == f.step.Actor
}

// box draws a pane with its border.
func (f *frame) box(p Pane, r Rect) []line {
	if r.W < 5 || r.H < 3 {
		return nil
	}
	inner := f.body(p, r.W-4, r.H-2)
	border := &f.th.Border
	name, about, style := f.title(p)
	if p == f.state.Focus {
		border, style = &f.th.BorderFocus, &f.th.Focus
	}

	top := line{{"╭ ", border}, text(name, style)}
	if p == f.state.Focus {
		top = line{{"╭", border}, text(" "+name+" ", style)}
	} else {
		top = append(top, span{" ", border})
	}
	if about != "" {
		top = append(top, span{"── ", border}, text(about, &f.th.Text), span{" ", border})
	}
	end := line{{"╮", border}}
	if f.acts(p) {
		end = line{{" ", border}, {"◉", style}, {" ╮", border}}
		if p == f.state.Focus {
			end[1].style = f.actorStyle(f.story.actors[p])
		}
	}
	return f.frameBox(top, end, inner, r, border)
}

// frameBox draws a border around lines.
func (f *frame) frameBox(top, end line, inner body, r Rect, border *lipgloss.Style) []line {
	out := make([]line, 0, r.H)
	out = append(out, rule(top, end, r.W, border))
	for i := range r.H - 2 {
		l := line{{"│ ", border}}
		if i < len(inner.lines) {
			l = append(l, inner.lines[i].fit(r.W-4)...)
		} else {
			l = append(l, span{spaces(r.W - 4), nil})
		}
		out = append(out, append(l, span{" │", border}))
	}
	var hidden []string
	if inner.above > 0 {
		hidden = append(hidden, f.in("%d above", inner.above))
	}
	if inner.below > 0 {
		hidden = append(hidden, f.in("%d more", inner.below))
	}
	var more line
	if len(hidden) > 0 {
		more = line{{" ", border}, {strings.Join(hidden, " · "), &f.th.Dim}, {" ", border}}
	}
	return append(out, rule(line{{"╰", border}}, append(more, span{"╯", border}), r.W, border))
}

// plainBox draws a box that cannot have the keyboard.
func (f *frame) plainBox(c captioned, r Rect) []line {
	border := &f.th.Border
	top := line{{"╭ ", border}, text(c.name, &f.th.Neutral), {" ", border}}
	if c.about != "" {
		top = append(top, span{"── ", border}, text(c.about, &f.th.Text), span{" ", border})
	}
	return f.frameBox(top, line{{"╮", border}}, window(c.lines, r.H-2, 0), r, border)
}

// rule is a border line: left, then as much rule as it takes, then right.
func rule(left, right line, width int, border *lipgloss.Style) line {
	r := right.width()
	if r >= width {
		return right.fit(width)
	}
	if left.width() > width-r {
		left = left.fit(width - r)
	}
	fill := strings.Repeat("─", max(0, width-r-left.width()))
	return append(append(line{}, left...), append(line{{fill, border}}, right...)...)
}
