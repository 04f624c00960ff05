package screen

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/words"
)

// header names the program, the scenario and the servers, and says where the cursor is.
func (f *frame) header(width int) cells.Line {
	t := &f.story.Trace
	name := cells.Line{{" rvtui  ", &f.th.Strong}}
	if t.Chapter != "" && width >= 60 {
		name = append(name, cells.Text(t.Chapter+" › ", &f.th.Dim))
	}
	name = append(name, cells.Text(t.Scenario, &f.th.Strong))
	if open := f.state.View.Name(); open != "" {
		name = append(name, cells.Text(" › "+open, &f.th.Strong))
	}
	right := append(f.where(), cells.Span{" ", nil})
	if f.state.Predict && width >= 60 {
		right = append(cells.Line{{f.in("predict") + "  ", &f.th.Strong}}, right...)
	}
	room := width - name.Width() - right.Width() - 4
	said := f.servers(room, true)
	if title := cells.Width(cells.Clean(t.Title.In(f.lang))); !f.hushed() && room-cells.Width(said)-3 < title {
		// The title is worth more than what etcd is seen through, which stands in its pane too.
		if less := f.servers(room, false); room-cells.Width(less)-3 >= min(title, leastTitle) {
			said = less
		}
	}
	if said != "" {
		right = append(cells.Line{{said + "   ", &f.th.Dim}}, right...)
	}
	if room := width - name.Width() - right.Width() - 4; !f.hushed() && room >= leastTitle {
		name = append(name, cells.Span{"   ", nil}, cells.Span{cells.Cut(cells.Clean(t.Title.In(f.lang)), room), &f.th.Text})
	}
	return cells.Spread(name, right, width)
}

// leastTitle is how many cells of a title say something.
const leastTitle = 16

// servers names the cluster in so many cells, with what etcd is seen through or without. Rvtui's own is named where there is much room
// alone; which one of the reader's it is comes before the title.
func (f *frame) servers(room int, source bool) string {
	info := words.InfoOf(&f.story.Trace)
	if words.Ours(info.Mode) && f.size.Width < 100 {
		return ""
	}
	if f.now.Etcd.Source != "" {
		info.Source = f.now.Etcd.Source
	}
	if !source {
		info.Source = ""
	}
	api := ""
	if info.Mode == "" {
		api = "kube-apiserver "
	}
	return servers(info, api, f.lang, room)
}

// where is where the cursor stands.
func (f *frame) where() cells.Line {
	count := fmt.Sprintf("%d/%d", f.state.Cursor, len(f.story.Trace.Plan))
	switch {
	case f.state.Starting != nil:
		return cells.Line{{f.in("STARTING"), &f.th.Live}}
	case !f.live():
		return cells.Line{{f.in(" PAST %s ", count), &f.th.Past}}
	case f.state.Asking != nil:
		return cells.Line{{f.in("QUESTION %s", fmt.Sprintf("%d/%d", f.state.Asking.Step, len(f.story.Trace.Plan))), &f.th.Live}}
	case f.state.Running != nil && f.state.Running.shown():
		return cells.Line{{f.in("RUNNING %s", fmt.Sprintf("%d/%d", f.state.Running.Step, len(f.story.Trace.Plan))), &f.th.Live}}
	case f.state.Saved != nil:
		return cells.Line{{f.in("SAVED %s", count), &f.th.Live}}
	default:
		return cells.Line{{f.in("LIVE %s", count), &f.th.Live}}
	}
}

// footer is the walk as dots, and the keys.
func (f *frame) footer(width int) cells.Line {
	if f.state.Filtering {
		return f.filterPrompt(width)
	}
	if f.state.Search.Typing {
		return f.searchPrompt(width)
	}
	l := append(cells.Line{{" ", nil}}, f.dots(width*2/5)...)
	if note := f.note(); note != "" {
		return append(l, cells.Text("    "+note, &f.th.Strong)).Fit(width)
	}
	list := keys.Hints()
	switch {
	case f.unset():
		list = keys.UnsetHints(f.state.Problem.Final)
	case f.state.Asking != nil && f.live():
		list = keys.AskHints()
	case f.state.View.IsLook():
		list = keys.LookHints(f.state.View.Name(), f.several())
	case f.state.Looks():
		list = keys.LookHints("etcd", false)
	case f.state.View == Zoomed:
		list = keys.ZoomHints()
	case f.live() && f.story.Done() || f.ended():
		list = f.endHints()
	}
	if f.state.Saved != nil {
		list = slices.DeleteFunc(list, func(h keys.Hint) bool { return h.Does == "list" }) // there is none
	}
	return append(l, f.hints(list, width-l.Width())...)
}

