package cluster

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rvtui/scenarios"
)

// answer is what a write of an own object and its answer say of who wrote what.
type answer struct {
	key        string // of the object; of a collection, what the keys in it begin with
	collection bool   // many objects were deleted
	revision   int64  // the object's resourceVersion; 0 if there is none
	// ends says that the object goes with this write: a DELETE that nothing holds up, or a write
	// that takes the last finalizer off.
	ends    bool
	uids    []string // of the object, or of the collection's
	created bool     // 201 Created
	deletes bool     // a DELETE
	// asked is the resourceVersion that the request made its condition; 0 where it made none.
	// Whoever names one is refused where it is no longer the object's.
	asked   int64
	manager string // the write's, in managedFields
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
	object := fieldsOf(e.ResponseBody)
	metadata, _ := object["metadata"].(map[string]any)
	if name == "" && e.Method == http.MethodPost {
		name, _ = metadata["name"].(string) // the server may have made it up
	}
	if name == "" && e.Method != http.MethodDelete {
		return answer{}, false
	}
	a := answer{
		key: etcdKey(prefix, resource, namespace, name), collection: name == "", manager: managerIn(query, e),
		created: e.Status == http.StatusCreated, deletes: e.Method == http.MethodDelete, asked: askedIn(e.RequestBody),
	}
	about := []any{object}
	switch {
	case a.collection:
		about, _ = object["items"].([]any)
	case object["kind"] == "Status":
		details, _ := object["details"].(map[string]any)
		about = []any{map[string]any{"metadata": details}}
	default:
		version, _ := metadata["resourceVersion"].(string)
		a.revision = scenarios.ParseRevision(version)
	}
	for _, one := range about {
		fields, _ := one.(map[string]any)
		metadata, _ := fields["metadata"].(map[string]any)
		if uid, _ := metadata["uid"].(string); uid != "" {
			a.uids = append(a.uids, uid)
		}
	}
	finalizers, _ := metadata["finalizers"].([]any)
	grace, _ := metadata["deletionGracePeriodSeconds"].(json.Number)
	graceful := grace != "" && grace != "0"
	a.ends = len(finalizers) == 0 && !graceful && (a.deletes || metadata["deletionTimestamp"] != nil)
	return a, true
}

// fieldsOf is a JSON object; nil for what is none.
func fieldsOf(encoded json.RawMessage) map[string]any {
	body, _ := decodeJSON(encoded)
	fields, _ := body.(map[string]any)
	return fields
}

// managerIn is a write's field manager: without one in the query, what the User-Agent begins
// with (k8s.io/apiserver/pkg/endpoints/handlers, managerOrUserAgent).
func managerIn(query string, e scenarios.Exchange) string {
	asked, _ := url.ParseQuery(query)
	if manager := asked.Get("fieldManager"); manager != "" {
		return manager
	}
	if agent, _, _ := strings.Cut(e.RequestHeaders["User-Agent"], "/"); agent != "" {
		return agent
	}
	return fieldManager(e.Actor)
}

// askedIn is the resourceVersion that a request's body makes its condition; 0 without one.
func askedIn(encoded json.RawMessage) int64 {
	body, _ := decodeJSON(encoded)
	version := ""
	switch body := body.(type) {
	case map[string]any:
		for _, holder := range []string{"metadata", "preconditions"} {
			fields, _ := body[holder].(map[string]any)
			if named, _ := fields["resourceVersion"].(string); named != "" {
				version = named
			}
		}
	case []any: // a JSON patch
		for _, one := range body {
			operation, _ := one.(map[string]any)
			if operation["path"] == "/metadata/resourceVersion" {
				version, _ = operation["value"].(string)
			}
		}
	}
	return scenarios.ParseRevision(version)
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
