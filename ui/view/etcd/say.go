package etcd

import (
	"strconv"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// called is an RPC's compare or what else it asked for, and what came of it.
func called(in *view.Input, r *scenarios.RPC) string {
	var asks []string
	if r.CompareModRevision != nil {
		asks = append(asks, "if mod="+number(*r.CompareModRevision))
	}
	if r.AtRevision != 0 {
		asks = append(asks, "at "+number(r.AtRevision))
	}
	if r.Limit != 0 {
		asks = append(asks, "limit "+number(r.Limit))
	}
	said := strings.Join(asks, ", ")
	if outcome := words.Outcome(r, in.Lang); outcome != "" {
		if said != "" {
			said += " "
		}
		said += "→ " + outcome
		if r.Wrote() && r.Revision > 0 {
			said += ", rev " + number(r.Revision)
		}
	}
	if r.HeldMs >= 0.01 { // less would read as nothing
		said += " · " + in.In("waited %s at etcd's door for the others", took(r.HeldMs))
	}
	if r.Exchange == nil {
		said += " · " + in.In("rvtui's own call, not the apiserver's")
	}
	return cells.Clean(said)
}

// comesTo is what a storm's step comes to.
func (s *sum) comesTo(in *view.Input) string {
	var calls []string
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{s.held, "Txn succeeded", "Txns succeeded"}, {s.lost, "Txn lost", "Txns lost"}, {s.reads, "read", "reads"},
		{s.failed, "failed", "failed"}, {s.more, "other", "others"},
	} {
		if c.n > 0 {
			calls = append(calls, in.Count(c.n, c.one, c.many))
		}
	}
	var said []string
	if len(calls) > 0 {
		said = append(said, in.In("%s: %s", in.Count(s.rpcs, "RPC", "RPCs"), strings.Join(calls, in.In(", "))))
	}
	if s.own > 0 {
		said = append(said, in.Count(s.own, "revision", "revisions"))
	}
	if s.others > 0 {
		said = append(said, in.In("%d by others", s.others))
	}
	return strings.Join(said, " · ")
}

// concluded is what is concluded of a request, or of several.
func concluded(in *view.Input, c *conclusion) string {
	if c.requests > 1 {
		return in.In("%s: %s", in.Count(c.requests, "request", "requests"), in.In(c.said))
	}
	return in.In(c.said)
}

// took is a duration in milliseconds, of calls that mostly take less than one.
func took(ms float64) string {
	if ms > 0 && ms < 10 {
		return strconv.FormatFloat(ms, 'f', 2, 64) + "ms"
	}
	return words.Millis(ms)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
