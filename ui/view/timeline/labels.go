package timeline

import (
	"math"
	"strconv"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// fit is the first of some ways to say a thing that has at most width cells; the last one,
// shortened, where none has.
func fit(width int, ways ...string) string {
	if width <= 0 {
		return ""
	}
	last := ""
	for _, way := range ways {
		if way = cells.Clean(way); way != "" {
			if cells.Width(way) <= width {
				return way
			}
			last = way
		}
	}
	if width < 3 {
		return ""
	}
	return cells.Cut(last, width)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// lasted is a duration as the diagram says it: "1.6 ms", "15 ms", "3.0 s".
func lasted(ms float64) string {
	switch {
	case ms >= 1000:
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	}
	return strconv.FormatFloat(max(0, ms), 'f', 1, 64) + " ms"
}

// sends is what an RPC asks of etcd.
func (d *drawing) sends(r *scenarios.RPC, width int) string {
	if r.Method != "Txn" {
		asks, _ := parted(words.RPC(r, d.index.namespace, d.in.Lang))
		return fit(width, asks)
	}
	key := words.ShortKey(r.Key, d.index.namespace)
	does := r.Writes
	if does == "" {
		does = "get"
	}
	if r.CompareModRevision == nil {
		return fit(width, "Txn "+key+" "+does, "Txn "+does)
	}
	mod := number(*r.CompareModRevision)
	return fit(width, "Txn if mod="+mod+" then "+does, "Txn mod="+mod+" "+does, "Txn mod="+mod)
}

// returns is what came of an RPC.
func (d *drawing) returns(r *scenarios.RPC, width int) string {
	_, outcome := parted(words.RPC(r, d.index.namespace, d.in.Lang))
	switch {
	case strings.HasSuffix(r.Error, "has been compacted"):
		return fit(width, outcome, d.in.In("error: compacted"))
	case r.Method == "Txn" && r.Error == "" && r.Succeeded != nil && *r.Succeeded:
		return fit(width, d.in.In("succeeded"), "ok")
	case r.Method == "Txn" && r.Error == "" && r.Succeeded != nil && r.ModRevision > 0:
		return fit(width, d.in.In("lost, got mod %d", r.ModRevision), d.in.In("lost"))
	case outcome == "":
		return "ok"
	}
	if r.Error == "" && r.Revision > 0 {
		return fit(width, outcome, "head "+number(r.Revision))
	}
	return fit(width, outcome)
}

// parted takes an RPC in words apart: what it asks, and what came.
func parted(said string) (asks, outcome string) {
	if i := strings.LastIndex(said, " → "); i >= 0 {
		return said[:i], said[i+len(" → "):]
	}
	return said, ""
}

// replies is what an exchange was answered.
func (d *drawing) replies(s *step, i, width int) string {
	e, x := &s.o.Exchanges[i], &s.exchanges[i]
	took := " · " + lasted(e.DurationMs)
	code := strconv.Itoa(e.Status)
	switch a := x.answer; {
	case a.Status == "":
		return fit(width, d.in.In("no answer: %s", e.Error)+took, d.in.In("no answer")+took, d.in.In("no answer"))
	case x.request.Verb == "WATCH" && !a.Failed:
		return fit(width, d.in.In("%s, the watch ended after %s", a.Status, lasted(e.DurationMs)), d.in.In("%s, ended after %s", code, lasted(e.DurationMs)), code+took, code)
	case a.List:
		items := words.Items(d.in.Trace, e, d.in.Lang)
		list := a.Listed(d.in.Lang)
		return fit(width, a.Status+" "+list+", "+items+took, code+" "+list+", "+items+took, code+" "+list+took, code+" "+list, code)
	case a.RV != "":
		return fit(width, a.Status+" rv "+a.RV+took, code+" rv "+a.RV+took, code+" rv "+a.RV, code)
	default:
		retry := ""
		if after := words.RetryAfter(e); after != "" {
			retry = " · Retry-After " + after
		}
		plain, _, _ := strings.Cut(a.Status, " (")
		return fit(width, a.Status+retry+took, a.Status+took, plain+took, plain, code+took, code)
	}
}

// waited is what a gap within a step is: a wait before another attempt, or nothing known.
func (d *drawing) waited(s *step, r *row, width int) string {
	gap := lasted(r.gap)
	if r.exchange < 0 || s.o.Exchanges[r.exchange].Attempt < 2 {
		return fit(width, gap)
	}
	e := &s.o.Exchanges[r.exchange]
	if r.exchange > 0 {
		if before := &s.o.Exchanges[r.exchange-1]; before.Call == e.Call {
			asked := words.RetryAfter(before)
			if seconds, err := strconv.Atoi(asked); err == nil && math.Abs(r.gap-1000*float64(seconds)) < 500 {
				return fit(width, d.in.In("%s, as Retry-After: %s asks", gap, asked), gap)
			}
		}
	}
	return fit(width, d.in.In("%s before attempt %d", gap, e.Attempt), gap)
}

// clock is a time since the trace began, in milliseconds.
func clock(ms float64) string {
	if ms >= 100_000 {
		return strconv.FormatFloat(ms, 'f', 0, 64)
	}
	return strconv.FormatFloat(ms, 'f', 1, 64)
}

// span is a revision, or from the first to the last of some.
func span(o *scenarios.Observation, revisions []int) string {
	first, last := o.Revisions[revisions[0]].Revision, o.Revisions[revisions[len(revisions)-1]].Revision
	if first == last {
		return number(first)
	}
	return number(first) + "–" + number(last)
}
