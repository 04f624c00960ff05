package raster

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/recording"
	"rvtui/ui/recording/glyphs"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

var small = cells.Size{Width: 80, Height: 24}

func TestAPictureThatFollowsAnotherIsTheSameAsOnANewSheet(t *testing.T) {
	for _, lang := range []string{scenarios.English, scenarios.Chinese} {
		r := recordtest.Fixture(t, "two-writers", recording.Options{Size: small, Lang: lang, Keys: true, Views: []screen.View{screen.Panes, screen.Timeline}})
		p := New(r)
		following := p.Picture()
		for f := range r.Frames() {
			before := append([]uint8(nil), following.Image.Pix...)
			first := following.grid == nil
			painted := following.Show(f)
			anew := p.Picture()
			if whole := anew.Show(f); whole != anew.Image.Rect {
				t.Fatalf("a first picture paints %v", whole)
			}
			if string(following.Image.Pix) != string(anew.Image.Pix) {
				t.Fatalf("step %d differs", f.Step)
			}
			for i := range before {
				x, y := i%following.Image.Stride, i/following.Image.Stride
				inside := x >= painted.Min.X && x < painted.Max.X && y >= painted.Min.Y && y < painted.Max.Y
				if !first && !inside && before[i] != following.Image.Pix[i] {
					t.Fatalf("step %d: the pixel at %d, %d changed, outside of %v", f.Step, x, y, painted)
				}
			}
		}
	}
}

// Wide characters move no border: each cell's line is in the cell's fifth column of pixels,
// and goes on from cell to cell.
func TestBordersAreUnbrokenColumnsOfPixelsInChinese(t *testing.T) {
	r := recordtest.Fixture(t, "two-writers", recording.Options{Size: small, Lang: scenarios.Chinese})
	picture := New(r).Picture()
	lines := 0
	for f := range r.Frames() {
		picture.Show(f)
		for y := range small.Height {
			for x, c := range picture.grid.Row(y) {
				if c.Text != "│" {
					continue
				}
				lines++
				for row := range glyphs.Height {
					for column := range glyphs.Width {
						want := c.Colours.Background
						if column == 4 {
							want = c.Colours.Text
						}
						if got := picture.Image.At(corner(x, y).X+column, corner(x, y).Y+row); got != color.Color(want) {
							t.Fatalf("row %d of pixels in the cell at %d, %d: column %d is %v, and should be %v", row, x, y, column, got, want)
						}
					}
				}
			}
		}
	}
	if lines < 100 {
		t.Errorf("only %d cells have a border", lines)
	}
}

// No font has a part in this, so that it is the same with every version of them.
func TestFramesJoin(t *testing.T) {
	p := painter(t)
	picture := p.Picture()
	picture.Show(recording.Frame{Content: "┌─┲━╸"})
	const want = `
.............................................
.....................####################....
....#####################################....
....#................####################....
....#................###.....................
....#................###.....................
`
	got := "\n"
	for y := 7; y < 13; y++ {
		for x := range 5 * glyphs.Width {
			if picture.Image.At(corner(0, 0).X+x, corner(0, 0).Y+y) == color.Color(p.recording.Colours.Background) {
				got += "."
			} else {
				got += "#"
			}
		}
		got += "\n"
	}
	if got != want {
		t.Errorf("the frame is%s", got)
	}
}

func painter(t *testing.T) *Painter {
	return New(recordtest.Fixture(t, "two-writers", recording.Options{Size: small, Theme: theme.Dark}))
}

func TestColoursAreExactWhileThePaletteHasRoom(t *testing.T) {
	for _, name := range theme.Names {
		r := recordtest.Fixture(t, "two-writers", recording.Options{Size: small, Theme: name})
		p := New(r)
		if p.inks.levels < 8 || len(p.Palette()) > mostColours {
			t.Errorf("%s: %d levels, %d colours", name, p.inks.levels, len(p.Palette()))
		}
		for f := range r.Frames() {
			for _, c := range recording.NewGrid(f.Content, r.Size, r.Colours).Cells {
				ink := p.inks.of(c.Colours)
				if got := p.Palette()[ink[0]]; got != color.Color(c.Colours.Background) {
					t.Fatalf("%s: the background of %q is %v, and should be %v", name, c.Text, got, c.Colours.Background)
				}
				if got := p.Palette()[ink[len(ink)-1]]; strings.TrimSpace(c.Text) != "" && got != color.Color(c.Colours.Text) {
					t.Fatalf("%s: the text of %q is %v, and should be %v", name, c.Text, got, c.Colours.Text)
				}
			}
		}
	}
}

