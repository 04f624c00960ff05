package path_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/view"
	"rvtui/ui/view/path"
)

// evidence is what a test holds a path against: the RPCs and the spans, not a text.
type evidence struct {
	rpcs  []scenarios.RPC
	spans []scenarios.Span
}

func evidenceOf(o *scenarios.Observation, exchange int) evidence {
	var e evidence
	for _, r := range o.RPCs {
		if r.Exchange != nil && *r.Exchange == exchange {
			e.rpcs = append(e.rpcs, r)
		}
	}
	for _, s := range o.Spans {
		if s.Exchange == exchange {
			e.spans = append(e.spans, s)
		}
	}
	return e
}

func (e evidence) events(span, event string) int {
	n := 0
	for _, s := range e.spans {
		if s.Name != span {
			continue
		}
		for _, happened := range s.Events {
			if happened.Name == event {
				n++
			}
		}
	}
	return n
}

func (e evidence) has(span string) bool {
	return slices.ContainsFunc(e.spans, func(s scenarios.Span) bool { return s.Name == span })
}

func (e evidence) methods() string {
	var names []string
	for _, r := range e.rpcs {
		names = append(names, r.Method)
	}
	return strings.Join(names, " ")
}

const guaranteed = "GuaranteedUpdate etcd3"

// The whole way, question by question, and each of its numbers from the RPC that shows it.
func TestTheWholeWayIsTheOneThatRPCsAndSpansShow(t *testing.T) {
	any := func(*scenarios.Exchange) bool { return true }
	changes := func(e *scenarios.Exchange) bool {
		return e.Method == "PATCH" && strings.Contains(string(e.RequestBody), `"B"`)
	}
	refused := func(e *scenarios.Exchange) bool { return e.Status == 409 }
	for _, c := range []struct {
		scenario string
		step     int
		exchange func(*scenarios.Exchange) bool
		way      string // "?" behind what only follows
		proven   func(*path.Path, evidence) error
	}{
		{"two-writers", 3, any, "decode=passed current=cache uid=yes admit=passed rvGiven=given rvEqual=yes valid=passed change=yes txn=succeeded", written},
		{"two-writers", 4, refused, "decode=passed current=cache uid=yes? admit=passed? rvGiven=given rvEqual=stale? reread=etcd rvEqual=no", conflicted},
		{"no-op", 2, any, "decode=passed current=cache uid=yes admit=passed rvGiven=given rvEqual=yes valid=passed change=stale reread=etcd change=no", unchanged},
		{"no-op", 3, any, "decode=passed current=cache patch=passed admit=passed rvGiven=none valid=passed change=stale reread=etcd change=no", unchanged},
		{"no-op", 4, changes, "decode=passed current=cache patch=passed admit=passed rvGiven=none valid=passed change=yes txn=succeeded", written},
		{"merge-patch", 2, any, "decode=passed current=cache patch=passed admit=passed rvGiven=none valid=passed change=yes txn=succeeded", written},
		{"merge-patch", 3, refused, "decode=passed current=cache patch=passed? admit=passed? rvGiven=given rvEqual=stale? reread=etcd rvEqual=no", conflicted},
		{"exact-compacted", 2, any, "which=singleExact etcd=yes", func(p *path.Path, e evidence) error {
			end, _ := p.End()
			return all(e.methods() == "Range", e.rpcs[0].AtRevision == end.Revision, e.rpcs[0].RangeEnd == "", e.has("List(recursive=false) etcd3"), !e.has("cacher.GetList"))
		}},
		{"exact-compacted", 4, any, "which=exact snapshot=yes cache=yes", func(p *path.Path, e evidence) error {
			return all(len(e.rpcs) == 0, e.events("cacher.GetList", "GetExactSnapshotLocked success") == 1, !e.has("List(recursive=true) etcd3"))
		}},
		{"exact-compacted", 5, any, "which=singleExact etcd=compacted", func(p *path.Path, e evidence) error {
			end, _ := p.End()
			return all(e.methods() == "Range", e.rpcs[0].AtRevision == end.Revision, strings.Contains(e.rpcs[0].Error, "compacted"), !e.has("cacher.GetList"))
		}},
		{"too-large", 1, any, "which=notOlder fresh=timedOut", func(p *path.Path, e evidence) error {
			i := slices.IndexFunc(e.spans, func(s scenarios.Span) bool { return s.Name == "cacher.Get" })
			return all(len(e.rpcs) == 0, i >= 0 && e.spans[i].DurationMs >= 3000, !e.has("Get etcd3"))
		}},
		{"too-large", 4, any, "which=newest etcd=yes", func(p *path.Path, e evidence) error {
			end, _ := p.End()
			return all(e.methods() == "Range", e.rpcs[0].ModRevision == end.Revision, e.has("Get etcd3"), !e.has("cacher.Get"))
		}},
		{"any-version", 1, any, "which=newest head=yes fresh=* cache=yes", headThenCache},
		{"any-version", 2, any, "which=any cache=yes", func(p *path.Path, e evidence) error {
			return all(len(e.rpcs) == 0, e.events("cacher.GetList", "Listed items from cache") == 1)
		}},
		{"any-version", 3, any, "which=any cache=yes", func(p *path.Path, e evidence) error {
			return all(len(e.rpcs) == 0, e.events("cacher.GetList", "Listed items from cache") == 1)
		}},
		{"any-version", 4, any, "which=newest head=yes fresh=* cache=yes", headThenCache},
	} {
		t.Run(fmt.Sprintf("%s-%d", c.scenario, c.step), func(t *testing.T) {
			trace := uitest.Trace(t, c.scenario)
			o := view.Observation(&trace, c.step)
			i := slices.IndexFunc(o.Exchanges, func(e scenarios.Exchange) bool { return c.exchange(&e) })
			if i < 0 {
				t.Fatal("the trace has no such exchange")
			}
			p := path.Of(&trace, o, i)
			if got := way(&p); got != c.way && got != strings.Replace(c.way, "*", "yes", 1) && got != strings.Replace(c.way, "*", "waited", 1) {
				t.Errorf("the way is\n%s, want\n%s", got, c.way)
			}
			if err := c.proven(&p, evidenceOf(o, i)); err != nil {
				t.Errorf("%v: %+v", err, evidenceOf(o, i))
			}
		})
	}
}

