package scenarios

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Held is an object that a writer has in hand: what the last answer gave it.
type Held struct {
	Name            string
	ResourceVersion string
	Object          map[string]any
	Exchange        ExchangeRef // the answer that it came from
}

// ExchangeRef names one exchange of a trace.
type ExchangeRef struct {
	Step  int // 0 is the setup
	Index int // into that step's Exchanges
}

// State is what is known once a step is done.
type State struct {
	Etcd    EtcdState
	Objects map[string]Object // by name, as the apiserver serves them
	// Held is what each writer has in hand, by the object's name. A writer keeps the
	// last object that it was given, however old that has become since.
	Held map[Actor]map[string]Held
	// Last names the newest exchange of each actor; absent where it sent none yet.
	Last map[Actor]ExchangeRef
	// Exchanges and Revisions count those of the setup and of the steps up to this one.
	Exchanges, Revisions int

	seen map[string]bool // the objects that have been there at some time
}

// Deleted reports whether an object has been there and is not any more; one that was never
// made is not deleted.
func (s State) Deleted(name string) bool { return s.seen[name] && !s.Objects[name].Exists }

// Stale reports whether what actor holds of name is not what the apiserver now serves.
func (s State) Stale(actor Actor, name string) bool {
	held, ok := s.Held[actor][name]
	if !ok {
		return false
	}
	now, ok := s.Objects[name]
	return ok && (!now.Exists || now.ResourceVersion != held.ResourceVersion)
}

// History is the states after each step of a trace, so that any cursor's state is a
// look-up however long the trace is. States share what did not change; treat them as
// read-only.
type History struct {
	states []State
}

// NewHistory builds the states of a trace: after the setup, and after each step.
func NewHistory(t *Trace) *History {
	h := &History{}
	setup := t.Setup
	if setup == nil {
		setup = &Observation{}
	}
	h.Append(setup)
	for i := range t.Steps {
		h.Append(&t.Steps[i])
	}
	return h
}

// Append adds the state after one more observation.
func (h *History) Append(o *Observation) {
	var s State
	if n := len(h.states); n > 0 {
		s = h.states[n-1]
	}
	s.Objects = maps.Clone(s.Objects)
	if s.Objects == nil {
		s.Objects = map[string]Object{}
	}
	s.seen = maps.Clone(s.seen)
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	for _, object := range o.Objects {
		s.Objects[object.Name] = object
		if object.Exists {
			s.seen[object.Name] = true
		}
	}
	for _, revision := range o.Revisions {
		if revision.Own { // what is made and deleted within a step is never served after one
			s.seen[revision.Name] = true
		}
	}
	if o.Etcd.Head > 0 {
		s.Etcd = o.Etcd
	}
	s.Last = maps.Clone(s.Last)
	if s.Last == nil {
		s.Last = map[Actor]ExchangeRef{}
	}
	held := map[Actor]map[string]Held{}
	for actor, objects := range s.Held {
		held[actor] = maps.Clone(objects)
	}
	for _, event := range o.cached() {
		if held[event.Actor] == nil {
			held[event.Actor] = map[string]Held{}
		}
		held[event.Actor][event.Name] = event.held(o.Step)
	}
	for _, i := range answeredInOrder(o.Exchanges) {
		exchange := o.Exchanges[i]
		ref := ExchangeRef{Step: o.Step, Index: i}
		s.Last[exchange.Actor] = ref
		for _, object := range objectsIn(exchange) {
			if held[exchange.Actor] == nil {
				held[exchange.Actor] = map[string]Held{}
			}
			name, rv := nameAndVersion(object)
			held[exchange.Actor][name] = Held{Name: name, ResourceVersion: rv, Object: object, Exchange: ref}
		}
	}
	s.Held = held
	s.Exchanges += len(o.Exchanges)
	s.Revisions += len(o.Revisions)
	h.states = append(h.states, s)
}

