package screen

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// explanation is what is said of the step under the cursor, as long as it is, below the
// panes; while a step runs, or something is wrong, that is said instead.
func (f *frame) explanation(width int) []cells.Line {
	if width <= 0 {
		return nil
	}
	if out := f.instead(width); out != nil {
		return out
	}
	if f.state.View == Zoomed {
		verdict := f.verdict(width)
		if f.layout.Shape == Single { // there is one line for it
			verdict = f.shortVerdict(width)
		}
		return append([]cells.Line{cells.TextLine(f.heading(), &f.th.Strong)}, verdict...)
	}
	out := f.narration(width)
	out = slices.Concat(out, f.hedge(width), f.someone(width), f.foretold(width), f.verdict(width), f.score(width), f.next(width))
	if len(f.air()) > 0 { // the panes give up no line for it where they are small
		out = append(out, f.offer(width)...)
	}
	return out
}

// instead is what is said instead of a step's own words; nil where they are said.
func (f *frame) instead(width int) []cells.Line {
	switch {
	case f.state.Problem != nil:
		return f.problem(width)
	case f.state.Starting != nil:
		return f.starting(width)
	case f.state.Asking != nil && f.live():
		return f.question(width)
	case f.state.Running != nil && f.live() && f.state.Running.shown():
		return f.running(width)
	}
	return nil
}

// said is the whole explanation, with air, for a pane of its own.
func (f *frame) said(width int) []cells.Line {
	if out := f.instead(width); out != nil {
		return out
	}
	out := append(f.narration(width), f.hedge(width)...)
	for _, part := range [][]cells.Line{f.someone(width), f.foretold(width), f.verdict(width), f.score(width), f.next(width), f.offer(width)} {
		if len(part) > 0 && len(part[0]) > 0 { // what comes next may bring its own air
			out = append(out, nil)
		}
		out = append(out, part...)
	}
	return out
}

// explain fits the explanation into its rectangle: the narration at the top, verdict
// and outlook at the bottom, where the eye finds them at every step.
func (f *frame) explain(r Rect) []cells.Line {
	width := r.W - 2
	all := f.words
	if f.state.View == Panes && f.instead(width) == nil {
		all = f.fitted(width, r.H)
	}
	out := make([]cells.Line, 0, len(all))
	for _, l := range all[:min(len(all), r.H)] {
		out = append(out, append(cells.Line{{" ", nil}}, l.Fit(width)...))
	}
	return out
}

// fitted is narration, verdict and outlook in so many lines. Where there is too little
// room, the next scenario and then the outlook go first, then the verdict's details, then the narration's end.
// At the end of the walk the outlook is what to do instead: then the verdict's details go before it.
func (f *frame) fitted(width, height int) []cells.Line {
	told, score := f.foretold(width), f.score(width)
	hedge := append(f.hedge(width), f.someone(width)...) // how the words are to be taken stays, whatever of them has to go
	height -= len(hedge)
	top, bottom := f.narration(width), slices.Concat(told, f.verdict(width), score, f.next(width), f.offer(width))
	if len(top)+len(bottom) > height {
		bottom = slices.Concat(told, f.verdict(width), score, f.next(width))
	}
	if len(top)+len(bottom) > height && f.state.Cursor >= len(f.story.Trace.Plan) {
		kept := slices.Concat(told, f.shortVerdict(width), score)
		fix := cutAt(f.next(width), height-len(top)-len(kept), cells.Span{f.in("(5 shows all of it)"), &f.th.Dim}, width)
		bottom = slices.Concat(kept, fix)
	}
	if len(top)+len(bottom) > height {
		bottom = slices.Concat(told, f.verdict(width), score)
	}
	if len(top)+len(bottom) > height {
		bottom = slices.Concat(told, f.shortVerdict(width), score)
	}
	if room := max(0, height-len(bottom)); len(top) > room {
		top = top[:room]
		if room > 0 {
			top[room-1] = append(top[room-1], cells.Span{"…", &f.th.Dim}).Fit(width)
		}
	}
	all := slices.Concat(top, hedge)
	for len(all)+len(bottom) < height+len(hedge) {
		all = append(all, nil)
	}
	return append(all, bottom...)
}

