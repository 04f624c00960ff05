package glyphs

import (
	"testing"
	"unicode/utf8"
)

func TestACharacterThatNoFontHasIsABox(t *testing.T) {
	for _, text := range []string{"\U0001f469\u200d\U0001f467", "\u2ffa", "\x00", "\ufffd\u2ffa", "a\U0001f467", string(utf8.MaxRune)} {
		for width := 1; width <= 2; width++ {
			outline, ok := Outline(text, width, false)
			if ok || len(outline) == 0 {
				t.Errorf("%q: %d segments, %v", text, len(outline), ok)
			}
		}
	}
}

func TestAMarkIsDrawnOverItsLetter(t *testing.T) {
	letter, _ := Outline("e", 1, false)
	marked, ok := Outline("e\u0301", 1, false)
	if !ok || len(marked) <= len(letter) {
		t.Errorf("%d segments, %v; the letter has %d", len(marked), ok, len(letter))
	}
}

func TestABlankHasNoOutline(t *testing.T) {
	for _, text := range []string{"", " ", "\u3000", "\u2800"} {
		if outline, ok := Outline(text, 1, true); !ok || len(outline) != 0 {
			t.Errorf("%q: %d segments, %v", text, len(outline), ok)
		}
	}
}

func TestBoldLettersAreOthers(t *testing.T) {
	for text, width := range map[string]int{"a": 1, "中": 2} {
		regular, _ := Outline(text, width, false)
		bold, ok := Outline(text, width, true)
		if !ok || key(bold) == key(regular) {
			t.Errorf("%s looks the same", text)
		}
	}
}
