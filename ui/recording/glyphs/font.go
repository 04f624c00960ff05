package glyphs

import (
	_ "embed" // the fonts
	"sync"

	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed fonts/NotoSansCJKsc-Regular.otf
var notoRegular []byte

//go:embed fonts/NotoSansCJKsc-Bold.otf
var notoBold []byte

// face is a font at the size that suits the cells.
type face struct {
	*sfnt.Font
	size     fixed.Int26_6 // pixels per em
	baseline fixed.Int26_6
}

// Letters are as wide as a cell at this size; characters leave a pixel beside them.
const (
	letterSize    = 15 * 64
	characterSize = 16 * 64
)

// faces are those of a weight, in the order in which they are asked.
var faces = [2]func() []face{
	sync.OnceValue(func() []face { return open(dejavusansmono.TTF, notoRegular) }),
	sync.OnceValue(func() []face { return open(dejavusansmonobold.TTF, notoBold) }),
}

func open(letters, chinese []byte) []face {
	out := []face{
		{size: letterSize, baseline: Baseline * 64},
		{size: characterSize, baseline: (Baseline + 1) * 64},
	}
	for i, data := range [][]byte{letters, chinese} {
		parsed, err := opentype.Parse(data)
		if err != nil {
			panic("glyphs: a font that is part of the program: " + err.Error()) // a test opens them all
		}
		out[i].Font = parsed
	}
	return out
}

// letter is a character's outline from the first font that has it, in the middle of its cells.
func letter(r rune, width int, bold bool) (sfnt.Segments, bool) {
	weight := 0
	if bold {
		weight = 1
	}
	var buffer sfnt.Buffer
	for _, f := range faces[weight]() {
		index, err := f.GlyphIndex(&buffer, r)
		if err != nil || index == 0 {
			continue
		}
		loaded, err := f.LoadGlyph(&buffer, index, f.size, nil)
		if err != nil {
			continue
		}
		advance, err := f.GlyphAdvance(&buffer, index, f.size, font.HintingNone)
		if err != nil {
			continue
		}
		// The segments are the buffer's, which the next glyph would write over.
		outline := append(sfnt.Segments(nil), loaded...)
		room := fixed.Int26_6(width * Width * 64)
		if advance > room { // made for two cells, and it has one
			outline, advance = squeezed(outline, room, advance), room
		}
		shift := fixed.Point26_6{X: (room - advance) / 2, Y: f.baseline}
		for i := range outline {
			for j := range outline[i].Args {
				outline[i].Args[j] = outline[i].Args[j].Add(shift)
			}
		}
		return outline, true
	}
	return nil, false
}

// squeezed is an outline made smaller.
func squeezed(outline sfnt.Segments, by, of fixed.Int26_6) sfnt.Segments {
	for i := range outline {
		for j, at := range outline[i].Args {
			outline[i].Args[j] = fixed.Point26_6{X: at.X * by / of, Y: at.Y * by / of}
		}
	}
	return outline
}
