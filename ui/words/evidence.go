package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rvtui/scenarios"
)

// Fact is one thing that reached etcd, or that did not, and on whose behalf.
type Fact struct {
	Actor scenarios.Actor
	Text  string
	Short string // the same in fewer words; "" where there are none
	// Kind is the text without its numbers, which it shares with the facts that say the same.
	Kind string
	// Wrote says that it changed the store; Conclusion that it is drawn from what was not seen.
	Wrote, Conclusion bool
}

// Evidence is what a step did in etcd, in the order of its exchanges. That no RPC was seen
// proves something only where every RPC is recorded, which is so on the embedded control
// plane alone. Elsewhere nothing is concluded from it: only that nothing was written can
// follow there, from the revisions, of which the scenario's own are known everywhere.
func Evidence(t *scenarios.Trace, o *scenarios.Observation, lang string) []Fact {
	var facts []Fact
	for i := range o.Exchanges {
		facts = append(facts, EvidenceOf(t, o, i, lang)...)
	}
	if len(o.Exchanges) > 0 {
		// What belongs to no exchange is rvtui's own looking, and only worth a line where
		// it is what the step does: a compaction, an etcd get.
		return facts
	}
	for j := range o.RPCs {
		if r := &o.RPCs[j]; r.Exchange == nil {
			facts = append(facts, fact(t, r, o.Actor, lang))
		}
	}
	return facts
}

// kind is what a call did, without its numbers: "Txn cm1: put ok", "Txn cm1: lost".
func kind(r *scenarios.RPC, namespace, lang string) string {
	said := r.Method + " " + RPCKey(r, namespace)
	switch {
	case r.Error != "":
		return said + ": " + In(lang, "error: %s", r.Error)
	case r.Method == "Txn" && r.Succeeded != nil && !*r.Succeeded:
		return said + ": " + In(lang, "lost")
	case r.Writes != "" && r.Succeeded != nil:
		return said + ": " + r.Writes + " ok"
	}
	return said
}

// Restarted reports whether the apiserver that answers after the step is another one than
// before it.
func Restarted(o *scenarios.Observation) bool {
	return o.Operation == string(scenarios.VerbAPIServerRestart) && o.Error == "" && o.Verdict != scenarios.Skipped
}

// EvidenceOf is what one of a step's exchanges did in etcd.
func EvidenceOf(t *scenarios.Trace, o *scenarios.Observation, exchange int, lang string) []Fact {
	e := &o.Exchanges[exchange]
	var facts []Fact
	wrote, lost := false, false
	for j := range o.RPCs {
		r := &o.RPCs[j]
		if r.Exchange == nil || *r.Exchange != exchange {
			continue
		}
		facts = append(facts, fact(t, r, e.Actor, lang))
		wrote = wrote || r.Wrote()
		lost = lost || r.Writes != "" && r.Succeeded != nil && !*r.Succeeded
	}
	if e.InFlight {
		return facts
	}
	conclude := func(said string) []Fact {
		return append(facts, Fact{Actor: e.Actor, Text: In(lang, said), Kind: In(lang, said), Conclusion: true})
	}
	request := Read(e)
	if !t.Sees(scenarios.CapabilityEtcdRPC) { // then the revisions alone tell, and of reads nothing does
		if Unwritten(o, exchange, t.Namespace) {
			facts = conclude(NoRevision(t, o))
			facts[len(facts)-1].Short = In(lang, noRevisionShort)
		}
		return facts
	}
	read := len(facts) == 0 && e.Method == "GET" && request.Resource != ""
	served := read && e.Status >= 200 && e.Status < 300
	switch {
	case request.Writes() && !wrote && !revised(o, exchange):
		if lost { // one did, and did not hold
			return conclude("etcd wrote nothing")
		}
		return conclude("no write reached etcd")
	case served && FromCache(o, exchange):
		return conclude("no RPC: served from the watch cache's memory")
	case served, read && e.Status >= 400:
		return conclude("no RPC reached etcd")
	}
	return facts
}

const noRevisionShort = "no new revision of these objects"

// NoRevision is what a step without an own revision shows, in English: of other keys, where
// they are not seen, or were written, nothing is said.
func NoRevision(t *scenarios.Trace, o *scenarios.Observation) string {
	if t.Sees(scenarios.CapabilityEtcdAll) && len(o.Revisions) == 0 {
		return "no new revision"
	}
	return "no new revision of the scenario's objects"
}

// Unwritten reports whether a request that could have written something of the scenario's
// namespace did not, by the revisions alone: the scenario's own are known on every cluster.
func Unwritten(o *scenarios.Observation, exchange int, namespace string) bool {
	e := &o.Exchanges[exchange]
	return Read(e).Writes() && e.Status != 0 && o.Etcd.Head > 0 && namespace != "" &&
		strings.Contains(e.Path, "/namespaces/"+namespace+"/") && !revised(o, exchange)
}

// FromCache reports whether an answer to a read, of which etcd heard nothing, came from the
// watch cache: the apiserver's own span says so where spans were recorded. What some
// resources answer with is stored nowhere, and a watch that brought nothing but an ERROR was
// served nothing.
func FromCache(o *scenarios.Observation, exchange int) bool {
	e := &o.Exchanges[exchange]
	request := Read(e)
	if request.Verb == "WATCH" {
		events := EventsOf(o, exchange)
		if len(events) > 0 && !slices.ContainsFunc(events, func(e scenarios.WatchEvent) bool { return e.Type != "ERROR" }) {
			return false
		}
	}
	for i := range o.Spans {
		if o.Spans[i].Exchange == exchange {
			return slices.ContainsFunc(o.Spans, func(s scenarios.Span) bool {
				return s.Exchange == exchange && strings.HasPrefix(s.Name, "cacher.")
			})
		}
	}
	return request.Resource != "componentstatuses"
}