// answeredInOrder are the indexes of exchanges in the order in which they were answered:
// what overlaps may be answered in another order than it was sent.
func answeredInOrder(exchanges []Exchange) []int {
	order := make([]int, len(exchanges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		end := func(i int) float64 { return exchanges[i].StartedMs + exchanges[i].DurationMs }
		return cmp.Compare(end(a), end(b))
	})
	return order
}

// Len is the number of states: one more than the steps.
func (h *History) Len() int { return len(h.states) }

// At is the state after step n; 0 is after the setup. n must be below Len.
func (h *History) At(n int) State { return h.states[n] }

// lookBack is how many earlier answers of a step HeldBefore reads at most.
const lookBack = 64

// HeldBefore is what the actor of an exchange held of an object when it sent it; s is the
// state before the exchange's step. Earlier exchanges of the same step count too, for a
// retry reads again, but not what was still on its way when this one was sent. rv is the
// resourceVersion that the exchange names, if any: what an earlier answer gave at another
// version is not what the exchange was made of. It reports false where the trace does not
// say, or where it would be long work to find out.
func (s State) HeldBefore(o *Observation, exchange int, name, rv string) (Held, bool) {
	if o == nil || exchange < 0 || exchange >= len(o.Exchanges) {
		return Held{}, false
	}
	e := &o.Exchanges[exchange]
	read := 0
	for i := exchange - 1; i >= 0; i-- {
		earlier := &o.Exchanges[i]
		if earlier.Actor != e.Actor || earlier.StartedMs+earlier.DurationMs > e.StartedMs {
			continue
		}
		if read++; read > lookBack {
			return Held{}, false
		}
		for _, object := range objectsIn(*earlier) {
			got, version := nameAndVersion(object)
			if got == name && (rv == "" || rv == version) {
				return Held{Name: name, ResourceVersion: version, Object: object, Exchange: ExchangeRef{Step: o.Step, Index: i}}, true
			}
		}
	}
	for _, event := range o.cached() {
		if event.Actor == e.Actor && event.Name == name && event.AtMs <= e.StartedMs {
			return event.held(o.Step), true
		}
	}
	held, ok := s.Held[e.Actor][name]
	return held, ok
}

// cached are the events that filled an informer's cache in the step: what its actor works
// with. Of any other watch, the events are news, and nobody works with them.
func (o *Observation) cached() []WatchEvent {
	if !strings.HasPrefix(o.Operation, string(VerbInformer)+" ") {
		return nil
	}
	return o.Events
}

func (e WatchEvent) held(step int) Held {
	object, _ := DecodeJSON(e.Object).(map[string]any)
	held := Held{Name: e.Name, ResourceVersion: e.ResourceVersion, Object: object, Exchange: ExchangeRef{Step: step}}
	if e.Exchange != nil {
		held.Exchange.Index = *e.Exchange
	}
	return held
}

// objectsIn lists the objects that an answer put into the client's hands.
func objectsIn(e Exchange) []map[string]any {
	if e.Status < 200 || e.Status > 299 || len(e.ResponseBody) == 0 {
		return nil
	}
	body, ok := DecodeJSON(e.ResponseBody).(map[string]any)
	if !ok {
		return nil
	}
	candidates := []any{body}
	if items, ok := body["items"].([]any); ok {
		candidates = items
	}
	var objects []map[string]any
	for _, candidate := range candidates {
		object, ok := candidate.(map[string]any)
		if !ok || object["kind"] == "Namespace" { // the scenario's room, which kubectl looks up, is none of its objects
			continue
		}
		if name, rv := nameAndVersion(object); name != "" && rv != "" {
			objects = append(objects, object)
		}
	}
	return objects
}

// nameAndVersion returns an object's metadata.name and metadata.resourceVersion, or "".
func nameAndVersion(object map[string]any) (name, rv string) {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ = metadata["name"].(string)
	rv, _ = metadata["resourceVersion"].(string)
	return name, rv
}

// ParseRevision reads a resourceVersion as the etcd revision that it is; 0 where it is none.
func ParseRevision(rv string) int64 {
	n, err := strconv.ParseInt(rv, 10, 64)
	if err != nil || n < 0 || rv[0] == '+' {
		return 0
	}
	return n
}
