package plain

import (
	"fmt"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// Of more things of one kind than foldAbove, the first foldFirst and the last are told one
// by one, and the others are counted.
const (
	foldAbove = 8
	foldFirst = 3
)

// told is one thing of a list, or, in its place, those of its kind that are only counted.
type told struct {
	at   int
	more []int
}

// fold is what is told of a list, in its order, where each thing's kind is known; keep says
// of a thing that it is told whatever its kind. What is only counted stands before the last
// of its kind.
func fold(kinds []string, keep func(i int) bool) []told {
	same := map[string][]int{}
	for i, kind := range kinds {
		same[kind] = append(same[kind], i)
	}
	counted := map[string][]int{}
	out := make([]told, 0, len(kinds))
	for i, kind := range kinds {
		all := same[kind]
		last := i == all[len(all)-1]
		if len(all) > foldAbove && i > all[foldFirst-1] && !last && !keep(i) {
			counted[kind] = append(counted[kind], i)
			continue
		}
		if more := counted[kind]; last && more != nil {
			out = append(out, told{more: more})
		}
		out = append(out, told{at: i})
	}
	return out
}

// exchanges is what is told of a step's exchanges: what brought events, or a warning that
// no other one like it brought before, in any case.
func exchanges(o *scenarios.Observation) []told {
	kinds := make([]string, len(o.Exchanges))
	news := make([]bool, len(o.Exchanges))
	warned := map[string]bool{}
	for i := range o.Exchanges {
		e := &o.Exchanges[i]
		kinds[i] = fmt.Sprint(operation(e), words.Read(e).Options())
		news[i] = len(words.EventsOf(o, i)) > 0
		for _, warning := range words.ReadAnswer(e).Warnings {
			key := kinds[i] + " " + warning
			news[i] = news[i] || !warned[key]
			warned[key] = true
		}
	}
	return fold(kinds, func(i int) bool { return news[i] })
}

// operation is what an exchange asks for, without the version: "PUT configmaps/cm1".
func operation(e *scenarios.Exchange) string {
	r := words.Read(e)
	target := r.Path
	if r.Resource != "" {
		target = r.Resource
		if resource, sub, ok := strings.Cut(r.Resource, "/"); ok {
			target = resource + "/" + r.Name + "/" + sub
		} else if r.Name != "" {
			target += "/" + r.Name
		}
	}
	return r.Verb + " " + target
}

// senders are who sent exchanges: "A, B".
func (t teller) senders(o *scenarios.Observation, exchanges []int) string {
	var actors []string
	for _, i := range exchanges {
		if actor := string(o.Exchanges[i].Actor); !slices.Contains(actors, actor) {
			actors = append(actors, actor)
		}
	}
	slices.Sort(actors)
	return strings.Join(actors, t.in(", "))
}

// answers counts exchanges by how they were answered: "1 × 200 OK, 43 × 409 Conflict".
func (t teller) answers(o *scenarios.Observation, exchanges []int) string {
	counts := map[string]int{}
	var order []string
	for _, i := range exchanges {
		status := words.ReadAnswer(&o.Exchanges[i]).Status
		if status == "" {
			status = t.in("no answer")
		}
		if counts[status] == 0 {
			order = append(order, status)
		}
		counts[status]++
	}
	for i, status := range order {
		order[i] = fmt.Sprintf("%d × %s", counts[status], status)
	}
	return strings.Join(order, t.in(", "))
}

// facts is what a step did in etcd, each in a sentence; who is on whose behalf, or "" where
// that is the exchange's actor.
func (t teller) facts(o *scenarios.Observation, who string) []string {
	all := words.Evidence(t.trace, o, t.lang)
	kinds := make([]string, len(all))
	for i := range all {
		kinds[i] = all[i].Kind
	}
	var said []string
	for _, what := range fold(kinds, func(int) bool { return false }) {
		if what.more != nil {
			said = append(said, t.in("… %d more: %s.", len(what.more), kinds[what.more[0]]))
			continue
		}
		fact := all[what.at]
		by := who
		if by == "" {
			by = string(fact.Actor)
		}
		said = append(said, t.in("%s: %s.", by, strings.ReplaceAll(fact.Text, " → ", t.in(", "))))
	}
	return said
}

// revisions are the scenario's own among a step's revisions, a line each.
func (t teller) revisions(o *scenarios.Observation) []string {
	var own []*scenarios.Revision
	var kinds []string
	for i := range o.Revisions {
		r := &o.Revisions[i]
		if r.Others() {
			continue
		}
		own, kinds = append(own, r), append(kinds, t.revisionKind(r))
	}
	var lines []string
	for _, what := range fold(kinds, func(int) bool { return false }) {
		if what.more != nil {
			lines = append(lines, t.in("… %d more: %s.", len(what.more), kinds[what.more[0]]))
			continue
		}
		r := own[what.at]
		lines = append(lines, t.in("New revision: %d, %s, version %s, by %s.", r.Revision, kinds[what.at], words.KeyNumber(r, r.Version), t.in(words.ByWhom(r.By))))
	}
	return lines
}

// revisionKind is what a revision did, without its numbers: "PUT cm1".
func (t teller) revisionKind(r *scenarios.Revision) string {
	if r.Name == "" {
		return r.Op + " " + words.ShortKey(r.Key, t.trace.Namespace)
	}
	return r.Op + " " + r.Name
}