// cutAt cuts lines to so many, two at least, and says in the last one that there were more.
func cutAt(lines []cells.Line, most int, sign cells.Span, width int) []cells.Line {
	if most < 2 || len(lines) <= most {
		return lines
	}
	last, left := slices.Clone(lines[most-1]), width-cells.Width(sign.Text)-1
	last = append(last, cells.Span{" …", sign.Style})
	if last.Width() > left {
		last = last.Fit(left)
	}
	return append(slices.Clone(lines[:most-1]), append(last, cells.Span{" ", nil}, sign))
}

// narration is the step's title and what the scenario says about it.
func (f *frame) narration(width int) []cells.Line {
	if f.state.Cursor == 0 {
		_, summary := f.about()
		out := []cells.Line{cells.TextLine(f.heading(), &f.th.Strong)}
		out = append(out, cells.WrapLines(summary, width, &f.th.Text)...)
		return append(out, f.setUp(width)...)
	}
	out := cells.WrapLines(f.heading(), width, &f.th.Strong)
	return append(out, f.author(width)...)
}

// author is what the scenario's author says of the step, with what has to stand before it.
func (f *frame) author(width int) []cells.Line {
	head, said := words.Narration(f.step, f.lang)
	return f.labelled(head, said, width)
}

// labelled is a text behind a label.
func (f *frame) labelled(label, said string, width int) []cells.Line {
	if said == "" {
		return nil
	}
	if label == "" {
		return cells.WrapLines(said, width, &f.th.Text)
	}
	var out []cells.Line
	said = label + f.in(" ") + said
	for i, l := range cells.Wrap(said, width) {
		if rest, ok := strings.CutPrefix(l, label); ok && i == 0 {
			out = append(out, cells.Line{{label, &f.th.Strong}, {rest, &f.th.Text}})
			continue
		}
		out = append(out, cells.Line{{l, &f.th.Text}})
	}
	return out
}

// someone says what somebody beside the walk wrote, which the step's answers may be about.
func (f *frame) someone(width int) []cells.Line {
	if f.step == nil || f.state.Cursor == 0 {
		return nil
	}
	var out []cells.Line
	for _, said := range words.SomeoneElse(&f.story.Trace, f.step, f.lang) {
		out = append(out, cells.WrapLines(said, width, &f.th.Strong)...)
	}
	return out
}

// hedge says how the step's words are to be taken where the cluster does not show all of it.
func (f *frame) hedge(width int) []cells.Line {
	if f.step == nil || f.state.Cursor == 0 {
		return nil
	}
	note := words.Note(&f.story.Trace, f.step, f.lang)
	if note == "" {
		return nil
	}
	return cells.WrapLines(note, width, &f.th.Dim)
}

// heading is the scenario's title, or the step's with its number.
func (f *frame) heading() string {
	if f.state.Cursor == 0 {
		title, _ := f.about()
		return title
	}
	title := f.step.Title.In(f.lang)
	if title == "" {
		title = string(f.step.Actor) + ": " + f.step.Operation
	}
	return strconv.Itoa(f.step.Step) + "  " + title
}

// setUp says what is there before the first step.
func (f *frame) setUp(width int) []cells.Line {
	var there []string
	for _, o := range f.objects() {
		if o.Exists {
			there = append(there, f.in("%s at resourceVersion %s", o.Name, o.ResourceVersion))
		}
	}
	if len(there) == 0 {
		return nil
	}
	return cells.WrapLines(f.in("Set up: ")+strings.Join(there, f.in(", "))+f.in("."), width, &f.th.Dim)
}

