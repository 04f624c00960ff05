package path

import (
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// remove is the way of a DELETE of one object: Store.Delete and rest.BeforeDelete of
// k8s.io/apiserver/pkg/registry, and conditionalDelete of k8s.io/apiserver/pkg/storage/etcd3.
func (e *evidence) remove() Path {
	var w way
	ops := e.onKey()
	handler := e.span("Delete")
	get := e.span("Get etcd3")

	decode := Node{Question: Decode, Answer: Passed, Ms: unknown}
	switch {
	case get != nil && handler != nil:
		decode.Ms = get.StartedMs - handler.StartedMs
	case e.traced():
		decode.Answer, decode.Ends = Refused, true
	case len(ops) == 0 && e.refusedUnread():
		decode.Answer, decode.Reached, decode.Ends = Refused, Follows, true
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
	if find.Reached == NotObserved && (e.succeeded() || e.status() == 409) { // Store.Delete reads it first
		find.Answer, find.Reached = Yes, Follows
	}
	w.add(find)
	e.preconditions(&w, find, len(ops) == 0)

	r := &removing{way: &w, evidence: e, round: 1}
	for _, op := range ops {
		r.look(op)
	}
	r.last(find)
	return Path{Nodes: w.nodes, Rounds: r.round}
}

// removing is a deletion behind its first read.
type removing struct {
	*way
	*evidence
	marked bool // as being deleted
	round  int
}

func (r *removing) look(op *scenarios.RPC) {
	switch {
	case op.Writes == "put" && !op.Wrote():
		r.add(lostTxn(op, r.round))
		r.round++
	case op.Writes == "put" && !r.marked:
		r.marked = true
		r.add(Node{Question: Finalizers, Answer: Yes, Revision: op.ModRevision, Ms: op.DurationMs})
	case op.Writes == "delete":
		r.immediate()
		n := lostTxn(op, r.round)
		if op.Wrote() {
			n.Answer, n.Revision, n.Ends = Succeeded, op.Revision, true
		} else {
			n.Ends = op.ModRevision == 0 && r.status() == 404 // somebody else deleted it
			r.round++
		}
		r.add(n)
	case op.Method == "Range":
		if r.span("GuaranteedUpdate etcd3") == nil && !r.dryRun() {
			r.immediate()
		}
		r.add(Node{Question: Reread, Answer: FromEtcd, Round: r.round, Revision: op.ModRevision, Ms: op.DurationMs})
	}
}

// immediate is said once: nothing has to be done before the object can go.
func (r *removing) immediate() {
	if !has(r.nodes, Finalizers) {
		r.add(Node{Question: Finalizers, Answer: No, Ms: unknown})
	}
}

// last is what the answer adds to what was done.
func (r *removing) last(find Node) {
	sent, refused := r.precondition()
	switch {
	case r.ended:
	case refused != "": // it held for the first read, and not for a later one
		n := Node{Question: refused, Answer: No, Sent: sent, Revision: r.newestOf(find), Round: r.round, Ms: unknown, Ends: true}
		r.add(n)
	case r.succeeded() && r.marked: // that was all: it goes when the last finalizer does
		r.nodes[len(r.nodes)-1].Ends, r.ended = true, true
	case r.succeeded() && r.dryRun():
		r.asked(0, "", Finalizers)
		r.add(Node{Question: DryRun, Answer: Yes, Reached: Follows, Ms: unknown, Ends: true})
		return
	case r.succeeded() && find.Reached == Follows:
		r.unseen()
		return
	case r.succeeded() && r.complete() && find.Answer == Yes: // it was being deleted already
		r.add(Node{Question: Finalizers, Answer: Already, Reached: Follows, Revision: r.newestOf(find), Ms: unknown, Ends: true})
	case find.Answer == Yes && r.status() == 403:
		switch {
		case r.traced() && r.span("GuaranteedUpdate etcd3") == nil:
			r.immediate()
		case !has(r.nodes, Finalizers):
			r.asked(0, "", Finalizers)
		}
		r.add(Node{Question: Admit, Answer: Refused, Reached: Follows, Ms: unknown, Ends: true})
	default:
		r.asked(0, "", Finalizers, Txn)
		return
	}
	if r.ended {
		for _, q := range []Question{Finalizers, Txn} {
			if !has(r.nodes, q) && (q != Txn || !r.dryRun()) {
				r.add(Node{Question: q})
			}
		}
	}
}

// unseen is the end of a deletion that no RPC shows: a Status comes back for what is gone,
// and the object for what is marked. Of pods, the object comes back for both.
func (r *removing) unseen() {
	answer := words.Object(r.sent.ResponseBody)
	metadata, _ := answer["metadata"].(map[string]any)
	finalizers, _ := metadata["finalizers"].([]any)
	switch {
	case answer["kind"] == "Status" && r.request.Resource != "pods":
		r.add(Node{Question: Finalizers, Answer: No, Reached: Follows, Ms: unknown})
		r.add(Node{Question: Txn, Answer: Succeeded, Reached: Follows, Round: r.round, Writes: "delete", Ms: unknown, Ends: true})
	case metadata["deletionTimestamp"] != nil && len(finalizers) > 0:
		rv, _ := metadata["resourceVersion"].(string)
		r.add(Node{Question: Finalizers, Answer: Yes, Reached: Follows, Revision: scenarios.ParseRevision(rv), Ms: unknown, Ends: true})
		r.add(Node{Question: Txn})
	default:
		r.asked(0, "", Finalizers, Txn)
	}
}

// newestOf is the revision of the object as it was read last.
func (e *evidence) newestOf(found Node) int64 {
	last := found.Revision
	for _, r := range e.onKey() {
		if r.ModRevision > 0 {
			last = r.ModRevision
		}
	}
	return last
}

// precondition is the one that the answer says does not hold (in the words of BeforeDelete,
// or in those of Preconditions.Check), with what was sent.
func (e *evidence) precondition() (sent string, q Question) {
	says := func(what string) bool {
		return e.says(what+" in the precondition") || e.says(what+" in precondition")
	}
	switch {
	case e.succeeded():
	case says("UID"):
		return e.metadata("uid"), UID
	case says("ResourceVersion"):
		return e.metadata("resourceVersion"), RVEqual
	}
	return "", ""
}

// preconditions are those that the request names, held against the object that was read
// first; alone says that it was read once only.
func (e *evidence) preconditions(w *way, found Node, alone bool) {
	_, refused := e.precondition()
	for _, q := range []Question{UID, RVEqual} {
		sent := e.metadata("uid")
		if q == RVEqual {
			sent = e.metadata("resourceVersion")
		}
		if sent == "" {
			continue
		}
		n := Node{Question: q, Answer: Yes, Sent: sent, Revision: found.Revision, Ms: unknown}
		if q == refused && alone {
			n.Answer, n.Ends = No, true
		}
		if found.Reached != Seen {
			n.Reached = Follows
		}
		w.add(n)
	}
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
