package screen

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/words"
)

// span is text in one style; a line is spans side by side. Widths are taken before
// any style is applied, so that nothing has to be measured twice.
type span struct {
	text  string
	style *lipgloss.Style
}

type line []span

// clean replaces what would move the cursor or take no cell: what comes from a
// cluster may hold anything.
func clean(s string) string {
	safe := true
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			safe = false
			break
		}
	}
	if safe {
		return s
	}
	return words.Clean(s)
}

// cells is the width of text that has been cleaned.
func cells(s string) int {
	n := 0
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && (r < 0x2500 || r > 0x257f) { // neither ASCII nor a border
			return ansi.StringWidth(s)
		}
		n++
	}
	return n
}

func text(s string, style *lipgloss.Style) span { return span{clean(s), style} }

func textLine(s string, style *lipgloss.Style) line { return line{text(s, style)} }

func (l line) width() int {
	n := 0
	for _, s := range l {
		n += cells(s.text)
	}
	return n
}

// cut shortens text to at most width cells, with an ellipsis where something is missing.
func cut(s string, width int) string {
	if cells(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, "…")
}

// fit makes the line exactly width cells wide.
func (l line) fit(width int) line {
	out := make(line, 0, len(l)+1)
	left := width
	for i, s := range l {
		n := cells(s.text)
		if n > left || n == left && i < len(l)-1 && l[i+1:].width() > 0 {
			short := cut(s.text+"…", left) // the ellipsis stands for what follows, too
			out = append(out, span{short, s.style})
			left -= cells(short)
			break
		}
		out = append(out, s)
		left -= n
	}
	if left > 0 {
		out = append(out, span{spaces(left), nil})
	}
	return out
}

// spread puts left and right at the two ends of width cells; left gives way.
func spread(left, right line, width int) line {
	r := right.width()
	if r >= width {
		return right.fit(width)
	}
	if r == 0 {
		return left.fit(width)
	}
	room := width - r
	if left.width() > room-1 {
		left = left.fit(room - 1)
	}
	out := append(line{}, left.fit(room)...)
	return append(out, right...)
}

const blanks = "                                                                                                                        "

func spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blanks) {
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

func wrapLines(s string, width int, style *lipgloss.Style) []line {
	var out []line
	for _, l := range wrap(s, width) {
		out = append(out, line{{l, style}})
	}
	return out
}

// render turns lines into the frame's text, in exactly size.
func render(lines []line, size Size) string {
	var b strings.Builder
	b.Grow(size.Width * size.Height * 2)
	inks := map[*lipgloss.Style]ink{}
	for y := range size.Height {
		if y > 0 {
			b.WriteByte('\n')
		}
		if y >= len(lines) {
			continue
		}
		l := lines[y]
		if l.width() > size.Width {
			l = l.fit(size.Width)
		}
		for i := 0; i < len(l); i++ {
			s := l[i]
			for i+1 < len(l) && l[i+1].style == s.style { // one escape sequence for both
				i++
				s.text += l[i].text
			}
			if s.style == nil || s.text == "" {
				b.WriteString(s.text)
				continue
			}
			paint, ok := inks[s.style]
			if !ok {
				paint = inkOf(s.style)
				inks[s.style] = paint
			}
			b.WriteString(paint.on)
			b.WriteString(s.text)
			b.WriteString(paint.off)
		}
	}
	return b.String()
}

// ink is what turns a style on and off again. A frame uses each style many times, and
// asks for it once: rendering every span by itself takes most of a frame's time.
type ink struct{ on, off string }

func inkOf(style *lipgloss.Style) ink {
	on, off, _ := strings.Cut(style.Render("x"), "x")
	return ink{on, off}
}