// way is a path up to its end, with "?" behind what is not seen.
func way(p *path.Path) string {
	var parts []string
	for _, n := range p.Nodes {
		if n.Reached == path.NotReached {
			continue
		}
		part := string(n.Question) + "=" + string(n.Answer)
		if n.Reached != path.Seen {
			part += "?"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// all is an error that names the first of several facts that is none.
func all(facts ...bool) error {
	if i := slices.Index(facts, false); i >= 0 {
		return fmt.Errorf("fact %d does not hold", i+1)
	}
	return nil
}

// written is a write whose only RPC is the Txn that held.
func written(p *path.Path, e evidence) error {
	txn, _ := p.At(path.Txn)
	current, _ := p.At(path.Current)
	return all(e.methods() == "Txn" && *e.rpcs[0].Succeeded, txn.Revision == e.rpcs[0].ModRevision, current.Revision == *e.rpcs[0].CompareModRevision,
		e.events(guaranteed, "initial value restored") == 1, e.events(guaranteed, "Transaction committed") == 1, e.events(guaranteed, "Retry value restored") == 0)
}

// conflicted is a write whose only RPC is the second look, after the cached copy did not do.
func conflicted(p *path.Path, e evidence) error {
	end, _ := p.End()
	return all(e.methods() == "Range", end.Revision == e.rpcs[0].ModRevision, end.Sent != fmt.Sprint(end.Revision),
		e.events(guaranteed, "initial value restored") == 1, e.restoredBefore(e.rpcs[0].StartedMs),
		e.events(guaranteed, "Encode succeeded") == 0, e.events(guaranteed, "Transaction prepared") == 0)
}

// unchanged is a write that came as far as its encoding, and then only looked.
func unchanged(p *path.Path, e evidence) error {
	end, _ := p.End()
	return all(e.methods() == "Range", end.Revision == e.rpcs[0].ModRevision, e.restoredBefore(e.rpcs[0].StartedMs),
		e.events(guaranteed, "Encode succeeded") == 1, e.events(guaranteed, "Transaction prepared") == 0)
}

// headThenCache is a list whose only RPC asks for the newest revision.
func headThenCache(p *path.Path, e evidence) error {
	head, _ := p.At(path.Head)
	fresh, _ := p.At(path.Fresh)
	return all(e.methods() == "Range" && e.rpcs[0].Count == 0, head.Revision == e.rpcs[0].Revision, fresh.Revision == head.Revision,
		e.events("cacher.GetList", "getCurrentRV success") == 1, e.events("cacher.GetList", "watchCache fresh enough") == 1, !e.has("List(recursive=true) etcd3"))
}

// restoredBefore reports whether the update had its first copy before a time: no RPC brought it.
func (e evidence) restoredBefore(ms float64) bool {
	for _, s := range e.spans {
		for _, happened := range s.Events {
			if s.Name == guaranteed && happened.Name == "initial value restored" {
				return happened.AtMs < ms
			}
		}
	}
	return false
}

func TestTheLoserOfARaceIsSeenToLoseItsTxnAndToGoRoundAgain(t *testing.T) {
	trace := uitest.Trace(t, "true-race")
	losers := 0
	for n := range trace.Steps {
		o := &trace.Steps[n]
		for i := range o.Exchanges {
			e := evidenceOf(o, i)
			if o.Exchanges[i].Status != 409 || e.methods() != "Txn" || *e.rpcs[0].Succeeded {
				continue
			}
			losers++
			p := path.Of(&trace, o, i)
			txn := p.Nodes[slices.IndexFunc(p.Nodes, func(n path.Node) bool { return n.Question == path.Txn })]
			if txn.Answer != path.Lost || txn.Round != 1 || txn.Revision != e.rpcs[0].ModRevision {
				t.Errorf("step %d: the Txn is %+v, and the RPC %+v", o.Step, txn, e.rpcs[0])
			}
			if got, want := way(&p), "rvEqual=yes valid=passed change=yes txn=lost "; !strings.Contains(got, want) {
				t.Errorf("step %d: the way is %s, want in it %s", o.Step, got, want)
			}
			if end, _ := p.End(); end.Question != path.RVEqual || end.Answer != path.No || end.Round != 2 || end.Revision != e.rpcs[0].ModRevision {
				t.Errorf("step %d: it ends at %+v, want the second round's comparison", o.Step, end)
			}
			if e.events(guaranteed, "Retry value restored") != 1 || e.events(guaranteed, "Transaction prepared") != 1 {
				t.Errorf("step %d: the spans do not show one lost Txn and a second round: %+v", o.Step, e.spans)
			}
		}
	}
	if losers == 0 {
		t.Error("nobody lost in a Txn: the fixture shows no race")
	}
}
