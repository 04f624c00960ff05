package path

import (
	"encoding/json"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// unknown is a duration that nothing shows.
const unknown = -1

// evidence is what the trace holds of one exchange.
type evidence struct {
	trace    *scenarios.Trace
	step     *scenarios.Observation
	exchange int
	sent     *scenarios.Exchange
	request  words.Request
	answer   words.Answer
	message  string

	spans []*scenarios.Span // of the exchange, in order of time
	rpcs  []int             // of the exchange, in order of time; indexes into the step's
}

func gather(t *scenarios.Trace, o *scenarios.Observation, exchange int) *evidence {
	e := &evidence{trace: t, step: o, exchange: exchange, sent: &o.Exchanges[exchange]}
	e.request = words.Read(e.sent)
	e.answer = words.ReadAnswer(e.sent)
	e.message = e.answer.Message
	if e.request.Verb == "POST" && e.request.Name == "" { // the server gave it a name
		metadata, _ := words.Object(e.sent.ResponseBody)["metadata"].(map[string]any)
		e.request.Name, _ = metadata["name"].(string)
	}
	for i := range o.Spans {
		if o.Spans[i].Exchange == exchange {
			e.spans = append(e.spans, &o.Spans[i])
		}
	}
	for i := range o.RPCs {
		if r := o.RPCs[i].Exchange; r != nil && *r == exchange {
			e.rpcs = append(e.rpcs, i)
		}
	}
	slices.SortStableFunc(e.rpcs, func(a, b int) int {
		if o.RPCs[a].StartedMs < o.RPCs[b].StartedMs {
			return -1
		}
		return 1
	})
	return e
}

// complete reports whether every RPC of the request is known.
func (e *evidence) complete() bool { return e.trace.Sees(scenarios.CapabilityEtcdRPC) }

// traced reports whether the apiserver's spans were recorded.
func (e *evidence) traced() bool { return len(e.spans) > 0 }

// span is the first one of a name, or of a name that begins so where prefix ends in "(".
func (e *evidence) span(name string) *scenarios.Span {
	for _, s := range e.spans {
		if s.Name == name || strings.HasSuffix(name, "(") && strings.HasPrefix(s.Name, name) {
			return s
		}
	}
	return nil
}

// at is when an event of a span happened; ok is false where it did not.
func at(s *scenarios.Span, event string) (ms float64, ok bool) {
	if s == nil {
		return 0, false
	}
	for _, e := range s.Events {
		if e.Name == event {
			return e.AtMs, true
		}
	}
	return 0, false
}

// count is how many events of a name a span has between two times.
func count(s *scenarios.Span, event string, from, to float64) int {
	n := 0
	if s == nil {
		return 0
	}
	for _, e := range s.Events {
		if e.Name == event && e.AtMs >= from && e.AtMs <= to {
			n++
		}
	}
	return n
}

func (e *evidence) rpc(i int) *scenarios.RPC { return &e.step.RPCs[i] }

// onKey are the RPCs about the object's own key, in order of time: those of its resource
// as a whole, and of what admission looks up, are not.
func (e *evidence) onKey() []*scenarios.RPC {
	var own []*scenarios.RPC
	for _, i := range e.rpcs {
		if r := e.rpc(i); r.RangeEnd == "" && e.request.Name != "" && strings.HasSuffix(r.Key, "/"+e.request.Name) {
			own = append(own, r)
		}
	}
	return own
}

// status is the answer's code, or 0.
func (e *evidence) status() int { return e.sent.Status }

// succeeded reports whether the answer is one of success.
func (e *evidence) succeeded() bool { return e.status() >= 200 && e.status() < 300 }

// says reports whether the answer's message holds a text.
func (e *evidence) says(text string) bool { return strings.Contains(e.message, text) }

// metadata reads a field of the sent body's metadata, or of its preconditions.
func (e *evidence) metadata(field string) string {
	var body struct {
		Metadata      map[string]json.RawMessage `json:"metadata"`
		Preconditions map[string]json.RawMessage `json:"preconditions"`
	}
	if json.Unmarshal(e.sent.RequestBody, &body) != nil {
		return ""
	}
	for _, part := range []map[string]json.RawMessage{body.Metadata, body.Preconditions} {
		var value string
		if json.Unmarshal(part[field], &value) == nil && value != "" {
			return value
		}
	}
	return ""
}

// sentVersion is the resourceVersion that a write carries: 0 is none to the server, and a
// JSON patch carries one where it sets the field.
func (e *evidence) sentVersion() string {
	if rv := e.request.RV; rv != "" {
		if rv == "0" {
			return ""
		}
		return rv
	}
	if e.request.PatchType != "json" {
		return ""
	}
	var operations []struct {
		Op, Path string
		Value    any
	}
	if json.Unmarshal(e.sent.RequestBody, &operations) != nil {
		return ""
	}
	sent := ""
	for _, operation := range operations {
		if rv, ok := operation.Value.(string); ok && operation.Path == "/metadata/resourceVersion" && operation.Op != "test" {
			sent = rv
		}
	}
	return sent
}

// dryRun reports whether nothing is to be stored.
func (e *evidence) dryRun() bool { return e.request.DryRun != "" }

// uncached reports whether the apiserver keeps no watch cache of the resource: of events it
// does not (DefaultWatchCacheSizes of k8s.io/kubernetes/pkg/kubeapiserver).
func (e *evidence) uncached() bool { return e.request.Resource == "events" }

// elsewhere reports whether a read was answered by neither the store nor its cache: what
// some resources consist of is stored nowhere.
func (e *evidence) elsewhere() bool {
	return e.succeeded() && e.complete() && e.traced() && len(e.rpcs) == 0 &&
		!slices.ContainsFunc(e.spans, func(s *scenarios.Span) bool { return strings.HasPrefix(s.Name, "cacher.") })
}

// unasked reports whether a read was refused before the store or its cache was asked.
func (e *evidence) unasked() bool {
	if e.status() < 400 || e.says("Too large resource version") || e.initializing() {
		return false
	}
	if e.complete() {
		return len(e.rpcs) == 0 && !slices.ContainsFunc(e.spans, func(s *scenarios.Span) bool {
			return strings.HasSuffix(s.Name, " etcd3") || strings.HasPrefix(s.Name, "cacher.")
		})
	}
	return e.refusedUnread() || slices.Contains([]int{403, 422}, e.status())
}

// refusedUnread reports whether the answer is one that comes before anything is looked up;
// where spans were recorded, they tell it better.
func (e *evidence) refusedUnread() bool {
	unauthorized := e.status() == 403 && e.says(" cannot ") && e.says(" resource ") // the authorizer's words
	return unauthorized || slices.Contains([]int{400, 401, 405, 406, 413, 415}, e.status())
}

// unhandled reports whether the spans show that no handler began with the request, or that it
// was refused before the handler's span.
func (e *evidence) unhandled() bool {
	return e.traced() && !slices.ContainsFunc(e.spans, func(s *scenarios.Span) bool { return shown(s.Name) })
}

// unrouted reports whether there was no handler for the request at all. That a resource cannot
// be watched its handler says, before its span.
func (e *evidence) unrouted() bool {
	switch e.status() {
	case 404:
		return e.unhandled()
	case 405, 415:
		return e.unhandled() && e.request.Verb != "WATCH"
	}
	return false
}

// initializing reports whether the watch cache was not filled yet, and said so.
func (e *evidence) initializing() bool { return e.status() == 429 && e.says("initializing") }

// nulled reports whether a patch takes the resourceVersion away: by null, by what counts as
// none, or by an operation.
func (e *evidence) nulled() bool {
	if e.request.PatchType == "json" {
		var operations []struct{ Op, Path string }
		return json.Unmarshal(e.sent.RequestBody, &operations) == nil &&
			slices.ContainsFunc(operations, func(o struct{ Op, Path string }) bool {
				return o.Op == "remove" && o.Path == "/metadata/resourceVersion"
			})
	}
	var body struct {
		Metadata map[string]json.RawMessage `json:"metadata"`
	}
	return json.Unmarshal(e.sent.RequestBody, &body) == nil &&
		slices.Contains([]string{"null", `""`, `"0"`}, string(body.Metadata["resourceVersion"]))
}

// proof is what the spans and RPCs add to a path as its proof.
func (e *evidence) proof(p *Path) {
	for _, s := range e.spans {
		if shown(s.Name) {
			p.Spans = append(p.Spans, s)
		}
	}
	p.RPCs = e.rpcs
	p.Complete = e.complete()
}

// shown reports whether a span is one that says which way a request took.
func shown(name string) bool {
	switch name {
	case "Create", "Update", "Patch", "Delete", "Get", "List", "WatchList", "cacher.Get", "cacher.GetList", "cacher.Watch":
		return true
	}
	return strings.HasSuffix(name, " etcd3")
}
