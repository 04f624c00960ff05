package glyphs

import (
	"math"

	"golang.org/x/image/font/sfnt"
)

// Lines run through the middle of a cell: one pixel at x = 4, and one at y = 9.
const (
	middleX = 4.5
	middleY = 9.5
)

// arms are what the characters from U+2500 on have upwards, to the right, downwards and to
// the left: a light line (-), a heavy one (=), a double one (#) or none (.). Those with no
// arm at all are dashed, round or slanting; see frame.
const arms = "" +
	".-.- .=.= -.-. =.=. .... .... .... .... " + // ─━│┃┄┅┆┇
	".... .... .... .... .--. .=-. .-=. .==. " + // ┈┉┊┋┌┍┎┏
	"..-- ..-= ..=- ..== --.. -=.. =-.. ==.. " + // ┐┑┒┓└┕┖┗
	"-..- -..= =..- =..= ---. -=-. =--. --=. " + // ┘┙┚┛├┝┞┟
	"=-=. ==-. -==. ===. -.-- -.-= =.-- -.=- " + // ┠┡┢┣┤┥┦┧
	"=.=- =.-= -.== =.== .--- .--= .=-- .=-= " + // ┨┩┪┫┬┭┮┯
	".-=- .-== .==- .=== --.- --.= -=.- -=.= " + // ┰┱┲┳┴┵┶┷
	"=-.- =-.= ==.- ==.= ---- ---= -=-- -=-= " + // ┸┹┺┻┼┽┾┿
	"=--- --=- =-=- =--= ==-- --== -==- ==-= " + // ╀╁╂╃╄╅╆╇
	"-=== =-== ===- ==== .... .... .... .... " + // ╈╉╊╋╌╍╎╏
	".#.# #.#. .#-. .-#. .##. ..-# ..#- ..## " + // ═║╒╓╔╕╖╗
	"-#.. #-.. ##.. -..# #..- #..# -#-. #-#. " + // ╘╙╚╛╜╝╞╟
	"###. -.-# #.#- #.## .#-# .-#- .### -#.# " + // ╠╡╢╣╤╥╦╧
	"#-.- ##.# -#-# #-#- #### .... .... .... " + // ╨╩╪╫╬╭╮╯
	".... .... .... .... ...- -... .-.. ..-. " + // ╰╱╲╳╴╵╶╷
	"...= =... .=.. ..=. .=.- -.=. .-.= =.-. " //    ╸╹╺╻╼╽╾╿

// frame draws a character of U+2500 to U+257F.
func frame(r rune) sfnt.Segments {
	var p path
	switch r {
	case '╌', '╍', '╎', '╏':
		p.dashes(2, r&1 != 0, r > '╍')
	case '┄', '┅', '┆', '┇':
		p.dashes(3, r&1 != 0, r > '┅')
	case '┈', '┉', '┊', '┋':
		p.dashes(4, r&1 != 0, r > '┉')
	case '╭':
		p.round(1, 1)
	case '╮':
		p.round(-1, 1)
	case '╯':
		p.round(-1, -1)
	case '╰':
		p.round(1, -1)
	case '╱':
		p.slant(Width, 0)
	case '╲':
		p.slant(0, Width)
	case '╳':
		p.slant(Width, 0)
		p.slant(0, Width)
	default:
		at := 5 * int(r-0x2500)
		p.arms([4]byte([]byte(arms[at : at+4])))
	}
	return p.segments
}

// arms draws lines from the cell's sides to where they meet.
func (p *path) arms(kinds [4]byte) {
	for i, kind := range kinds {
		before, after, across := kinds[(i+3)%4], kinds[(i+1)%4], kinds[(i+2)%4]
		if kind == '.' {
			continue
		}
		if kind != '#' {
			p.arm(i, 0, thick(kind), reach(before, after, across))
			continue
		}
		// Of a double line, each half goes as far as what it meets on its own side.
		p.arm(i, 1, 1, half(before, after, across))
		p.arm(i, -1, 1, half(after, before, across))
	}
}

func thick(kind byte) float64 {
	if kind == '=' {
		return 3
	}
	return 1
}

// reach is how far a single line goes past the middle, given the lines at its two sides.
func reach(before, after, across byte) float64 {
	switch {
	case before == '#' && after == '#' && across == '.':
		return -0.5
	case (before == '#' || after == '#') && across == '.':
		return 1.5
	case before == '=' || after == '=':
		return 1.5
	}
	return 0.5
}

// half is how far half of a double line goes past the middle, given the line that it has at
// its own side, the one at the other, and the one ahead.
func half(own, other, across byte) float64 {
	switch {
	case own == '#':
		return -0.5
	case own != '.':
		return 0.5
	case other == '#':
		return 1.5
	}
	return 0.5
}

// arm draws a line from a side of the cell, counted clockwise from the top: aside by some
// pixels, as seen by who comes from there, and past the middle by some.
func (p *path) arm(side int, aside, thick, past float64) {
	thick /= 2
	switch side {
	case 0:
		p.box(middleX-aside-thick, 0, middleX-aside+thick, middleY+past)
	case 1:
		p.box(middleX-past, middleY-aside-thick, Width, middleY-aside+thick)
	case 2:
		p.box(middleX+aside-thick, middleY-past, middleX+aside+thick, Height)
	case 3:
		p.box(0, middleY+aside-thick, middleX+past, middleY+aside+thick)
	}
}

// dashes draws a line of n dashes, each at whole pixels.
func (p *path) dashes(n int, heavy, upright bool) {
	thick, long := 0.5, float64(Width)
	if heavy {
		thick = 1.5
	}
	if upright {
		long = Height
	}
	for i := range n {
		from := math.Floor((float64(i) + 0.25) * long / float64(n))
		to := from + math.Max(1, math.Floor(long/float64(n)*0.6))
		if upright {
			p.box(middleX-thick, from, middleX+thick, to)
		} else {
			p.box(from, middleY-thick, to, middleY+thick)
		}
	}
}

// round draws a corner with arms to the right (1) or the left (-1), and down (1) or up (-1).
func (p *path) round(right, down float64) {
	x := func(at float64) float64 { return middleX + right*at }
	y := func(at float64) float64 { return middleY + down*at }
	const outer, inner = 5.0, 4.0 // radii, around a point 4.5 pixels into both directions
	const centre = 4.5
	bottom := middleY
	if down > 0 {
		bottom = Height - middleY
	}
	p.move(x(-0.5), y(bottom))
	p.line(x(-0.5), y(centre))
	p.cube(x(-0.5), y(centre-outer*kappa), x(centre-outer*kappa), y(-0.5), x(centre), y(-0.5))
	p.line(x(centre), y(0.5))
	p.cube(x(centre-inner*kappa), y(0.5), x(0.5), y(centre-inner*kappa), x(0.5), y(centre))
	p.line(x(0.5), y(bottom))
	p.line(x(-0.5), y(bottom))
}

// slant draws a line from the top at one x to the bottom at another.
func (p *path) slant(top, bottom float64) {
	const half = 0.6
	p.polygon(top-half, 0, top+half, 0, bottom+half, Height, bottom-half, Height)
}
