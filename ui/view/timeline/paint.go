package timeline

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// tense is where a step stands to the one under the cursor.
type tense int

const (
	earlier tense = iota
	current
	later
)

// styles are those of one row, by its tense.
type styles struct {
	text, lane, shaft, note *lipgloss.Style
	actor                   func(scenarios.Actor) *lipgloss.Style
}

func (d *drawing) styles(t tense) styles {
	th := d.in.Theme
	switch t {
	case later:
		return styles{&th.Dim, &th.Border, &th.Border, &th.Dim, func(scenarios.Actor) *lipgloss.Style { return &th.Dim }}
	case current:
		return styles{&th.Strong, &th.Border, &th.Text, &th.Text, d.in.Actor}
	}
	return styles{&th.Text, &th.Border, &th.Border, &th.Dim, d.in.Actor}
}

// row draws one row across the lanes. first says that it is the step's first on the screen.
func (d *drawing) row(s *step, r *row, first bool) cells.Line {
	c, l, in := &d.canvas, &d.lanes, d.in
	t := earlier
	switch {
	case s.n == in.Cursor:
		t = current
	case s.n > in.Cursor:
		t = later
	}
	st := d.styles(t)
	c.clear(l.width)
	d.rails(r, st)
	if first && r.left != gapBetween {
		mark := " "
		if t == current {
			mark = "▸"
		}
		c.put(0, mark+strconv.Itoa(s.n), st.text)
	}
	if l.time > 0 && r.timed() {
		when := r.at
		if r.left == answer { // the answer's own time, not that of what etcd said before it
			when = r.until
		}
		at := clock(when)
		c.put(l.step+l.time-len(at), at, &in.Theme.Dim)
	}
	d.leftSide(s, r, st)
	d.rightSide(s, r, st)
	return c.line(d.right, in.Size.Width)
}

// rails draws the lanes themselves.
func (d *drawing) rails(r *row, st styles) {
	c, l := d.canvas, &d.lanes
	idle, busy := "│", "┃"
	if r.gap > 0 {
		idle, busy = "┊", "┋"
	}
	for slot, x := range l.x {
		switch {
		case x < 0:
		case r.open&(1<<slot) != 0:
			c.put(x, busy, st.actor(actors[slot]))
		default:
			c.put(x, idle, st.lane)
		}
	}
	c.put(l.apiserver, idle, st.lane)
	c.put(l.etcd, idle, st.lane)
}

