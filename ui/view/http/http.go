// Package http is the view of a step's HTTP exchanges: each as it was sent and as it was
// answered, what was changed in it, and what of it reached etcd. It is pure, may import
// scenarios, the ui packages of texts and cells, and terminal libraries, and must never
// claim what the trace does not hold.
package http

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// drawing is one exchange of a step, about to be drawn.
type drawing struct {
	view.Input
	o       *scenarios.Observation
	at      int // the exchange, in the step's
	e       *scenarios.Exchange
	request words.Request
	answer  words.Answer
	// refused is, by exchange, the one of the same actor that was refused right before.
	refused map[int]int
	// terse says that there is little room: of what did not change, little is shown.
	terse bool
}

// Draw draws the exchanges of the step under the cursor: a list of them, where there are
// several, and the chosen one's request beside its response. where none is
// chosen it is the one that the step is about.
func Draw(in view.Input) view.Drawn {
	o := in.Step()
	at := in.At
	if o == nil || len(o.Exchanges) == 0 {
		return without(&in, o)
	}
	n := len(o.Exchanges)
	if at.Chosen < 1 || at.Chosen > n {
		at.Chosen = view.Telling(o) + 1
	}
	d := drawing{Input: in, o: o, at: at.Chosen - 1, refused: refusals(o)}
	d.e = &o.Exchanges[d.at]
	d.request, d.answer = words.Read(d.e), words.ReadAnswer(d.e)

	lines := []cells.Line{d.caption(in.Size.Width)}
	rest := cells.Size{Width: in.Size.Width, Height: max(0, in.Size.Height-1)}
	switch {
	case n == 1:
		var sides []cells.Line
		sides, at.Down = d.sides(rest)
		lines = append(lines, sides...)
	case rest.Width >= 160 && rest.Height >= 6 && n > 8:
		list := cells.Size{Width: min(rest.Width*2/5, 76), Height: rest.Height}
		left := d.boxedList(list)
		right, down := d.sides(cells.Size{Width: rest.Width - list.Width, Height: rest.Height})
		at.Down = down
		for i := range right {
			lines = append(lines, append(append(cells.Line{}, left[i]...), right[i]...))
		}
	default:
		list := cells.Size{Width: rest.Width, Height: min(n, max(2, rest.Height/4))}
		if rest.Height >= 30 {
			list.Height += 2
			lines = append(lines, d.boxedList(list)...)
		} else {
			list.Height = min(list.Height, rest.Height/2)
			lines = append(lines, d.unboxed(list)...)
		}
		var sides []cells.Line
		sides, at.Down = d.sides(cells.Size{Width: rest.Width, Height: rest.Height - list.Height})
		lines = append(lines, sides...)
	}
	return view.Drawn{Lines: cells.Crop(lines, in.Size), At: at, Choices: n, Copy: curl(&in, d.e)}
}

// caption is the first line: who sent what, which attempt it was of its call, how long it
// took, which of the step's exchanges it is, and its trace id.
func (d *drawing) caption(width int) cells.Line {
	who := cells.Line{cells.Text(string(d.e.Actor), d.Actor(d.e.Actor)), {" · ", &d.Theme.Dim}}
	attempts := 0
	for i := range d.o.Exchanges {
		if e := &d.o.Exchanges[i]; e.Call == d.e.Call {
			attempts = max(attempts, e.Attempt)
		}
	}
	var attempt []string // of a call that its client did not repeat, there is nothing to say
	if attempts > 1 {
		attempt = []string{d.In("attempt %d of %d", d.e.Attempt, attempts)}
	}
	took := words.Millis(d.e.DurationMs)
	if d.e.InFlight {
		took = d.In("waiting for the answer")
	}
	n := len(d.o.Exchanges)
	var which, place []string // where there are several
	if n > 1 {
		which = []string{d.In("exchange %d of %d", d.at+1, n)}
		place = []string{strconv.Itoa(d.at+1) + "/" + strconv.Itoa(n)}
	}
	var trace cells.Line
	if id := d.e.TraceID; id != "" {
		trace = cells.TextLine(d.In("trace %s…", id[:min(8, len(id))]), &d.Theme.Dim)
	}
	lasted := []string{took}
	forms := [][]string{slices.Concat(attempt, lasted, which), slices.Concat(attempt, lasted, place), slices.Concat(lasted, place)}
	asked := cells.Clean(d.request.Line(" "))
	for i, form := range forms {
		about := cells.TextLine(" · "+strings.Join(form, " · "), &d.Theme.Dim)
		right := cells.Line(nil)
		if i == 0 {
			right = trace
		}
		room := width - who.Width() - about.Width() - right.Width()
		if len(right) > 0 {
			room -= 2
		}
		last := i == len(forms)-1
		if cells.Width(asked) > room {
			if i == 0 && cells.Width(asked) <= room+right.Width()+2 {
				right = nil
			} else if !last {
				continue
			}
		}
		if last {
			asked = cells.Cut(cells.Clean(d.request.Fit(room)), room)
		}
		left := append(append(cells.Line{}, who...), cells.Span{asked, &d.Theme.Strong})
		return cells.Spread(append(left, about...), right, width)
	}
	return nil
}

// without is a step that sent no request: what it did instead.
func without(in *view.Input, o *scenarios.Observation) view.Drawn {
	width := in.Size.Width
	var lines []cells.Line
	say := func(s string, style *lipgloss.Style) {
		lines = append(lines, cells.WrapLines(s, width, style)...)
	}
	switch {
	case width <= 0:
	case o == nil:
		say(in.In("Nothing is known of this step yet."), &in.Theme.Dim)
	default:
		head := cells.Line{cells.Text(string(o.Actor), in.Actor(o.Actor)), {" · ", &in.Theme.Dim}, cells.Text(o.Title.In(in.Lang), &in.Theme.Strong)}
		if o.DurationMs > 0 {
			head = append(head, cells.Text(" · "+words.Millis(o.DurationMs), &in.Theme.Dim))
		}
		lines = append(lines, head, nil)
		facts := words.Evidence(in.Trace, o, in.Lang)
		switch {
		case o.Verdict == scenarios.Skipped || o.Error != "":
			say(in.In("No HTTP request was sent in this step."), &in.Theme.Text)
			say(said(words.Judge(in.Trace, o, in.Lang)), &in.Theme.Strong)
		case len(facts) > 0:
			say(in.In("No HTTP request was sent in this step. It went to etcd itself, past the apiserver:"), &in.Theme.Text)
		default:
			say(in.In("No HTTP request was sent in this step."), &in.Theme.Text)
		}
		if len(facts) > 0 {
			lines = append(lines, nil)
		}
		for _, fact := range facts {
			for _, l := range cells.Wrap(fact.Text, max(1, width-2)) {
				lines = append(lines, cells.Line{{"  ", nil}, {l, &in.Theme.Strong}})
			}
		}
	}
	shown := cells.Window(lines, in.Size.Height, in.At.Down)
	at := in.At
	at.Down, at.Chosen = shown.Above, 0
	return view.Drawn{Lines: cells.Crop(shown.Lines, in.Size), At: at}
}

// said is a whole verdict.
func said(v words.Verdict) string {
	if v.Rest() == "" {
		return v.Short
	}
	return v.Short + "  " + v.Rest()
}