// several reports whether the step under the cursor sent more than one request.
func (f *frame) several() bool {
	o := f.story.step(f.state.Cursor)
	return o != nil && len(o.Exchanges) > 1
}

// filterPrompt is what is typed to filter the log by.
func (f *frame) filterPrompt(width int) cells.Line {
	prompt := cells.Line{{" " + f.in("lines that hold") + " ", &f.th.Text}, cells.Text("/"+f.state.Look.Filter, &f.th.Strong), {"_", &f.th.Strong}}
	return append(prompt, cells.Text("   "+f.in("enter keeps it, esc shows every line"), &f.th.Dim)).Fit(width)
}

// note is what is going on, where there is anything worth the place of the hints.
func (f *frame) note() string {
	switch {
	case f.state.Note != "":
		return f.state.Note
	case f.state.Queued > 0 && f.state.Starting != nil:
		return f.waiting()
	case f.state.Running != nil && !f.live() && f.state.Running.shown():
		r := f.state.Running
		return f.in("step %d is running, %s", r.Step, words.Seconds(r.Now.Sub(r.Since)))
	case f.searched() != "" && f.state.Asking == nil:
		return f.searched()
	case f.state.Autoplay > 0 && f.state.Running != nil:
		return f.in("playing   the step is under way   a stop")
	case f.state.Autoplay > 0 && f.state.Asking == nil: // or else it waits for the answer
		return f.in("playing, a step every %s, the next in %d s   a stop   + faster   - slower", words.Seconds(f.state.Autoplay), int(math.Ceil(f.state.PlaysIn.Seconds())))
	}
	return ""
}

func (f *frame) hints(list []keys.Hint, width int) cells.Line {
	var l cells.Line
	for _, h := range list {
		hint := cells.Line{{"   ", nil}, cells.Text(h.Key, &f.th.Key), {" ", nil}, cells.Text(f.in(h.Does), &f.th.Dim)}
		if l.Width()+hint.Width() > width {
			break
		}
		l = append(l, hint...)
	}
	return l
}

// dots are the steps: taken, under the cursor, to come; a number where they are too many.
func (f *frame) dots(width int) cells.Line {
	total := max(len(f.story.Trace.Plan), f.story.Taken())
	if total == 0 {
		return nil
	}
	if 2*total-1 > width {
		return cells.Line{{"◉ ", &f.th.Strong}, {strconv.Itoa(f.state.Cursor) + "/" + strconv.Itoa(total), &f.th.Strong}}
	}
	var l cells.Line
	for n := 1; n <= total; n++ {
		if n > 1 {
			l = append(l, cells.Span{"─", &f.th.Border})
		}
		l = append(l, f.dot(n))
	}
	return l
}

func (f *frame) dot(n int) cells.Span {
	switch {
	case n == f.state.Cursor:
		return cells.Span{"◉", &f.th.Strong}
	case n > f.story.Taken():
		return cells.Span{"○", &f.th.Dim}
	case f.story.step(n).Verdict == scenarios.Failed:
		return cells.Span{"✗", &f.th.Bad}
	case f.story.step(n).Verdict == scenarios.Skipped:
		return cells.Span{"·", &f.th.Dim}
	}
	return cells.Span{"●", &f.th.Text}
}

// outline is the whole walk, beside the explanation.
func (f *frame) outline(r Rect) []cells.Line {
	plan := f.story.Trace.Plan
	height := r.H
	from := clamp(f.state.Cursor-height/2-1, 0, max(0, len(plan)-height))
	digits := len(strconv.Itoa(len(plan)))
	var out []cells.Line
	for i := from; i < len(plan) && len(out) < height; i++ {
		n := i + 1
		style := &f.th.Dim
		switch {
		case n == f.state.Cursor:
			style = &f.th.Strong
		case n <= f.story.Taken():
			style = &f.th.Text
		}
		title := plan[i].Title.In(f.lang)
		if title == "" {
			title = string(plan[i].Actor) + ": " + plan[i].Operation
		}
		l := cells.Line{{"│ ", &f.th.Border}, f.dot(n), cells.Text(fmt.Sprintf(" %*d  ", digits, n), style), cells.Text(title, style)}
		out = append(out, l.Fit(r.W-1))
	}
	for len(out) < height {
		out = append(out, cells.Line{{"│", &f.th.Border}})
	}
	return out
}

