package timeline

import (
	"strconv"
	"strings"

	"rvtui/ui/cells"
)

// storm draws one of the rows that tell of many requests together.
func (d *drawing) storm(s *step, r *row, st styles) {
	c, l, in, t := d.canvas, &d.lanes, d.in, r.storm
	left, right := d.callRoom(), d.rpcRoom()
	n := len(t.exchanges)
	switch r.part {
	case stormMeanwhile:
		c.put(l.last+3, fit(l.apiserver-l.last-4, in.In("at the same time as the above:"), in.In("meanwhile:")), st.note)
	case stormSent:
		times := strconv.Itoa(n) + " × "
		d.arrowTo(d.firstOf(t), l.apiserver, "─", fit(left, times+t.request.Fit(left-len(times))), st, actors[d.firstOf(t)])
		for slot, sent := range t.by { // the others join in
			if sent > 0 && l.x[slot] >= 0 {
				c.put(l.x[slot], "┠", st.actor(actors[slot]))
			}
		}
		if t.txns > 0 {
			txns := strconv.Itoa(t.txns) + " × Txn"
			d.toEtcd(fit(right, txns+" if mod=… then "+t.writes, txns), st.shaft, st)
		} else if t.reads > 0 {
			d.toEtcd(fit(right, strconv.Itoa(t.reads)+" × Range"), st.shaft, st)
		}
	case stormWho:
		var by []string
		for slot, sent := range t.by {
			if sent > 0 {
				by = append(by, in.In("%d by %s", sent, actors[slot]))
			}
		}
		who := strings.Join(by, in.In(", "))
		c.put(l.last+3, fit(l.apiserver-l.last-4, in.In("%s, at most %d at once", who, t.atOnce), in.In("%s, %d at once", who, t.atOnce), who), st.note)
		if t.txns > 0 {
			d.fromEtcd(fit(right, in.In("%d succeeded, %d lost", t.held, t.txns-t.held), in.In("%d ok, %d lost", t.held, t.txns-t.held), in.In("%d lost", t.txns-t.held)), false, st.shaft, st)
		} else if t.reads > 0 {
			mod := "mod " + number(t.readFrom)
			if t.readTo > t.readFrom {
				mod += "–" + number(t.readTo)
			}
			d.fromEtcd(fit(right, mod), false, st.shaft, st)
		}
	case stormReads:
		said := []string{}
		if t.reads > 0 && t.txns > 0 {
			said = append(said, strconv.Itoa(t.reads)+" × Range")
		}
		if t.other > 0 {
			said = append(said, in.In("%d other RPCs", t.other))
		}
		c.put(l.apiserver+3, fit(right, strings.Join(said, ", ")), st.note)
	case stormRounds:
		if d.form.dense() {
			c.put(l.apiserver+3, fit(right, in.In("%d to %d Txns a request", t.bars[0].from, len(t.rounds)-1), in.In("%d–%d Txns each", t.bars[0].from, len(t.rounds)-1), in.In("%d–%d Txns", t.bars[0].from, len(t.rounds)-1)), st.note)
			break
		}
		c.put(l.apiserver+3, fit(right+1, in.In("Txns  requests that took so many"), in.In("Txns  requests")), st.note)
	case stormBar:
		d.bar(t, r.n, st)
	case stormMore:
		c.put(l.last+3, fit(l.apiserver-l.last-4, in.In("… %d more answers (o shows all)", r.n), in.In("… %d more (o)", r.n), "… "+strconv.Itoa(r.n)), st.note)
	case stormDone:
		var outcomes []string
		for _, o := range t.outcomes {
			status := o.status
			if status == "" {
				status = in.In("no answer")
			}
			outcomes = append(outcomes, strconv.Itoa(o.n)+" × "+status)
		}
		all := strings.Join(outcomes, ", ")
		short := all
		for _, o := range t.outcomes {
			code, _, _ := strings.Cut(o.status, " ")
			short = strings.Replace(short, o.status, code, 1)
		}
		took := " · " + lasted(t.shortest) + " – " + lasted(t.longest)
		label := fit(left, all+took, all, short+took, short)
		for slot, sent := range t.by {
			if sent > 0 {
				d.arrowBack(l.apiserver, slot, "─", "", st, actors[slot])
			}
		}
		c.put(l.apiserver-3-cells.Width(label), " "+label+" ", st.text)
	}
}

// firstOf is the leftmost of those who take part.
func (d *drawing) firstOf(t *storm) int {
	for slot, sent := range t.by {
		if sent > 0 {
			return slot
		}
	}
	return slotAdmin
}

// bar draws how many requests took so many Txns.
func (d *drawing) bar(t *storm, at int, st styles) {
	c, l := d.canvas, &d.lanes
	most, widest := 1, len("Txns")
	label := func(b bar) string {
		if b.from == b.to {
			return strconv.Itoa(b.from)
		}
		return strconv.Itoa(b.from) + "–" + strconv.Itoa(b.to)
	}
	for _, b := range t.bars {
		most = max(most, b.n)
		widest = max(widest, cells.Width(label(b)))
	}
	b := t.bars[at]
	from := l.apiserver + 3
	room := min(30, l.etcd-from-widest-9)
	if room < 3 {
		c.put(from, fit(l.etcd-from-1, label(b)+": "+strconv.Itoa(b.n)), st.text)
		return
	}
	said := label(b)
	c.put(from+widest-cells.Width(said), said, st.note)
	length := (b.n*room + most - 1) / most
	c.put(from+widest+2, strings.Repeat("▇", length), st.shaft)
	c.put(from+widest+2+length+1, strconv.Itoa(b.n), st.text)
}
