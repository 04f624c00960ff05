package words

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rvtui/scenarios"
)

// capabilities are what a cluster gives that has them.
var capabilities = map[string]string{
	scenarios.CapabilityEtcdRead:         "what etcd itself says",
	scenarios.CapabilityEtcdVersion:      "how often a key was written, which kine does not count",
	scenarios.CapabilityEtcdAll:          "every revision of the store, whoever wrote it",
	scenarios.CapabilityEtcdRPC:          "the RPCs that the apiserver makes to etcd",
	scenarios.CapabilityEtcdCompact:      "a compaction, of a store that is nobody else's",
	scenarios.CapabilityAPIServerRestart: "a restart, of an apiserver that is nobody else's",
	scenarios.CapabilityAPIServerLoad:    "a load, on an apiserver that is nobody else's",
	scenarios.CapabilityAPIServerKinds:   "a kind of its own, which every user of the cluster would see",
	scenarios.CapabilityNoControllers:    "a cluster where no controller writes to the scenario's objects",
}

// Capability is what a cluster gives that has it, in a language.
func Capability(name, lang string) string {
	if said, ok := capabilities[name]; ok {
		return In(lang, said)
	}
	return name
}

// gives is what several capabilities give.
func gives(names []string, lang string) string {
	var all []string
	for _, name := range names {
		all = append(all, Capability(name, lang))
	}
	return strings.Join(all, In(lang, "; "))
}

// named lists capabilities by their names: "etcd.read, etcd.rpc".
func named(names []string, lang string) string { return strings.Join(names, In(lang, ", ")) }

// unseen says which of a step's expectations could not be judged, those for the same reason
// together.
func unseen(t *scenarios.Trace, o *scenarios.Observation, lang string) string {
	type group struct {
		check    *scenarios.Check
		expected []string
	}
	var groups []*group
	for i := range o.Checks {
		check := &o.Checks[i]
		if !check.Unseen {
			continue
		}
		at := slices.IndexFunc(groups, func(g *group) bool {
			return g.check.Since == check.Since && slices.Equal(g.check.Lack, check.Lack)
		})
		if at < 0 {
			at, groups = len(groups), append(groups, &group{check: check})
		}
		groups[at].expected = append(groups[at].expected, check.Expected.In(lang))
	}
	var said []string
	for _, g := range groups {
		expected := strings.Join(g.expected, In(lang, "; "))
		switch {
		case g.check.Since != "" && t.Kubernetes != "":
			said = append(said, In(lang, "not judged here: %s (so since Kubernetes %s; this server is %s)", expected, g.check.Since, t.Kubernetes))
		case g.check.Since != "":
			said = append(said, In(lang, "not judged here: %s (so since Kubernetes %s)", expected, g.check.Since))
		default:
			said = append(said, In(lang, "not seen here: %s (needs %s: %s)", expected, named(g.check.Lack, lang), gives(g.check.Lack, lang)))
		}
	}
	return strings.Join(said, " · ")
}

// unknown stands in a text for a value that the cluster does not show.
const unknown = "…"

// ofRPCs are the words of sentences that RPCs prove: what was asked of etcd, and what was not.
var ofRPCs = regexp.MustCompile(`\b(RPCs?|Range|RangeStream|Txns?|etcd|cache|memory)\b|内存|缓存`)

// Note says how a step's words are to be taken where the cluster does not show all that they
// tell of; "" where it does.
func Note(t *scenarios.Trace, o *scenarios.Observation, lang string) string {
	head, narration := Narration(o, lang)
	said := o.Title.In(lang) + " " + narration
	meant := head != "" // and then nothing is told as known
	switch {
	case o.Verdict == scenarios.Skipped:
		return ""
	case len(o.Lack) > 0 && strings.Contains(said, unknown) && meant:
		return In(lang, "“…” stands for what this cluster does not show (%s).", named(o.Lack, lang))
	case len(o.Lack) > 0 && strings.Contains(said, unknown):
		return In(lang, "“…” stands for what this cluster does not show (%s); the rest is told as known of Kubernetes.", named(o.Lack, lang))
	case !t.Sees(scenarios.CapabilityEtcdRPC) && !meant && !ownCall(o) && ofRPCs.MatchString(said):
		return In(lang, "RPCs are not shown here (%s): told as known of Kubernetes, not as seen.", scenarios.CapabilityEtcdRPC)
	}
	return ""
}

// ownCall reports whether a step is a call of rvtui's own to etcd, which is seen on every
// cluster that lets it.
func ownCall(o *scenarios.Observation) bool {
	return len(o.Exchanges) == 0 && slices.ContainsFunc(o.RPCs, func(r scenarios.RPC) bool { return r.Exchange == nil })
}

// Untold says why a step's question has no answer here; "" where it has, or where nobody
// knows why.
func Untold(o *scenarios.Observation, lang string) string {
	switch {
	case o.Right != 0 || len(o.Lack) == 0 || o.Verdict == scenarios.Failed:
		return ""
	case o.Verdict == scenarios.Skipped:
		return In(lang, "this step was not taken (it needs %s), so it does not count", named(o.Lack, lang))
	}
	return In(lang, "this cluster does not show which it is (it needs %s), so it does not count", named(o.Lack, lang))
}

// Missing says why a cluster cannot show a scenario at all.
func Missing(e *scenarios.MissingError, lang string) string {
	lacks := slices.DeleteFunc(slices.Clone(e.Missing), func(name string) bool { return capabilities[name] == "" })
	var said []string
	if len(lacks) > 0 {
		said = append(said, In(lang, "It needs %s: %s", named(lacks, lang), gives(lacks, lang)))
	}
	if e.Why != "" { // of what is no capability it is all that there is to say
		said = append(said, e.Why)
	}
	return strings.Join(said, " · ") + In(lang, ".")
}

// Unrecorded says of a step's requests that nobody recorded which RPCs they led to; "" where
// they are recorded, and where there is no request.
func Unrecorded(t *scenarios.Trace, o *scenarios.Observation, lang string) string {
	if o == nil || len(o.Exchanges) == 0 || t.Sees(scenarios.CapabilityEtcdRPC) {
		return ""
	}
	return In(lang, "RPCs are not recorded on this cluster")
}

// KeyNumber is a number that etcd alone tells of a revision's key, its version or its
// create_revision: "?" where it is not known. Of a deleted key etcd tells neither.
func KeyNumber(r *scenarios.Revision, n int64) string {
	if n == 0 && r.Op != "DELETE" {
		return "?"
	}
	return strconv.FormatInt(n, 10)
}

// Found counts what of a list was there before the scenario.
func Found(t *scenarios.Trace, e *scenarios.Exchange) int {
	if len(t.Found) == 0 {
		return 0
	}
	items, _ := Object(e.ResponseBody)["items"].([]any)
	found := 0
	for _, item := range items {
		object, _ := item.(map[string]any)
		metadata, _ := object["metadata"].(map[string]any)
		if name, _ := metadata["name"].(string); slices.Contains(t.Found, name) {
			found++
		}
	}
	return found
}

// Items counts a list's items, those that were there before the scenario apart.
func Items(t *scenarios.Trace, e *scenarios.Exchange, lang string) string {
	said := CountIn(lang, ReadAnswer(e).Items, "item", "items")
	if found := Found(t, e); found > 0 {
		said += In(lang, ", ") + In(lang, "%d of them there before", found)
	}
	return said
}