// tabs is the strip that says which of the panes is shown. Where it is too long, the
// others' names go: where the cursor stands must be seen.
func (f *frame) tabs(width int) cells.Line {
	right := append(f.where(), cells.Span{" ", nil})
	l := f.tabLabels(true)
	if l.Width()+right.Width()+1 > width {
		l = f.tabLabels(false)
	}
	return cells.Spread(l, right, width)
}

func (f *frame) tabLabels(names bool) cells.Line {
	l := cells.Line{{" ", nil}}
	for p := range Pane(panes) {
		name, _, style := f.title(p)
		label := fmt.Sprintf(" %d ", p+1)
		if names || p == f.state.Focus {
			label += name + " "
		}
		if p == f.state.Focus {
			style = &f.th.Focus
		}
		l = append(l, cells.Text(label, style))
	}
	return l
}

// status is the fixed line of a small screen.
func (f *frame) status(width int) cells.Line {
	if f.state.Search.Typing {
		return f.searchPrompt(width)
	}
	if note := f.note(); note != "" {
		return cells.TextLine(" "+note, &f.th.Strong).Fit(width)
	}
	return cells.Spread(cells.TextLine(" "+f.summary(), &f.th.Strong), f.smallHints(width), width)
}

// smallHints are the keys that a small screen has room for.
func (f *frame) smallHints(width int) cells.Line {
	if f.state.Asking != nil && f.live() {
		answer := cells.Line{{"1 2 3 ", &f.th.Key}, {f.in("answer") + " ", &f.th.Dim}}
		if width >= 56 {
			answer = append(answer, cells.Span{" " + f.in("? help "), &f.th.Dim})
		}
		return answer
	}
	hints := cells.Line{{f.in("? help "), &f.th.Dim}}
	if f.unset() {
		return f.hints(keys.UnsetHints(f.state.Problem.Final), width/2)
	}
	if f.offers() && width >= 56 {
		next := keys.NextHint()
		return append(cells.Line{{next.Key + " ", &f.th.Key}, {f.in(next.Does) + "  ", &f.th.Dim}}, hints...)
	}
	if !f.story.Done() && width >= 56 {
		hints = append(cells.Line{{"→ ", &f.th.Key}, {f.in("step") + "  ", &f.th.Dim}}, hints...)
	}
	return hints
}

// summary is the state in a few words: "4/6 · B 409 · rv 215 · etcd 215".
func (f *frame) summary() string {
	s := fmt.Sprintf("%d/%d", f.state.Cursor, len(f.story.Trace.Plan))
	if f.step != nil && f.state.Cursor > 0 {
		if n := len(f.step.Exchanges); n > 0 {
			e := &f.step.Exchanges[n-1]
			s += fmt.Sprintf(" · %s %d", e.Actor, e.Status)
		} else {
			s += " · " + string(f.step.Actor)
		}
	}
	if objects := f.objects(); len(objects) == 1 {
		if objects[0].Exists {
			s += " · rv " + objects[0].ResourceVersion
		} else {
			s += " · " + f.absent(objects[0].Name)
		}
	}
	if f.now.Etcd.Head > 0 {
		s += " · etcd " + number(f.now.Etcd.Head)
	}
	return s
}

// sentence is all that a very small screen has room for.
func (f *frame) sentence() []cells.Line {
	s := "rvtui " + f.summary() + "."
	switch {
	case f.state.Problem != nil:
		s = f.state.Problem.Title + " " + f.state.Problem.Detail
	case f.state.Starting != nil:
		s = f.in("rvtui: the control plane is starting.")
		if f.state.Starting.Context != "" {
			s = "rvtui: " + f.state.Starting.What + f.in(".")
		}
	}
	if f.size.Height > 2 {
		s += " " + f.in("There is more to see on 40×10 and larger.")
	}
	return cells.WrapLines(s, f.size.Width, &f.th.Text)
}
