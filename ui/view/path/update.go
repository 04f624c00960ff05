package path

import (
	"slices"
	"strconv"

	"rvtui/scenarios"
)

// update is the way of a PUT or a PATCH: Store.Update of
// k8s.io/apiserver/pkg/registry/generic/registry, and below it GuaranteedUpdate of
// k8s.io/apiserver/pkg/storage/etcd3, which goes round until its Txn holds or a check fails.
func (e *evidence) update() Path {
	u := &updating{evidence: e, sent: e.sentVersion(), round: 1, dry: e.dryRun()}
	u.store = e.span("GuaranteedUpdate etcd3")
	if u.dry { // dry-run storage reads, and tries the update on what it read
		u.store = e.span("Get etcd3")
	}
	u.decoded()
	u.fetched()
	for !u.ended {
		u.look()
	}
	for _, q := range u.tail() {
		u.add(Node{Question: q})
	}
	return Path{Nodes: u.nodes, Rounds: u.round}
}

type updating struct {
	way
	*evidence
	sent  string // the resourceVersion that the request carries
	dry   bool
	store *scenarios.Span
	ops   []*scenarios.RPC // on the object's key that are left
	seen  float64          // when the last of them was sent
	live  int64            // the revision of the copy in hand; 0 where that is not known
	made  bool             // there is no object yet: the update creates it
	fresh bool             // the copy in hand is from etcd
	round int
}

// order are the questions of a round.
func (u *updating) order() []Question {
	var all []Question
	uid := u.metadata("uid") != ""
	switch {
	case u.request.Verb == "PUT":
		if uid {
			all = append(all, UID) // GuaranteedUpdate's preconditions come before all else
		}
	case u.request.PatchType == "apply" && u.failing() == Patch:
		all = append(all, Patch)
	case u.request.PatchType == "apply":
		all = append(all, Owners)
		if uid && u.made {
			all = append(all, UID)
		}
	default:
		all = append(all, Patch)
	}
	all = append(all, Admit)
	if !u.made { // of an object that is to be created, nobody asks for a version
		all = append(all, RVGiven)
		if u.sent != "" {
			all = append(all, RVEqual)
		}
	}
	if u.dry {
		return append(all, Valid, DryRun)
	}
	return append(all, Valid, Change, Txn)
}

// tail are the questions behind the one that decided.
func (u *updating) tail() []Question {
	order := append([]Question{Decode, Current}, u.order()...)
	for i, q := range order {
		if q == u.nodes[len(u.nodes)-1].Question {
			return order[i+1:]
		}
	}
	return nil
}

func (u *updating) decoded() {
	n := Node{Question: Decode, Answer: Passed, Ms: unknown, Sent: u.sent}
	handler := u.span("Update")
	if u.request.Verb == "PATCH" {
		handler = u.span("Patch")
	}
	switch {
	case u.store != nil:
		if handler != nil {
			n.Ms = u.store.StartedMs - handler.StartedMs
		}
	case u.traced():
		n.Answer, n.Ends = Refused, true
	case len(u.onKey()) > 0:
	case u.succeeded(), slices.Contains([]int{404, 409, 422}, u.status()):
		n.Reached = Follows
	case u.status() == 400 && u.request.Verb == "PATCH": // the patch itself is read once the object is there
		n.Answer, n.Reached = Unclear, NotObserved
	case u.refusedUnread():
		n.Answer, n.Reached, n.Ends = Refused, Follows, true
	default:
		n.Answer, n.Reached = Unclear, NotObserved
	}
	u.add(n)
}

// fetched is where the object that the update begins with comes from.
func (u *updating) fetched() {
	for _, r := range u.onKey() {
		if r.Method == "Range" || r.Writes != "" {
			u.ops = append(u.ops, r)
		}
	}
	n := Node{Question: Current, Ms: unknown, Sent: u.sent}
	restored, ok := at(u.store, "initial value restored")
	if ok {
		n.Ms = restored - u.store.StartedMs
	}
	switch {
	case len(u.ops) == 0:
		n.Reached = NotObserved
	case u.ops[0].Method == "Txn":
		n.Answer = FromCache
		if c := u.ops[0].CompareModRevision; c != nil {
			n.Revision = *c
		}
	case ok && u.ops[0].StartedMs > restored:
		n.Answer = FromCache
	case ok || u.store != nil:
		n.Answer, u.fresh = FromEtcd, true
		if u.dry {
			n.Answer = DryRead
		}
		n.Revision = u.take().ModRevision
	default:
		n.Reached = NotObserved // either could have read like this
	}
	if u.fresh && n.Revision == 0 {
		n.Answer = Missing
		u.made = u.status() != 404
	}
	if u.status() == 404 && (n.Answer == Missing || n.Reached == NotObserved) {
		n.Ends = true
		if n.Reached == NotObserved {
			n.Answer, n.Reached = Missing, Follows
		}
	}
	if u.status() == 201 && n.Reached == NotObserved {
		n.Answer, n.Reached, u.made = Missing, Follows, true
	}
	u.live, n.Made = n.Revision, u.made
	u.add(n)
}

