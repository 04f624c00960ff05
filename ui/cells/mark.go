package cells

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
)

// Find is where a text stands in a line, as pairs of byte offsets into its String. Capitals
// are as good as small letters.
func (l Line) Find(text string) (found [][2]int) {
	if text == "" {
		return nil
	}
	said := l.String()
	for at := 0; at < len(said); {
		if n := prefix(said[at:], text); n > 0 {
			found = append(found, [2]int{at, at + n})
			at += n
			continue
		}
		_, size := utf8.DecodeRuneInString(said[at:])
		at += size
	}
	return found
}

// prefix is how many bytes of s are text, whatever its letters' case; 0 where s begins otherwise.
func prefix(s, text string) int {
	n := 0
	for _, want := range text {
		got, size := utf8.DecodeRuneInString(s[n:])
		if size == 0 || unicode.ToLower(got) != unicode.ToLower(want) {
			return 0
		}
		n += size
	}
	return n
}

// Mark gives a part of the line another style.
func (l Line) Mark(part [2]int, style *lipgloss.Style) Line {
	var out Line
	at := 0
	for _, s := range l {
		from, to := max(0, part[0]-at), min(len(s.Text), part[1]-at)
		at += len(s.Text)
		if from >= to {
			out = append(out, s)
			continue
		}
		for _, piece := range []Span{{s.Text[:from], s.Style}, {s.Text[from:to], style}, {s.Text[to:], s.Style}} {
			if piece.Text != "" {
				out = append(out, piece)
			}
		}
	}
	return out
}

// Plain is the lines' text.
func Plain(lines []Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(l.String(), " ")
	}
	return out
}