// leftSide draws what passes between a client and the apiserver.
func (d *drawing) leftSide(s *step, r *row, st styles) {
	c, l, in := d.canvas, &d.lanes, d.in
	room := d.callRoom()
	switch r.left {
	case request:
		x := &s.exchanges[r.exchange]
		d.arrowTo(x.slot, l.apiserver, "─", d.asks(s, r.exchange, room), st, actors[x.slot])
	case answer:
		x := &s.exchanges[r.exchange]
		who := s.tag(r.exchange)
		d.arrowBack(l.apiserver, x.slot, "─", fit(room, who+d.replies(s, r.exchange, room-len(who))), st, actors[x.slot])
		d.concluded(s, r, st)
	case roundTrip:
		x, e := &s.exchanges[r.exchange], &s.o.Exchanges[r.exchange]
		d.arrowTo(x.slot, l.apiserver, "─", "", st, actors[x.slot])
		c.put(l.last+3, " "+d.thereAndBack(s, r.exchange, room-1)+" ", st.text)
		d.head(x.slot, st.actor(e.Actor))
		if r.right != noRPC {
			break
		}
		ways := []string{in.In("attempt %d of %d", e.Attempt, x.attempts), in.In("attempt %d", e.Attempt)}
		if d.index.recorded {
			ways = slices.Insert(ways, 0, in.In("attempt %d of %d · no RPC reached etcd", e.Attempt, x.attempts), in.In("attempt %d of %d · no RPC", e.Attempt, x.attempts))
		}
		c.put(l.apiserver+3, fit(l.etcd-l.apiserver-5, ways...), st.note)
	case event:
		e := &s.o.Events[r.event]
		d.arrowBack(l.apiserver, slotOf(e.Actor), "╌", fit(room, append([]string{s.events[r.event]}, eventShort(e)...)...), st, e.Actor)
	case gapWithin:
		c.put(l.last+3, d.waited(s, r, l.apiserver-l.last-5), st.note)
	case gapBetween:
		if r.gap > 0 {
			c.put(l.last+3, fit(l.apiserver-l.last-5, lasted(r.gap)), &in.Theme.Dim)
		}
	case directSend:
		rpc := &s.o.RPCs[r.rpc]
		d.arrowTo(slotOf(rpc.Actor), l.etcd, "─", d.sends(rpc, room), st, rpc.Actor)
	case directBack:
		rpc := &s.o.RPCs[r.rpc]
		d.arrowBack(l.etcd, slotOf(rpc.Actor), "─", d.returns(rpc, l.etcd-l.apiserver-7), st, rpc.Actor)
	case stormRow:
		d.storm(s, r, st)
	case noRequest:
		said := []string{in.In("no request")}
		if words.Restarted(s.o) {
			took := lasted(s.o.DurationMs)
			said = []string{in.In("the apiserver is restarted: ready again after %s", took), in.In("restarted, ready after %s", took), in.In("restarted, %s", took)}
		}
		if s.o.Verdict == scenarios.Skipped {
			said = []string{words.Judge(in.Trace, s.o, in.Lang).Short}
		}
		c.put(l.last+3, fit(l.apiserver-l.last-4, said...), st.note)
	}
}

// eventShort is a watch's event in fewer and fewer words.
func eventShort(e *scenarios.WatchEvent) []string {
	if e.Type == "ERROR" { // its code and its message say what its reason does
		code, message := words.EventError(*e)
		return []string{e.Type + " " + code + " " + message, code + " " + message, e.Type + " " + code, code}
	}
	return []string{e.Type + " rv " + e.ResourceVersion, e.Type}
}

// thereAndBack is a request and its answer in one label.
func (d *drawing) thereAndBack(s *step, i, room int) string {
	e, x := &s.o.Exchanges[i], &s.exchanges[i]
	status, verb := strconv.Itoa(e.Status), x.request.Verb
	after := d.in.In("%d after %s", e.Status, lasted(e.DurationMs))
	if x.answer.Status == "" {
		status = d.in.In("no answer")
		after = status
	}
	const between = " ── "
	var ways []string
	for _, answer := range []string{d.replies(s, i, room), after, status} {
		if left := room - cells.Width(answer+between); left >= minAsks {
			ways = append(ways, d.asks(s, i, left)+between+answer)
		}
	}
	took, named := " · "+lasted(e.DurationMs), verb+" "+x.request.Target()+" "+status
	ways = append(ways, named+took)
	if s.n == 0 { // of the setup, what there is counts, not how long it took
		ways = append(ways, named)
	}
	return fit(room, append(ways, verb+" "+status+took, verb+" "+status)...)
}

// minAsks is the room in which a request can be said so that it is known again.
const minAsks = 14

// callRoom is how wide a label on an arrow between a client and the apiserver can be: its
// two ends and two blanks are taken off.
func (d *drawing) callRoom() int { return d.lanes.apiserver - d.lanes.last - 6 }

// rpcRoom is the same of an arrow between the apiserver and etcd.
func (d *drawing) rpcRoom() int { return d.lanes.etcd - d.lanes.apiserver - 6 }

// asks is a request, said to be the setup's where that has no lane.
func (d *drawing) asks(s *step, i, room int) string {
	x := &s.exchanges[i]
	who := s.tag(i)
	if d.lanes.x[x.slot] < 0 && s.n == 0 {
		who = d.in.In("setup: ")
	}
	return fit(room, who+x.request.Fit(room-cells.Width(who)), x.request.Fit(room))
}

