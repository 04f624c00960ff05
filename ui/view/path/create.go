package path

// create is the way of a POST: Store.Create of
// k8s.io/apiserver/pkg/registry/generic/registry, and Create of
// k8s.io/apiserver/pkg/storage/etcd3.
func (e *evidence) create() Path {
	var w way
	sent := e.request.RV
	store := e.span("Create etcd3")
	dry := e.dryRun()
	if dry {
		store = e.span("Get etcd3")
	}
	decode := Node{Question: Decode, Answer: Passed, Ms: unknown}
	valid := Node{Question: Valid, Answer: Passed, Ms: unknown}
	handler := e.span("Create")
	stored, storing := at(handler, "About to store object in database")
	switch {
	case store != nil:
		if storing {
			decode.Ms, valid.Ms = stored-handler.StartedMs, store.StartedMs-stored
		}
	case storing:
		decode.Ms = stored - handler.StartedMs
		valid.Answer, valid.Ends = Refused, true
	case e.traced(), e.refusedUnread():
		decode.Answer, decode.Ends = Refused, true
		if !e.traced() {
			decode.Reached = Follows
		}
	case e.status() == 422, e.status() == 403:
		decode.Reached, valid.Reached = Follows, Follows
		valid.Answer, valid.Ends = Refused, true
	default:
		decode.Reached, valid.Reached = Follows, Follows
	}
	w.add(decode)
	w.add(valid)

	if dry {
		return e.dryCreate(&w)
	}
	given := Node{Question: RVOnCreate, Answer: None, Sent: sent, Ms: unknown}
	if sent != "" && sent != "0" {
		given.Answer = Given
		given.Ends = !e.succeeded()
	}
	w.add(given)

	txn := Node{Question: Txn, Round: 1, Sent: "0", Ms: unknown}
	found := false
	for _, r := range e.onKey() {
		if r.Writes != "put" {
			continue
		}
		found = true
		txn.Answer, txn.Ms, txn.Revision, txn.Ends = Lost, r.DurationMs, r.ModRevision, true
		if r.Wrote() {
			txn.Answer = Succeeded
			txn.Revision = max(r.Revision, r.ModRevision)
		}
		break
	}
	switch {
	case found:
	case e.status() == 201 && e.complete():
		return Path{} // it is not stored at all: a review, for one
	case e.status() == 201:
		txn.Answer, txn.Reached, txn.Ends = Succeeded, Follows, true
	case e.status() == 409 && e.answer.Reason == "AlreadyExists":
		txn.Answer, txn.Reached, txn.Ends = Lost, Follows, true
	default:
		txn.Reached = NotObserved
	}
	w.add(txn)
	return Path{Nodes: w.nodes, Rounds: 1}
}

// dryCreate is the end of a create that stores nothing: DryRunnableStorage.Create looks
// whether the name is taken, and nobody asks for the resourceVersion.
func (e *evidence) dryCreate(w *way) Path {
	taken := Node{Question: Taken, Answer: No, Ms: unknown, Reached: Follows}
	for _, r := range e.onKey() {
		if r.Method == "Range" {
			taken.Reached, taken.Ms, taken.Revision = Seen, r.DurationMs, r.ModRevision
			break
		}
	}
	if e.status() == 409 {
		taken.Answer, taken.Ends = Yes, true
	}
	w.add(taken)
	w.add(Node{Question: DryRun, Answer: Yes, Reached: Follows, Ms: unknown, Ends: true})
	return Path{Nodes: w.nodes, Rounds: 1}
}
