package glyphs

import "golang.org/x/image/font/sfnt"

// drawing is the outline of what no font is asked for: one character, that has to join with
// those in the cells beside it.
func drawing(text []rune) (sfnt.Segments, bool) {
	if len(text) != 1 {
		return nil, false
	}
	switch r := text[0]; {
	case r >= 0x2500 && r < 0x2580:
		return frame(r), true
	case r >= 0x2580 && r < 0x25a0:
		return block(r), true
	case r >= 0x2800 && r < 0x2900:
		return braille(r), true
	case r == '●' || r == '○' || r == '◉':
		return circle(r), true
	}
	return nil, false
}

// circle draws the circles that steps are: lines lead from one to the next.
func circle(r rune) sfnt.Segments {
	var p path
	p.circle(middleX, middleY, 4)
	switch r {
	case '○':
		p.hollow(middleX, middleY, 2.9)
	case '◉':
		p.hollow(middleX, middleY, 3.1)
		p.circle(middleX, middleY, 1.9)
	}
	return p.segments
}

// quadrants are those that the characters from U+2596 on fill: left top is 1, right top 2,
// left bottom 4, right bottom 8.
var quadrants = [...]int{4, 8, 1, 13, 9, 7, 11, 2, 6, 14}

// block draws a character of U+2580 to U+259F.
func block(r rune) sfnt.Segments {
	const middle = Width / 2.0
	var p path
	switch {
	case r == '▀':
		p.box(0, 0, Width, Height/2)
	case r <= '█':
		p.box(0, Height-float64(r-'▀')*Height/8, Width, Height)
	case r <= '▏':
		p.box(0, 0, float64('▐'-r)*Width/8, Height)
	case r == '▐':
		p.box(middle, 0, Width, Height)
	case r <= '▓':
		p.shade([]float64{1.5, 2.125, 2.625}[r-'░'])
	case r == '▔':
		p.box(0, 0, Width, Height/8.0)
	case r == '▕':
		p.box(Width*7/8.0, 0, Width, Height)
	default:
		filled := quadrants[r-'▖']
		for i := range 4 {
			if filled&(1<<i) != 0 {
				x, y := float64(i%2)*middle, float64(i/2)*Height/2
				p.box(x, y, x+middle, y+Height/2)
			}
		}
	}
	return p.segments
}

// shade fills the cell with squares: 25, 50 and 75 per cent of it.
func (p *path) shade(side float64) {
	const every = 3
	for y := range Height / every {
		for x := range Width / every {
			left, top := float64(x*every)+(every-side)/2, float64(y*every)+(every-side)/2
			p.box(left, top, left+side, top+side)
		}
	}
}

// braille draws a character of U+2800 to U+28FF: bits 0 to 2 are the left dots from the
// top, 3 to 5 the right ones, 6 and 7 the lowest two.
func braille(r rune) sfnt.Segments {
	var p path
	for bit := range 8 {
		if r>>bit&1 == 0 {
			continue
		}
		column, row := bit/3, bit%3
		if bit >= 6 {
			column, row = bit-6, 3
		}
		p.circle(2.5+4*float64(column), 3+4*float64(row), 1.2)
	}
	return p.segments
}