// tag tells one of a storm's requests from the others: by its call's number.
func (s *step) tag(i int) string {
	if s.exchanges[i].storm == nil {
		return ""
	}
	return "#" + strconv.Itoa(s.o.Exchanges[i].Call) + " "
}

// whose says which request an RPC is for, where that is not plain to see.
func (s *step) whose(r *row) string {
	if r.left != nothing || r.exchange < 0 || !r.crowded {
		return ""
	}
	return string(s.o.Exchanges[r.exchange].Actor) + strings.TrimSuffix(s.tag(r.exchange), " ") + ": "
}

// arrowTo draws an arrow from a lane of a client to another lane, with a label behind the
// last client's lane. A client without a lane begins there.
func (d *drawing) arrowTo(slot, to int, shaft, label string, st styles, actor scenarios.Actor) {
	c, l := d.canvas, &d.lanes
	from := l.x[slot]
	if from >= 0 {
		c.put(from, "┠", st.actor(actor))
	} else {
		from = l.last + 1
	}
	d.shaft(from+1, to-1, shaft, st)
	c.put(to-1, "▶", st.actor(actor))
	if label != "" {
		c.put(l.last+2, " "+label+" ", st.text)
	}
}

// arrowBack draws an arrow back, with a label at its beginning.
func (d *drawing) arrowBack(from, slot int, shaft, label string, st styles, actor scenarios.Actor) {
	c, l := d.canvas, &d.lanes
	c.put(from, "┤", st.lane)
	to := l.x[slot]
	if to < 0 {
		to = l.last + 1
	}
	d.shaft(to+1, from, shaft, st)
	d.head(slot, st.actor(actor))
	if label != "" {
		c.put(from-3-cells.Width(label), " "+label+" ", st.text)
	}
}

// head is the end of an arrow at a client's lane.
func (d *drawing) head(slot int, style *lipgloss.Style) {
	x := d.lanes.x[slot]
	if x < 0 {
		x = d.lanes.last + 1
	}
	d.canvas.put(x+1, "◀", style)
}

// shaft draws a line from one cell up to another, over the lanes that it crosses.
func (d *drawing) shaft(from, to int, shaft string, st styles) {
	c := d.canvas
	for x := max(0, from); x < min(to, len(c)); x++ {
		switch c[x].text {
		case "│", "┤", "├":
			c[x].text = "┼"
		case "┃", "┠":
			c[x].text = "╂"
		default:
			c[x] = cell{shaft, st.shaft}
		}
	}
}

// rightSide draws what passes between the apiserver and etcd.
func (d *drawing) rightSide(s *step, r *row, st styles) {
	c, l, in := d.canvas, &d.lanes, d.in
	room := d.rpcRoom()
	switch r.right {
	case send:
		if r.left != directSend {
			who := s.whose(r)
			d.toEtcd(cells.Clean(who)+d.sends(&s.o.RPCs[r.rpc], room-cells.Width(who)), d.headOf(s, r, st), st)
		}
	case back:
		if r.left != directBack {
			who := s.whose(r)
			d.fromEtcd(cells.Clean(who)+d.returns(&s.o.RPCs[r.rpc], room-cells.Width(who)), r.left == answer, d.headOf(s, r, st), st)
		}
	case othersBeads:
		c.put(l.etcd, "○", st.note)
		c.put(l.etcd+2, fit(len(c)-l.etcd-2, span(s.o, r.others)), st.note)
		said := fit(room, in.In("%d by others", len(r.others)))
		if first := &s.o.Revisions[r.others[0]]; first.Own {
			what := first.Op + " " + words.ShortKey(first.Key, d.index.namespace)
			said = fit(room, in.In("%s by someone else", what), in.In("by someone else"))
		} else if len(r.others) == 1 && in.At.Open {
			said = fit(room, words.ShortKey(first.Key, d.index.namespace))
		}
		c.put(l.etcd-1-cells.Width(said), said, st.note)
	}
	if len(r.beads) > 0 {
		d.beads(s, r.beads, st)
	}
}

