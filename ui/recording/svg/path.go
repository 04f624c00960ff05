package svg

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// grain is how many steps a pixel has for an outline's points: fine enough to be enlarged
// some eight times, and a third smaller than the font's own.
const grain = 20

// path is an outline as an SVG's path data, each point relative to the one before.
func path(outline sfnt.Segments) string {
	var b strings.Builder
	var x, y int // the last point, in grains
	for _, s := range outline {
		letter, points := "m", 1
		switch s.Op {
		case sfnt.SegmentOpLineTo:
			letter = "l"
		case sfnt.SegmentOpQuadTo:
			letter, points = "q", 2
		case sfnt.SegmentOpCubeTo:
			letter, points = "c", 3
		}
		b.WriteString(letter)
		first := true
		for _, p := range s.Args[:points] {
			for _, n := range []int{grains(p.X) - x, grains(p.Y) - y} {
				if n >= 0 && !first { // a sign is enough between two numbers
					b.WriteByte(' ')
				}
				first = false
				b.WriteString(number(n))
			}
		}
		x, y = grains(s.Args[points-1].X), grains(s.Args[points-1].Y)
	}
	return b.String()
}

func grains(n fixed.Int26_6) int { return int(math.Round(float64(n) * grain / 64)) }

// number is a length of so many grains in pixels.
func number(n int) string {
	s := strconv.FormatFloat(float64(n)/grain, 'f', -1, 64)
	if whole, ok := strings.CutPrefix(s, "0."); ok {
		return "." + whole
	}
	return strings.Replace(s, "-0.", "-.", 1)
}
