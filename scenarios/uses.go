package scenarios

import (
	"net/http"
	"slices"
	"strings"
)

// Use is what a scenario asks of the API about one kind: what a user must be allowed to do.
type Use struct {
	APIVersion string
	// Kind is of the object; where only a raw request's path tells, it is "" and Resource is
	// what the path says.
	Kind, Resource string
	Subresource    string   // status, scale
	Verbs          []string // as the API's authorization names them, sorted
}

// Uses are what a walk through the scenario asks of the API, with what rvtui itself does to
// show it: each object that a step names is read after the step, its kind is listed, and
// what was made is deleted at the end.
func (s *Scenario) Uses() []Use {
	var all uses
	for _, step := range slices.Concat(s.Setup, s.Steps) {
		all.add(&step)
	}
	return all
}

type uses []Use

func (u *uses) add(step *Step) {
	for i := range step.parts() {
		u.add(&step.parts()[i])
	}
	if step.Raw != nil {
		u.addRaw(step.Raw)
		return
	}
	target := step.target()
	if step.Together != nil || step.Storm != nil || step.verb() == VerbEtcdCompact || step.verb() == VerbAPIServerRestart {
		return
	}
	use := Use{APIVersion: target.apiVersion(), Kind: target.kind()}
	u.put(use, "get", "list")
	if step.KubectlApply != nil {
		// kubectl asks whether there is the namespace that it is to make something in.
		u.put(Use{APIVersion: "v1", Kind: "Namespace"}, "get")
	}
	use.Subresource = step.subresource()
	verbs := verbsOf[step.verb()]
	if step.Informer != nil && step.Informer.Write == "patch" {
		verbs = []string{"list", "watch", "patch"}
	}
	u.put(use, verbs...)
	if slices.Contains(verbs, "create") && use.Subresource == "" {
		u.put(use, "delete")
	}
}

// verbsOf are the verbs that an operation needs, beside those of any. An apply is authorized
// as a patch, and as a create where it makes the object (k8s.io/apiserver/pkg/endpoints/handlers,
// patch.go).
var verbsOf = map[Verb][]string{
	VerbGet: {"get"}, VerbList: {"list"}, VerbWatch: {"watch"},
	VerbCreate: {"create"}, VerbReplace: {"update"}, VerbPatch: {"patch"}, VerbDelete: {"delete"},
	VerbApply: {"create", "patch"}, VerbKubectlApply: {"create", "get", "patch"}, VerbKubectlReplace: {"get", "update"},
	VerbRetryOnConflict: {"get", "update"}, VerbInformer: {"list", "update", "watch"},
	VerbLeaderElection: {"create", "get", "update"},
}

func (o Operation) subresource() string {
	switch {
	case o.Get != nil:
		return o.Get.Subresource
	case o.Create != nil:
		return o.Create.Subresource
	case o.Replace != nil:
		return o.Replace.Subresource
	case o.Patch != nil:
		return o.Patch.Subresource
	case o.Apply != nil:
		return o.Apply.Subresource
	}
	return ""
}

// addRaw reads a path in the scenario's namespace: /api/v1/namespaces/${ns}/RESOURCE[/NAME[/SUBRESOURCE]].
// Others are not of a kind that a scenario could write to.
func (u *uses) addRaw(raw *Raw) {
	path, query, _ := strings.Cut(raw.Path, "?")
	prefix, rest, ok := strings.Cut(path, "/namespaces/${ns}/")
	if !ok {
		return
	}
	use := Use{APIVersion: strings.TrimPrefix(strings.TrimPrefix(prefix, "/apis/"), "/api/")}
	parts := strings.Split(rest, "/")
	use.Resource = parts[0]
	u.put(use, "get", "list")
	if len(parts) > 2 {
		use.Subresource = parts[2]
	}
	one := len(parts) > 1
	switch raw.Method {
	case "", http.MethodGet, http.MethodHead:
		switch {
		case strings.Contains(query, "watch="):
			u.put(use, "watch")
		case !one:
			u.put(use, "list")
		default:
			u.put(use, "get")
		}
	case http.MethodPost:
		u.put(use, "create")
		if !one {
			u.put(use, "delete")
		}
	case http.MethodPut:
		u.put(use, "update")
	case http.MethodPatch:
		u.put(use, "patch")
	case http.MethodDelete:
		if one {
			u.put(use, "delete")
		} else {
			u.put(use, "deletecollection")
		}
	}
}

func (u *uses) put(use Use, verbs ...string) {
	at := slices.IndexFunc(*u, func(other Use) bool {
		return other.APIVersion == use.APIVersion && other.Kind == use.Kind && other.Resource == use.Resource && other.Subresource == use.Subresource
	})
	if at < 0 {
		use.Verbs = nil
		*u = append(*u, use)
		at = len(*u) - 1
	}
	for _, verb := range verbs {
		if into := &(*u)[at].Verbs; !slices.Contains(*into, verb) {
			*into = append(*into, verb)
			slices.Sort(*into)
		}
	}
}