func TestTooManyColoursBecomeTheNearest(t *testing.T) {
	grid := &recording.Grid{Size: cells.Size{Width: 32, Height: 32}}
	for y := range 32 {
		for x := range 32 {
			grid.Cells = append(grid.Cells, recording.Cell{Text: "x", Width: 1, Colours: recording.Colours{
				Text: color.RGBA{uint8(x * 8), uint8(y * 8), 200, 0xff}, Background: color.RGBA{uint8(y), uint8(x), 0, 0xff}}})
		}
	}
	var first string
	for range 2 {
		used := newUsage()
		used.add(grid)
		p := &Painter{recording: &recording.Recording{Options: recording.Options{Size: grid.Size}}, inks: used.inks(), masks: map[shape][]uint8{}}
		if len(p.Palette()) != mostColours || p.inks.levels != 2 {
			t.Fatalf("%d colours, %d levels", len(p.Palette()), p.inks.levels)
		}
		picture := p.Picture()
		picture.show(grid)
		now := fmt.Sprint(p.Palette()) + string(picture.Image.Pix)
		if first != "" && now != first {
			t.Error("two runs differ")
		}
		first = now
	}
}

func TestAroundTheCellsIsTheBackgroundAlone(t *testing.T) {
	for _, name := range theme.Names {
		r := recordtest.Fixture(t, "two-writers", recording.Options{Size: small, Theme: name})
		picture := New(r).Picture()
		inside := image.Rectangle{Min: corner(0, 0), Max: corner(small.Width, small.Height)}
		if around := inside.Inset(-glyphs.Margin); picture.Image.Rect != around {
			t.Fatalf("%s: the picture is %v, and should be %v", name, picture.Image.Rect, around)
		}
		for f := range r.Frames() {
			picture.Show(f)
			for i, index := range picture.Image.Pix {
				at := image.Pt(i%picture.Image.Stride, i/picture.Image.Stride)
				if got := picture.Image.Palette[index]; !at.In(inside) && got != color.Color(r.Colours.Background) {
					t.Fatalf("%s, step %d: the pixel at %v is %v, and should be %v", name, f.Step, at, got, r.Colours.Background)
				}
			}
		}
	}
}

func TestABlanksTextTakesNoRoomInThePalette(t *testing.T) {
	grid := &recording.Grid{Size: cells.Size{Width: 16, Height: 16}}
	for i := range 256 {
		grid.Cells = append(grid.Cells, recording.Cell{Text: " ", Width: 1, Colours: recording.Colours{Text: color.RGBA{uint8(i), 0, 0, 0xff}}})
	}
	used := newUsage()
	used.add(grid)
	if all := used.inks(); len(all.palette) != 1 {
		t.Errorf("%d colours for blanks on one background", len(all.palette))
	}
}

func TestWhatCannotBeDrawnIsPaintedAsABox(t *testing.T) {
	p := painter(t)
	picture := p.Picture()
	picture.Show(recording.Frame{Content: "\u2ffb\U0001f469\u200d\U0001f467"})
	if picture.Image.At(glyphs.Margin+1, glyphs.Margin+8) != color.Color(p.recording.Colours.Text) || picture.Image.At(glyphs.Margin+5, glyphs.Margin+8) != color.Color(p.recording.Colours.Background) {
		t.Error("there is no box")
	}
}

func TestUnderlinedTextHasALineBelowIt(t *testing.T) {
	p := painter(t)
	picture := p.Picture()
	picture.Show(recording.Frame{Content: "\x1b[4m \x1b[m "})
	if picture.Image.At(glyphs.Margin+8, glyphs.Margin+glyphs.Underline) != color.Color(p.recording.Colours.Text) || picture.Image.At(glyphs.Margin+9, glyphs.Margin+glyphs.Underline) != color.Color(p.recording.Colours.Background) {
		t.Error("the line is not below the first cell alone")
	}
}
