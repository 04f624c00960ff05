package recording

import (
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
)

// Colours are a text's and its background's.
type Colours struct{ Text, Background color.RGBA }

// Cell is one cell of a frame: what stands in it, and how, with reverse video worked in. The
// second cell of a wide character has no text and Width 0.
type Cell struct {
	Text            string
	Width           int // 1 or 2 cells
	Colours         Colours
	Bold, Underline bool
}

// Grid is a frame as cells, row by row.
type Grid struct {
	Size  cells.Size
	Cells []Cell
}

// At is a cell; x and y count from 0.
func (g *Grid) At(x, y int) *Cell { return &g.Cells[y*g.Size.Width+x] }

// Row is a row's cells.
func (g *Grid) Row(y int) []Cell { return g.Cells[y*g.Size.Width : (y+1)*g.Size.Width] }

// Text is a row's text, without blanks at its end.
func (g *Grid) Text(y int) string {
	var b strings.Builder
	for _, c := range g.Row(y) {
		b.WriteString(c.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// NewGrid takes a frame's content apart. What has no colour gets those that are given.
func NewGrid(content string, size cells.Size, colours Colours) *Grid {
	buffer := uv.NewScreenBuffer(size.Width, size.Height)
	buffer.Method = ansi.GraphemeWidth
	uv.NewStyledString(content).Draw(buffer, buffer.Bounds())
	g := &Grid{Size: size, Cells: make([]Cell, size.Width*size.Height)}
	for y := range size.Height {
		for x := 0; x < size.Width; x++ {
			c := cell(buffer.CellAt(x, y), colours)
			*g.At(x, y) = c
			if c.Width == 2 && x+1 < size.Width { // the character stands in the next cell as well
				x++
				*g.At(x, y) = Cell{Colours: c.Colours, Bold: c.Bold, Underline: c.Underline}
			}
		}
	}
	return g
}

func cell(c *uv.Cell, colours Colours) Cell {
	if c == nil || c.IsZero() || c.Content == "" && c.Width != 0 {
		return Cell{Text: " ", Width: 1, Colours: colours}
	}
	out := Cell{Text: c.Content, Width: c.Width, Colours: Colours{rgb(c.Style.Fg, colours.Text), rgb(c.Style.Bg, colours.Background)}}
	out.Bold = c.Style.Attrs&uv.AttrBold != 0
	out.Underline = c.Style.Underline != 0
	if c.Style.Attrs&uv.AttrReverse != 0 {
		out.Colours.Text, out.Colours.Background = out.Colours.Background, out.Colours.Text
	}
	return out
}

func rgb(c color.Color, usual color.RGBA) color.RGBA {
	if c == nil {
		return usual
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}
