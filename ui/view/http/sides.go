package http

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// sent is the request.
func (d *drawing) sent(width int) column {
	c := column{name: d.In("request"), about: cells.Clean(string(d.e.Actor))}
	path, query, _ := strings.Cut(d.e.Path, "?")
	whole := cells.Clean(d.e.Method + " " + d.e.Path)
	if cells.Width(whole) <= width {
		c.head = append(c.head, cells.Line{{whole, &d.Theme.Strong}})
	} else {
		for i, l := range pathLines(d.e.Method+" "+cells.Clean(path), width) {
			if i > 0 {
				l = "  " + l
			}
			c.head = append(c.head, hanging(l, "  ", width, &d.Theme.Strong)...)
		}
		sign := "?"
		for _, parameter := range parameters(query) {
			c.head = append(c.head, hanging("  "+sign+parameter, "    ", width, &d.Theme.Strong)...)
			sign = "&"
		}
	}
	if token := words.Token(d.request.Query.Get("continue")); token != "" {
		c.head = append(c.head, hanging("  "+d.In("continue holds: %s", token), "    ", width, &d.Theme.Dim)...)
	}
	shown, hidden := d.headers(d.e.RequestHeaders, false, width)
	c.head = append(c.head, shown...)
	body := d.requestBody(width)
	if d.terse {
		c.head = append(append(c.head, body...), hidden...)
	} else {
		c.head = append(append(c.head, hidden...), body...)
	}
	return c
}

// pathLines breaks what is too wide behind its slashes, leaving room for an indent of two.
func pathLines(s string, width int) []string {
	var out []string
	line := ""
	for _, segment := range strings.SplitAfter(s, "/") {
		if line != "" && cells.Width(line+segment) > width-2 {
			out = append(out, line)
			line = ""
		}
		line += segment
	}
	return append(out, line)
}

// parameters are a query's, one by one, unescaped where that can be read the same.
func parameters(query string) []string {
	if query == "" {
		return nil
	}
	all := strings.Split(query, "&")
	for i, p := range all {
		if plain, err := url.QueryUnescape(p); err == nil && !strings.ContainsAny(plain, "&\n") {
			all[i] = plain
		}
	}
	return all
}

// answered is the response, and below it what the exchange did in etcd.
func (d *drawing) answered(width int) column {
	c := column{name: d.In("response"), about: words.Millis(d.e.DurationMs)}
	a := &d.answer
	if a.Failed && a.Reason != "" {
		c.about += " · Status" // which is what its body is
	}
	switch {
	case a.Waiting:
		c.about = ""
		c.head = append(c.head, cells.Line{{d.In("waiting for the answer"), &d.Theme.Strong}})
	case a.Status == "":
		c.head = append(c.head, cells.Line{{d.In("no answer"), &d.Theme.Strong}})
		c.head = append(c.head, cells.WrapLines(d.e.Error, width, &d.Theme.Text)...)
	case a.List: // its own version is far below
		about := "   " + a.Listed(d.Lang) + " · " + words.Items(d.Trace, d.e, d.Lang)
		c.head = append(c.head, cells.Line{cells.Text(a.Status, &d.Theme.Strong), cells.Text(about, &d.Theme.Text)})
	default:
		c.head = append(c.head, cells.Line{cells.Text(a.Status, &d.Theme.Strong)})
	}
	shown, hidden := d.headers(d.e.ResponseHeaders, true, width)
	c.head = append(c.head, shown...)
	if !d.terse {
		c.head = append(c.head, hidden...)
	}
	c.head = append(c.head, d.responseBody(width)...)
	if a.Token != "" {
		c.head = append(c.head, hanging(d.In("continue holds: %s", a.Token), "  ", width, &d.Theme.Dim)...)
	}
	if d.request.Verb == "WATCH" {
		d.stream(&c, width)
	}
	if a.Status != "" && d.e.Error != "" {
		c.tail = append(c.tail, d.gap()...)
		c.tail = append(c.tail, cells.WrapLines(d.In("not read to its end: %s", d.e.Error), width, &d.Theme.Text)...)
	}
	c.tail = append(c.tail, d.etcd(width)...)
	if d.terse {
		c.tail = append(c.tail, hidden...)
	}
	return c
}