// verdict is whether the step came out as expected, and of what that is said.
func (f *frame) verdict(width int) []cells.Line {
	short, rest, style := f.judgement()
	if short == "" {
		return nil
	}
	lines := cells.Wrap(short+"  "+rest, width)
	out := make([]cells.Line, 0, len(lines))
	for i, l := range lines {
		if after, ok := strings.CutPrefix(l, short); ok && i == 0 {
			out = append(out, cells.Line{{short, style}, {after, &f.th.Text}})
			continue
		}
		out = append(out, cells.Line{{l, &f.th.Text}})
	}
	return out
}

// shortVerdict is the verdict in one line.
func (f *frame) shortVerdict(width int) []cells.Line {
	short, rest, style := f.judgement()
	if short == "" {
		return nil
	}
	rest = cells.CutWord(rest, width-cells.Width(short)-2)
	return []cells.Line{cells.Line{{short, style}, {"  " + rest, &f.th.Text}}.Fit(width)}
}

// judgement is the verdict of the step under the cursor in words, and its style.
func (f *frame) judgement() (short, rest string, style *lipgloss.Style) {
	if f.step == nil || f.state.Cursor == 0 {
		return "", "", nil
	}
	v := words.Judge(&f.story.Trace, f.step, f.lang)
	style = &f.th.Good
	switch {
	case f.step.Verdict == scenarios.Failed:
		style = &f.th.Bad
	case v.Open: // neither
		style = &f.th.Strong
	}
	return cells.Clean(v.Short), cells.Clean(v.Rest()), style
}

// next is what the next step is going to do; at the end, what to do instead.
func (f *frame) next(width int) []cells.Line {
	t := &f.story.Trace
	n := f.state.Cursor
	if n >= len(t.Plan) {
		fix := t.Fix.In(f.lang)
		if fix == "" {
			return nil
		}
		return append(f.air(), f.labelled(f.in("What to do instead:"), fix, width)...)
	}
	if f.ended() {
		said := f.in("The trace was saved here: what came of step %d is not in it.", n+1)
		return append(f.air(), cells.TextLine(said, &f.th.Strong).Fit(width))
	}
	title := t.Plan[n].Title.In(f.lang)
	if title == "" {
		title = t.Plan[n].Operation
	}
	l := cells.Line{{f.in("next") + "  ", &f.th.Dim}, {strconv.Itoa(n+1) + "  ", &f.th.Dim}, cells.Text(title, &f.th.Dim)}
	if slow := t.Plan[n].Slow; slow != "" {
		l = append(l, cells.Text(f.in("  (takes %s)", words.Slow(f.lang, slow)), &f.th.Dim))
	}
	return append(f.air(), l.Fit(width))
}

// air is an empty line, where the screen has room for one.
func (f *frame) air() []cells.Line {
	if f.size.Height < 30 {
		return nil
	}
	return []cells.Line{nil}
}

// problem says what went wrong.
func (f *frame) problem(width int) []cells.Line {
	p := f.state.Problem
	out := []cells.Line{{{" " + cells.Clean(p.Title) + " ", &f.th.Bad}}}
	out = append(out, cells.WrapLines(p.Detail, width, &f.th.Text)...)
	return append(append(out, nil), cells.WrapLines(p.Hint, width, &f.th.Strong)...)
}

// starting says how far the control plane has come.
func (f *frame) starting(width int) []cells.Line {
	title, summary := f.about()
	out := []cells.Line{cells.TextLine(title, &f.th.Strong)}
	out = append(out, cells.WrapLines(summary, width, &f.th.Text)...)
	out = append(out, nil, phaseLine(f.state.Starting, f.th).Fit(width))
	if f.state.Queued > 0 {
		out = append(out, cells.TextLine(f.waiting(), &f.th.Strong))
	}
	return out
}

// waiting says how many steps wait until there is something to walk on.
func (f *frame) waiting() string {
	said := "%s waiting for the control plane"
	if f.state.Starting.Context != "" {
		said = "%s waiting for the cluster"
	}
	return f.in(said, f.count(f.state.Queued, "step", "steps"))
}
