package cluster

import (
	"net/http"
	"slices"
	"strings"

	"rvtui/scenarios"
)

// revisionKey is one key's change in one revision.
type revisionKey struct {
	revision int64
	key      string
}

// blame notes which key of which revision a step's RPCs wrote, and for whom. It is kept
// beyond the step, for a step that is cancelled reads no revisions.
func (s *Session) blame(call scenarios.Call, exchanges []scenarios.Exchange, rpcs []scenarios.RPC) {
	for _, rpc := range rpcs {
		if rpc.Wrote() && rpc.Exchange != nil {
			s.wrote[revisionKey{rpc.Revision, rpc.Key}] = by(call, exchanges[*rpc.Exchange].Actor)
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
	r.Name, r.Own = ownName(prefix, s.namespace, key)
	if change.Delete {
		r.Op = "DELETE"
	} else if r.Own && !holdsSecret(prefix, key) {
		r.Value = s.redactor().body(false, storedObject(change.Value))
	}
	if writer, ok := s.wrote[revisionKey{r.Revision, key}]; ok {
		r.By = writer
	}
	if r.Exchange = writingExchange(r, seen, s.cluster.config.RPCs != nil); r.Exchange != nil {
		r.By = by(call, seen.Exchanges[*r.Exchange].Actor)
	}
	return r
}

// writingExchange finds the exchange that made a revision: by the RPC that wrote it or,
// where nobody records RPCs, by what the apiserver answered.
func writingExchange(r scenarios.Revision, seen *scenarios.Observation, recorded bool) *int {
	for _, rpc := range seen.RPCs {
		if rpc.Wrote() && rpc.Exchange != nil && rpc.Revision == r.Revision && rpc.Key == r.Key {
			return new(*rpc.Exchange)
		}
	}
	if recorded || !r.Own {
		return nil
	}
	i := slices.IndexFunc(seen.Exchanges, func(e scenarios.Exchange) bool { return answersFor(e, r) })
	if i < 0 {
		return nil
	}
	return &i
}

// answersFor reports whether an exchange's answer shows that it made a revision of an own
// key: with the revision as the object's resourceVersion or, as a DELETE is answered with
// no object, with the name alone.
func answersFor(e scenarios.Exchange, r scenarios.Revision) bool {
	if e.Method == http.MethodGet || e.Status < 200 || e.Status > 299 {
		return false
	}
	if e.Method == http.MethodDelete && r.Op == "DELETE" {
		path, _, _ := strings.Cut(e.Path, "?")
		_, name, ok := cutLast(path)
		return ok && name == r.Name
	}
	answer, _ := decodeJSON(e.ResponseBody)
	object, _ := answer.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	version, _ := metadata["resourceVersion"].(string)
	return metadata["name"] == r.Name && scenarios.ParseRevision(version) == r.Revision
}
