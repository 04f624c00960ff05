// Package plain tells a trace in lines, from top to bottom: for a screen reader, a
// pipe, a log. It writes no escape code, and draws nothing that has to be seen to be
// understood. It may import scenarios, ui and its words; it must never import
// cluster, client-go or etcd.
package plain

import (
	"fmt"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// teller tells one trace.
type teller struct {
	trace   *scenarios.Trace
	history *scenarios.History
	lang    string
}

// beginning tells what a scenario is about and what was set up.
func (t teller) beginning() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s.\n", t.trace.Scenario, strings.TrimSuffix(t.trace.Title.In(t.lang), "."))
	if summary := t.trace.Summary.In(t.lang); summary != "" {
		fmt.Fprintln(&b, oneLine(summary))
	}
	fmt.Fprintf(&b, "Cluster: %s, kube-apiserver %s, etcd %s.\n", t.trace.Mode, t.trace.Kubernetes, t.trace.Etcd)
	state := t.history.At(0)
	for _, line := range t.objects(state) {
		fmt.Fprintf(&b, "Set up: %s\n", line)
	}
	if state.Etcd.Head > 0 {
		fmt.Fprintf(&b, "etcd: head is %d, %s.\n", state.Etcd.Head, compacted(state.Etcd))
	}
	return b.String()
}

// step tells step n.
func (t teller) step(n int) string {
	o := &t.trace.Steps[n-1]
	state := t.history.At(n)
	var b strings.Builder
	title := o.Title.In(t.lang)
	if title == "" {
		title = string(o.Actor) + ": " + o.Operation
	}
	fmt.Fprintf(&b, "Step %d of %d. %s.\n", n, max(n, len(t.trace.Plan)), strings.TrimSuffix(oneLine(title), "."))
	for i := range o.Exchanges {
		label := ""
		if len(o.Exchanges) > 1 {
			label = fmt.Sprintf(" %d of %d", i+1, len(o.Exchanges))
		}
		fmt.Fprintf(&b, "Request%s: %s\n", label, Request(&o.Exchanges[i]))
		fmt.Fprintf(&b, "Answer%s: %s\n", label, Answer(&o.Exchanges[i]))
		for _, warning := range words.ReadAnswer(&o.Exchanges[i]).Warnings {
			fmt.Fprintf(&b, "Warning%s: %s\n", label, oneLine(warning))
		}
	}
	for _, line := range t.etcd(o, state) {
		fmt.Fprintln(&b, line)
	}
	for _, line := range t.held(state) {
		fmt.Fprintln(&b, line)
	}
	for _, line := range t.objects(state) {
		fmt.Fprintf(&b, "apiserver: %s\n", line)
	}
	if say := o.Say.In(t.lang); say != "" {
		fmt.Fprintf(&b, "Why: %s\n", oneLine(say))
	}
	if verdict := t.verdict(o); verdict != "" {
		fmt.Fprintln(&b, verdict)
	}
	return b.String()
}

// end tells what to do instead, and how the whole came out.
func (t teller) end() string {
	var b strings.Builder
	if fix := t.trace.Fix.In(t.lang); fix != "" {
		fmt.Fprintf(&b, "What to do instead: %s\n", oneLine(fix))
	}
	fmt.Fprintf(&b, "End: %s\n", t.outcome())
	return b.String()
}

// outcome is how many steps came out how. That nothing was expected of a step is no praise.
func (t teller) outcome() string {
	var good, bad, skipped, open int
	for i := range t.trace.Steps {
		switch o := &t.trace.Steps[i]; {
		case o.Verdict == scenarios.Failed:
			bad++
		case o.Verdict == scenarios.Skipped:
			skipped++
		case len(o.Checks) == 0:
			open++
		default:
			good++
		}
	}
	total := len(t.trace.Steps)
	steps := words.Count(total, "step", "steps")
	if good == total && total > 0 {
		return steps + ", all as expected."
	}
	var parts []string
	for _, part := range []struct {
		n    int
		said string
	}{{bad, "NOT as expected"}, {good, "as expected"}, {skipped, "skipped"}, {open, "with nothing expected"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.said))
		}
	}
	if len(parts) == 0 {
		return steps + "."
	}
	return steps + "; " + strings.Join(parts, ", ") + "."
}

