// Package glyphs is what characters look like in the pictures that recordings are written
// as: each cell's text as an outline. Letters are DejaVu Sans Mono's, Chinese is Noto Sans
// CJK SC's, cut down to the characters of rvtui's texts (.ci/fonts does it), and frames,
// blocks, braille and circles are drawn, so that they join from cell to cell. It must do
// no I/O.
package glyphs

import (
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A cell's measures, in pixels.
const (
	Width    = 9
	Height   = 18
	Baseline = 14 // from the cell's top
	// An underlined cell has a line of one pixel here, from side to side.
	Underline = 16
	// Around all cells, a picture has so much of the background on each side.
	Margin = 16
)

// Outline is what a cell's text looks like: closed contours to be filled by the nonzero
// rule, in 64ths of a pixel from the left top corner of the cell, y downwards. A blank has
// none. width is the cell's, 1 or 2; it is what the outline is placed in, and never follows
// from a font. Where the fonts lack a character the outline is a box's, and ok is false.
func Outline(text string, width int, bold bool) (outline sfnt.Segments, ok bool) {
	if drawn, ok := drawing([]rune(text)); ok {
		return drawn, true
	}
	for i, r := range []rune(text) {
		switch {
		case r == ' ' || r == '\u00a0' || r == '\u3000':
			continue
		case i > 0 && unicode.Is(unicode.Variation_Selector, r):
			continue // they choose between a character's looks, and there is one here
		}
		glyph, ok := letter(r, width, bold)
		if !ok {
			return missing(width), false
		}
		outline = append(outline, glyph...)
	}
	return outline, true
}

// missing is the box that stands for a character that no font has.
func missing(width int) sfnt.Segments {
	var p path
	right := float64(width*Width - 1)
	p.box(1, 3, right, Baseline+1)
	p.hole(2, 4, right-1, Baseline)
	return p.segments
}

// path gathers an outline.
type path struct{ segments sfnt.Segments }

// box adds a rectangle, clockwise.
func (p *path) box(left, top, right, bottom float64) {
	p.polygon(left, top, right, top, right, bottom, left, bottom)
}

// hole takes a rectangle out of what is around it.
func (p *path) hole(left, top, right, bottom float64) {
	p.polygon(left, top, left, bottom, right, bottom, right, top)
}

// polygon adds a closed line through points, given as x and y in turn.
func (p *path) polygon(points ...float64) {
	p.move(points[0], points[1])
	for i := 2; i < len(points); i += 2 {
		p.line(points[i], points[i+1])
	}
	p.line(points[0], points[1])
}

func (p *path) move(x, y float64) {
	p.segments = append(p.segments, sfnt.Segment{Op: sfnt.SegmentOpMoveTo, Args: [3]fixed.Point26_6{point(x, y)}})
}

func (p *path) line(x, y float64) {
	p.segments = append(p.segments, sfnt.Segment{Op: sfnt.SegmentOpLineTo, Args: [3]fixed.Point26_6{point(x, y)}})
}

func (p *path) cube(x1, y1, x2, y2, x, y float64) {
	p.segments = append(p.segments, sfnt.Segment{Op: sfnt.SegmentOpCubeTo, Args: [3]fixed.Point26_6{point(x1, y1), point(x2, y2), point(x, y)}})
}

// circle adds a disc.
func (p *path) circle(x, y, r float64) {
	k := r * kappa
	p.move(x, y-r)
	p.cube(x+k, y-r, x+r, y-k, x+r, y)
	p.cube(x+r, y+k, x+k, y+r, x, y+r)
	p.cube(x-k, y+r, x-r, y+k, x-r, y)
	p.cube(x-r, y-k, x-k, y-r, x, y-r)
}

// hollow takes a disc out of what is around it.
func (p *path) hollow(x, y, r float64) {
	k := r * kappa
	p.move(x, y-r)
	p.cube(x-k, y-r, x-r, y-k, x-r, y)
	p.cube(x-r, y+k, x-k, y+r, x, y+r)
	p.cube(x+k, y+r, x+r, y+k, x+r, y)
	p.cube(x+r, y-k, x+k, y-r, x, y-r)
}

// kappa is how far a quarter circle's control points are from its ends, in radii.
const kappa = 0.5523

func point(x, y float64) fixed.Point26_6 {
	return fixed.Point26_6{X: fixed.Int26_6(x*64+1024.5) - 1024, Y: fixed.Int26_6(y*64+1024.5) - 1024}
}
