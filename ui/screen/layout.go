package screen

import "rvtui/ui/cells"

// Rect is a part of the screen, in cells.
type Rect struct{ X, Y, W, H int }

// Shape is how the screen is divided.
type Shape int

// The shapes, from the roomiest to the smallest.
const (
	Wide     Shape = iota // four panes side by side
	Columns               // two columns of two panes
	Single                // one pane, a tab strip, a status line
	Sentence              // too small for anything but a sentence
)

// Pane is one of the panes; the numbers are those of the keys 1 to 5, less one.
type Pane int

// The panes. The words, all that is said of the step, have a place of their own below
// the others; as a pane they are shown alone, where that place is too small for them.
const (
	PaneA Pane = iota
	PaneB
	PaneAPIServer
	PaneEtcd
	PaneWords
	panes = 5
	boxes = 4 // that stand beside each other
)

// Layout is where everything goes. A rectangle with no height or width is not shown.
type Layout struct {
	Shape  Shape
	Header Rect // the program, the scenario, where the cursor stands
	Tabs   Rect // Single: which pane is shown
	Panes  [panes]Rect
	// On a large screen: the current step's request and answer, as they were on the wire.
	Request, Response Rect
	Explain           Rect // the narration and the verdict
	Step, Look        Rect // a view in place of the panes, and the step that it is about
	Outline           Rect // all steps of the scenario, beside the narration
	Footer            Rect // progress and keys; Single: the status line
}

// Arrange divides a screen. explain is how many lines the explanation would like to
// have; it gets at least a quarter of the screen where panes are shown, so that most
// steps leave the panes where they are.
func Arrange(size cells.Size, explain int, view View, focus Pane) Layout {
	w, h := size.Width, size.Height
	switch {
	case w < 40 || h < 10:
		return Layout{Shape: Sentence}
	case view.IsLook():
		return looking(w, h)
	case w < 80 || h < 24:
		return single(w, h, view, focus)
	}

	l := Layout{Shape: Columns, Header: Rect{0, 0, w, 1}, Footer: Rect{0, h - 1, w, 1}}
	if view == Zoomed {
		height := clamp(explain, 2, zoomedWords)
		if focus == PaneWords {
			height = 0
		}
		l.Panes[focus] = Rect{0, 1, w, h - 2 - height}
		l.Explain = Rect{0, h - 1 - height, w, height}
		return l
	}
	middle := h - 2 // between header and footer
	height := clamp(explain, min(9, max(h/4, 7)), middle-minPanes(w))
	top := middle - height
	l.Explain = Rect{0, 1 + top, w, height}
	if w >= 150 {
		outline := w / 3
		l.Outline = Rect{w - outline, 1 + top, outline, height}
		l.Explain.W = w - outline
	}
	if w >= 120 {
		l.Shape = Wide
		if w >= 160 && top >= 36 {
			band := top / 2
			top -= band
			l.Request = Rect{0, 1 + top, w / 2, band}
			l.Response = Rect{w / 2, 1 + top, w - w/2, band}
		}
		x := 0
		for i := range boxes {
			// The writers' texts wrap; the log's lines are the longest, and do not.
			width := w/boxes + [boxes]int{-3, -3, 6, 0}[i]
			if i == boxes-1 {
				width = w - x
			}
			l.Panes[i] = Rect{x, 1, width, top}
			x += width
		}
		return l
	}
	left, upper := w/2-1, (top+1)/2
	l.Panes[PaneA] = Rect{0, 1, left, upper}
	l.Panes[PaneB] = Rect{0, 1 + upper, left, top - upper}
	l.Panes[PaneAPIServer] = Rect{left, 1, w - left, upper}
	l.Panes[PaneEtcd] = Rect{left, 1 + upper, w - left, top - upper}
	return l
}

// zoomedWords is the height that the explanation has at most below a zoomed pane.
const zoomedWords = 5

// looking is the layout of a view that takes the whole screen.
func looking(w, h int) Layout {
	l := Layout{Shape: Columns, Header: Rect{0, 0, w, 1}, Footer: Rect{0, h - 1, w, 1}}
	if w < 80 || h < 24 {
		l.Shape = Single
	}
	l.Step = Rect{0, 1, w, 1}
	l.Look = Rect{0, 2, w, h - 3}
	return l
}

// makeRoom gives the explanation so many lines, which is a question that must be seen: what
// stands above it gives way, where one thing fills the screen.
func (l *Layout) makeRoom(lines int, focus Pane) {
	above := &l.Panes[focus]
	if l.Look.H > 0 {
		above = &l.Look
	}
	if l.Shape == Wide || l.Explain.H >= lines || focus == PaneWords && l.Look.H == 0 || l.Shape == Columns && l.Look.H == 0 && l.Panes[PaneA].H > 0 && l.Panes[PaneEtcd].H > 0 {
		return
	}
	end := l.Footer.Y
	height := min(lines, end-above.Y)
	above.H = end - height - above.Y
	l.Explain = Rect{0, end - height, above.W, height}
}

// minPanes is the height that the panes never give up to the explanation.
func minPanes(w int) int {
	if w >= 120 {
		return 10
	}
	return 12
}

// IsSingle reports whether a screen has room for one pane at a time.
func IsSingle(size cells.Size) bool { return Arrange(size, 0, Panes, PaneA).Shape == Single }

func single(w, h int, view View, focus Pane) Layout {
	l := Layout{Shape: Single, Tabs: Rect{0, 0, w, 1}, Footer: Rect{0, h - 1, w, 1}}
	height := 2 // the title and the verdict
	switch {
	case focus == PaneWords:
		height = 0
	case view == Zoomed:
	case h >= 16:
		height = h * 2 / 5
	case h >= 14:
		height = 3
	}
	l.Explain = Rect{0, h - 1 - height, w, height}
	l.Panes[focus] = Rect{0, 1, w, h - 2 - height}
	return l
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }
