package screen

import "rvtui/ui/cells"

import "testing"

func TestArrangeShapes(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want Shape
	}{
		{1, 1, Sentence}, {39, 50, Sentence}, {200, 9, Sentence}, {40, 10, Single}, {79, 24, Single}, {120, 23, Single},
		{80, 24, Columns}, {119, 60, Columns}, {120, 24, Wide}, {120, 36, Wide}, {200, 60, Wide}, {500, 200, Wide},
	} {
		if got := Arrange(cells.Size{Width: c.w, Height: c.h}, 8, Panes, PaneA).Shape; got != c.want {
			t.Errorf("%d×%d: shape %d, want %d", c.w, c.h, got, c.want)
		}
	}
}

// Every cell of a screen belongs to exactly one rectangle, at every size, for every
// length of the explanation.
func TestArrangeTilesTheScreen(t *testing.T) {
	for w := 40; w <= 210; w += 5 {
		for h := 10; h <= 70; h += 3 {
			for _, explain := range []int{0, 5, 9, 14, 60} {
				for i := range 4 {
					view, focus := View(i/2), []Pane{PaneEtcd, PaneWords}[i%2]
					l := Arrange(cells.Size{Width: w, Height: h}, explain, view, focus)
					cells := make([]int, w*h)
					for _, r := range append(l.Panes[:], l.Header, l.Tabs, l.Request, l.Response, l.Explain, l.Outline, l.Footer) {
						if r.W <= 0 || r.H <= 0 {
							continue
						}
						if r.X < 0 || r.Y < 0 || r.X+r.W > w || r.Y+r.H > h {
							t.Fatalf("%d×%d, explanation %d, view %d: %+v is outside of the screen", w, h, explain, view, r)
						}
						for y := r.Y; y < r.Y+r.H; y++ {
							for x := r.X; x < r.X+r.W; x++ {
								cells[y*w+x]++
							}
						}
					}
					for i, n := range cells {
						if n != 1 {
							t.Fatalf("%d×%d, explanation %d, view %d: the cell %d,%d belongs to %d rectangles", w, h, explain, view, i%w, i/w, n)
						}
					}
				}
			}
		}
	}
}

func TestPanesStayWhereTheyAreForMostExplanations(t *testing.T) {
	for _, size := range []cells.Size{{Width: 120, Height: 36}, {Width: 200, Height: 60}} {
		first := Arrange(size, 3, Panes, PaneA)
		for explain := range 10 {
			if got := Arrange(size, explain, Panes, PaneA); got != first {
				t.Errorf("%v: an explanation of %d lines moves the panes", size, explain)
			}
		}
	}
}
