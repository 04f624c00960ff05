package plain

import (
	"fmt"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/screen"
	"rvtui/ui/words"
)

// state tells how everything stands after step n: what each writer holds and what it last
// wrote, what the apiserver serves, and what is in the store. On the screen it is the panes.
func (t teller) state(n int) string {
	now := t.history.At(n)
	var b strings.Builder
	if n == 0 {
		t.line(&b, "State of %s after the setup:", t.trace.Scenario)
	} else {
		t.line(&b, "State of %s after step %d of %d:", t.trace.Scenario, n, max(n, len(t.trace.Plan)))
	}
	story := screen.NewStory(*t.trace)
	for _, actor := range t.actors() {
		for _, line := range t.inHand(now, actor, true) {
			fmt.Fprintln(&b, line)
		}
		if _, asked := now.Last[actor]; !asked {
			t.line(&b, "%s: %s", actor, t.in("no request yet")+t.in("."))
			continue
		}
		if len(now.Held[actor]) == 0 {
			t.line(&b, "%s holds nothing.", actor)
		}
		t.wrote(&b, story.Written(actor, n, t.lang), now.Last[actor].Step, actor)
		t.asked(&b, now.Last[actor], actor)
	}
	if len(now.Objects) == 0 {
		t.line(&b, "apiserver: %s", t.in("no object yet")+t.in("."))
	}
	for _, line := range t.objects(now, n) {
		t.line(&b, "apiserver: %s", line)
	}
	if now.Etcd.Head > 0 {
		t.line(&b, "etcd: %s", t.head("head is %d", now.Etcd))
	} else {
		t.line(&b, "etcd: %s", t.in("not read yet")+t.in("."))
	}
	if n == 0 && t.trace.Setup != nil { // a step's own lines tell it
		if said := t.facts(t.trace.Setup, scenarios.BySetup); len(said) > 0 {
			t.line(&b, "etcd: %s", strings.Join(said, t.in(" ")))
		}
	}
	table := t.table(n)
	if len(table) == 0 {
		t.line(&b, "Revisions: %s.", t.in("none of the scenario's yet"))
	}
	for _, line := range table {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

// actors are those who have something to do in the scenario.
func (t teller) actors() []scenarios.Actor {
	acts := map[scenarios.Actor]bool{}
	for _, p := range t.trace.Plan {
		acts[p.Actor] = true
		for _, other := range p.Others {
			acts[other] = true
		}
	}
	for _, o := range t.trace.Steps {
		acts[o.Actor] = true
	}
	all := []scenarios.Actor{scenarios.A, scenarios.B, scenarios.Observer, scenarios.Admin}
	return slices.DeleteFunc(all, func(actor scenarios.Actor) bool { return !acts[actor] })
}

// wrote tells what an actor's last request, of a step, wrote.
func (t teller) wrote(b *strings.Builder, w screen.Written, step int, actor scenarios.Actor) {
	if w.Caption == "" {
		return
	}
	said := t.in("%s, step %d, %s", actor, step, w.Caption)
	switch {
	case len(w.Values) > 0:
		said = t.in("%s: %s", said, oneLine(strings.Join(w.Values, t.in(", "))))
	case len(w.Instead) == 0:
		said = t.in("%s: %s", said, t.in("nothing that it did not hold"))
	}
	if len(w.Instead) > 0 {
		said += t.in("; instead of ") + oneLine(strings.Join(w.Instead, t.in(", ")))
	}
	fmt.Fprintln(b, said+t.in("."))
}

// asked tells an actor's last request, its answer, and what came by it.
func (t teller) asked(b *strings.Builder, last scenarios.ExchangeRef, actor scenarios.Actor) {
	o := t.trace.Setup
	if last.Step > 0 {
		o = &t.trace.Steps[last.Step-1]
	}
	e := &o.Exchanges[last.Index]
	s := t.in("%s: %s", t.in("%s, step %d, %s", actor, last.Step, words.Read(e).Line(" ")), t.answer(e))
	for _, event := range words.EventsOf(o, last.Index) {
		s += t.in(" ") + t.in("Event: %s.", sentence(oneLine(words.Event(event))))
	}
	for _, warning := range words.ReadAnswer(e).Warnings {
		s += t.in(" ") + t.in("Warning%s: %s", "", oneLine(warning))
	}
	fmt.Fprintln(b, oneLine(s))
}

// table tells the scenario's own revisions up to step n, and how many others lie between
// them.
func (t teller) table(n int) []string {
	var all []*scenarios.Revision
	if t.trace.Setup != nil {
		all = revisionsOf(all, t.trace.Setup)
	}
	for i := range t.trace.Steps[:n] {
		all = revisionsOf(all, &t.trace.Steps[i])
	}
	compacted := t.history.At(n).Etcd.Compacted
	next := map[string]int64{} // by key, the revision after the one that is looked at
	gone := make([]bool, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		gone[i] = !all[i].Others() && all[i].Gone(next[all[i].Key], compacted)
		next[all[i].Key] = all[i].Revision
	}
	kinds := make([]string, len(all))
	for i, r := range all {
		if kinds[i] = t.revisionKind(r); r.Others() {
			kinds[i] = ""
		}
	}
	var lines []string
	others := 0
	between := func() {
		if others > 0 {
			lines = append(lines, t.in("In between: %s by others.", words.CountIn(t.lang, others, "revision", "revisions")))
			others = 0
		}
	}
	for _, what := range fold(kinds, func(i int) bool { return kinds[i] == "" }) {
		switch {
		case what.more != nil:
			between()
			lines = append(lines, t.in("… %d more: %s.", len(what.more), kinds[what.more[0]]))
		case kinds[what.at] == "":
			others++
		default:
			between()
			r := all[what.at]
			s := t.in("Revision %d: %s, version %s, by %s", r.Revision, kinds[what.at], words.KeyNumber(r, r.Version), t.in(words.ByWhom(r.By)))
			if gone[what.at] {
				s += t.in(", which compaction has taken away")
			}
			lines = append(lines, s+t.in("."))
		}
	}
	between()
	return lines
}

func revisionsOf(all []*scenarios.Revision, o *scenarios.Observation) []*scenarios.Revision {
	for i := range o.Revisions {
		all = append(all, &o.Revisions[i])
	}
	return all
}

// steps tells the whole walk: each step and how it came out, and, up to step n, its requests
// and their answers. On the screen it is the outline, and the apiserver's log.
func (t teller) steps(n int) string {
	var b strings.Builder
	t.line(&b, "Steps of %s; step %d is looked at, %d of %d are taken:", t.trace.Scenario, n, len(t.trace.Steps), len(t.trace.Plan))
	if t.trace.Setup != nil {
		t.line(&b, "%s: %s", scenarios.BySetup, strings.TrimSpace(t.log(t.trace.Setup)))
	}
	for i, p := range t.trace.Plan {
		title := p.Title.In(t.lang)
		if title == "" {
			title = string(p.Actor) + ": " + p.Operation
		}
		came := t.in("to come")
		if i < len(t.trace.Steps) {
			if came = words.Judge(t.trace, &t.trace.Steps[i], t.lang).Short; came == "" {
				came = t.in("nothing was expected")
			}
		}
		s := t.in("%d, %s: %s.", i+1, oneLine(came), sentence(oneLine(title)))
		if i < n {
			s += t.log(&t.trace.Steps[i])
		}
		fmt.Fprintln(&b, s)
	}
	return b.String()
}

// log is a step's requests and their answers, in a few words each.
func (t teller) log(o *scenarios.Observation) string {
	s := ""
	for _, what := range exchanges(o) {
		s += t.in(" ")
		if what.more != nil {
			asked := operation(&o.Exchanges[what.more[0]])
			s += t.in("… %d more: %s by %s, answered %s.", len(what.more), asked, t.senders(o, what.more), t.answers(o, what.more))
			continue
		}
		e := &o.Exchanges[what.at]
		answer := strings.ReplaceAll(words.ReadAnswer(e).Line(t.lang), " → ", t.in(", "))
		if o.Step == 0 {
			s += t.in("%s, answered %s after %s.", words.Read(e).Line(" "), answer, words.Millis(e.DurationMs))
			continue
		}
		s += t.in("%s %s, answered %s after %s.", e.Actor, words.Read(e).Line(" "), answer, words.Millis(e.DurationMs))
	}
	if words.Restarted(o) {
		s += t.in(" ") + t.restarted(o)
	}
	return s
}
