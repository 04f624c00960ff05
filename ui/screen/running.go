package screen

import (
	"strconv"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// quick is how long a step may take before it is shown running: most are done before
// the eye could follow.
const quick = 300 * time.Millisecond

// Running is a step that is being done. Now comes with a tick; nothing here asks the clock.
type Running struct {
	Step      int // its number, from 1
	Since     time.Time
	Now       time.Time
	Exchanges []scenarios.Exchange
	Seen      []time.Time // when each exchange was first, and then last, told of
	Events    []scenarios.WatchEvent
	Came      []time.Time // when each event was told of
}

func (r *Running) shown() bool { return r.Now.Sub(r.Since) >= quick }

// running shows a step as it happens: attempt by attempt, and below them what its watches
// have brought.
func (f *frame) running(width int) []cells.Line {
	r := f.state.Running
	title := cells.Line{{strconv.Itoa(r.Step) + "  ", &f.th.Strong}}
	slow := ""
	if r.Step >= 1 && r.Step <= len(f.story.Trace.Plan) {
		plan := f.story.Trace.Plan[r.Step-1]
		said := plan.Title.In(f.lang)
		if said == "" {
			said = plan.Operation
		}
		title = append(title, cells.Text(said, &f.th.Strong))
		slow = plan.Slow
	}
	elapsed := words.Seconds(r.Now.Sub(r.Since))
	if slow != "" {
		elapsed = f.in("%s of %s", elapsed, words.Slow(f.lang, slow))
	}
	out := []cells.Line{cells.Spread(title, cells.Line{{" ", nil}, cells.Text(elapsed, &f.th.Strong)}, width)}
	var waiting []cells.Line
	if f.state.Queued > 0 {
		waiting = []cells.Line{cells.TextLine(f.in("%s waiting until this one is done", f.count(f.state.Queued, "step", "steps")), &f.th.Strong)}
	}
	room := max(5, f.size.Height/2-3-len(waiting))
	if height := f.fixedHeight(); height > 0 {
		if room = height - 1 - len(waiting); room < 1 { // what happens goes before what waits
			room, waiting = 1, nil
		}
	}
	attempts, events := halves(room, len(r.Exchanges), len(r.Events))
	out = append(out, f.newest(len(r.Exchanges), attempts, "attempt", "attempts", func(i int) cells.Line { return f.attempt(i, width) })...)
	out = append(out, f.newest(len(r.Events), events, "event", "events", func(i int) cells.Line { return f.came(i, width) })...)
	return append(out, waiting...)
}

// fixedHeight is the height of the explanation where it has so much and no more, or else 0.
func (f *frame) fixedHeight() int {
	switch {
	case f.layout.Explain.H == 0: // it has a pane of its own, which scrolls
		return 0
	case f.layout.Shape == Single:
		return f.layout.Explain.H
	case f.state.View == Zoomed:
		return zoomedWords
	}
	return 0
}

// halves divides so many lines between a things and b things. What one does not need the
// other has; where there is a single line and both need it, b has it.
func halves(lines, a, b int) (ofA, ofB int) {
	ofB = min(b, max((lines+1)/2, lines-a))
	return lines - ofB, ofB
}

// newest are the last of n things in at most so many lines, and how many came before.
func (f *frame) newest(n, lines int, one, many string, draw func(i int) cells.Line) []cells.Line {
	var out []cells.Line
	from := 0
	if n > lines {
		from = n - lines
		if lines >= 2 {
			from++
			out = append(out, cells.TextLine(f.in("  … %s before", f.count(from, one, many)), &f.th.Dim))
		}
	}
	for i := from; i < n; i++ {
		out = append(out, draw(i))
	}
	return out
}

// came is an event of a watch, and how long ago it came.
func (f *frame) came(i, width int) cells.Line {
	r := f.state.Running
	event := &r.Events[i]
	var age time.Duration
	if i < len(r.Came) {
		age = max(0, r.Now.Sub(r.Came[i]))
	}
	said := cells.Line{{"  ", nil}, cells.Text(string(event.Actor)+" ", f.actorStyle(event.Actor)), {"→ ", &f.th.Dim}, cells.Text(words.Event(*event), &f.th.Text)}
	return cells.Spread(said, cells.Line{{" ", nil}, cells.Text(f.in("%s ago", words.Seconds(age)), &f.th.Dim)}, width)
}

func (f *frame) attempt(i, width int) cells.Line {
	r := f.state.Running
	e := &r.Exchanges[i]
	request := words.Read(e)
	spreadTo := func(right cells.Line) cells.Line {
		l := cells.Line{
			{"  ", nil},
			cells.Text(string(e.Actor)+" ", f.actorStyle(e.Actor)),
			cells.Text(f.in("attempt %-3d ", max(1, e.Attempt)), &f.th.Dim),
		}
		l = append(l, cells.Text(request.Fit(width-l.Width()-1-right.Width()), &f.th.Text))
		return cells.Spread(l, right, width)
	}
	var since time.Duration
	if i < len(r.Seen) {
		since = max(0, r.Now.Sub(r.Seen[i]))
	}
	if e.InFlight {
		waiting := f.in("waiting for the answer · %s", words.Seconds(since))
		// Both numbers are seen: what was asked for, and where the store stands.
		if head := f.now.Etcd.Head; width >= 100 && request.Verb != "PUT" && scenarios.ParseRevision(request.RV) > head && head > 0 {
			waiting = f.in("etcd's head is %d · %s", head, waiting)
		}
		return spreadTo(cells.TextLine(waiting, &f.th.Strong))
	}
	answer := words.ReadAnswer(e)
	said := f.in("no answer")
	if answer.Status != "" {
		said = answer.Status
		if width < 60 { // the number says it
			said = strconv.Itoa(e.Status)
		}
	}
	said = f.in("%s after %s", said, words.Millis(e.DurationMs))
	right := cells.Line{cells.Text(said, &f.th.Text)}
	if wait := words.RetryAfter(e); wait != "" && width >= 60 {
		note := "   Retry-After " + wait
		if i == len(r.Exchanges)-1 {
			note = f.in("   Retry-After %s, waiting %s", wait, words.Seconds(since))
		}
		right = append(right, cells.Text(note, &f.th.Dim))
	}
	return spreadTo(right)
}

// phaseLine is the start's progress: each phase that is done, and the one under way.
func phaseLine(s *Starting, th *theme.Theme) cells.Line {
	l := cells.Line{cells.Text(s.What+"  ", &th.Strong)}
	for i, phase := range s.Phases {
		mark := " ✓   "
		if i == len(s.Phases)-1 && s.Context == "" {
			mark = " …   "
		}
		l = append(l, cells.Text(phase, &th.Text), cells.Span{mark, &th.Strong})
	}
	if s.Elapsed > 0 {
		l = append(l, cells.Text(words.Seconds(s.Elapsed), &th.Dim))
	}
	return l
}
