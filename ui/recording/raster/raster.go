// Package raster paints a recording's frames as pictures: a cell is 9×18 pixels, around
// all cells there is a margin, and all frames of a recording share one palette. It may import recording and its glyphs; it must
// do no I/O.
package raster

import (
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/vector"

	"rvtui/ui/recording"
	"rvtui/ui/recording/glyphs"
)

// Painter paints the frames of a recording.
type Painter struct {
	recording *recording.Recording
	inks      inks
	masks     map[shape][]uint8
	raster    vector.Rasterizer
}

// shape is what a cell's mask depends on.
type shape struct {
	text  string
	width int
	bold  bool
}

// New is a painter for a recording. It walks through it once, to know its colours.
func New(r *recording.Recording) *Painter {
	used := newUsage()
	used.colour(r.Colours.Background) // the first in the palette, so that a new sheet has it everywhere
	for f := range r.Frames() {
		used.add(recording.NewGrid(f.Content, r.Size, r.Colours))
	}
	return &Painter{recording: r, inks: used.inks(), masks: map[shape][]uint8{}}
}

// Palette is that of all pictures: 255 colours at most.
func (p *Painter) Palette() color.Palette { return p.inks.palette }

// Picture is a frame being shown.
type Picture struct {
	Image   *image.Paletted
	painter *Painter
	grid    *recording.Grid
}

// Picture is one that shows nothing yet.
func (p *Painter) Picture() *Picture {
	size := p.recording.Size
	sheet := image.Rect(0, 0, size.Width*glyphs.Width+2*glyphs.Margin, size.Height*glyphs.Height+2*glyphs.Margin)
	return &Picture{Image: image.NewPaletted(sheet, p.Palette()), painter: p}
}

// Show makes the picture that of a frame, and tells what it painted to do so: nothing
// outside of that has changed.
func (p *Picture) Show(f recording.Frame) image.Rectangle {
	r := p.painter.recording
	return p.show(recording.NewGrid(f.Content, r.Size, r.Colours))
}

func (p *Picture) show(grid *recording.Grid) image.Rectangle {
	var painted image.Rectangle
	if p.grid == nil { // the margin, too
		painted = p.Image.Rect
	}
	for y := range grid.Size.Height {
		for x := range grid.Size.Width {
			c := grid.At(x, y)
			if c.Width == 0 || p.grid != nil && *p.grid.At(x, y) == *c {
				continue
			}
			painted = painted.Union(p.painter.cell(p.Image, x, y, c))
		}
	}
	p.grid = grid
	return painted
}

// cell paints a cell, and gives the pixels that are its.
func (p *Painter) cell(to *image.Paletted, x, y int, c *recording.Cell) image.Rectangle {
	ink := p.inks.of(c.Colours)
	width := c.Width * glyphs.Width
	place := image.Rect(0, 0, width, glyphs.Height).Add(corner(x, y)).Intersect(to.Rect)
	mask := p.mask(shape{c.Text, c.Width, c.Bold})
	for row := range place.Dy() {
		line := to.Pix[to.PixOffset(place.Min.X, place.Min.Y+row):][:place.Dx()]
		covered := mask[row*width:]
		for i := range line {
			line[i] = ink[covered[i]]
		}
		if c.Underline && row == glyphs.Underline {
			for i := range line {
				line[i] = ink[len(ink)-1]
			}
		}
	}
	return place
}

// corner is the left top pixel of a cell.
func corner(x, y int) image.Point {
	return image.Pt(glyphs.Margin+x*glyphs.Width, glyphs.Margin+y*glyphs.Height)
}

// mask is how much of each of a cell's pixels its text covers, as a level of the inks.
func (p *Painter) mask(s shape) []uint8 {
	if mask, ok := p.masks[s]; ok {
		return mask
	}
	outline, _ := glyphs.Outline(s.text, s.width, s.bold)
	covered := image.NewAlpha(image.Rect(0, 0, s.width*glyphs.Width, glyphs.Height))
	p.raster.Reset(covered.Rect.Dx(), covered.Rect.Dy())
	p.raster.DrawOp = draw.Src
	for _, segment := range outline {
		var at [3][2]float32
		for i, point := range segment.Args {
			at[i] = [2]float32{float32(point.X) / 64, float32(point.Y) / 64}
		}
		switch segment.Op {
		case sfnt.SegmentOpMoveTo:
			p.raster.ClosePath()
			p.raster.MoveTo(at[0][0], at[0][1])
		case sfnt.SegmentOpLineTo:
			p.raster.LineTo(at[0][0], at[0][1])
		case sfnt.SegmentOpQuadTo:
			p.raster.QuadTo(at[0][0], at[0][1], at[1][0], at[1][1])
		case sfnt.SegmentOpCubeTo:
			p.raster.CubeTo(at[0][0], at[0][1], at[1][0], at[1][1], at[2][0], at[2][1])
		}
	}
	p.raster.ClosePath()
	p.raster.Draw(covered, covered.Rect, image.Opaque, image.Point{})
	top := p.inks.levels - 1
	for i, alpha := range covered.Pix {
		covered.Pix[i] = uint8((stronger(int(alpha))*top + 127) / 255)
	}
	p.masks[s] = covered.Pix
	return covered.Pix
}

// stronger makes thin strokes, which cover parts of pixels alone, as strong as they look in
// print; what is covered wholly or not at all remains so.
func stronger(alpha int) int { return alpha + alpha*(255-alpha)/(255*3) }
