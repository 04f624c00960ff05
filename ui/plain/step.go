// Package plain tells a trace in lines, from top to bottom: for a screen reader, a
// pipe, a log. It writes no escape code, and draws nothing that has to be seen to be
// understood. It may import scenarios, ui and its words; it must never import
// cluster, client-go or etcd.
package plain

import (
	"fmt"
	"io"
	"maps"
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

// in is one of rvtui's own texts in the reader's language.
func (t teller) in(english string, args ...any) string { return words.In(t.lang, english, args...) }

// line writes one of rvtui's own texts as a line.
func (t teller) line(w io.Writer, english string, args ...any) {
	_, _ = fmt.Fprintln(w, t.in(english, args...)) // to a buffer, which takes everything
}

// sentence is a text without the full stop at its end.
func sentence(s string) string {
	return strings.TrimSuffix(strings.TrimSuffix(s, "."), "。")
}

// beginning tells what a scenario is about and what was set up.
func (t teller) beginning() string {
	var b strings.Builder
	t.line(&b, "%s: %s.", t.trace.Scenario, sentence(t.trace.Title.In(t.lang)))
	if summary := t.trace.Summary.In(t.lang); summary != "" {
		fmt.Fprintln(&b, oneLine(summary))
	}
	if t.trace.Chapter != "" {
		t.line(&b, "Chapter %s.", t.trace.Chapter)
	}
	t.line(&b, "Cluster: %s.", words.Cluster(words.InfoOf(t.trace), t.lang))
	if !t.trace.Sees(scenarios.CapabilityEtcdRPC) {
		t.line(&b, "%s.", t.in("RPCs are not recorded on this cluster"))
	}
	state := t.history.At(0)
	for _, line := range t.objects(state, 0) {
		t.line(&b, "Set up: %s", line)
	}
	if state.Etcd.Head > 0 {
		t.line(&b, "etcd: %s", t.head("head is %d", state.Etcd))
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
	t.line(&b, "Step %d of %d. %s.", n, max(n, len(t.trace.Plan)), sentence(oneLine(title)))
	for _, what := range exchanges(o) {
		if what.more != nil {
			asked := operation(&o.Exchanges[what.more[0]])
			t.line(&b, "… %d more: %s by %s, answered %s.", len(what.more), asked, t.senders(o, what.more), t.answers(o, what.more))
			continue
		}
		i, label := what.at, ""
		if len(o.Exchanges) > 1 {
			label = t.in(" %d of %d", i+1, len(o.Exchanges))
		}
		t.line(&b, "Request%s: %s", label, Request(&o.Exchanges[i], t.lang))
		t.line(&b, "Answer%s: %s", label, t.answer(&o.Exchanges[i]))
		for _, event := range words.EventsOf(o, i) {
			t.line(&b, "Event: %s.", sentence(oneLine(words.Event(event))))
		}
		for _, warning := range words.ReadAnswer(&o.Exchanges[i]).Warnings {
			t.line(&b, "Warning%s: %s", label, oneLine(warning))
		}
	}
	if words.Restarted(o) {
		fmt.Fprintln(&b, t.restarted(o))
	}
	for _, line := range t.etcd(o, state) {
		fmt.Fprintln(&b, line)
	}
	for _, line := range t.held(state) {
		fmt.Fprintln(&b, line)
	}
	for _, line := range t.objects(state, n) {
		t.line(&b, "apiserver: %s", line)
	}
	if head, say := words.Narration(o, t.lang); head != "" {
		fmt.Fprintln(&b, oneLine(head+t.in(" ")+say))
	} else if say != "" {
		t.line(&b, "Why: %s", oneLine(say))
	}
	if note := words.Note(t.trace, o, t.lang); note != "" {
		fmt.Fprintln(&b, oneLine(note))
	}
	for _, said := range words.SomeoneElse(t.trace, o, t.lang) {
		fmt.Fprintln(&b, oneLine(said))
	}
	if verdict := t.verdict(o); verdict != "" {
		fmt.Fprintln(&b, verdict)
	}
	return b.String()
}

// next tells what comes after step n, and whether it will take long.
func (t teller) next(n int) string {
	next := t.trace.Plan[n]
	title := next.Title.In(t.lang)
	if title == "" {
		title = string(next.Actor) + ": " + next.Operation
	}
	said := t.in("Next: step %d. %s.", n+1, sentence(oneLine(title)))
	if next.Slow != "" {
		said += t.in(" ") + t.in("It takes %s.", words.Slow(t.lang, next.Slow))
	}
	return said + "\n"
}

// end tells what to do instead, and how the whole came out.
func (t teller) end() string {
	var b strings.Builder
	if fix := t.trace.Fix.In(t.lang); fix != "" {
		t.line(&b, "What to do instead: %s", oneLine(fix))
	}
	for _, source := range t.trace.Sources {
		t.line(&b, "Source: %s", oneLine(source))
	}
	t.line(&b, "End: %s", t.outcome())
	return b.String()
}

// outcome is how many steps came out how. That nothing was expected of a step is no praise.
func (t teller) outcome() string {
	var good, bad, skipped, open, unseen int
	for i := range t.trace.Steps {
		switch o := &t.trace.Steps[i]; {
		case o.Verdict == scenarios.Failed:
			bad++
		case o.Verdict == scenarios.Skipped:
			skipped++
		case len(o.Checks) == 0:
			open++
		case words.Judge(t.trace, o, t.lang).Open:
			unseen++
		default:
			good++
		}
	}
	total := len(t.trace.Steps)
	steps := words.CountIn(t.lang, total, "step", "steps")
	left := ""
	if checks := t.trace.Left().Checks; checks > 0 {
		left = t.in(" ") + t.in("Not judged here: %s.", words.CountIn(t.lang, checks, "expectation", "expectations"))
	}
	if good == total && total > 0 {
		return t.in("%s, all as expected.", steps) + left
	}
	var parts []string
	for _, part := range []struct {
		n    int
		said string
	}{{bad, "%d NOT as expected"}, {good, "%d as expected"}, {skipped, "%d skipped"}, {unseen, "%d not judged"}, {open, "%d with nothing expected"}} {
		if part.n > 0 {
			parts = append(parts, t.in(part.said, part.n))
		}
	}
	if len(parts) == 0 {
		return steps + t.in(".")
	}
	return steps + t.in("; ") + strings.Join(parts, t.in(", ")) + t.in(".") + left
}

// Request is what an exchange asked, in a sentence.
func Request(e *scenarios.Exchange, lang string) string {
	r := words.Read(e)
	s := words.In(lang, "%s sends %s", e.Actor, operation(e))
	switch {
	case r.RV != "":
		s += words.In(lang, ", resourceVersion %s", r.RV)
	case r.NullRV:
		s += words.In(lang, ", resourceVersion %s", "null")
	case r.NoRV:
		s += words.In(lang, ", no resourceVersion")
	}
	for _, option := range r.Options() {
		s += words.In(lang, ", ") + option
	}
	t := teller{lang: lang}
	if body := words.Object(e.RequestBody); body != nil && r.Verb != "DELETE" {
		s += t.values(body)
	} else if r.Verb == "PATCH" {
		for _, said := range words.Patch(e.RequestBody) {
			s += t.in(", ") + oneLine(said)
		}
	}
	if e.Attempt > 1 {
		s += words.In(lang, " (attempt %d)", e.Attempt)
	}
	return s + words.In(lang, ".")
}

// Answer is how an exchange was answered, in a sentence.
func Answer(e *scenarios.Exchange, lang string) string {
	return teller{trace: &scenarios.Trace{}, lang: lang}.answer(e)
}

func (t teller) answer(e *scenarios.Exchange) string {
	lang := t.lang
	a := words.ReadAnswer(e)
	switch {
	case a.Waiting:
		return words.In(lang, "not yet.")
	case a.Status == "":
		return words.In(lang, "none: %s.", oneLine(a.Message))
	}
	s := a.Status
	switch {
	case a.List && a.RV == "":
		s += words.In(lang, ", a list with %s", words.Items(t.trace, e, lang))
	case a.List:
		s += words.In(lang, ", a list at resourceVersion %s with %s", a.RV, words.Items(t.trace, e, lang))
	case a.RV != "":
		s += words.In(lang, ", resourceVersion %s", a.RV)
	}
	s += words.In(lang, " after %s.", words.Millis(e.DurationMs))
	if wait := words.RetryAfter(e); wait != "" {
		s += words.In(lang, " ") + "Retry-After " + wait + words.In(lang, ".")
	}
	if a.Token != "" {
		s += words.In(lang, " ") + words.Capital(words.In(lang, "token for more: %s", a.Token)) + words.In(lang, ".")
	}
	if a.Message != "" {
		s += words.In(lang, " ") + sentence(oneLine(a.Message)) + "."
	}
	return s
}

// restarted tells how long the apiserver was away.
func (t teller) restarted(o *scenarios.Observation) string {
	return t.in("The apiserver is another one now: restarted in %s.", words.Millis(o.DurationMs))
}

// etcd tells what reached etcd, the new revisions, and the store's state.
func (t teller) etcd(o *scenarios.Observation, state scenarios.State) []string {
	var lines []string
	said := t.facts(o, "")
	if state.Etcd.Head > 0 {
		said = append(said, t.head("Head is %d", state.Etcd))
	}
	if len(said) > 0 {
		lines = append(lines, t.in("etcd: ")+strings.Join(said, t.in(" ")))
	}
	lines = append(lines, t.revisions(o)...)
	others := 0
	for i := range o.Revisions {
		if o.Revisions[i].Others() {
			others++
		}
	}
	if others > 0 {
		lines = append(lines, t.in("In between: %s by others.", words.CountIn(t.lang, others, "revision", "revisions")))
	}
	return lines
}

// head is the store's head, as it is said, and what is compacted, where that is known.
func (t teller) head(said string, s scenarios.EtcdState) string {
	said = t.in(said, s.Head)
	switch {
	case s.Compacted > 0:
		said += t.in(", ") + t.in("revisions below %d are compacted", s.Compacted)
	case t.trace.KnowsCompacted(s):
		said += t.in(", ") + t.in("nothing is compacted")
	}
	return said + t.in(".")
}

// held tells what each actor has in hand.
func (t teller) held(state scenarios.State) []string {
	var lines []string
	for _, actor := range t.actors() {
		lines = append(lines, t.inHand(state, actor, false)...)
	}
	return lines
}

// inHand tells what an actor has in hand, with the objects' values or without.
func (t teller) inHand(state scenarios.State, actor scenarios.Actor, values bool) []string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(state.Held[actor])) {
		held := state.Held[actor][name]
		if held.Exchange.Step == 0 && !values {
			continue // who made it in the setup did so for the others
		}
		s := t.in("%s holds %s at resourceVersion %s", actor, name, held.ResourceVersion)
		if state.Stale(actor, name) {
			s += t.in(", which is stale")
		}
		if values {
			s += t.values(held.Object)
		}
		lines = append(lines, s+t.in("."))
	}
	return lines
}

