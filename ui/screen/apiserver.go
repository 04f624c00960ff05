package screen

import (
	"rvtui/ui/cells"
	"rvtui/ui/objects"

	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// objects are the scenario's objects at the cursor, by name.
func (f *frame) objects() []scenarios.Object {
	out := make([]scenarios.Object, 0, len(f.now.Objects))
	for _, o := range f.now.Objects {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b scenarios.Object) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}

func (f *frame) objectsTitle() string {
	objects := f.objects()
	switch len(objects) {
	case 0:
		return f.in("no object")
	case 1:
		return objects[0].Name
	}
	return f.count(len(objects), "object", "objects")
}

// apiserver draws the objects as they are served now, and the log of requests with the
// newest at the bottom. A step that restarts the apiserver is a line of its own below.
func (f *frame) apiserver(width, height int) cells.Body {
	if f.step == nil || !words.Restarted(f.step) || height < 2 {
		return f.objectsAndLog(width, height)
	}
	b := f.objectsAndLog(width, height-1)
	left := cells.Line{{"▸ ", &f.th.Strong}, cells.Text(string(f.step.Actor)+" ", f.actorStyle(f.step.Actor)), {f.in("restarted"), &f.th.Strong}}
	took := words.Millis(f.step.DurationMs)
	right := cells.Line{{f.in("ready"), &f.th.Strong}, {cells.Spaces(max(1, 6-cells.Width(took))) + took, &f.th.Dim}}
	b.Lines = append(b.Lines, cells.Spread(left, right, width))
	return b
}

func (f *frame) objectsAndLog(width, height int) cells.Body {
	object := f.served(width, height)
	total := f.story.logUpTo(f.state.Cursor)
	scroll := f.state.Scroll[PaneAPIServer]
	if f.state.View == Zoomed {
		all := append(append([]cells.Line{}, object...), nil)
		limit := max(0, len(all)+total-height)
		from := clamp(scroll, 0, limit)
		var lines []cells.Line
		for i := from; i < len(all)+total && len(lines) < height; i++ {
			if i < len(all) {
				lines = append(lines, all[i])
			} else {
				lines = append(lines, f.logLine(i-len(all), width))
			}
		}
		return cells.Body{Lines: lines, Above: from, Below: len(all) + total - from - len(lines), Limit: limit}
	}

	// The object gives way to the log, down to half of the pane.
	gap := 1
	if height < airy {
		gap = 0
	}
	room := height - gap - min(total, max(height/2, height-gap-len(object)))
	shown := object
	if len(shown) > room {
		shown = slices.Clone(shown[:max(0, room)])
		if len(shown) > 1 {
			shown[len(shown)-1] = cells.TextLine(f.in("… %d more lines", len(object)-len(shown)+1), &f.th.Dim)
		}
	}
	lines := slices.Clone(shown)
	for range gap {
		lines = append(lines, nil)
	}
	left := max(0, height-len(lines))
	limit := max(0, total-left)
	scroll = clamp(scroll, 0, limit)
	to := total - scroll
	from := max(0, to-left)
	for i := from; i < to; i++ {
		lines = append(lines, f.logLine(i, width))
	}
	return cells.Body{Lines: lines, Above: from, Below: total - to, Limit: limit}
}

// airy is the height from which a pane has room for empty lines.
const airy = 10

// absent says of an object that is not there whether it has been.
func (f *frame) absent(name string) string {
	if f.now.Deleted(name) {
		return f.in("deleted")
	}
	return f.in("does not exist")
}

// served is each object as the apiserver serves it.
func (f *frame) served(width, height int) []cells.Line {
	found := f.objects()
	if len(found) == 0 {
		return []cells.Line{cells.TextLine(f.in("no object yet"), &f.th.Dim)}
	}
	var out []cells.Line
	for i, o := range found {
		if !o.Exists {
			out = append(out, cells.Line{cells.Text(o.Name+"  ", &f.th.Strong), {f.absent(o.Name), &f.th.Dim}})
			continue
		}
		object := words.Bare(words.Object(o.Object))
		switch {
		case height < airy: // a line for each value
			label := "resourceVersion "
			if len(found) > 1 {
				label = cells.Cut(cells.Clean(o.Name), max(8, width-14)) + "  rv "
			}
			out = append(out, append(cells.TextLine(label, &f.th.Text), f.version(o)...))
			for _, value := range words.Flat(object) {
				out = append(out, cells.TextLine(value, &f.th.Text))
			}
		case len(found) == 1:
			out = append(out, append(cells.Line{{"resourceVersion ", &f.th.Text}}, f.version(o)...), nil)
			for _, l := range objects.Lines(object) {
				out = append(out, cells.TextLine(l, &f.th.Text))
			}
		default:
			if i > 0 && 4*len(found) < height/2 {
				out = append(out, nil)
			}
			out = append(out, append(cells.Line{{cells.Cut(cells.Clean(o.Name), max(8, width-14)) + "  ", &f.th.Strong}, {"rv ", &f.th.Text}}, f.version(o)...))
			for _, value := range words.Flat(object) {
				out = append(out, cells.TextLine("  "+value, &f.th.Text))
			}
		}
	}
	return out
}

// version is an object's resourceVersion, and the one before where the step under the
// cursor changed it.
func (f *frame) version(o scenarios.Object) cells.Line {
	now := cells.Text(o.ResourceVersion, &f.th.Strong)
	if f.state.Cursor > 0 {
		before, ok := f.story.history.At(f.state.Cursor - 1).Objects[o.Name]
		if ok && before.Exists && before.ResourceVersion != o.ResourceVersion {
			return cells.Line{cells.Text(before.ResourceVersion+" → ", &f.th.Dim), now}
		}
	}
	return cells.Line{now}
}

// logLine is one request and how it was answered.
func (f *frame) logLine(at, width int) cells.Line {
	entry := f.story.log[at]
	e := f.story.exchange(entry.ref)
	current := entry.ref.Step == f.state.Cursor
	style, mark := &f.th.Text, "  "
	if current {
		style, mark = &f.th.Strong, "▸ "
	}
	if width < 34 {
		mark = strings.TrimSuffix(mark, " ")
	}
	who := string(e.Actor)
	whose := f.actorStyle(e.Actor)
	if entry.ref.Step == 0 {
		who, whose = scenarios.BySetup, &f.th.Dim
		style = &f.th.Dim
	}
	right := f.logAnswer(e, width, style)
	asked := entry.request.Fit(width - cells.Width(mark) - len(short(who, 0)) - 2 - right.Width())
	who = short(who, width-1-right.Width()-cells.Width(mark)-cells.Width(cells.Clean(asked))-1)
	left := cells.Line{{mark, style}, cells.Text(who+" ", whose), cells.Text(asked, style)}
	return cells.Spread(left, right, width)
}

func (f *frame) logAnswer(e *scenarios.Exchange, width int, style *lipgloss.Style) cells.Line {
	status := strconv.Itoa(e.Status)
	switch {
	case e.InFlight:
		status = "…"
	case e.Status == 0:
		status = f.in("none")
	}
	right := cells.Line{cells.Text(status, style)}
	if width >= 24 {
		took := words.Millis(e.DurationMs)
		right = append(right, cells.Span{cells.Spaces(6-cells.Width(took)) + took, &f.th.Dim})
	}
	return right
}

// short is a name in so many cells, where that takes shortening: "observer" is "obs".
func short(name string, width int) string {
	if len(name) <= max(len("setup"), width) {
		return name
	}
	return name[:3]
}
