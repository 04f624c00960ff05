package glyphs

import (
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

func TestLinesReachTheSidesThatTheyLeadTo(t *testing.T) {
	for r := rune(0x2500); r < 0x2580; r++ {
		kinds := arms[5*(r-0x2500):][:4]
		outline, ok := Outline(string(r), 1, false)
		if !ok || len(outline) == 0 {
			t.Errorf("%c has no outline", r)
		}
		if kinds == "...." {
			continue
		}
		b := outline.Bounds()
		for i, there := range []bool{b.Min.Y == 0, b.Max.X == Width*64, b.Max.Y == Height*64, b.Min.X == 0} {
			if there != (kinds[i] != '.') {
				t.Errorf("%c (%s): side %d of %v", r, kinds, i, b)
			}
		}
	}
	for r, want := range map[rune]fixed.Rectangle26_6{
		'╭': cell(4, 9, Width, Height), '╮': cell(0, 9, 5, Height), '╯': cell(0, 0, 5, 10), '╰': cell(4, 0, Width, 10),
		'╱': cell(-0.6, 0, Width+0.6, Height), '│': cell(4, 0, 5, Height), '─': cell(0, 9, Width, 10),
		'█': cell(0, 0, Width, Height), '▄': cell(0, 9, Width, Height), '▌': cell(0, 0, 4.5, Height), '▐': cell(4.5, 0, Width, Height),
		'▗': cell(4.5, 9, Width, Height), '▘': cell(0, 0, 4.5, 9), '▏': cell(0, 0, 1.125, Height), '▇': cell(0, 2.25, Width, Height),
	} {
		outline, _ := Outline(string(r), 1, true)
		if got := outline.Bounds(); got != want {
			t.Errorf("%c takes %v, and should take %v", r, got, want)
		}
	}
}

func cell(left, top, right, bottom float64) fixed.Rectangle26_6 {
	return fixed.Rectangle26_6{Min: point(left, top), Max: point(right, bottom)}
}

func TestEveryBlockAndEveryBrailleCharacterIsDrawn(t *testing.T) {
	seen := map[string]rune{}
	for _, span := range [][2]rune{{0x2580, 0x259f}, {0x2801, 0x28ff}} {
		for r := span[0]; r <= span[1]; r++ {
			outline, ok := Outline(string(r), 1, false)
			b := outline.Bounds()
			if !ok || len(outline) == 0 || !b.In(cell(0, 0, Width, Height)) {
				t.Errorf("%c: %d segments in %v", r, len(outline), b)
			}
			if other, twice := seen[key(outline)]; twice {
				t.Errorf("%c looks like %c", r, other)
			}
			seen[key(outline)] = r
		}
	}
}

func key(outline sfnt.Segments) string {
	var b []byte
	for _, s := range outline {
		b = append(b, byte(s.Op))
		for _, at := range s.Args {
			b = append(b, byte(at.X), byte(at.X>>8), byte(at.Y), byte(at.Y>>8))
		}
	}
	return string(b)
}

func TestALetterStandsInTheMiddleOfItsCells(t *testing.T) {
	for text, width := range map[string]int{"o": 1, "中": 2, "▶": 2} {
		outline, ok := Outline(text, width, false)
		if !ok {
			t.Fatalf("%s has no glyph", text)
		}
		b := outline.Bounds()
		if middle := (b.Min.X + b.Max.X) / 2; middle < fixed.I(width*Width)/2-48 || middle > fixed.I(width*Width)/2+48 {
			t.Errorf("%s takes %v of %d cells", text, b, width)
		}
	}
	narrow, ok := Outline("中", 1, false)
	if b := narrow.Bounds(); !ok || b.Min.X < 0 || b.Max.X > Width*64 {
		t.Errorf("in one cell, 中 takes %v", b)
	}
}
