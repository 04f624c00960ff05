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

	storageInterfaces = "storage/interfaces.go"
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
		"":       {"Check", storageInterfaces},
		"PATCH":  {"applyPatch", "endpoints/handlers/patch.go"},
		"DELETE": {"BeforeDelete", "registry/rest/delete.go"},
	},
	Patch:  {"": {"applyPatch", "endpoints/handlers/patch.go"}},
	Owners: {"": {"applyPatchToCurrentObject", "endpoints/handlers/patch.go"}},
	Admit: {
		"":       {"applyAdmission", "endpoints/handlers/patch.go"},
		"PUT":    {"UpdateResource", "endpoints/handlers/update.go"},
		"DELETE": {"AdmissionToValidateObjectDeleteFunc", "registry/rest/delete.go"},
	},
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
		"":      {"Get", etcdStore},
		"LIST":  {"GetList", etcdStore},
		"WATCH": {"Watch", etcdStore},
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

func sourceOf(n Node, e *evidence) source {
	q, verb, status := n.Question, e.request.Verb, e.status()
	switch {
	case n.Answer == Refused && status == 403 && (q == Decode || q == Which):
		return authorized
	case n.Answer == Refused && (q == Decode || q == Which) && e.unrouted():
		return routed
	case q == Which && n.Answer == Refused && status == 400 && e.unhandled():
		return refusals[422] // reading the options comes before validating them
	case q == Which && n.Answer == Refused && e.says("Name parameter invalid"):
		return named
	case q == Which && n.Answer == Refused && verb != "GET" && refusals[status] != (source{}):
		return refusals[status]
	case e.uncached() && q == Which && verb != "LIST":
		q = Etcd
	case e.uncached() && n.Answer != DryRead && uncached[q] != (source{}):
		return uncached[q]
	case (q == UID || q == RVEqual) && verb == "DELETE" && n.Round > 0: // not by the first look
		return source{"Check", storageInterfaces}
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

// uncached are those of a resource without a watch cache: its registry has the store alone.
var uncached = map[Question]source{
	Ready:   {"GetRESTOptions", "server/options/etcd.go"},
	Which:   {"ValidateListOptions", storageInterfaces},
	Current: {"GuaranteedUpdate", etcdStore},
}

// refusals are where a read is refused before it comes to the store or to its cache, by the
// answer's code.
var refusals = map[int]source{
	400: {"ValidateListOptions", storageInterfaces},
	403: authorized,
	422: {"listOpts", "endpoints/handlers/get.go"},
}

// authorized is where a request ends that its sender may not make.
var authorized = source{"WithAuthorization", "endpoints/filters/authorization.go"}

// routed is where a request ends for whose path or method nothing is installed.
var routed = source{"ServeHTTP", "server/handler.go"}

// named is where a name that no key can be made of is refused.
var named = source{"NamespaceKeyFunc", registryStore}

// Sources lists every function that a path can name, with its file below k8s.io/apiserver/pkg.
func Sources() [][2]string {
	all := [][2]string{{routed.function, routed.file}, {named.function, named.file}}
	for _, byVerb := range sources {
		for _, s := range byVerb {
			all = append(all, [2]string{s.function, s.file})
		}
	}
	for _, s := range refusals {
		all = append(all, [2]string{s.function, s.file})
	}
	for _, s := range uncached {
		all = append(all, [2]string{s.function, s.file})
	}
	return all
}
