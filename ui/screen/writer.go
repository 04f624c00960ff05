package screen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// writer draws what an actor holds, its last request and the answer, and, where there
// is room, what it asked before.
func (f *frame) writer(actor scenarios.Actor, width, height, scroll int) body {
	asked := f.story.of(actor, f.state.Cursor)
	if len(asked) == 0 {
		return window([]line{textLine("no request yet", &f.th.Dim)}, height, 0)
	}
	last := asked[len(asked)-1]
	head, object := f.inHand(actor, last, width)
	tail := f.asked(last, width)

	if f.state.View == Zoomed {
		all := append(append([]line{}, head...), nil)
		all = append(append(all, object...), nil)
		all = append(all, tail...)
		if earlier := f.earlier(asked[:len(asked)-1], width, height); len(earlier) > 0 {
			all = append(append(all, nil), earlier...)
		}
		return window(all, height, scroll)
	}

	if len(head)+1+len(object)+1+len(tail) <= height { // with air
		all := append(append([]line{}, head...), nil)
		if len(object) > 0 {
			all = append(append(all, object...), nil)
		}
		all = append(all, tail...)
		if room := height - len(all) - 1; room >= 3 && len(asked) > 1 {
			earlier := f.earlier(asked[:len(asked)-1], width, room)
			for len(all)+len(earlier) < height {
				all = append(all, nil)
			}
			all = append(all, earlier...)
		}
		return body{lines: all}
	}

	return f.tight(actor, last, head, object, width, height, scroll)
}

// tight is a writer in a pane that has no room for air: the versions, the request and
// how it was answered stay, then comes what the write changes, then the answer's message.
func (f *frame) tight(actor scenarios.Actor, last int, head, object []line, width, height, scroll int) body {
	entry := f.story.log[last]
	style := &f.th.Text
	if entry.ref.Step == f.state.Cursor {
		style = &f.th.Strong
	}
	request, answer := textLine(entry.request.Line(" "), style), textLine(entry.answer.Line(), style)
	asked := []line{spread(request, answer, width)}
	if request.width()+answer.width()+2 > width {
		asked = []line{request, answer}
	}
	if height < 4 {
		if height < 3 {
			asked = asked[:1]
		}
		lines := append(append([]line{}, asked...), head...)
		return body{lines: lines[:min(len(lines), height)]}
	}
	head = head[:min(len(head), max(1, height/4))]
	message := wrapLines(entry.answer.Message, width, &f.th.Text)
	rest := height - len(head) - len(asked)
	if len(object)+len(message) > rest {
		if changed := onlyChanged(object); len(changed) > 0 {
			object = changed
		}
	}
	room := min(len(object), rest)
	if left := rest - room; len(message) > left {
		message = slices.Clone(message[:left])
		if left > 0 {
			message[left-1] = append(message[left-1], span{"…", &f.th.Dim}).fit(width)
		}
	}
	shown := window(object, room, scroll)
	shown.lines = slices.Concat(head, shown.lines, asked, message)
	return shown
}

// onlyChanged are the lines that a write adds or takes away.
func onlyChanged(object []line) []line {
	var out []line
	for _, l := range object {
		if len(l) > 0 && (strings.HasPrefix(l[0].text, "-") || strings.HasPrefix(l[0].text, "+")) {
			out = append(out, line{{l[0].text[:1] + " " + strings.TrimLeft(l[0].text[1:], " "), l[0].style}})
		}
	}
	return out
}

// inHand says what the actor has in hand: the versions, and the object itself, with
// what its last write changes.
func (f *frame) inHand(actor scenarios.Actor, last int, width int) (head, object []line) {
	entry := f.story.log[last]
	e := f.story.exchange(entry.ref)
	held := f.now.Held[actor]
	if entry.answer.List && !entry.answer.Failed {
		return f.listInHand(e, entry.answer, width)
	}
	names := make([]string, 0, len(held))
	for name := range held {
		names = append(names, name)
	}
	slices.Sort(names)
	name := entry.request.Name
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	switch {
	case len(names) == 0:
		head = []line{textLine("holds nothing", &f.th.Dim)}
	case len(names) == 1 && (name == "" || names[0] == name):
		head = []line{f.holds(actor, "holds rv "+held[names[0]].ResourceVersion, names[0], width)}
	default:
		head = []line{textLine("holds "+words.Count(len(names), "object", "objects"), &f.th.Text)}
		for _, n := range names {
			head = append(head, f.holds(actor, n+"  rv "+held[n].ResourceVersion, n, width))
		}
	}
	return head, f.lines(f.inHandChanges(last, name, held[name].Object), actor)
}

