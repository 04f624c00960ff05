package path

import (
	"slices"
	"strconv"

	"rvtui/scenarios"
)

// remove is the way of a DELETE of one object: Store.Delete and rest.BeforeDelete of
// k8s.io/apiserver/pkg/registry, and conditionalDelete of k8s.io/apiserver/pkg/storage/etcd3.
func (e *evidence) remove() Path {
	var w way
	rounds := 1
	ops := e.onKey()
	handler := e.span("Delete")
	get := e.span("Get etcd3")

	decode := Node{Question: Decode, Answer: Passed, Ms: unknown}
	switch {
	case get != nil && handler != nil:
		decode.Ms = get.StartedMs - handler.StartedMs
	case e.traced():
		decode.Answer, decode.Ends = Refused, true
	case len(ops) == 0:
		decode.Reached = Follows
	}
	w.add(decode)

	find := Node{Question: Find, Reached: NotObserved, Ms: unknown}
	if len(ops) > 0 && ops[0].Method == "Range" {
		find = Node{Question: Find, Answer: Yes, Revision: ops[0].ModRevision, Ms: ops[0].DurationMs}
		ops = ops[1:]
		if find.Revision == 0 {
			find.Answer = Missing
		}
	}
	if e.status() == 404 && (find.Reached == NotObserved || find.Revision == 0) {
		find.Answer, find.Ends = Missing, true
		if find.Reached == NotObserved {
			find.Reached = Follows
		}
	}
	w.add(find)
	e.preconditions(&w, find)

	marked, deleted := false, false
	for _, r := range ops {
		switch {
		case r.Writes == "put" && !r.Wrote():
			w.add(lostTxn(r, rounds))
			rounds++
		case r.Writes == "put" && !marked:
			marked = true
			w.add(Node{Question: Finalizers, Answer: Yes, Revision: r.ModRevision, Ms: r.DurationMs})
		case r.Writes == "delete":
			if !marked && !deleted {
				w.add(Node{Question: Finalizers, Answer: No, Ms: unknown})
			}
			deleted = true
			rounds = e.deleted(&w, r, rounds)
		case r.Method == "Range" && !w.ended:
			w.add(Node{Question: Reread, Answer: FromEtcd, Revision: r.ModRevision, Ms: r.DurationMs})
		}
	}
	switch {
	case w.ended || deleted:
	case marked: // that was all: it goes when the last finalizer does
		w.nodes[len(w.nodes)-1].Ends, w.ended = true, true
	case e.succeeded() && e.dryRun():
		w.asked(0, "", Finalizers)
		w.add(Node{Question: DryRun, Answer: Yes, Reached: Follows, Ms: unknown, Ends: true})
	case e.succeeded():
		w.asked(0, "", Finalizers, Txn)
		w.ended = true
	}
	if w.ended {
		for _, q := range []Question{Finalizers, Txn} {
			if !has(w.nodes, q) {
				w.add(Node{Question: q})
			}
		}
	}
	return Path{Nodes: w.nodes, Rounds: rounds}
}

// preconditions are those that the request names, held against the object that was read.
func (e *evidence) preconditions(w *way, found Node) {
	last := found.Revision
	for _, r := range e.onKey() {
		if r.Method == "Range" && r.ModRevision > 0 {
			last = r.ModRevision
		}
	}
	check := func(q Question, sent string, refusals ...string) {
		if sent == "" {
			return
		}
		n := Node{Question: q, Answer: Yes, Sent: sent, Revision: found.Revision, Ms: unknown}
		if !e.succeeded() && slices.ContainsFunc(refusals, e.says) {
			n.Answer, n.Ends, n.Revision = No, true, last
		}
		if found.Reached != Seen {
			n.Reached = Follows
		}
		w.add(n)
	}
	check(UID, e.metadata("uid"), "UID in the precondition", "UID in precondition")
	check(RVEqual, e.metadata("resourceVersion"), "ResourceVersion in the precondition", "ResourceVersion in precondition")
}

func (e *evidence) deleted(w *way, r *scenarios.RPC, round int) int {
	n := lostTxn(r, round)
	if r.Wrote() {
		n.Answer, n.Revision, n.Ends = Succeeded, r.Revision, true
		w.add(n)
		return round
	}
	n.Ends = r.ModRevision == 0 && e.status() == 404 // somebody else deleted it
	w.add(n)
	return round + 1
}

func lostTxn(r *scenarios.RPC, round int) Node {
	n := Node{Question: Txn, Answer: Lost, Round: round, Revision: r.ModRevision, Writes: r.Writes, Ms: r.DurationMs}
	if r.CompareModRevision != nil {
		n.Sent = strconv.FormatInt(*r.CompareModRevision, 10)
	}
	return n
}

func has(nodes []Node, q Question) bool {
	for _, n := range nodes {
		if n.Question == q {
			return true
		}
	}
	return false
}
