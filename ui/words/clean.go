package words

import (
	"strings"
	"unicode"
)

// Clean makes a text safe to show: what would control a terminal, or turn the direction of
// what follows, becomes a question mark, and line ends and tabs become blanks.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) || r == unicode.ReplacementChar:
			return '?'
		}
		return r
	}, s)
}

// CleanLines is Clean for a text of several lines, which stay.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}
