package path

import (
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// moment is how long a look at the watch cache may take that does not wait, in milliseconds.
const moment = 1

// get is the way of a GET of one object: CacheDelegator.Get of
// k8s.io/apiserver/pkg/storage/cacher.
func (e *evidence) get() Path {
	var w way
	which := Node{Question: Which, Answer: Newest, Sent: e.request.RV, Reached: Seen, Ms: unknown}
	switch e.request.RV {
	case "":
	case "0":
		which.Answer = Any
	default:
		which.Answer = NotOlder
		if scenarios.ParseRevision(e.request.RV) == 0 {
			which.Answer, which.Ends = Refused, true
		}
	}
	if e.unasked() {
		which.Answer, which.Ends = Refused, true
	}
	if e.uncached() {
		w.add(Node{Question: Ready, Answer: Missing, Reached: Follows, Ms: unknown})
	}
	w.add(which)
	cached := e.span("cacher.Get")
	read := e.span("Get etcd3")
	ops := e.onKey()
	if !e.uncached() && !w.ended && which.Answer != Newest && (len(ops) > 0 || read != nil) {
		w.add(Node{Question: Ready, Answer: No, Reached: Follows, Ms: unknown}) // CacheDelegator.Get goes past it
	}
	switch {
	case e.initializing():
		w.add(Node{Question: Ready, Answer: No, Ms: unknown, Ends: true})
	case len(ops) > 0 || read != nil || which.Answer == Newest || which.Answer == Refused && e.request.RV == "":
		n := Node{Question: Etcd, Answer: Yes, Ms: unknown, Ends: true}
		if len(ops) > 0 {
			n.Revision, n.Ms = ops[0].ModRevision, ops[0].DurationMs
		} else if read == nil {
			n.Reached = Follows
		}
		switch {
		case e.status() == 404:
			n.Answer = Missing
		case !e.succeeded():
			n.Answer = Refused
		}
		w.add(n)
	default:
		if which.Answer == NotOlder {
			e.fresh(&w, cached, scenarios.ParseRevision(e.request.RV))
		}
		e.cache(&w, cached, 0)
	}
	return Path{Nodes: w.nodes}
}

// fresh is the wait until the watch cache has got as far as a revision (waitUntilFreshLocked
// of k8s.io/apiserver/pkg/storage/cacher: 3 s at most).
func (e *evidence) fresh(w *way, span *scenarios.Span, revision int64) {
	n := Node{Question: Fresh, Answer: Yes, Revision: revision, Ms: unknown}
	from, locked := at(span, "watchCache locked acquired")
	until, reached := at(span, "watchCache fresh enough")
	switch {
	case locked && reached:
		n.Ms = until - from
		if n.Ms > moment {
			n.Answer = Waited
		}
	case e.says("Too large resource version"):
		n.Answer, n.Ends, n.Ms = TimedOut, true, e.sent.DurationMs
		if !locked {
			n.Reached = Follows
		}
	case e.succeeded(), e.status() == 404:
		n.Reached = Follows
	default:
		n.Answer, n.Reached = Unclear, NotObserved
	}
	w.add(n)
}

// cache is what is read from the watch cache's memory.
func (e *evidence) cache(w *way, span *scenarios.Span, revision int64) {
	n := Node{Question: Cache, Answer: Yes, Revision: revision, Ms: unknown, Ends: true}
	if span == nil && (!e.complete() || !e.succeeded() && e.status() != 404) {
		n.Reached, n.Answer, n.Ends = NotObserved, Unclear, false
	}
	if e.status() == 404 {
		n.Answer = Missing
	}
	w.add(n)
}

// list is the way of a LIST: ShouldDelegateList of k8s.io/apiserver/pkg/storage/cacher/delegator
// decides between the watch cache and etcd.
func (e *evidence) list() Path {
	var w way
	which := e.asksFor()
	if e.status() == 400 || e.status() == 422 || e.unasked() {
		which.Answer, which.Ends = Refused, true
	}
	if e.uncached() {
		w.add(Node{Question: Ready, Answer: Missing, Reached: Follows, Ms: unknown})
	}
	w.add(which)
	cached := e.span("cacher.GetList")
	stored := e.span("List(")
	if e.initializing() {
		w.add(Node{Question: Ready, Answer: No, Ms: unknown, Ends: true})
		return Path{Nodes: w.nodes}
	}
	if e.uncached() && !w.ended {
		at := int64(0)
		if which.Answer == Exact || which.Answer == SingleExact || which.Answer == NextPage {
			at = which.Revision
		}
		e.fromEtcd(&w, at)
		return Path{Nodes: w.nodes}
	}
	revision := which.Revision
	switch which.Answer {
	case Newest, NewestPage:
		e.newest(&w, cached, stored)
	case Any:
		e.cacheOrEtcd(&w, cached, stored, 0)
	case NotOlder:
		if stored == nil {
			e.fresh(&w, cached, revision)
		}
		e.cacheOrEtcd(&w, cached, stored, 0)
	case SingleExact:
		e.fromEtcd(&w, revision)
	case Exact, NextPage:
		e.exactly(&w, cached, stored, revision)
	}
	return Path{Nodes: w.nodes}
}

// asksFor is which state of the store a list asks for.
func (e *evidence) asksFor() Node {
	q := e.request.Query
	rv := e.request.RV
	n := Node{Question: Which, Sent: rv, Revision: scenarios.ParseRevision(rv), Ms: unknown}
	// Only the key of an object in a namespace can be made of a name (ListPredicate of
	// k8s.io/apiserver/pkg/registry/generic/registry).
	single := e.request.Scoped && slices.ContainsFunc(strings.Split(q.Get("fieldSelector"), ","), func(term string) bool {
		return strings.HasPrefix(term, "metadata.name=")
	})
	limited := q.Get("limit") != "" && q.Get("limit") != "0"
	switch {
	case q.Get("continue") != "":
		held := words.Token(q.Get("continue"))
		rv, _, _ := strings.Cut(strings.TrimPrefix(held, "rv "), ",")
		n.Sent, n.Revision = rv, scenarios.ParseRevision(rv)
		n.Answer = NextPage
		if strings.HasPrefix(rv, "-") { // what a 410 offers instead: not the first page's revision any more
			n.Answer = NewestPage
		}
	case q.Get("resourceVersionMatch") == "Exact", limited && rv != "" && rv != "0" && q.Get("resourceVersionMatch") == "":
		n.Answer = Exact
		if single {
			n.Answer = SingleExact
		}
	case rv == "":
		n.Answer = Newest
	case rv == "0":
		n.Answer = Any
	default:
		n.Answer = NotOlder
	}
	return n
}

// newest is a consistent list: etcd is asked for the newest revision alone, and the items
// come from the watch cache once it has got that far.
func (e *evidence) newest(w *way, cached, stored *scenarios.Span) {
	if stored != nil {
		e.fromEtcd(w, 0)
		return
	}
	head := Node{Question: Head, Reached: NotObserved, Ms: unknown}
	if len(e.rpcs) > 0 && e.rpc(e.rpcs[0]).Count == 0 {
		r := e.rpc(e.rpcs[0])
		head = Node{Question: Head, Answer: Yes, Revision: r.Revision, Ms: r.DurationMs}
	}
	w.add(head)
	if head.Reached == NotObserved && cached == nil && !e.complete() {
		// Without the watch cache's consistent reads, etcd is read instead.
		w.asked(0, "", Fresh, Cache)
		return
	}
	e.fresh(w, cached, head.Revision)
	e.cache(w, cached, head.Revision)
}

func (e *evidence) cacheOrEtcd(w *way, cached, stored *scenarios.Span, revision int64) {
	if stored != nil {
		e.fromEtcd(w, revision)
		return
	}
	e.cache(w, cached, revision)
}

// exactly is a list of exactly one revision: from a snapshot of the watch cache where it
// still has one, or else from etcd.
func (e *evidence) exactly(w *way, cached, stored *scenarios.Span, revision int64) {
	snapshot := Node{Question: Snapshot, Revision: revision, Reached: NotObserved, Ms: unknown}
	_, has := at(cached, "GetExactSnapshotLocked success")
	if from, ok := at(cached, "watchCache locked acquired"); ok {
		if until, ok := at(cached, "watchCache fresh enough"); ok && until-from > moment {
			e.fresh(w, cached, revision)
		}
	}
	switch {
	case has:
		snapshot.Answer, snapshot.Reached = Yes, Seen
	case stored != nil, len(e.rpcs) > 0:
		snapshot.Answer, snapshot.Reached = No, Seen
	case e.says("Too large resource version"):
		e.fresh(w, cached, revision)
	case e.complete() && e.succeeded():
		snapshot.Answer, snapshot.Reached = Yes, Seen // no RPC: it can have come from nowhere else
	case e.status() == 410:
		snapshot.Answer, snapshot.Reached = No, Follows
	}
	w.add(snapshot)
	if snapshot.Answer == No {
		e.fromEtcd(w, revision)
		return
	}
	e.cache(w, cached, revision)
}

// fromEtcd is a read of etcd: at a revision, or of the newest for 0.
func (e *evidence) fromEtcd(w *way, revision int64) {
	n := Node{Question: Etcd, Answer: Yes, Revision: revision, Ms: unknown, Ends: true}
	switch {
	case len(e.rpcs) > 0:
		r := e.rpc(e.rpcs[len(e.rpcs)-1]) // one before it asks for the newest revision alone
		n.Ms = r.DurationMs
		if revision == 0 {
			n.Revision = r.Revision
		}
	case e.span("List(") != nil:
	case e.complete():
		n.Reached, n.Answer, n.Ends = NotObserved, Unclear, false
	default:
		n.Reached = Follows
	}
	if e.status() == 410 {
		n.Answer = Compacted
	}
	if !e.succeeded() && e.status() != 410 {
		n.Answer = Refused
	}
	w.add(n)
}

// watch is the way of a WATCH, which the watch cache serves: Cacher.Watch of
// k8s.io/apiserver/pkg/storage/cacher.
func (e *evidence) watch() Path {
	var w way
	which := Node{Question: Which, Answer: NotOlder, Sent: e.request.RV, Revision: scenarios.ParseRevision(e.request.RV), Ms: unknown}
	switch e.request.RV {
	case "":
		which.Answer = Newest
	case "0":
		which.Answer = Any
	}
	if e.status() >= 400 && !e.initializing() {
		which.Answer, which.Ends = Refused, true
	}
	if e.uncached() {
		w.add(Node{Question: Ready, Answer: Missing, Reached: Follows, Ms: unknown})
	}
	w.add(which)
	if e.initializing() {
		w.add(Node{Question: Ready, Answer: No, Ms: unknown, Ends: true})
		return Path{Nodes: w.nodes}
	}
	if e.uncached() && !w.ended {
		w.add(Node{Question: Etcd, Answer: Yes, Reached: Follows, Ms: unknown, Ends: true})
		return Path{Nodes: w.nodes}
	}
	if which.Answer != NotOlder || e.initial() {
		e.present(&w, which)
		return Path{Nodes: w.nodes}
	}
	history := Node{Question: History, Answer: Yes, Reached: Follows, Revision: which.Revision, Ms: unknown}
	switch events := words.EventsOf(e.step, e.exchange); {
	case len(events) > 0 && events[0].Type == "ERROR":
		history.Answer, history.Reached, history.Ends = No, Seen, true
	case len(events) > 0:
		history.Reached = Seen
	case e.trace.Sees(scenarios.CapabilityEtcdRead) && which.Revision > e.step.Etcd.Head:
		history.Answer = Ahead
	}
	w.add(history)
	if !w.ended {
		e.cache(&w, e.span("cacher.Watch"), 0)
	}
	return Path{Nodes: w.nodes}
}

// initial reports whether a watch is a streaming list: it begins with what there is.
func (e *evidence) initial() bool { return e.request.Query.Get("sendInitialEvents") == "true" }

// present is a watch that begins with what there is now: as a streaming list once the watch
// cache has got as far as it asks for, or else with whatever the cache has.
func (e *evidence) present(w *way, which Node) {
	cached := e.span("cacher.Watch")
	if e.initial() && which.Answer != Any && which.Answer != Refused {
		revision := which.Revision
		if which.Answer == Newest {
			head := Node{Question: Head, Reached: NotObserved, Ms: unknown}
			if len(e.rpcs) > 0 && e.rpc(e.rpcs[0]).Count == 0 {
				r := e.rpc(e.rpcs[0])
				head = Node{Question: Head, Answer: Yes, Revision: r.Revision, Ms: r.DurationMs}
			}
			w.add(head)
			revision = head.Revision
		}
		events := words.EventsOf(e.step, e.exchange)
		if len(events) > 0 && events[0].Type == "ERROR" && strings.Contains(words.Event(events[0]), "Too large resource version") {
			w.add(Node{Question: Fresh, Answer: TimedOut, Revision: revision, Ms: events[0].AtMs - e.sent.StartedMs, Ends: true})
		} else {
			e.fresh(w, cached, revision)
		}
	}
	e.cache(w, cached, 0)
}
