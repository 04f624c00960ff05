package screen

import (
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/theme"
)

// measure is the width beyond which lines are hard to read from the back of a room.
const measure = 100

// slide is the presenter's screen: wide margins, who holds what in one row, and of the step
// one idea at a time. What was said of the step before stands above in one line each.
type slide struct {
	lines []cells.Line
	// How far the reader can scroll, from where the idea that is shown is seen.
	up, down int
}

func (f *frame) slide() slide {
	margin := max(f.size.Width/12, (f.size.Width-measure)/2)
	width := f.size.Width - 2*margin
	top := f.size.Height / 12
	var rows []cells.Line
	put := func(lines ...cells.Line) {
		for _, l := range lines {
			rows = append(rows, append(cells.Line{{cells.Spaces(margin), nil}}, l.Fit(width)...))
		}
	}
	put(make([]cells.Line, top)...)
	put(cells.Spread(cells.TextLine(f.story.Trace.Scenario, &f.th.Dim), f.where(), width), nil)
	put(f.strip(width)...)
	put(nil)
	body, start := f.instead(width), 0
	if body == nil {
		put(cells.WrapLines(f.heading(), width, &f.th.Strong)...)
		put(nil)
		body, start = f.told(width)
	}
	// The margin below gives way to what is said; what was said before goes out of sight.
	end := f.size.Height - 1 - top
	if len(rows)+len(body) >= end {
		end = f.size.Height - 2
	}
	room := max(1, end-len(rows))
	limit := max(0, len(body)-room)
	from := min(limit, start)
	seen := cells.Window(body, room, from-clamp(f.state.Scroll[PaneWords], from-limit, from))
	put(seen.Lines...)
	rows = rows[:min(len(rows), f.size.Height-1)]
	foot := max(len(rows), f.size.Height-1-top)
	put(make([]cells.Line, foot-len(rows))...)
	put(f.slideFooter(width, seen))
	if top > 0 {
		list := keys.SlideHints()
		if f.unset() {
			list = keys.UnsetHints(f.state.Problem.Final)
		}
		put(f.hints(list, width))
	}
	put(make([]cells.Line, f.size.Height-len(rows))...)
	return slide{rows, from, limit - from}
}

// SlideScroll is how far the presenter's screen can be scrolled up and down.
func SlideScroll(story *Story, state State, size cells.Size, th *theme.Theme, lang string) (up, down int) {
	f := newFrame(story, state, size, th, lang)
	if f.layout.Shape == Sentence {
		return 0, 0
	}
	s := f.slide()
	return s.up, s.down
}

// told are the ideas up to the one that is shown, which begins with line start: those
// before it in one line each.
func (f *frame) told(width int) (lines []cells.Line, start int) {
	ideas := f.ideas()
	at := clamp(f.state.Idea, 0, len(ideas)-1)
	column := 0
	for _, i := range ideas {
		column = max(column, cells.Width(i.label)+3)
	}
	for n, i := range ideas[:at+1] {
		start = len(lines)
		said := i.lines(width - column)
		if n < at && len(said) > 1 {
			said = []cells.Line{append(said[0][:len(said[0]):len(said[0])], cells.Span{" …", nil}).Fit(width - column)}
		}
		style := &f.th.Strong
		if n < at {
			style = &f.th.Dim
			for j := range said {
				said[j] = cells.Line{{said[j].String(), &f.th.Dim}}
			}
		}
		for j, l := range said {
			label := i.label
			if j > 0 {
				label = ""
			}
			lines = append(lines, append(cells.Line{{cells.Pad(label, column, false), style}}, l...))
		}
		if n < at {
			lines = append(lines, nil)
		}
	}
	return lines, start
}

