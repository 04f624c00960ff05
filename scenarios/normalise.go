package scenarios

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// DemoNamespace is what a normalised trace calls the scenario's own namespace.
const DemoNamespace = "rvtui-demo"

// Normalise is the trace with what differs from run to run, and is no evidence, made the same:
// revisions are numbered in their order, from 1, whatever others wrote between them, and a
// compaction before all of them is none; the namespace is DemoNamespace; uids, trace ids, points in time and ports are numbered as they
// come. What was the same stays the same, what was less stays less, and the texts follow. Of
// the texts, a number that may be something else than a revision is left alone. Durations,
// codes, versions, generations and counts are as they were recorded. The trace given is left
// as it is.
func Normalise(t Trace) Trace {
	n := newNumbering(t.Namespace)
	n.trace(t) // to know them all
	n.order()
	return n.trace(t)
}

// trace is a copy of the trace with every value numbered.
func (n *numbering) trace(t Trace) Trace {
	if t.Namespace != "" {
		t.Namespace = DemoNamespace
	}
	if t.Setup != nil {
		setup := n.observation(*t.Setup)
		t.Setup = &setup
	}
	t.Steps = each(t.Steps, n.observation)
	return t
}

// each is a copy of a list with each item changed; nil where it is nil.
func each[T any](items []T, change func(T) T) []T {
	changed := slices.Clone(items)
	for i := range changed {
		changed[i] = change(changed[i])
	}
	return changed
}

func (n *numbering) observation(o Observation) Observation {
	// Fields first: they tell what the texts speak of.
	o.Exchanges = each(o.Exchanges, n.exchange)
	o.RPCs = each(o.RPCs, n.rpc)
	o.Revisions = each(o.Revisions, n.change)
	o.Events = each(o.Events, func(e WatchEvent) WatchEvent {
		e.ResourceVersion, e.Object = n.version(e.ResourceVersion), n.body(e.Object)
		return e
	})
	o.Objects = each(o.Objects, n.object)
	o.Etcd = n.store(o.Etcd)
	o.Parts = each(o.Parts, func(p Part) Part {
		p.Objects, p.Etcd = each(p.Objects, n.object), n.store(p.Etcd)
		return p
	})
	o.Client = each(o.Client, func(c ClientCall) ClientCall {
		c.Error, c.Output = n.message(c.Error), n.message(c.Output)
		return c
	})
	o.Spans = each(o.Spans, func(s Span) Span {
		s.Name, s.Attributes = n.plain(s.Name), n.attributes(s.Attributes)
		s.Events = each(s.Events, func(e SpanEvent) SpanEvent {
			e.Attributes = n.attributes(e.Attributes)
			return e
		})
		return s
	})
	o.Log = each(o.Log, func(l LogLine) LogLine {
		l.Text = n.message(l.Text)
		return l
	})
	o.Checks = each(o.Checks, func(c Check) Check {
		c.Expected, c.Got = n.told(c.Expected), n.told(c.Got)
		return c
	})
	o.Title, o.Say = n.told(o.Title), n.told(o.Say)
	o.Expected, o.Got = n.narration(o.Expected), n.narration(o.Got)
	o.Error, o.Reason = n.message(o.Error), n.message(o.Reason)
	return o
}

func (n *numbering) exchange(e Exchange) Exchange {
	n.other(int64(e.Status))
	e.TraceID = n.traceID(e.TraceID)
	e.Path = n.plain(e.Path)
	e.RequestHeaders, e.ResponseHeaders = n.headers(e.RequestHeaders), n.headers(e.ResponseHeaders)
	e.RequestBody, e.ResponseBody = n.body(e.RequestBody), n.body(e.ResponseBody)
	e.Error = n.message(e.Error)
	return e
}

func (n *numbering) rpc(r RPC) RPC {
	n.other(r.Count, r.Limit)
	r.Key, r.RangeEnd = n.plain(r.Key), n.plain(r.RangeEnd)
	r.AtRevision, r.Revision, r.ModRevision = n.revision(r.AtRevision), n.revision(r.Revision), n.revision(r.ModRevision)
	if r.CompareModRevision != nil {
		r.CompareModRevision = new(n.revision(*r.CompareModRevision))
	}
	r.Error = n.message(r.Error)
	return r
}

func (n *numbering) change(r Revision) Revision {
	n.other(r.Version)
	r.Revision, r.CreateRevision, r.ModRevision = n.revision(r.Revision), n.revision(r.CreateRevision), n.revision(r.ModRevision)
	r.Key, r.Name = n.plain(r.Key), n.plain(r.Name)
	r.Value = n.body(r.Value)
	return r
}

func (n *numbering) object(o Object) Object {
	n.other(o.KeyVersion)
	o.ResourceVersion, o.Object, o.Key = n.version(o.ResourceVersion), n.body(o.Object), n.plain(o.Key)
	o.CreateRevision, o.ModRevision = n.revision(o.CreateRevision), n.revision(o.ModRevision)
	return o
}

func (n *numbering) store(e EtcdState) EtcdState {
	e.Head, e.Compacted = n.revision(e.Head), n.compaction(e.Compacted)
	return e
}

func (n *numbering) told(t Text) Text {
	told := maps.Clone(t)
	for _, lang := range slices.Sorted(maps.Keys(t)) {
		told[lang] = n.narration(t[lang])
	}
	return told
}

func (n *numbering) headers(headers map[string]string) map[string]string {
	changed := maps.Clone(headers)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		switch name {
		case "Traceparent":
			changed[name] = n.traceparent(headers[name])
		case "Date":
			changed[name] = normalDate // when an answer came is said by its times
		default:
			changed[name] = n.plain(headers[name])
		}
	}
	return changed
}

func (n *numbering) attributes(attributes map[string]string) map[string]string {
	changed := maps.Clone(attributes)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if namesRevision.MatchString(name) {
			changed[name] = n.version(attributes[name])
		} else {
			changed[name] = n.plain(attributes[name])
		}
	}
	return changed
}

// body is a JSON value as it was sent, came, or is stored.
func (n *numbering) body(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	if n.ordered == nil {
		n.generations(DecodeJSON(raw))
	}
	return rewriteStrings(raw, func(at place, s string) string {
		switch {
		case at.field == "resourceVersion", at.field == "value" && versionPath.MatchString(at.path):
			return n.version(s)
		case at.field == "continue":
			return n.token(s)
		case at.field == "message":
			return n.message(s)
		}
		return n.plain(s)
	})
}

// generations remembers the numbers in a value that are no revisions.
func (n *numbering) generations(value any) {
	switch value := value.(type) {
	case int64:
		n.other(value)
	case map[string]any:
		for _, inner := range value {
			n.generations(inner)
		}
	case []any:
		for _, inner := range value {
			n.generations(inner)
		}
	}
}

// version is a resourceVersion: a revision, also with zeros in front, or something else.
func (n *numbering) version(rv string) string {
	revision := ParseRevision(rv)
	if revision <= 0 || rv[0] == '+' {
		return n.plain(rv)
	}
	return zeros.FindString(rv) + strconv.FormatInt(n.revision(revision), 10)
}

var zeros = regexp.MustCompile(`^0*`)
