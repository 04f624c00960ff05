package screen

import (
	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
)

// body draws the inside of a pane, width by height cells.
func (f *frame) body(p Pane, width, height int) cells.Body {
	if width <= 0 || height <= 0 {
		return cells.Body{}
	}
	switch p {
	case PaneAPIServer:
		return f.apiserver(width, height)
	case PaneEtcd:
		return f.etcd(width, height)
	case PaneWords:
		return cells.Window(f.said(width), height, f.state.Scroll[p])
	default:
		return f.writer(f.story.actors[p], width, height, f.state.Scroll[p])
	}
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
func (f *frame) box(p Pane, r Rect) []cells.Line {
	if r.W < 5 || r.H < 3 {
		return nil
	}
	room := inside(r)
	inner := f.body(p, room.W, room.H)
	if p == f.state.Focus {
		inner.Lines = f.found(inner.Lines)
	}
	border := &f.th.Border
	name, about, style := f.title(p)
	if p == f.state.Focus {
		border, style = &f.th.BorderFocus, &f.th.Focus
	}

	top := cells.Line{{"╭ ", border}, cells.Text(name, style)}
	if p == f.state.Focus {
		top = cells.Line{{"╭", border}, cells.Text(" "+name+" ", style)}
	} else {
		top = append(top, cells.Span{" ", border})
	}
	if about != "" {
		top = append(top, cells.Span{"── ", border}, cells.Text(about, &f.th.Text), cells.Span{" ", border})
	}
	end := cells.Line{{"╮", border}}
	if f.acts(p) {
		end = cells.Line{{" ", border}, {"◉", style}, {" ╮", border}}
		if p == f.state.Focus {
			end[1].Style = f.actorStyle(f.story.actors[p])
		}
	}
	return cells.Box(top, end, inner, cells.Size{Width: r.W, Height: r.H}, f.th, f.lang, p == f.state.Focus)
}

// inside is what a pane's border leaves.
func inside(r Rect) Rect { return Rect{r.X + 2, r.Y + 1, max(0, r.W-4), max(0, r.H-2)} }

// plainBox draws a box that cannot have the keyboard.
func (f *frame) plainBox(c captioned, r Rect) []cells.Line {
	return cells.Captioned(c.name, c.about, cells.Window(c.lines, r.H-2, 0), cells.Size{Width: r.W, Height: r.H}, f.th, f.lang)
}
