package http

import (
	"rvtui/ui/cells"
)

// column is one side of an exchange as lines: some at its head, some at its tail, and
// between them a stream's events, of which only those in sight are made.
type column struct {
	name, about string
	head        []cells.Line
	events      int
	event       func(i int) cells.Line
	tail        []cells.Line
}

func (c *column) len() int { return len(c.head) + c.events + len(c.tail) }

func (c *column) line(i int) cells.Line {
	switch {
	case i < len(c.head):
		return c.head[i]
	case i < len(c.head)+c.events:
		return c.event(i - len(c.head))
	}
	return c.tail[i-len(c.head)-c.events]
}

// window shows height lines from the one that scroll says.
func (c *column) window(height, scroll int) cells.Body {
	height = max(0, height)
	limit := max(0, c.len()-height)
	from := max(0, min(scroll, limit))
	to := min(c.len(), from+height)
	body := cells.Body{Above: from, Below: c.len() - to, Limit: limit}
	for i := from; i < to; i++ {
		body.Lines = append(body.Lines, c.line(i))
	}
	return body
}

// sides draws request and response: beside each other where there is room, or else below
// each other. It returns as many lines as size is high, and how far they are scrolled.
func (d *drawing) sides(size cells.Size) ([]cells.Line, int) {
	scroll := d.At.Down
	switch {
	case size.Height <= 0 || size.Width <= 0:
		return nil, 0
	case size.Height < 9 && size.Width < 90 || size.Height < 4 || size.Width < 20:
		return d.flow(size)
	case size.Width >= 90:
		half := size.Width / 2
		request, response := d.sent(half-4), d.answered(size.Width-half-4)
		inner := size.Height - 2
		scroll = max(0, min(scroll, max(request.len(), response.len())-inner))
		left := d.boxed(request, cells.Size{Width: half, Height: size.Height}, scroll)
		right := d.boxed(response, cells.Size{Width: size.Width - half, Height: size.Height}, scroll)
		for i := range left {
			left[i] = append(left[i], right[i]...)
		}
		return left, scroll
	}
	d.terse = !d.At.Open
	request, response := d.sent(size.Width-4), d.answered(size.Width-4)
	inner := size.Height - 4
	// What one side does not need is the other's; where both need more, the answer gets
	// a little more of it.
	above := min(request.len(), max(inner-response.len(), inner*2/5))
	below := inner - above
	scroll = max(0, min(scroll, max(request.len()-above, response.len()-below)))
	return append(d.boxed(request, cells.Size{Width: size.Width, Height: above + 2}, scroll),
		d.boxed(response, cells.Size{Width: size.Width, Height: below + 2}, scroll)...), scroll
}

func (d *drawing) boxed(c column, size cells.Size, scroll int) []cells.Line {
	return cells.Captioned(c.name, c.about, c.window(size.Height-2, scroll), size, d.Theme, d.Lang)
}

// flow is both sides as one text, where boxes would take all the room.
func (d *drawing) flow(size cells.Size) ([]cells.Line, int) {
	d.terse = !d.At.Open
	width := max(1, size.Width)
	request, response := d.sent(width), d.answered(width)
	request.head = append(append(request.head, request.tail...), d.rule(&response, width))
	request.head = append(request.head, response.head...)
	response.head = request.head
	body := response.window(size.Height, d.At.Down)
	lines := body.Lines
	for len(lines) < size.Height {
		lines = append(lines, nil)
	}
	return lines, body.Above
}

func (d *drawing) rule(c *column, width int) cells.Line {
	border := &d.Theme.Border
	return cells.Rule(cells.Line{{"── ", border}, {c.name + " ", &d.Theme.Neutral}, cells.Text(c.about+" ", &d.Theme.Text)}, nil, width, d.Theme, false)
}
