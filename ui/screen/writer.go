package screen

import (
	"slices"
	"strconv"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// writer draws what an actor holds, its last request and the answer, and, where there
// is room, what it asked before.
func (f *frame) writer(actor scenarios.Actor, width, height, scroll int) cells.Body {
	asked := f.story.of(actor, f.state.Cursor)
	if len(asked) == 0 {
		return cells.Window([]cells.Line{cells.TextLine(f.in("no request yet"), &f.th.Dim)}, height, 0)
	}
	last := asked[len(asked)-1]
	h := f.inHand(actor, last)
	tail := f.asked(last, width)

	all := append(h.lines(width), h.caption)
	if len(h.object) > 0 {
		all = append(append(all, h.object...), nil)
	}
	all = append(all, tail...)
	patched := h.patched
	if len(patched) > 0 {
		patched = append([]cells.Line{nil}, patched...)
	}

	if f.state.View == Zoomed {
		all = append(all, patched...)
		if earlier := f.earlier(asked[:len(asked)-1], width, height); len(earlier) > 0 {
			all = append(append(all, nil), earlier...)
		}
		all = append(append(all, nil), f.onTheWire(last, width)...)
		return cells.Window(all, height, scroll)
	}
	if len(all) > height {
		return f.tight(last, h, width, height, scroll)
	}
	if len(all)+len(patched) <= height {
		all = append(all, patched...)
	}
	if room := height - len(all) - 1; room >= 3 && len(asked) > 1 {
		earlier := f.earlier(asked[:len(asked)-1], width, room)
		for len(all)+len(earlier) < height {
			all = append(all, nil)
		}
		all = append(all, earlier...)
	}
	return cells.Body{Lines: all}
}

// tight is a writer in a pane that has no room for air: the versions, the request and
// how it was answered stay, then comes what the write changes, then the answer's message.
func (f *frame) tight(last int, h hand, width, height, scroll int) cells.Body {
	entry := f.story.log[last]
	style := &f.th.Text
	if entry.ref.Step == f.state.Cursor {
		style = &f.th.Strong
	}
	request, answer := cells.TextLine(entry.request.Line(" "), style), cells.TextLine(entry.answer.Line(f.lang), style)
	asked := []cells.Line{cells.Spread(request, answer, width)}
	if request.Width()+answer.Width()+2 > width {
		asked = []cells.Line{request, answer}
	}
	if height < 4 {
		if height < 3 {
			asked = asked[:1]
		}
		lines := append(append([]cells.Line{}, asked...), h.lines(width)...)
		return cells.Body{Lines: lines[:min(len(lines), height)]}
	}
	h.head = slices.Clone(h.head[:min(len(h.head), max(1, height/4))])
	var caption []cells.Line
	if len(h.caption) > 0 {
		// Beside the versions, if it has room there: every line counts.
		if first := &h.head[0]; len(h.head) == 1 && first.left.Width()+3+h.caption.Width()+1+first.right.Width() <= width {
			first.left = slices.Concat(first.left, cells.Line{{"   ", nil}}, h.caption)
		} else {
			caption = []cells.Line{h.caption}
		}
	}
	head, object := h.lines(width), h.object
	message := append(f.messages(entry.answer, width), f.events(entry.ref, width)...)
	rest := height - len(head) - len(asked)
	if len(caption)+len(object)+len(message) > rest {
		if changed := onlyChanged(object); len(changed) > 0 {
			object = changed
		}
	}
	object = slices.Concat(caption, object)
	room := min(len(object), rest)
	if left := rest - room; len(message) > left {
		message = slices.Clone(message[:left])
		if left > 0 {
			message[left-1] = append(message[left-1], cells.Span{"…", &f.th.Dim}).Fit(width)
		}
	}
	shown := cells.Window(object, room, scroll)
	shown.Lines = slices.Concat(head, shown.Lines, asked, message)
	return shown
}

// onlyChanged are the lines that a write adds or takes away.
func onlyChanged(object []cells.Line) []cells.Line {
	var out []cells.Line
	for _, l := range object {
		if len(l) > 0 && (strings.HasPrefix(l[0].Text, "-") || strings.HasPrefix(l[0].Text, "+")) {
			out = append(out, cells.Line{{l[0].Text[:1] + " " + strings.TrimLeft(l[0].Text[1:], " "), l[0].Style}})
		}
	}
	return out
}

// asked is a request, its answer, and what the answer says.
func (f *frame) asked(at int, width int) []cells.Line {
	entry := f.story.log[at]
	strong, style := &f.th.Text, &f.th.Text
	if entry.ref.Step == f.state.Cursor {
		strong = &f.th.Strong
		style = &f.th.Strong
	}
	var out []cells.Line
	for _, l := range cells.Wrap(entry.request.Line("  "), width) {
		out = append(out, cells.Line{{l, style}})
	}
	answer := entry.answer.Line(f.lang)
	if e := f.story.exchange(entry.ref); e != nil && e.Attempt > 1 {
		answer += f.in(" (attempt %d)", e.Attempt)
	}
	out = append(out, cells.WrapLines(answer, width, strong)...)
	out = append(out, f.messages(entry.answer, width)...)
	return append(out, f.events(entry.ref, width)...)
}

// events are what a watch brought.
func (f *frame) events(ref scenarios.ExchangeRef, width int) []cells.Line {
	o := f.story.step(ref.Step)
	if o == nil {
		return nil
	}
	var out []cells.Line
	for _, event := range words.EventsOf(o, ref.Index) {
		for i, l := range cells.Wrap(words.Event(event), width-2) {
			sign := "→ "
			if i > 0 {
				sign = "  "
			}
			out = append(out, cells.Line{{sign, &f.th.Dim}, {l, &f.th.Text}})
		}
	}
	return out
}

// messages are what an answer says beside its status: its message, and its warnings.
func (f *frame) messages(a words.Answer, width int) []cells.Line {
	var out []cells.Line
	if a.Message != "" {
		out = cells.WrapLines(a.Message, width, &f.th.Text)
	}
	if a.Token != "" {
		out = append(out, cells.WrapLines(f.in("token for more: %s", a.Token), width, &f.th.Text)...)
	}
	for _, warning := range a.Warnings {
		out = append(out, cells.WrapLines(f.in("Warning: %s", warning), width, &f.th.Strong)...)
	}
	return out
}

// earlier lists what the actor asked before, newest last, in at most height lines.
func (f *frame) earlier(asked []int, width, height int) []cells.Line {
	if len(asked) == 0 || height < 2 {
		return nil
	}
	head := f.in("earlier")
	height = min(height, 7) // more would be noise
	if more := len(asked) - (height - 1); more > 0 {
		asked = asked[more:]
		head = f.in("earlier, and %d before", more)
	}
	out := []cells.Line{cells.TextLine(head, &f.th.Dim).Fit(width)}
	for _, at := range asked {
		entry := f.story.log[at]
		right := entry.answer.Status
		if len(right) > 3 {
			right = right[:3]
		}
		if entry.answer.RV != "" {
			right += " → " + entry.answer.RV
		}
		number := strconv.Itoa(entry.ref.Step) + "  "
		room := width - len(number) - cells.Width(right) - 1
		if request := entry.request.Fit(room); len(request) > room { // the numbers stay, the air goes
			number, right = strings.TrimSuffix(number, " "), strings.ReplaceAll(right, " ", "")
			room = width - len(number) - cells.Width(right) - 1
		}
		left := cells.Line{cells.Text(number, &f.th.Dim), cells.Text(entry.request.Fit(room), &f.th.Dim)}
		out = append(out, cells.Spread(left, cells.TextLine(right, &f.th.Dim), width))
	}
	return out
}