// headOf is the style of an RPC's arrowhead: that of whoever the RPC is for.
func (d *drawing) headOf(s *step, r *row, st styles) *lipgloss.Style {
	if r.exchange < 0 {
		return st.shaft
	}
	return st.actor(s.o.Exchanges[r.exchange].Actor)
}

func (d *drawing) toEtcd(label string, head *lipgloss.Style, st styles) {
	c, l := d.canvas, &d.lanes
	c.put(l.apiserver, "├", st.lane)
	d.shaft(l.apiserver+1, l.etcd-1, "─", st)
	c.put(l.etcd-1, "▶", head)
	if label != "" {
		c.put(l.apiserver+2, " "+label+" ", st.text)
	}
}

// fromEtcd draws an RPC's answer; goesOn says that the apiserver answers in turn.
func (d *drawing) fromEtcd(label string, goesOn bool, head *lipgloss.Style, st styles) {
	c, l := d.canvas, &d.lanes
	if !goesOn {
		c.put(l.apiserver, "│", st.lane)
	}
	c.put(l.etcd, "┤", st.lane)
	d.shaft(l.apiserver+1, l.etcd, "─", st)
	c.put(l.apiserver+1, "◀", head)
	if label != "" {
		c.put(l.etcd-3-cells.Width(label), " "+label+" ", st.text)
	}
}

// beads draws own revisions on etcd's lane, with who wrote them.
func (d *drawing) beads(s *step, revisions []int, st styles) {
	c, l := d.canvas, &d.lanes
	first := &s.o.Revisions[revisions[0]]
	whose := st.actor(writer(first))
	c.put(l.etcd, "●", whose)
	by := words.By(first.By)
	for _, i := range revisions {
		if s.o.Revisions[i].By != first.By {
			whose = st.text
			c.put(l.etcd, "●", whose)
			break
		}
	}
	at := span(s.o, revisions)
	ways := []string{at + " (" + strconv.Itoa(len(revisions)) + ")"}
	if len(revisions) == 1 {
		ways = []string{at + " " + by + " " + first.Op + " " + first.Name, at + " " + by}
	}
	c.put(l.etcd+2, fit(len(c)-l.etcd-2, append(ways, at)...), whose)
}

// concluded says of an answer what follows from the RPCs that were not seen.
func (d *drawing) concluded(s *step, r *row, st styles) {
	c, l, in := d.canvas, &d.lanes, d.in
	e, x := &s.o.Exchanges[r.exchange], &s.exchanges[r.exchange]
	room := l.etcd - l.apiserver - 5
	if r.storm != nil {
		var said string
		switch {
		case !d.index.recorded:
		case x.txns == 0:
			said = in.Count(x.rpcs, "RPC", "RPCs")
		case x.rpcs == x.txns:
			said = in.Count(x.txns, "Txn", "Txns")
		default:
			said = in.Count(x.txns, "Txn", "Txns") + " · " + in.Count(x.rpcs, "RPC", "RPCs")
		}
		c.put(l.apiserver+3, fit(room, said), st.note)
		return
	}
	if x.request.Writes() && !x.wrote && (d.index.recorded || x.unwritten) {
		c.put(l.etcd+2, fit(len(c)-l.etcd-2, in.In("no write")), st.note)
	}
	if !d.index.recorded {
		return
	}
	if x.rpcs > 0 || r.right != noRPC || x.request.Resource == "" || e.Status == 0 {
		return
	}
	if e.Method == "GET" && !x.answer.Failed && words.FromCache(s.o, r.exchange) {
		c.put(l.apiserver+3, fit(room, in.In("no RPC: served from the watch cache's memory"), in.In("no RPC: from the watch cache"), in.In("no RPC")), st.note)
	} else {
		c.put(l.apiserver+3, fit(room, in.In("no RPC reached etcd"), in.In("no RPC")), st.note)
	}
}
