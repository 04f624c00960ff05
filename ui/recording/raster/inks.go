package raster

import (
	"image/color"
	"strings"

	"rvtui/ui/recording"
)

// Limits of a palette. One colour of 256 is left for what a format needs besides, such as
// that of transparent pixels; and more than 12 levels between two colours nobody sees.
const (
	mostColours = 255
	mostLevels  = 12
)

// usage is the colours that a recording's cells have, in the order in which they appear.
type usage struct {
	seen  map[recording.Colours]bool
	pairs []recording.Colours
}

func newUsage() *usage { return &usage{seen: map[recording.Colours]bool{}} }

// colour is one that is there without text on it.
func (u *usage) colour(c color.RGBA) { u.pair(recording.Colours{Text: c, Background: c}) }

func (u *usage) pair(pair recording.Colours) {
	if !u.seen[pair] {
		u.seen[pair] = true
		u.pairs = append(u.pairs, pair)
	}
}

func (u *usage) add(g *recording.Grid) {
	for i := range g.Cells {
		c := &g.Cells[i]
		pair := c.Colours
		if strings.TrimSpace(c.Text) == "" && !c.Underline {
			pair.Text = pair.Background // a blank's text has no colour
		}
		u.pair(pair)
	}
}

// inks are a palette, and for each pair of colours the indices of the levels from the
// background to the text.
type inks struct {
	levels  int
	palette color.Palette
	index   map[color.RGBA]uint8
	made    map[recording.Colours][]uint8
}

// inks has as many levels as the palette has room for. Where even the colours themselves
// are too many, those that appear late become the nearest that there are.
func (u *usage) inks() inks {
	var out inks
	for out.levels = mostLevels; ; out.levels-- {
		out.index, out.palette = map[color.RGBA]uint8{}, nil
		if u.fits(&out) || out.levels == 2 {
			break
		}
	}
	out.made = map[recording.Colours][]uint8{}
	return out
}

// fits fills the palette; it reports whether all colours found room.
func (u *usage) fits(out *inks) bool {
	for _, pair := range u.pairs {
		for level := range out.levels {
			c := between(pair, level, out.levels)
			if _, ok := out.index[c]; ok {
				continue
			}
			if len(out.palette) == mostColours {
				return false
			}
			out.index[c] = uint8(len(out.palette))
			out.palette = append(out.palette, c)
		}
	}
	return true
}

// of is a pair's ink.
func (k *inks) of(pair recording.Colours) []uint8 {
	ink, ok := k.made[pair]
	if !ok {
		ink = make([]uint8, k.levels)
		for level := range ink {
			c := between(pair, level, k.levels)
			at, exact := k.index[c]
			if !exact {
				at = uint8(k.palette.Index(c))
			}
			ink[level] = at
		}
		k.made[pair] = ink
	}
	return ink
}

// between is a colour on the way from the background to the text.
func between(pair recording.Colours, level, levels int) color.RGBA {
	mix := func(from, to uint8) uint8 {
		return uint8((int(from)*(levels-1-level) + int(to)*level + (levels-1)/2) / (levels - 1))
	}
	return color.RGBA{
		R: mix(pair.Background.R, pair.Text.R),
		G: mix(pair.Background.G, pair.Text.G),
		B: mix(pair.Background.B, pair.Text.B),
		A: 0xff,
	}
}
