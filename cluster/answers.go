package cluster

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"rvtui/scenarios"
)

// answer is what the answer to a write of an own object says of who wrote what.
type answer struct {
	key        string // of the object; of a collection, what the keys in it begin with
	collection bool   // many objects were deleted
	revision   int64  // the object's resourceVersion; 0 if there is none
	// ends says that the object goes with this write: a DELETE that nothing holds up, or a write
	// that takes the last finalizer off.
	ends bool
}

// answerOf reads an exchange's answer. It reports false for what wrote nothing in the
// namespace: reads, refusals, dry runs.
func answerOf(prefix, namespace string, e scenarios.Exchange) (answer, bool) {
	path, query, _ := strings.Cut(e.Path, "?")
	if e.Method == http.MethodGet || e.Status < 200 || e.Status > 299 || strings.Contains(query, "dryRun=") {
		return answer{}, false
	}
	resource, name, ok := Room{Namespace: namespace}.Object(path)
	if !ok {
		return answer{}, false
	}
	body, _ := decodeJSON(e.ResponseBody)
	object, _ := body.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	if name == "" && e.Method == http.MethodPost {
		name, _ = metadata["name"].(string) // the server may have made it up
	}
	if name == "" && e.Method != http.MethodDelete {
		return answer{}, false
	}
	a := answer{key: etcdKey(prefix, resource, namespace, name), collection: name == ""}
	if object["kind"] != "Status" && !a.collection {
		version, _ := metadata["resourceVersion"].(string)
		a.revision = scenarios.ParseRevision(version)
	}
	finalizers, _ := metadata["finalizers"].([]any)
	a.ends = len(finalizers) == 0 && (e.Method == http.MethodDelete || metadata["deletionTimestamp"] != nil)
	return a, true
}

// answeringExchange finds the exchange whose answer shows that it made a revision. A write that
// changed nothing is answered with the revision of the one before it, so that of several the
// one that was answered first is taken.
func answeringExchange(prefix, namespace string, r scenarios.Revision, seen *scenarios.Observation) *int {
	for _, i := range inOrderOfAnswers(seen.Exchanges) {
		a, ok := answerOf(prefix, namespace, seen.Exchanges[i])
		if !ok {
			continue
		}
		if r.Op != "DELETE" {
			if a.key == r.Key && a.revision == r.Revision {
				return &i
			}
			continue
		}
		// A deletion's revision is in no answer: an object has the one of its last write.
		if a.ends && (a.key == r.Key && !blamed(seen.Revisions, i) || a.collection && strings.HasPrefix(r.Key, a.key)) {
			return &i
		}
	}
	return nil
}

// blamed reports whether an exchange made one of the revisions.
func blamed(revisions []scenarios.Revision, exchange int) bool {
	return slices.ContainsFunc(revisions, func(r scenarios.Revision) bool { return r.Exchange != nil && *r.Exchange == exchange })
}

// inOrderOfAnswers are the indexes of exchanges, those that were answered first before the others.
func inOrderOfAnswers(exchanges []scenarios.Exchange) []int {
	order := make([]int, len(exchanges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(exchanges[a].StartedMs+exchanges[a].DurationMs, exchanges[b].StartedMs+exchanges[b].DurationMs)
	})
	return order
}
