package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"rvtui/scenarios"
)

// Where nobody records RPCs, who made a revision is found out from what there is to see. An
// answer with the revision's number does not do: a write that changes nothing is answered with
// the number of whoever wrote before. A revision is an actor's only where that is certain:
//
//   - the answer is 201 Created;
//   - or the request named a resourceVersion as its condition, and was answered with another;
//   - or of all field managers only the write's own has gained anything since the key's
//     revision before, or it alone owns what is new;
//   - or, for a deletion, the answer names the UID of what was deleted;
//
// and only if the revision was not there before the write was sent. It is someone else's where
// these speak against every write of the step, and otherwise nobody's: it is not known whose.

// holding is what is known of what a key holds at a revision; what is not is nil or "".
type holding struct {
	revision int64
	uid      string
	object   map[string]any
}

func holdingOf(revision int64, object map[string]any) holding {
	metadata, _ := object["metadata"].(map[string]any)
	uid, _ := metadata["uid"].(string)
	return holding{revision: revision, uid: uid, object: object}
}

// verdict is what the evidence says of whether a write made a revision.
type verdict int

const (
	unclear verdict = iota
	made
	notMade
)

// whose finds the exchange that made a revision, given what the key held before it and holds
// there; judged is of all exchanges together. asked is false where none has to do with it.
func (s *Session) whose(r scenarios.Revision, before, at holding, seen *scenarios.Observation) (exchange *int, judged verdict, asked bool) {
	judged = notMade
	for _, i := range inOrderOfAnswers(seen.Exchanges) {
		a, ok := answerOf(s.cluster.config.Prefix, s.namespace, seen.Exchanges[i])
		if !ok {
			if s.mayHaveWritten(seen.Exchanges[i], r.Key) {
				asked, judged = true, unclear
			}
			continue
		}
		var one verdict
		switch {
		case r.Op == "DELETE" && a.ends && (a.key == r.Key && !blamed(seen.Revisions, i) || a.collection && strings.HasPrefix(r.Key, a.key)):
			one = a.deleted(before)
		case r.Op != "DELETE" && a.key == r.Key && a.revision == r.Revision:
			one = a.wrote(s.knownBefore(seen.Exchanges, i), before, at)
		default:
			continue
		}
		asked = true
		switch one {
		case made:
			return &i, made, true
		case unclear:
			judged = unclear
		}
	}
	return nil, judged, asked
}

// mayHaveWritten reports whether an exchange is a write of a key that got no answer.
func (s *Session) mayHaveWritten(e scenarios.Exchange, key string) bool {
	if e.Status != 0 && e.Status < 500 || e.Method == http.MethodGet {
		return false
	}
	resource, name, own := Room{Namespace: s.namespace}.Object(e.Path)
	folder := etcdKey(s.cluster.config.Prefix, resource, s.namespace, name)
	return own && (folder == key || name == "" && strings.HasPrefix(key, folder))
}

// wrote judges whether a write that was answered with a revision made it.
func (a answer) wrote(known int64, before, at holding) verdict {
	switch {
	case a.revision <= known, a.asked == a.revision:
		return notMade
	case a.created, a.asked > 0:
		return made
	case before.object == nil || at.object == nil:
		return unclear
	}
	if terminating(at) != terminating(before) {
		if a.deletes { // a second DELETE is answered with the first one's revision
			return unclear
		}
		return notMade
	}
	if a.deletes {
		return notMade
	}
	return wroteAs(a.manager, before.object, at.object)
}

func terminating(c holding) bool {
	metadata, _ := c.object["metadata"].(map[string]any)
	return metadata["deletionTimestamp"] != nil
}

// deleted judges whether a write ended what a key held.
func (a answer) deleted(before holding) verdict {
	switch {
	case before.uid == "" || len(a.uids) == 0:
		return unclear
	case slices.Contains(a.uids, before.uid):
		return made
	}
	return notMade
}

// knownBefore is a revision that was there before an exchange was sent, as far as was seen.
func (s *Session) knownBefore(exchanges []scenarios.Exchange, i int) int64 {
	known := s.head
	for _, e := range exchanges {
		if e.Status == 0 || e.StartedMs+e.DurationMs >= exchanges[i].StartedMs {
			continue
		}
		metadata, _ := fieldsOf(e.ResponseBody)["metadata"].(map[string]any)
		if _, _, own := (Room{Namespace: s.namespace}).Object(e.Path); own {
			version, _ := metadata["resourceVersion"].(string)
			known = max(known, scenarios.ParseRevision(version))
		}
	}
	return known
}

// blamed reports whether an exchange made one of the revisions.
func blamed(revisions []scenarios.Revision, exchange int) bool {
	return slices.ContainsFunc(revisions, func(r scenarios.Revision) bool { return r.Exchange != nil && *r.Exchange == exchange })
}

// contentAt is what a key holds at a revision: what the store has there or, where that
// cannot be read, what an answer says.
func (s *Session) contentAt(r scenarios.Revision, stored json.RawMessage, exchanges []scenarios.Exchange) holding {
	if object := fieldsOf(stored); object != nil {
		return holdingOf(r.Revision, object)
	}
	for _, e := range exchanges {
		resource, name, own := Room{Namespace: s.namespace}.Object(e.Path)
		object := fieldsOf(e.ResponseBody)
		metadata, _ := object["metadata"].(map[string]any)
		version, _ := metadata["resourceVersion"].(string)
		if metadata["managedFields"] != nil && own && scenarios.ParseRevision(version) == r.Revision &&
			(name == r.Name || name == "" && metadata["name"] == r.Name) && etcdKey(s.cluster.config.Prefix, resource, s.namespace, r.Name) == r.Key {
			return holdingOf(r.Revision, object)
		}
	}
	return holding{revision: r.Revision}
}

// hold notes what a key holds at a revision.
func (s *Session) hold(key string, holds holding) {
	if s.holds == nil {
		s.holds = map[string]holding{}
	}
	s.holds[key] = holds
}

// served notes what the apiserver served of a key, where that is what the key held when the
// revisions were read.
func (s *Session) served(o scenarios.Object) {
	if held, ok := s.holds[o.Key]; o.Exists && (!ok && o.ModRevision <= s.head || ok && held.uid == "" && held.revision == o.ModRevision) {
		s.hold(o.Key, holdingOf(o.ModRevision, fieldsOf(o.Object)))
	}
}

// contradicted is an error where a write's answer names a revision that was there before for
// nothing of the kind: then resourceVersions are not revisions of one store, and nothing of what
// was written can be told by them.
func (s *Session) contradicted(exchanges []scenarios.Exchange) error {
	if s.cluster.config.RPCs != nil {
		return nil
	}
	for _, e := range exchanges {
		a, ok := answerOf(s.cluster.config.Prefix, s.namespace, e)
		if !ok || a.revision == 0 || a.revision > s.head || a.deletes || a.ends {
			continue
		}
		if held, known := s.holds[a.key]; a.created || known && held.revision != a.revision {
			return fmt.Errorf("this server's resourceVersions are not revisions of one store: a write was answered with %d, and the store was at %d before", a.revision, s.head)
		}
	}
	return nil
}
