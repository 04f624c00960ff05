package cells

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// unbroken stands for a hyphen while text is wrapped: a name such as rvtui-7k2 stays whole.
const unbroken = "\u2011"

// Wrap breaks text into lines of at most width cells, at spaces where there are any, and
// between wide characters.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	var out []string
	for _, paragraph := range strings.Split(strings.TrimSpace(s), "\n") {
		paragraph = Clean(paragraph)
		if hasWide(paragraph) {
			out = append(out, wrapWide(paragraph, width)...)
			continue
		}
		whole := strings.ReplaceAll(paragraph, "-", unbroken)
		for _, l := range strings.Split(ansi.Wrap(whole, width, ""), "\n") {
			out = append(out, Cut(strings.ReplaceAll(l, unbroken, "-"), width))
		}
	}
	return out
}

// The signs that a line must not begin with, and those that it must not end with.
const (
	closing = "。，、；：？！）」』》〉】”’…·.,;:?!)]}%"
	opening = "（「『《〈【“‘([{"
)

// glyph is what takes cells together: a character with its marks.
type glyph struct {
	text  string
	width int
}

func glyphs(s string) []glyph {
	var out []glyph
	for s != "" {
		cluster, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if cluster == "" {
			break
		}
		out = append(out, glyph{cluster, width})
		s = s[len(cluster):]
	}
	return out
}

// hasWide reports whether a text has a wide character, as Chinese has.
func hasWide(s string) bool {
	for _, r := range s {
		if r >= 0x1100 { // the first that can be
			for _, g := range glyphs(s) {
				if g.width > 1 {
					return true
				}
			}
			return false
		}
	}
	return false
}

// between reports whether a line may end after one glyph and the next begin with another.
func between(before, after glyph) bool {
	if after.width == 0 || strings.Contains(closing, after.text) || strings.Contains(opening, before.text) {
		return false
	}
	return before.width > 1 || after.width > 1 || strings.ContainsAny(before.text, "”’") || strings.ContainsAny(after.text, "“‘")
}

// wrapWide breaks a paragraph with wide characters, keeping closing signs with what they
// close and opening ones with what they open.
func wrapWide(s string, width int) []string {
	all := glyphs(s)
	var out []string
	var current []glyph
	flush := func(n int) {
		var b strings.Builder
		for _, g := range current[:n] {
			b.WriteString(g.text)
		}
		out = append(out, Cut(strings.TrimRight(b.String(), " "), width))
		current = slices.Clone(current[n:])
	}
	for i := 0; i < len(all); {
		from := i
		for i < len(all) && all[i].text == " " {
			i++
		}
		gap := all[from:i]
		end := i // of the piece that follows, which is not broken
		for end < len(all) && all[end].text != " " && (end == i || !between(all[end-1], all[end])) {
			end++
		}
		if len(current) > 0 && widthOf(current)+len(gap)+widthOf(all[i:end]) > width {
			flush(len(current))
		}
		if len(current) > 0 || len(out) == 0 {
			current = append(current, gap...)
		}
		for ; i < end; i++ {
			if len(current) > 0 && widthOf(current)+all[i].width > width { // longer than a whole line
				flush(hardBreak(current, all[i]))
			}
			current = append(current, all[i])
		}
	}
	if len(current) > 0 || len(out) == 0 {
		flush(len(current))
	}
	return out
}

// hardBreak is how much of a line stays on it where what follows has no place to be
// broken at: all, or less where the next line would begin with a closing sign.
func hardBreak(l []glyph, next glyph) int {
	n := len(l)
	for n > 1 && (strings.Contains(closing, next.text) || next.width == 0) {
		n--
		next = l[n]
	}
	if n == 1 {
		return len(l)
	}
	return n
}

func widthOf(all []glyph) int {
	n := 0
	for _, g := range all {
		n += g.width
	}
	return n
}