// Request is what an exchange asked, in a sentence.
func Request(e *scenarios.Exchange) string {
	r := words.Read(e)
	target := r.Path
	if r.Resource != "" {
		target = r.Resource
		if r.Name != "" && !strings.Contains(r.Resource, "/") {
			target += "/" + r.Name
		} else if resource, sub, ok := strings.Cut(r.Resource, "/"); ok {
			target = resource + "/" + r.Name + "/" + sub
		}
	}
	s := fmt.Sprintf("%s sends %s %s", e.Actor, r.Verb, target)
	if r.RV != "" {
		s += ", resourceVersion " + r.RV
	} else if r.NoRV {
		s += ", no resourceVersion"
	}
	for _, option := range r.Options() {
		s += ", " + option
	}
	if body := words.Object(e.RequestBody); body != nil && r.Verb != "DELETE" {
		for _, value := range words.Flat(words.Bare(body)) {
			s += ", " + oneLine(value)
		}
	}
	if e.Attempt > 1 {
		s += fmt.Sprintf(" (attempt %d)", e.Attempt)
	}
	return s + "."
}

// Answer is how an exchange was answered, in a sentence.
func Answer(e *scenarios.Exchange) string {
	a := words.ReadAnswer(e)
	switch {
	case a.Waiting:
		return "not yet."
	case a.Status == "":
		return "none: " + oneLine(a.Message) + "."
	}
	s := a.Status
	switch {
	case a.List:
		s += fmt.Sprintf(", a list at resourceVersion %s with %s", a.RV, words.Count(a.Items, "item", "items"))
	case a.RV != "":
		s += ", resourceVersion " + a.RV
	}
	s += " after " + words.Millis(e.DurationMs) + "."
	if wait := words.RetryAfter(e); wait != "" {
		s += " Retry-After " + wait + "."
	}
	if a.Message != "" {
		s += " " + strings.TrimSuffix(oneLine(a.Message), ".") + "."
	}
	return s
}

// etcd tells what reached etcd, the new revisions, and the store's state.
func (t teller) etcd(o *scenarios.Observation, state scenarios.State) []string {
	var lines []string
	var said []string
	for _, fact := range words.Evidence(t.trace, o) {
		said = append(said, fmt.Sprintf("%s: %s.", fact.Actor, strings.ReplaceAll(fact.Text, " → ", ", ")))
	}
	if state.Etcd.Head > 0 {
		said = append(said, fmt.Sprintf("Head is %d, %s.", state.Etcd.Head, compacted(state.Etcd)))
	}
	if len(said) > 0 {
		lines = append(lines, "etcd: "+strings.Join(said, " "))
	}
	others := 0
	for _, r := range o.Revisions {
		if !r.Own {
			others++
			continue
		}
		name := r.Name
		if name == "" {
			name = words.ShortKey(r.Key, t.trace.Namespace)
		}
		lines = append(lines, fmt.Sprintf("New revision: %d, %s %s, version %d, by %s.", r.Revision, r.Op, name, r.Version, words.By(r.By)))
	}
	if others > 0 {
		lines = append(lines, "In between: "+words.Count(others, "revision", "revisions")+" by others.")
	}
	return lines
}

func compacted(s scenarios.EtcdState) string {
	if s.Compacted == 0 {
		return "nothing is compacted"
	}
	return fmt.Sprintf("revisions below %d are compacted", s.Compacted)
}

// held tells what each actor has in hand.
func (t teller) held(state scenarios.State) []string {
	var lines []string
	for _, actor := range []scenarios.Actor{scenarios.A, scenarios.B, scenarios.Observer} {
		names := make([]string, 0, len(state.Held[actor]))
		for name := range state.Held[actor] {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			s := fmt.Sprintf("%s holds %s at resourceVersion %s", actor, name, state.Held[actor][name].ResourceVersion)
			if state.Stale(actor, name) {
				s += ", which is stale"
			}
			lines = append(lines, s+".")
		}
	}
	return lines
}

// objects tells what the apiserver serves.
func (t teller) objects(state scenarios.State) []string {
	names := make([]string, 0, len(state.Objects))
	for name := range state.Objects {
		names = append(names, name)
	}
	slices.Sort(names)
	var lines []string
	for _, name := range names {
		o := state.Objects[name]
		if !o.Exists {
			lines = append(lines, name+" is deleted.")
			continue
		}
		s := fmt.Sprintf("%s has resourceVersion %s", name, o.ResourceVersion)
		for _, value := range words.Flat(words.Bare(words.Object(o.Object))) {
			s += ", " + oneLine(value)
		}
		lines = append(lines, s+".")
	}
	return lines
}

func (t teller) verdict(o *scenarios.Observation) string {
	v := words.Judge(o, t.lang)
	if v.Short == "" {
		return ""
	}
	said := strings.ToUpper(v.Short[:1]) + v.Short[1:]
	if v.Text != "" {
		said += ": " + strings.ReplaceAll(v.Text, " · ", "; ")
	}
	return oneLine(strings.TrimSuffix(said, ".") + ".")
}

// oneLine makes a text one line without control characters.
func oneLine(s string) string { return strings.Join(strings.Fields(words.Clean(s)), " ") }
