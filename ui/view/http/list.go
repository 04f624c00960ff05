package http

import (
	"strconv"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// row is an exchange in the list.
type row struct {
	at            int
	e             *scenarios.Exchange
	request       words.Request
	status, took  string
	full, code    string // two forms of the status
	note          string // what is said of a client's own retry, in three forms:
	attempt       string // which attempt it is, what was asked of the client, how long it waited
	asked, waited string // without the first, without the first two
}

func (d *drawing) boxedList(size cells.Size) []cells.Line {
	about := d.Count(len(d.o.Exchanges), "exchange", "exchanges")
	return cells.Captioned(d.In("exchanges"), about, d.list(cells.Size{Width: size.Width - 4, Height: size.Height - 2}), size, d.Theme, d.Lang)
}

// list is a window of the step's exchanges around the chosen one, a line for each.
func (d *drawing) list(size cells.Size) cells.Body {
	n := len(d.o.Exchanges)
	height := max(0, min(size.Height, n))
	from := max(0, min(d.at-height/2, n-height))
	rows := make([]row, 0, height)
	for i := from; i < from+height; i++ {
		rows = append(rows, d.row(i))
	}
	body := cells.Body{Above: from, Below: n - from - height}
	body.Lines = d.rows(rows, size.Width)
	return body
}

// unboxed is the list without a box, whose edge would say that there is more: a sign in
// front of the first row, or the last, does.
func (d *drawing) unboxed(size cells.Size) []cells.Line {
	body := d.list(size)
	more := func(i int) {
		if l := body.Lines[i]; body.Above+i != d.at {
			l[0].Text = "… "
		}
	}
	if last := len(body.Lines) - 1; last >= 0 && size.Width >= 2 {
		if body.Above > 0 {
			more(0)
		}
		if body.Below > 0 {
			more(last)
		}
	}
	return body.Lines
}

func (d *drawing) row(i int) row {
	e := &d.o.Exchanges[i]
	a := words.ReadAnswer(e)
	r := row{at: i, e: e, request: words.Read(e), took: words.Millis(e.DurationMs), full: cells.Clean(a.Line(d.Lang)), code: strconv.Itoa(e.Status)}
	switch {
	case e.InFlight:
		r.code, r.took = "…", ""
	case e.Status == 0:
		r.code = d.In("no answer")
	case a.RV != "":
		r.code += " → " + cells.Clean(a.RV)
	}
	if before := d.attemptBefore(i); before != nil {
		wait := e.StartedMs - before.StartedMs - before.DurationMs
		r.waited = d.In("waited %s", seconds(wait))
		r.asked = r.waited
		if header := words.RetryAfter(before); header != "" {
			r.asked = d.In("Retry-After %s, waited %s", cells.Clean(after(header)), seconds(wait))
		}
		r.attempt = d.In("attempt %d", e.Attempt) + " · " + r.asked
	} else if refused, ok := d.refused[i]; ok {
		before := &d.o.Exchanges[refused]
		wait := e.StartedMs - before.StartedMs - before.DurationMs
		r.waited = d.In("%s after the %d", seconds(wait), before.Status)
		r.asked, r.attempt = r.waited, r.waited
	}
	return r
}

// refusals finds the exchanges that were an actor's next after a write of its own was
// refused: what a loop such as retry.RetryOnConflict or kubectl's does then, and when. Of an
// actor with more than one request under way at a time nobody can say which follows which.
func refusals(o *scenarios.Observation) map[int]int {
	type last struct {
		exchange int
		ends     float64
		many     bool
	}
	found, lasts := map[int]int{}, map[scenarios.Actor]*last{}
	for i := range o.Exchanges {
		e := &o.Exchanges[i]
		if e.Method == "GET" && words.Read(e).Verb == "WATCH" { // runs beside the others
			continue
		}
		end := e.StartedMs + e.DurationMs
		before := lasts[e.Actor]
		if before == nil {
			lasts[e.Actor] = &last{exchange: i, ends: end}
			continue
		}
		before.many = before.many || e.StartedMs < before.ends
		if before.many {
			continue
		}
		if b := &o.Exchanges[before.exchange]; b.Status >= 400 && b.Method != "GET" && e.Attempt < 2 {
			found[i] = before.exchange
		}
		before.exchange, before.ends = i, end
	}
	for i := range found {
		if lasts[o.Exchanges[i].Actor].many {
			delete(found, i)
		}
	}
	return found
}

// attemptBefore is the attempt of the same call before exchange i; nil where i is a
// call's first.
func (d *drawing) attemptBefore(i int) *scenarios.Exchange {
	e := &d.o.Exchanges[i]
	if e.Attempt < 2 {
		return nil
	}
	for j := i - 1; j >= 0; j-- {
		before := &d.o.Exchanges[j]
		if before.Call == e.Call && before.Attempt == e.Attempt-1 && before.Actor == e.Actor {
			return before
		}
	}
	return nil
}

// after is a Retry-After: seconds, or a date (RFC 9110, section 10.2.3).
func after(header string) string {
	if _, err := strconv.Atoi(header); err == nil {
		return header + " s"
	}
	return header
}

// seconds is a wait as a person reads it: "1.0 s", "28 ms".
func seconds(ms float64) string {
	if ms >= 1000 {
		return words.Seconds(time.Duration(ms * float64(time.Millisecond)))
	}
	return strconv.FormatFloat(max(0, ms), 'f', 0, 64) + " ms"
}

// rows draws the rows in columns. Where there is too little room, what is said of the
// waits goes first, then the status' words.
func (d *drawing) rows(rows []row, width int) []cells.Line {
	number := len(strconv.Itoa(len(d.o.Exchanges)))
	actor, asked, took := 0, 0, 0
	for i := range rows {
		r := &rows[i]
		actor = max(actor, cells.Width(cells.Clean(string(r.e.Actor))))
		asked = max(asked, cells.Width(cells.Clean(r.request.Line(" "))))
		took = max(took, cells.Width(r.took))
	}
	fixed := 2 + number + 1 + actor + 1 + 2 + 1 + took
	forms := []struct {
		status, note func(*row) string
		least        int // cells for the request
	}{
		{func(r *row) string { return r.full }, func(r *row) string { return r.attempt }, asked},
		{func(r *row) string { return r.code }, func(r *row) string { return r.attempt }, asked},
		{func(r *row) string { return r.code }, func(r *row) string { return r.asked }, asked},
		{func(r *row) string { return r.code }, func(r *row) string { return r.waited }, min(asked, 18)},
		{func(r *row) string { return r.code }, func(*row) string { return "" }, 0},
	}
	var status, note, room int
	for _, form := range forms {
		status, note = 0, 0
		for i := range rows {
			r := &rows[i]
			r.status, r.note = form.status(r), form.note(r)
			status = max(status, cells.Width(r.status))
			note = max(note, cells.Width(r.note))
		}
		room = width - fixed - status
		if note > 0 {
			room -= 2 + note
		}
		if room >= form.least {
			break
		}
	}
	room = max(0, min(room, asked))
	out := make([]cells.Line, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		mark, style := "  ", &d.Theme.Text
		if r.at == d.at {
			mark, style = "▸ ", &d.Theme.Current
		}
		l := cells.Line{
			{mark, style}, {right(strconv.Itoa(r.at+1), number) + " ", &d.Theme.Dim},
			{left(cells.Clean(string(r.e.Actor)), actor) + " ", d.Actor(r.e.Actor)},
			{left(cells.Clean(r.request.Fit(room)), room) + "  ", style},
			{left(r.status, status) + " ", style}, {right(r.took, took), &d.Theme.Dim},
		}
		if r.note != "" {
			l = append(l, cells.Span{"  " + r.note, &d.Theme.Text})
		}
		out = append(out, l.Fit(width))
	}
	return out
}

// left and right put a text at the one end of so many cells.
func left(s string, width int) string {
	s = cells.Cut(s, width)
	return s + cells.Spaces(width-cells.Width(s))
}

func right(s string, width int) string {
	s = cells.Cut(s, width)
	return cells.Spaces(width-cells.Width(s)) + s
}