// stream puts the events of a watch into the column.
func (d *drawing) stream(c *column, width int) {
	var events []*scenarios.WatchEvent
	for i := range d.o.Events {
		if e := &d.o.Events[i]; e.Exchange != nil && *e.Exchange == d.at {
			events = append(events, e)
		}
	}
	c.head = append(c.head, d.gap()...)
	if len(events) == 0 {
		if !d.e.InFlight && d.answer.Status != "" && !d.answer.Failed {
			c.head = append(c.head, cells.Line{{d.In("the trace holds no event of it"), &d.Theme.Dim}})
		}
		return
	}
	c.head = append(c.head, cells.WrapLines(d.In("%s, by the time since the request:", d.Count(len(events), "event", "events")), width, &d.Theme.Dim)...)
	line := func(e *scenarios.WatchEvent) (cells.Span, string) {
		return cells.Span{right("+"+seconds(e.AtMs-d.e.StartedMs), 8) + "  ", &d.Theme.Dim}, words.Event(*e)
	}
	// An ERROR ends a stream, and all of what it says is worth its lines.
	if last := events[len(events)-1]; last.Type == "ERROR" {
		events = events[:len(events)-1]
		when, said := line(last)
		for _, l := range cells.Wrap(said, max(1, width-10)) {
			c.tail = append(c.tail, cells.Line{when, {l, &d.Theme.Strong}})
			when.Text = cells.Spaces(10)
		}
	}
	c.events = len(events)
	c.event = func(i int) cells.Line {
		when, said := line(events[i])
		return cells.Line{when, cells.Text(said, &d.Theme.Text)}
	}
}

// etcd is what of the exchange reached etcd, or that this was not recorded.
func (d *drawing) etcd(width int) []cells.Line {
	facts := words.EvidenceOf(d.Trace, d.o, d.at, d.Lang)
	unrecorded := words.Unrecorded(d.Trace, d.o, d.Lang)
	if len(facts) == 0 && unrecorded == "" {
		return nil
	}
	out := d.gap()
	if unrecorded != "" {
		out = append(out, cells.WrapLines(unrecorded, width, &d.Theme.Dim)...)
	}
	if len(facts) == 0 {
		return out
	}
	if !facts[0].Conclusion {
		said, first := d.In("reached etcd: "), cells.Clean(facts[0].Text)
		if alone := len(facts) == 1 || facts[1].Conclusion; alone && cells.Width(said+first) <= width {
			style := &d.Theme.Text
			if facts[0].Wrote {
				style = &d.Theme.Strong
			}
			out = append(out, cells.Line{{said, &d.Theme.Dim}, {first, style}})
			facts = facts[1:]
		} else {
			out = append(out, cells.Line{{cells.Cut(strings.TrimSpace(said), width), &d.Theme.Dim}})
		}
	}
	for _, fact := range facts {
		indent, style := "  ", &d.Theme.Text
		if fact.Conclusion {
			indent = ""
		}
		if fact.Conclusion || fact.Wrote {
			style = &d.Theme.Strong
		}
		out = append(out, hanging(indent+cells.Clean(fact.Text), indent+"  ", width, style)...)
	}
	return out
}

// The headers that say the same of every exchange, or what is said elsewhere. They are
// folded, and their names stay.
var (
	foldedAlways = []string{"Traceparent", "Audit-Id", "Cache-Control", "Date", "X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid"}
	foldedAsJSON = []string{"Accept", "Content-Type"} // where it is JSON and nothing else
)

func (d *drawing) folds(name, value string, response bool) bool {
	switch {
	case d.At.Open:
		return false
	case slices.Contains(foldedAlways, name), d.terse && name == "User-Agent":
		return true
	}
	return slices.Contains(foldedAsJSON, name) && value == "application/json" && (d.terse || response || name == "Accept")
}

// headers are those that matter, and a line for the others.
func (d *drawing) headers(headers map[string]string, response bool, width int) (out, rest []cells.Line) {
	names := make([]string, 0, len(headers))
	for name := range headers {
		names = append(names, name)
	}
	slices.Sort(names)
	var hidden []string
	for _, name := range names {
		value := headers[name]
		style := &d.Theme.Dim
		switch {
		case d.folds(name, value, response):
			hidden = append(hidden, cells.Clean(name))
			continue
		case name == "Warning":
			if texts := words.Warnings(value); len(texts) > 0 {
				for _, text := range texts {
					out = append(out, hanging(d.In("Warning: %s", cells.Clean(text)), "  ", width, &d.Theme.Strong)...)
				}
				continue
			}
			style = &d.Theme.Strong
		case name == "Retry-After":
			style = &d.Theme.Strong
		case name == "Content-Type" && !response:
			style = &d.Theme.Text
		}
		out = append(out, hanging(name+": "+value, "  ", width, style)...)
	}
	if len(hidden) > 0 {
		said := d.In("+ %s: %s (o unfolds)", d.Count(len(hidden), "header", "headers"), strings.Join(hidden, ", "))
		if cells.Width(said) > width {
			said = d.In("+ %s (o unfolds)", d.Count(len(hidden), "header", "headers"))
		}
		rest = []cells.Line{{{cells.Cut(said, width), &d.Theme.Dim}}}
	}
	return out, rest
}