func (u *updating) take() *scenarios.RPC {
	r := u.ops[0]
	u.ops, u.seen = u.ops[1:], r.StartedMs
	return r
}

// look is one look at the copy in hand, up to the next RPC or to the answer.
func (u *updating) look() {
	if len(u.ops) == 0 {
		u.last()
		return
	}
	since := u.seen
	r := u.take()
	switch r.Writes {
	case "put":
		u.passed(Change, Seen)
		u.add(Node{Question: Change, Answer: Yes, Round: u.round, Ms: unknown})
		u.written(r)
	case "delete":
		u.passed(Change, Seen)
		u.add(Node{Question: Finalizers, Answer: Yes, Round: u.round, Ms: unknown})
		u.written(r) // deleteWithoutFinalizers
	default:
		u.again(since, r)
	}
}

// written is a Txn of the update, and where it was lost the next round's beginning.
func (u *updating) written(r *scenarios.RPC) {
	n := Node{Question: Txn, Round: u.round, Revision: r.Revision, Writes: r.Writes, Ms: r.DurationMs, Sent: u.sent}
	if r.CompareModRevision != nil {
		n.Sent = strconv.FormatInt(*r.CompareModRevision, 10)
	}
	switch {
	case r.Wrote():
		n.Answer, n.Ends = Succeeded, true
		if r.ModRevision > 0 {
			n.Revision = r.ModRevision
		}
		u.add(n)
	case r.Error != "":
		n.Answer, n.Ends = Refused, true
		u.add(n)
	default:
		n.Answer, n.Revision = Lost, r.ModRevision
		n.Ends = r.ModRevision == 0 && u.status() == 404 // it is gone, and that is the answer
		u.add(n)
		if n.Ends {
			return
		}
		u.round++
		u.live, u.fresh = r.ModRevision, true
	}
}

// again is a read between two looks: something did not hold on the cached copy, or
// nothing would have changed, and the copy might have been old.
func (u *updating) again(since float64, r *scenarios.RPC) {
	same := count(u.store, "Encode succeeded", since, r.StartedMs) > 0
	if !u.traced() {
		same = u.succeeded() && len(u.ops) == 0
	}
	// That a look failed is seen; by what, the answer tells only of the last one.
	question, answer, reached := u.failing(), Stale, Follows
	switch {
	case same:
		question, reached = Change, Seen
	case slices.ContainsFunc(u.ops, func(r *scenarios.RPC) bool { return r.Writes == "delete" }):
		question = Finalizers // errEmptiedFinalizers ends the look as any other error does
	case question == "" && u.sent != "":
		question = RVEqual
	case question == "":
		question, answer, reached = Valid, Unclear, NotObserved
	}
	before := question
	if question == Finalizers {
		before = Change
	}
	u.passed(before, reached)
	u.add(Node{Question: question, Answer: answer, Reached: reached, Round: u.round, Sent: u.sent, Revision: u.live, Ms: unknown})
	u.add(Node{Question: Reread, Answer: FromEtcd, Round: u.round, Revision: r.ModRevision, Ms: r.DurationMs})
	u.live, u.fresh = r.ModRevision, true
}

// passed adds the questions before one, which came out well; those that a look at the same
// round's older copy has answered already are not repeated.
func (u *updating) passed(before Question, reached Reached) {
	if !slices.Contains(u.order(), before) {
		return
	}
	for _, q := range u.order() {
		if q == before {
			return
		}
		if slices.ContainsFunc(u.nodes, func(n Node) bool { return n.Question == q && n.Round == u.round && n.Answer != Stale }) {
			continue
		}
		n := Node{Question: q, Reached: reached, Round: u.round, Sent: u.sent, Revision: u.live, Made: u.made, Ms: unknown}
		switch q {
		case RVEqual:
			n.Answer = Yes
			if u.live > 0 && scenarios.ParseRevision(u.sent) != u.live { // then something else came before it
				n.Answer, n.Reached = Unclear, NotObserved
			}
		case UID:
			n.Answer = Yes
		case Admit:
			n.Answer = Passed
			if u.status() == 403 && before == Valid { // one of the two refused it
				n.Answer, n.Reached = Unclear, NotObserved
			}
		case Owners:
			n.Answer = No
		case RVGiven:
			n.Answer, n.Reached = None, Seen
			if u.sent != "" {
				n.Answer = Given
			}
		default:
			n.Answer = Passed
		}
		u.add(n)
	}
}
