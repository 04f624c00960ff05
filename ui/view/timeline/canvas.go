package timeline

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
)

// canvas is one line of the diagram while it is drawn: what stands in each cell. What is
// put later covers what was there.
type canvas []cell

// cell holds a character; "" is the second half of a wide one.
type cell struct {
	text  string
	style *lipgloss.Style
}

// clear makes the canvas empty, and width cells wide.
func (c *canvas) clear(width int) {
	if cap(*c) < width {
		*c = make(canvas, width)
	}
	*c = (*c)[:width]
	for i := range *c {
		(*c)[i] = cell{text: " "}
	}
}

// put writes a clean text from cell x on; what is beyond the canvas is lost.
func (c canvas) put(x int, text string, style *lipgloss.Style) {
	for text != "" {
		char, width := text[:1], 1
		if text[0] >= 0x80 {
			char, width = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
			if char == "" {
				return
			}
		}
		text = text[len(char):]
		if width == 0 || x < 0 || x+width > len(c) {
			x += width
			continue
		}
		c.mend(x)
		c.mend(x + width)
		c[x] = cell{char, style}
		for i := x + 1; i < x+width; i++ {
			c[i] = cell{"", style}
		}
		x += width
	}
}

// mend makes a blank of a wide character that is about to lose its second half at x.
func (c canvas) mend(x int) {
	if x < len(c) && c[x].text == "" {
		c[x] = cell{text: " "}
		if x > 0 {
			c[x-1] = cell{text: " "}
		}
	}
}

// line is the canvas from one cell on, so many cells wide.
func (c canvas) line(from, width int) cells.Line {
	from = max(0, min(from, len(c)))
	part := c[from:min(len(c), from+width)]
	var l cells.Line
	var b strings.Builder
	end := len(part)
	for end > 0 && part[end-1].text == " " {
		end--
	}
	for i := 0; i < end; {
		style := part[i].style
		b.Reset()
		for ; i < end && (part[i].style == style || part[i].text == " "); i++ {
			text := part[i].text
			switch {
			case text == "" && i == 0, i == len(part)-1 && from+i+1 < len(c) && c[from+i+1].text == "":
				text = " " // half of a wide character
			}
			b.WriteString(text)
		}
		l = append(l, cells.Span{Text: b.String(), Style: style})
	}
	return l
}
