package cluster

import (
	"encoding/json"
	"slices"

	"rvtui/scenarios"
)

// revisionKey is one key's change in one revision.
type revisionKey struct {
	revision int64
	key      string
}

// blame notes which key of which revision a step wrote, and for whom: by its RPCs or, where
// nobody records them, by its answers; "" is for what it may have written. It is kept beyond
// the step, for a step that is cancelled reads no revisions.
func (s *Session) blame(call scenarios.Call, exchanges []scenarios.Exchange, rpcs []scenarios.RPC) {
	for _, rpc := range rpcs {
		if rpc.Wrote() && rpc.Exchange != nil {
			s.wrote[revisionKey{rpc.Revision, rpc.Key}] = by(call, exchanges[*rpc.Exchange].Actor)
		}
	}
	if s.cluster.config.RPCs != nil {
		return
	}
	for _, i := range inOrderOfAnswers(exchanges) {
		a, ok := answerOf(s.cluster.config.Prefix, s.namespace, exchanges[i])
		written := revisionKey{a.revision, a.key}
		if s.wrote[written] != "" || !ok || a.revision == 0 {
			continue
		}
		switch a.wrote(s.knownBefore(exchanges, i), holding{}, holding{}) {
		case made:
			s.wrote[written] = by(call, exchanges[i].Actor)
		case unclear:
			s.wrote[written] = ""
		}
	}
}

func by(call scenarios.Call, actor scenarios.Actor) string {
	if call.Setup {
		return scenarios.BySetup
	}
	return string(actor)
}

// revision describes a change of the store, and who wrote it.
func (s *Session) revision(call scenarios.Call, change Change, seen *scenarios.Observation) scenarios.Revision {
	prefix, key := s.cluster.config.Prefix, change.Key
	r := scenarios.Revision{
		Revision:       change.Revision,
		Op:             "PUT",
		Key:            key,
		CreateRevision: change.CreateRevision,
		ModRevision:    change.Revision,
		Version:        change.Version,
		By:             scenarios.ByUnknown,
	}
	if r.Name, r.Own = ownName(prefix, s.namespace, key); r.Own && s.given && !s.walks(key) {
		r.Name, r.Own = "", false // somebody else's, in the same namespace
	}
	var stored json.RawMessage
	if change.Delete {
		r.Op = "DELETE"
	} else if r.Own {
		r.Unreadable = unreadable(change.Value)
		if !holdsSecret(prefix, key) {
			stored = storedObject(change.Value)
			r.Value = s.redactor().body(false, stored)
		}
	}
	if writer, ok := s.wrote[revisionKey{r.Revision, key}]; ok {
		r.By = writer
	}
	if s.cluster.config.RPCs != nil {
		r.Exchange = writingExchange(r, seen)
	} else if r.Own {
		before, at := s.holds[key], s.contentAt(r, stored, seen.Exchanges)
		var judged verdict
		var asked bool
		r.Exchange, judged, asked = s.whose(r, before, at, seen)
		switch {
		case asked && judged == unclear:
			r.By = ""
		case asked && judged == notMade:
			r.By = scenarios.ByUnknown
		}
		s.hold(key, at)
	}
	if r.Exchange != nil {
		r.By = by(call, seen.Exchanges[*r.Exchange].Actor)
	}
	return r
}

// walks reports whether the object at a key of a given namespace is the walk's: one that its
// calls named or made, or that it wrote.
func (s *Session) walks(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for written := range s.wrote {
		if written.key == key {
			return true
		}
	}
	return slices.ContainsFunc(s.objects, func(o object) bool { return s.key(o) == key })
}

// writingExchange finds the exchange that made a revision by the RPC that wrote it.
func writingExchange(r scenarios.Revision, seen *scenarios.Observation) *int {
	for _, rpc := range seen.RPCs {
		if rpc.Wrote() && rpc.Exchange != nil && rpc.Revision == r.Revision && rpc.Key == r.Key {
			return new(*rpc.Exchange)
		}
	}
	return nil
}