func (f *frame) holds(actor scenarios.Actor, what, name string, width int) line {
	l := textLine(what, &f.th.Strong)
	if !f.now.Stale(actor, name) {
		return l
	}
	return spread(l, line{{" stale ", &f.th.Stale}}, width)
}

// inHandChanges is the object with what the last write changes about it.
func (f *frame) inHandChanges(last int, name string, held map[string]any) []change {
	entry := f.story.log[last]
	e := f.story.exchange(entry.ref)
	var before []string
	was, known := f.story.heldBefore(last, name)
	if known {
		before = yamlLines(words.Bare(was.Object))
	}
	sent := words.Object(e.RequestBody)
	switch entry.request.Verb {
	case "PUT", "POST":
		if sent != nil {
			return difference(before, yamlLines(words.Bare(sent)))
		}
	case "PATCH":
		if sent != nil && known && entry.request.PatchType == "merge" {
			return difference(before, yamlLines(words.Bare(merged(was.Object, sent))))
		}
		var patch any
		if json.Unmarshal(e.RequestBody, &patch) == nil {
			changes := []change{{'~', "sends this patch:"}}
			if m, ok := patch.(map[string]any); ok {
				patch = words.Bare(m)
			}
			for _, l := range yamlLines(words.PlainNumbers(patch)) {
				changes = append(changes, change{'+', l})
			}
			return changes
		}
	}
	var changes []change
	for _, l := range yamlLines(words.Bare(held)) {
		changes = append(changes, change{' ', l})
	}
	return changes
}

func (f *frame) lines(changes []change, actor scenarios.Actor) []line {
	out := make([]line, 0, len(changes))
	for _, c := range changes {
		style := &f.th.Text
		switch c.sign {
		case '-':
			style = &f.th.Removed
		case '+':
			style = f.actorStyle(actor)
		case '~':
			out = append(out, textLine(c.text, &f.th.Dim))
			continue
		}
		out = append(out, textLine(string(c.sign)+" "+c.text, style))
	}
	return out
}

// listInHand says what a list gave.
func (f *frame) listInHand(e *scenarios.Exchange, a words.Answer, width int) (head, object []line) {
	head = []line{spread(textLine("list rv "+a.RV, &f.th.Strong), textLine(words.Count(a.Items, "item", "items"), &f.th.Text), width)}
	var list struct{ Items []map[string]any }
	if json.Unmarshal(e.ResponseBody, &list) != nil {
		return head, nil
	}
	for _, item := range list.Items {
		metadata, _ := item["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		rv, _ := metadata["resourceVersion"].(string)
		object = append(object, textLine(name+"  rv "+rv, &f.th.Strong))
		for _, value := range words.Flat(words.Bare(item)) {
			object = append(object, textLine("  "+value, &f.th.Text))
		}
	}
	return head, object
}

// asked is a request, its answer, and what the answer says.
func (f *frame) asked(at int, width int) []line {
	entry := f.story.log[at]
	strong, style := &f.th.Text, &f.th.Text
	if entry.ref.Step == f.state.Cursor {
		strong = &f.th.Strong
		style = &f.th.Strong
	}
	var out []line
	for _, l := range wrap(entry.request.Line("  "), width) {
		out = append(out, line{{l, style}})
	}
	answer := entry.answer.Line()
	if e := f.story.exchange(entry.ref); e != nil && e.Attempt > 1 {
		answer += " (attempt " + strconv.Itoa(e.Attempt) + ")"
	}
	out = append(out, wrapLines(answer, width, strong)...)
	if entry.answer.Message != "" {
		out = append(out, wrapLines(entry.answer.Message, width, &f.th.Text)...)
	}
	return out
}

// earlier lists what the actor asked before, newest last, in at most height lines.
func (f *frame) earlier(asked []int, width, height int) []line {
	if len(asked) == 0 || height < 2 {
		return nil
	}
	out := []line{textLine("earlier", &f.th.Dim)}
	height = min(height, 7) // more would be noise
	if len(asked) > height-1 {
		asked = asked[len(asked)-(height-1):]
	}
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
		left := line{text(number, &f.th.Dim), text(entry.request.Fit(width-len(number)-cells(right)-1), &f.th.Dim)}
		out = append(out, spread(left, textLine(right, &f.th.Dim), width))
	}
	return out
}
