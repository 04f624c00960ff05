// Package cells is what everything on the screen is made of: text in a style, lines of
// so many terminal cells, boxes around them. Widths are taken before any style is
// applied. It may import the theme, words and terminal libraries, and knows nothing of
// traces or of views.
package cells

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/words"
)

// Size is the terminal's, or a part's of it, in cells.
type Size struct{ Width, Height int }

// Span is text in one style; nil is no style. It has no name of its own to the compiler,
// so that it can be written as {"text", style} wherever a line is.
type Span = struct {
	Text  string
	Style *lipgloss.Style
}

// Line is spans side by side. Widths are taken before any style is applied, so that
// nothing has to be measured twice.
type Line []Span

// Clean replaces what would move the cursor or take no cell: what comes from a
// cluster may hold anything.
func Clean(s string) string {
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

// Width is the width of text that has been cleaned.
func Width(s string) int {
	n := 0
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && (r < 0x2500 || r > 0x257f) { // neither ASCII nor a border
			return ansi.StringWidth(s)
		}
		n++
	}
	return n
}

// Text is a text that may hold anything, in a style.
func Text(s string, style *lipgloss.Style) Span { return Span{Clean(s), style} }

// TextLine is a line of one text.
func TextLine(s string, style *lipgloss.Style) Line { return Line{Text(s, style)} }

// Width is the line's, in cells.
func (l Line) Width() int {
	n := 0
	for _, s := range l {
		n += Width(s.Text)
	}
	return n
}

// String is the line's text, without its styles.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Crop cuts what does not fit into size.
func Crop(lines []Line, size Size) []Line {
	lines = lines[:max(0, min(len(lines), size.Height))]
	for i, l := range lines {
		if l.Width() > size.Width {
			lines[i] = l.Fit(size.Width)
		}
	}
	return lines
}

// Pad makes text exactly width cells wide, with the blanks at its left where right is true.
func Pad(s string, width int, right bool) string {
	s = Cut(s, width)
	blank := Spaces(width - Width(s))
	if right {
		return blank + s
	}
	return s + blank
}

// Cut shortens text to at most width cells, with an ellipsis where something is missing.
func Cut(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, "…")
}

// CutWord shortens text to at most width cells, behind a word where it has several.
func CutWord(s string, width int) string {
	cut := Cut(s, width)
	if cut == s {
		return s
	}
	if strings.HasPrefix(s[len(strings.TrimSuffix(cut, "…")):], " ") { // it is behind one
		return cut
	}
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		return strings.TrimRight(cut[:at], " ·") + "…"
	}
	return cut
}

// CutMiddle shortens text to at most width cells, with an ellipsis in its middle: of a name,
// both ends tell.
func CutMiddle(s string, width int) string {
	n := Width(s)
	if n <= width || width < 3 {
		return Cut(s, width)
	}
	head := (width - 1) / 2
	return ansi.Truncate(s, head, "") + "…" + ansi.TruncateLeft(s, n-(width-1-head), "")
}

// Fit makes the line exactly width cells wide.
func (l Line) Fit(width int) Line {
	out := make(Line, 0, len(l)+1)
	left := width
	for i, s := range l {
		n := Width(s.Text)
		if n > left || n == left && i < len(l)-1 && l[i+1:].Width() > 0 {
			short := Cut(s.Text+"…", left) // the ellipsis stands for what follows, too
			out = append(out, Span{short, s.Style})
			left -= Width(short)
			break
		}
		out = append(out, s)
		left -= n
	}
	if left > 0 {
		out = append(out, Span{Spaces(left), nil})
	}
	return out
}

// Spread puts left and right at the two ends of width cells; left gives way.
func Spread(left, right Line, width int) Line {
	r := right.Width()
	if r >= width {
		return right.Fit(width)
	}
	if r == 0 {
		return left.Fit(width)
	}
	room := width - r
	if left.Width() > room-1 {
		left = left.Fit(room - 1)
	}
	out := append(Line{}, left.Fit(room)...)
	return append(out, right...)
}

const blanks = "                                                                                                                        "

// Spaces is n of them.
func Spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blanks) {
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

// WrapLines is a text as lines of at most width cells; see Wrap.
func WrapLines(s string, width int, style *lipgloss.Style) []Line {
	var out []Line
	for _, l := range Wrap(s, width) {
		out = append(out, Line{{l, style}})
	}
	return out
}

// Render turns lines into the frame's text, in exactly size.
func Render(lines []Line, size Size) string {
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
		if l.Width() > size.Width {
			l = l.Fit(size.Width)
		}
		for i := 0; i < len(l); i++ {
			s := l[i]
			for i+1 < len(l) && l[i+1].Style == s.Style { // one escape sequence for both
				i++
				s.Text += l[i].Text
			}
			if s.Style == nil || s.Text == "" {
				b.WriteString(s.Text)
				continue
			}
			paint, ok := inks[s.Style]
			if !ok {
				paint = inkOf(s.Style)
				inks[s.Style] = paint
			}
			b.WriteString(paint.on)
			b.WriteString(s.Text)
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