// Of more than manyValues of an object's values, the first fewValues are told.
const (
	manyValues = 12
	fewValues  = 6
)

// values are an object's values, each after a comma.
func (t teller) values(object map[string]any) string {
	all := words.Flat(words.Bare(object))
	more := 0
	if len(all) > manyValues {
		all, more = all[:fewValues], len(all)-fewValues
	}
	s := ""
	for _, value := range all {
		s += t.in(", ") + oneLine(value)
	}
	if more > 0 {
		s += t.in(", and %d more", more)
	}
	return s
}

// objects tells what the apiserver serves after step n.
func (t teller) objects(state scenarios.State, n int) []string {
	var before scenarios.State
	if n > 0 {
		before = t.history.At(n - 1)
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(state.Objects)) {
		o := state.Objects[name]
		if !o.Exists {
			said := "there is no %s."
			if state.Deleted(name) {
				said = "%s is deleted."
			}
			lines = append(lines, t.in(said, name))
			continue
		}
		s := t.in("%s has resourceVersion %s", name, o.ResourceVersion)
		if was := before.Objects[name]; was.Exists && was.ResourceVersion != o.ResourceVersion {
			s += t.in(" (%s before)", was.ResourceVersion)
		}
		lines = append(lines, s+t.values(words.Object(o.Object))+t.in("."))
	}
	return lines
}

func (t teller) verdict(o *scenarios.Observation) string {
	v := words.Judge(t.trace, o, t.lang)
	if v.Short == "" {
		return ""
	}
	said := words.Capital(v.Short)
	if v.Text != "" {
		said = t.in("%s: %s", said, strings.ReplaceAll(v.Text, " · ", t.in("; ")))
	}
	said = sentence(said) + t.in(".")
	if v.Unseen != "" {
		said += t.in(" ") + words.Capital(strings.ReplaceAll(v.Unseen, " · ", t.in("; "))) + t.in(".")
	}
	return oneLine(said)
}

// oneLine makes a text one line without control characters.
func oneLine(s string) string { return strings.Join(strings.Fields(words.Clean(s)), " ") }