func fact(t *scenarios.Trace, r *scenarios.RPC, actor scenarios.Actor, lang string) Fact {
	return Fact{Actor: actor, Text: RPC(r, t.Namespace, lang), Kind: kind(r, t.Namespace, lang), Wrote: r.Wrote()}
}

// revised reports whether a revision of the step belongs to an exchange, or to nobody
// that is known: then it is not for the RPCs alone to say that nothing was written.
func revised(o *scenarios.Observation, exchange int) bool {
	for i := range o.Revisions {
		r := &o.Revisions[i]
		if r.Own && (r.Exchange == nil || *r.Exchange == exchange) {
			return true
		}
	}
	return false
}

// RPC is one call to etcd in a few words, in a language.
func RPC(r *scenarios.RPC, namespace, lang string) string {
	text := strings.TrimSpace(r.Method + " " + RPCKey(r, namespace))
	switch {
	case r.Method == "Txn" && r.Error == "":
		if r.CompareModRevision != nil {
			text = "Txn if mod=" + strconv.FormatInt(*r.CompareModRevision, 10)
		}
	default:
		if r.AtRevision > 0 {
			text += " at " + strconv.FormatInt(r.AtRevision, 10)
		}
		if r.Limit > 0 && r.RangeEnd != "" {
			text += " limit " + strconv.FormatInt(r.Limit, 10)
		}
	}
	if outcome := Outcome(r, lang); outcome != "" {
		return text + " → " + outcome
	}
	return text
}

// RPCKey is the key of a call to etcd, or the keys: "cm1", "configmaps/*", "> cm1" for those
// behind cm1, where a list goes on.
func RPCKey(r *scenarios.RPC, namespace string) string {
	if last, ok := Behind(r); ok {
		return "> " + ShortKey(last, namespace)
	}
	key := ShortKey(r.Key, namespace)
	if r.RangeEnd != "" {
		key = strings.TrimSuffix(key, "/") + "/*"
	}
	return key
}

// Behind is the key behind which a call to etcd reads: the first key that can follow it is
// itself with a zero byte.
func Behind(r *scenarios.RPC) (last string, ok bool) {
	if r.RangeEnd == "" {
		return "", false
	}
	return strings.CutSuffix(r.Key, "\x00")
}

// Outcome is what came of a call to etcd, in a language: "put ok", "lost, got mod=21",
// "3 keys, head 21"; "" where there is nothing to say of it.
func Outcome(r *scenarios.RPC, lang string) string {
	switch {
	case r.Error != "":
		return In(lang, "error: %s", r.Error)
	case r.Method == "Txn":
		return txn(r, lang)
	case r.Method == "Range" || r.Method == "RangeStream":
		switch {
		case r.RangeEnd != "":
			return fmt.Sprintf("%s, head %d", CountIn(lang, int(r.Count), "key", "keys"), r.Revision)
		case r.ModRevision > 0:
			return "mod " + strconv.FormatInt(r.ModRevision, 10)
		case root(r.Key) && r.Count == 0:
			return In(lang, "only the revision, %d", r.Revision)
		}
		return In(lang, "no such key")
	case r.Method == "Compact":
		return "ok"
	}
	return ""
}

func txn(r *scenarios.RPC, lang string) string {
	does := r.Writes
	if does == "" {
		does = "get"
	}
	switch {
	case r.Succeeded == nil:
		return does
	case *r.Succeeded:
		return does + " ok"
	case r.ModRevision > 0:
		return In(lang, "lost, got mod=%d", r.ModRevision)
	}
	return In(lang, "lost")
}

// root reports whether a key is that of a resource as a whole. Nothing is ever stored
// there: the apiserver reads it to learn the store's revision from the answer's header
// (GetCurrentResourceVersion in k8s.io/apiserver/pkg/storage/etcd3).
func root(key string) bool {
	parts := strings.Split(strings.Trim(strings.TrimPrefix(key, "/registry/"), "/"), "/")
	// A custom resource's keys have its group in front.
	return len(parts) == 1 || len(parts) == 2 && strings.Contains(parts[0], ".")
}

// ShortKey is an etcd key without what is the same for all of the scenario's keys:
// "/registry/configmaps/NAMESPACE/cm1" is "cm1".
func ShortKey(key, namespace string) string {
	short := strings.TrimPrefix(key, "/registry/")
	if root(key) {
		return strings.TrimSuffix(short, "/")
	}
	if resource, name, ok := strings.Cut(short, "/"+namespace+"/"); ok && namespace != "" {
		if name == "" {
			return resource
		}
		return name
	}
	return short
}

// Resource names the object of one of the scenario's keys as the API does: "configmaps cm1".
func Resource(key, namespace string) string {
	before, name, ok := strings.Cut(key, "/"+namespace+"/")
	if !ok || namespace == "" {
		return ShortKey(key, namespace)
	}
	group, resource, ok := strings.Cut(strings.TrimPrefix(before, "/registry/"), "/")
	if !ok {
		return group + " " + name
	}
	return resource + "." + group + " " + name // a custom resource's keys have its group in front
}

// ByWhom is who wrote a revision, where there is room.
func ByWhom(by string) string {
	if by == "" {
		return "?"
	}
	return by
}

// By is who wrote a revision, in a word that fits a column.
func By(by string) string {
	switch by {
	case scenarios.ByUnknown:
		return "other"
	case "":
		return "?"
	}
	return by
}
