package words

import (
	"slices"
	"strconv"
	"strings"

	"rvtui/scenarios"
)

// Someone reports whether nobody of the walk made a revision of one of the scenario's own
// objects: a person beside rvtui, or a controller.
func Someone(r *scenarios.Revision) bool { return Unclaimed(r) && r.By != "" }

// Unclaimed reports whether no request of the walk is known to have made a revision of one of
// the scenario's own objects: By is "" where that cannot be told.
func Unclaimed(r *scenarios.Revision) bool {
	return r.Own && r.Exchange == nil && (r.By == scenarios.ByUnknown || r.By == "")
}

// fewRevisions is how many of someone's revisions of an object are told one by one.
const fewRevisions = 3

// SomeoneElse says what somebody else did to the scenario's own objects since the step before,
// a sentence for each object: it can be what a step's answer is about. When within the step it
// was is not known.
func SomeoneElse(t *scenarios.Trace, o *scenarios.Observation, lang string) []string {
	type change struct {
		name, op  string
		revisions []int64
		managers  []string
	}
	var changes []*change
	var ours []string
	for i := range o.Revisions {
		r := &o.Revisions[i]
		if !Someone(r) {
			continue
		}
		name := r.Name
		if name == "" {
			name = ShortKey(r.Key, t.Namespace)
		}
		at := slices.IndexFunc(changes, func(c *change) bool { return c.name == name && c.op == r.Op })
		if at < 0 {
			at, changes = len(changes), append(changes, &change{name: name, op: r.Op})
		}
		c := changes[at]
		c.revisions = append(c.revisions, r.Revision)
		if ours == nil {
			ours = writersManagers(t, o)
		}
		for _, manager := range managers(r) {
			if !slices.Contains(ours, manager) && !slices.Contains(c.managers, manager) {
				c.managers = append(c.managers, manager)
			}
		}
	}
	var said []string
	for _, c := range changes {
		who := "Someone else"
		if unanswered(t, o) {
			who = "Someone else, or a request that was not answered,"
		}
		text := "%s wrote %s at %s, since the step before"
		if c.op == "DELETE" {
			text = "%s deleted %s at %s, since the step before"
		}
		sentence := In(lang, text, In(lang, who), c.name, someRevisions(c.revisions, lang))
		if len(c.managers) > 0 {
			sentence += In(lang, " (managedFields: %s)", strings.Join(c.managers, In(lang, ", ")))
		}
		said = append(said, sentence+In(lang, "."))
	}
	return said
}

// unanswered reports whether a request of the step's may have written something without being
// told so: where nobody records RPCs, that is not to be told from somebody else's write.
func unanswered(t *scenarios.Trace, o *scenarios.Observation) bool {
	return !t.Sees(scenarios.CapabilityEtcdRPC) && slices.ContainsFunc(o.Exchanges, func(e scenarios.Exchange) bool {
		return Read(&e).Writes() && !e.InFlight && (e.Status == 0 || e.Status >= 500)
	})
}

// someRevisions names revisions, or how many they are and where they begin and end.
func someRevisions(all []int64, lang string) string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch {
	case len(all) == 1:
		return In(lang, "revision %s", number(all[0]))
	case len(all) > fewRevisions:
		return In(lang, "%d revisions from %s to %s", len(all), number(all[0]), number(all[len(all)-1]))
	}
	var names []string
	for _, n := range all {
		names = append(names, number(n))
	}
	return In(lang, "revisions %s", strings.Join(names, In(lang, ", ")))
}

// writersManagers are the field managers that the walk's own writers, up to a step, have gone by.
func writersManagers(t *scenarios.Trace, o *scenarios.Observation) []string {
	names := []string{}
	look := func(o *scenarios.Observation) {
		for i := range o.Revisions {
			if r := &o.Revisions[i]; r.Own && !Someone(r) {
				for _, name := range managers(r) {
					if !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	if t.Setup != nil {
		look(t.Setup)
	}
	for i := range t.Steps[:max(0, min(o.Step, len(t.Steps)))] {
		look(&t.Steps[i])
	}
	return names
}

// managers are the names in a stored object's managedFields, other than rvtui's actors'.
func managers(r *scenarios.Revision) []string {
	metadata, _ := Object(r.Value)["metadata"].(map[string]any)
	fields, _ := metadata["managedFields"].([]any)
	var names []string
	for _, field := range fields {
		entry, _ := field.(map[string]any)
		name, _ := entry["manager"].(string)
		if name != "" && !strings.HasPrefix(name, "rvtui-") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
