package cells

import (
	"strings"

	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// Body is what stands in a box: at most as many lines as it has, and how much is out of
// sight.
type Body struct {
	Lines        []Line
	Above, Below int
	Limit        int // how far it can be scrolled
}

// Window shows height lines of a text that is longer, from the line that scroll says.
func Window(lines []Line, height, scroll int) Body {
	height = max(0, height)
	limit := max(0, len(lines)-height)
	from := max(0, min(scroll, limit))
	to := min(len(lines), from+height)
	return Body{Lines: lines[from:to], Above: from, Below: len(lines) - to, Limit: limit}
}

// Box draws a border around a body: top and end stand at the two ends of its upper edge,
// and the lower one says how much is out of sight. It has exactly size.Height lines.
func Box(top, end Line, inner Body, size Size, th *theme.Theme, lang string, focused bool) []Line {
	border := &th.Border
	if focused {
		border = &th.BorderFocus
	}
	out := make([]Line, 0, size.Height)
	out = append(out, Rule(top, end, size.Width, th, focused))
	for i := range size.Height - 2 {
		l := Line{{"│ ", border}}
		if i < len(inner.Lines) {
			l = append(l, inner.Lines[i].Fit(size.Width-4)...)
		} else {
			l = append(l, Span{Spaces(size.Width - 4), nil})
		}
		out = append(out, append(l, Span{" │", border}))
	}
	var hidden []string
	if inner.Above > 0 {
		hidden = append(hidden, words.In(lang, "%d above", inner.Above))
	}
	if inner.Below > 0 {
		hidden = append(hidden, words.In(lang, "%d more", inner.Below))
	}
	var more Line
	if len(hidden) > 0 {
		more = Line{{" ", border}, {strings.Join(hidden, " · "), &th.Dim}, {" ", border}}
	}
	return append(out, Rule(Line{{"╰", border}}, append(more, Span{"╯", border}), size.Width, th, focused))
}

// Captioned draws a box that cannot have the keyboard, with a name and what is about it.
func Captioned(name, about string, inner Body, size Size, th *theme.Theme, lang string) []Line {
	border := &th.Border
	top := Line{{"╭ ", border}, Text(name, &th.Neutral), {" ", border}}
	if about != "" {
		top = append(top, Span{"── ", border}, Text(about, &th.Text), Span{" ", border})
	}
	return Box(top, Line{{"╮", border}}, inner, size, th, lang, false)
}

// Rule is a border line: left, then as much rule as it takes, then right.
func Rule(left, right Line, width int, th *theme.Theme, focused bool) Line {
	border := &th.Border
	if focused {
		border = &th.BorderFocus
	}
	r := right.Width()
	if r >= width {
		return right.Fit(width)
	}
	if left.Width() > width-r {
		left = left.Fit(width - r)
	}
	fill := strings.Repeat("─", max(0, width-r-left.Width()))
	return append(append(Line{}, left...), append(Line{{fill, border}}, right...)...)
}
