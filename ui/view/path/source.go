package path

// source is where the kube-apiserver decides a question: a function, and its file below
// k8s.io/apiserver/pkg.
type source struct{ function, file string }

const (
	registryStore = "registry/generic/registry/store.go"
	etcdStore     = "storage/etcd3/store.go"
	watchCache    = "storage/cacher/watch_cache.go"
	cacher        = "storage/cacher/cacher.go"
	delegator     = "storage/cacher/delegator.go"
	dryRunStorage = "registry/generic/registry/dryrun.go"
)

// sources are by question, and there by the request's verb; "" is any other.
var sources = map[Question]map[string]source{
	Decode: {
		"PUT":    {"UpdateResource", "endpoints/handlers/update.go"},
		"PATCH":  {"PatchResource", "endpoints/handlers/patch.go"},
		"POST":   {"createHandler", "endpoints/handlers/create.go"},
		"DELETE": {"DeleteResource", "endpoints/handlers/delete.go"},
	},
	RVOnCreate: {"": {"Create", etcdStore}},
	Find:       {"": {"Delete", registryStore}},
	Current:    {"": {"GuaranteedUpdate", delegator}},
	UID: {
		"":       {"Check", "storage/interfaces.go"},
		"DELETE": {"BeforeDelete", "registry/rest/delete.go"},
	},
	Patch:   {"": {"applyPatch", "endpoints/handlers/patch.go"}},
	Owners:  {"": {"applyPatchToCurrentObject", "endpoints/handlers/patch.go"}},
	RVGiven: {"": {"Update", registryStore}},
	RVEqual: {
		"":       {"Update", registryStore},
		"DELETE": {"BeforeDelete", "registry/rest/delete.go"},
	},
	Reread: {
		"":       {"GuaranteedUpdate", etcdStore},
		"DELETE": {"conditionalDelete", etcdStore},
	},
	Valid: {
		"":     {"BeforeUpdate", "registry/rest/update.go"},
		"POST": {"BeforeCreate", "registry/rest/create.go"},
	},
	Change: {"": {"GuaranteedUpdate", etcdStore}},
	Finalizers: {
		"":       {"ShouldDeleteDuringUpdate", registryStore},
		"DELETE": {"Delete", registryStore},
	},
	DryRun: {
		"":       {"GuaranteedUpdate", dryRunStorage},
		"POST":   {"Create", dryRunStorage},
		"DELETE": {"Delete", dryRunStorage},
	},
	Txn: {
		"":       {"GuaranteedUpdate", etcdStore},
		"POST":   {"Create", etcdStore},
		"DELETE": {"conditionalDelete", etcdStore},
	},
	Which: {
		"GET":   {"Get", delegator},
		"LIST":  {"ShouldDelegateList", "storage/cacher/delegator/interface.go"},
		"WATCH": {"Watch", cacher},
	},
	Head:     {"": {"waitAndListConsistent", watchCache}},
	Fresh:    {"": {"waitUntilFreshLocked", watchCache}},
	Snapshot: {"": {"shouldDelegateExactRV", cacher}},
	Etcd: {
		"":     {"Get", etcdStore},
		"LIST": {"GetList", etcdStore},
	},
	Cache: {
		"":      {"Get", cacher},
		"LIST":  {"GetList", cacher},
		"WATCH": {"Watch", cacher},
	},
	Ready: {
		"":      {"GetList", cacher},
		"GET":   {"Get", delegator},
		"WATCH": {"Watch", cacher},
	},
	Taken:   {"": {"Create", dryRunStorage}},
	History: {"": {"GetIntervalLocked", "storage/cacher/watch_cache_history.go"}},
}

func sourceOf(n Node, verb string) source {
	q := n.Question
	switch {
	case n.Answer == DryRead:
		return source{"GuaranteedUpdate", dryRunStorage}
	case q == Txn && n.Writes == "delete":
		verb = "DELETE"
	case q == Valid && n.Made:
		verb = "POST"
	}
	if s, ok := sources[q][verb]; ok {
		return s
	}
	return sources[q][""]
}

// Sources lists every function that a path can name, with its file below k8s.io/apiserver/pkg.
func Sources() [][2]string {
	var all [][2]string
	for _, byVerb := range sources {
		for _, s := range byVerb {
			all = append(all, [2]string{s.function, s.file})
		}
	}
	return all
}