// hanging wraps a text whose further lines are indented.
func hanging(s, indent string, width int, style *lipgloss.Style) []cells.Line {
	s = cells.Clean(s)
	first := len(s) - len(strings.TrimLeft(s, " "))
	lead, s := s[:first], s[first:]
	if len(indent) >= width {
		lead, indent = "", ""
	}
	var out []cells.Line
	for i, l := range cells.Wrap(s, max(1, width-max(len(lead), len(indent)))) {
		if i > 0 {
			lead = indent
		}
		out = append(out, cells.Line{{lead + l, style}})
	}
	return out
}

// stored is what the store held of the object that a write names a version of, and how
// that is known, where it was another one: by what etcd answered for this very request,
// or by what the apiserver served before the step, if nothing else wrote in between.
func (d *drawing) stored() string {
	rv, name := d.request.RV, d.request.Name
	if rv == "" || name == "" || !d.request.Writes() {
		return ""
	}
	if revision := d.storedInEtcd(name); revision > 0 {
		if n := strconv.FormatInt(revision, 10); n != rv {
			return d.In("stored: %s", n)
		}
		return ""
	}
	object, ok := d.Before.Objects[name]
	resource, _, _ := strings.Cut(d.request.Resource, "/")
	if !ok || !object.Exists || object.Resource != resource || object.ResourceVersion == rv || d.othersWrote(name) {
		return ""
	}
	return d.In("before the step: %s", object.ResourceVersion)
}

// overwritten is the object that a write met, as far as the trace tells, and its
// resourceVersion.
func (d *drawing) overwritten(name string) (map[string]any, string) {
	if !d.request.Writes() || d.request.Name == "" || d.e.Status != 200 {
		return nil, ""
	}
	met := d.storedInEtcd(name)
	resource, _, _ := strings.Cut(d.request.Resource, "/")
	object, ok := d.Before.Objects[name]
	ok = ok && object.Exists && object.Resource == resource
	if ok && (met > 0 && object.ResourceVersion == strconv.FormatInt(met, 10) || met == 0 && !d.othersWrote(name)) {
		decoded, _ := scenarios.DecodeJSON(object.Object).(map[string]any)
		return decoded, object.ResourceVersion
	}
	for i := range d.o.Revisions { // another exchange of this step wrote it
		r := &d.o.Revisions[i]
		if met == 0 || r.Revision != met || r.Name != name || len(r.Value) == 0 {
			continue
		}
		decoded, _ := scenarios.DecodeJSON(r.Value).(map[string]any)
		rv := strconv.FormatInt(met, 10)
		if metadata, ok := decoded["metadata"].(map[string]any); ok {
			metadata["resourceVersion"] = rv // which is not stored in it
		}
		return decoded, rv
	}
	return nil, ""
}

// storedInEtcd is the mod_revision that etcd last gave of the object before the exchange
// changed it; 0 where it did not.
func (d *drawing) storedInEtcd(name string) int64 {
	stored := int64(0)
	for i := range d.o.RPCs {
		r := &d.o.RPCs[i]
		if r.Exchange == nil || *r.Exchange != d.at || r.RangeEnd != "" || r.Error != "" || !strings.HasSuffix(r.Key, "/"+name) {
			continue
		}
		switch {
		case r.Method == "Range" && r.AtRevision == 0 && r.ModRevision > 0:
			stored = r.ModRevision
		case r.Method == "Txn" && r.Succeeded != nil && *r.Succeeded && r.CompareModRevision != nil:
			stored = *r.CompareModRevision
		case r.Method == "Txn" && r.Succeeded != nil && !*r.Succeeded && r.ModRevision > 0:
			stored = r.ModRevision
		}
	}
	return stored
}

// othersWrote reports whether another exchange of the step may have written the object.
func (d *drawing) othersWrote(name string) bool {
	for i := range d.o.Revisions {
		if r := &d.o.Revisions[i]; r.Name == name && (r.Exchange == nil || *r.Exchange != d.at) {
			return true
		}
	}
	for i := range d.o.Exchanges {
		if e := &d.o.Exchanges[i]; i != d.at && e.Method != "GET" && (e.Status == 0 || e.Status < 300) {
			return true
		}
	}
	return false
}