// strip is who holds what: both writers, the apiserver and etcd, side by side in two lines.
// Until the answer is shown it is as it was before the request.
func (f *frame) strip(width int) []cells.Line {
	was := *f
	if f.state.Cursor > 0 && f.state.Idea == 0 && f.step != nil && len(f.step.Exchanges) > 0 {
		was.now = f.story.history.At(f.state.Cursor - 1)
	}
	column, indent := width/boxes, "  "
	if column < 16 {
		indent = ""
	}
	var names, values cells.Line
	for p := range Pane(boxes) {
		name, _, style := f.title(p)
		mark := "  "
		if f.acts(p) {
			mark = "◉ "
		}
		head := cells.Line{{mark, style}, cells.Text(name, style)}
		room := column - 1 - len(indent)
		value := was.stands(p, room)
		names = append(names, head.Fit(column)...)
		values = append(values, append(cells.Line{{indent, nil}}, value.Fit(room)...).Fit(column)...)
	}
	return []cells.Line{names, values}
}

// stands is what a pane's owner has, in so few words that it fits the strip.
func (f *frame) stands(p Pane, width int) cells.Line {
	var l cells.Line
	say := func(text string) {
		if len(l) > 0 {
			l = append(l, cells.Span{", ", &f.th.Text})
		}
		l = append(l, cells.Text(text, &f.th.Text))
	}
	switch p {
	case PaneAPIServer:
		objects := f.objects()
		for _, o := range objects {
			name := o.Name + " "
			if len(objects) == 1 && len(name)+len(o.ResourceVersion) > width {
				name = ""
			}
			if o.Exists {
				say(name + o.ResourceVersion)
			} else {
				say(name + f.absent(o.Name))
			}
		}
	case PaneEtcd:
		if f.now.Etcd.Head > 0 {
			say("head " + number(f.now.Etcd.Head))
		}
	default:
		actor := f.story.actors[p]
		for _, name := range slices.Sorted(maps.Keys(f.now.Held[actor])) {
			held := f.now.Held[actor][name]
			said := f.in("holds %s", held.ResourceVersion)
			if len(f.now.Held[actor]) > 1 {
				said = name + " " + held.ResourceVersion
			}
			stale := " " + f.in("stale") + " "
			if f.now.Stale(actor, name) && l.Width()+cells.Width(said)+cells.Width(stale) > width {
				said = held.ResourceVersion
			}
			say(said)
			if f.now.Stale(actor, name) {
				l = append(l, cells.Span{" ", nil}, cells.Span{stale, &f.th.Stale})
			}
		}
	}
	if len(l) == 0 {
		return cells.TextLine("–", &f.th.Dim)
	}
	return l
}

// slideFooter is the walk, and how many ideas the step has.
func (f *frame) slideFooter(width int, seen cells.Body) cells.Line {
	l := f.dots(width / 2)
	if note := f.note(); note != "" {
		return append(l, cells.Text("   "+note, &f.th.Strong)).Fit(width)
	}
	ideas := len(f.ideas())
	var right cells.Line
	if seen.Above > 0 {
		right = append(right, cells.Span{"k ", &f.th.Key}, cells.Text(f.in("%d above", seen.Above)+"   ", &f.th.Dim))
	}
	if seen.Below > 0 {
		right = append(right, cells.Span{"j ", &f.th.Key}, cells.Text(f.in("%d more", seen.Below)+"   ", &f.th.Dim))
	}
	if f.instead(width) == nil {
		right = append(right, cells.Text(strings.Repeat("▪", clamp(f.state.Idea+1, 0, ideas))+strings.Repeat("▫", clamp(ideas-f.state.Idea-1, 0, ideas)), &f.th.Dim))
	}
	return cells.Spread(l, right, width)
}

// Pressed lays the key that was pressed last over the bottom right corner of a frame.
func Pressed(drawn, name string, size cells.Size, th *theme.Theme) string {
	if name == "" || size.Width < 20 || size.Height < 4 {
		return drawn
	}
	label := "  " + cells.Clean(name) + "  "
	room := size.Width - cells.Width(label) - 1
	if room < 10 {
		return drawn
	}
	rows := strings.Split(drawn, "\n")
	last := ansi.Truncate(rows[len(rows)-1], room, "")
	rows[len(rows)-1] = last + cells.Spaces(room-ansi.StringWidth(last)) + th.Selected.Render(label)
	return strings.Join(rows, "\n")
}
