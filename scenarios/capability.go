package scenarios

import (
	"slices"
	"strings"
)

// The capabilities that a scenario or a step can need.
const (
	CapabilityEtcdRead    = "etcd.read"    // keys and revisions, read from etcd itself
	CapabilityEtcdVersion = "etcd.version" // how often a key was written, which etcd counts and kine does not
	CapabilityEtcdAll     = "etcd.all"     // every revision of the store, whoever wrote it and wherever
	CapabilityEtcdRPC     = "etcd.rpc"     // the RPCs that the apiserver makes
	CapabilityEtcdCompact = "etcd.compact" // compaction, on a store that is nobody else's

	CapabilityAPIServerRestart = "apiserver.restart" // a restart of an apiserver that is nobody else's
	// CapabilityAPIServerLoad is storms, and reads that the apiserver waits for: both hold what
	// an apiserver has for others too.
	CapabilityAPIServerLoad = "apiserver.load"
	// CapabilityAPIServerKinds is objects outside of the scenario's namespace, which every user of
	// a cluster sees: kinds of one's own, for one.
	CapabilityAPIServerKinds = "apiserver.kinds"
	// CapabilityNoControllers is a cluster where nobody else writes to the scenario's objects: a
	// Deployment's controller would, at once.
	CapabilityNoControllers = "controllers.none"
)

// LackRights stands among what a call lacks where the user may not do it. It is no capability
// of the cluster: no scenario can say that it needs it, for every one does.
const LackRights = "rights"

// LackNamespace stands among what a call lacks where it would take a namespace that nobody else
// has objects in. It is no capability either: it depends on what is there at that moment.
const LackNamespace = "namespace.own"

// Capabilities are all that there are.
var Capabilities = []string{CapabilityEtcdRead, CapabilityEtcdVersion, CapabilityEtcdAll, CapabilityEtcdRPC, CapabilityEtcdCompact, CapabilityAPIServerRestart, CapabilityAPIServerLoad,
	CapabilityAPIServerKinds, CapabilityNoControllers}

// LackError says that a call was not made, because the cluster lacks what it needs.
type LackError struct {
	Lack []string // capabilities
	Why  string   // in a few words, or ""
}

func (e *LackError) Error() string {
	if e.Why != "" && slices.Equal(e.Lack, []string{LackNamespace}) {
		return e.Why
	}
	text := "needs " + strings.Join(e.Lack, " and ")
	if e.Why != "" {
		text += ": " + e.Why
	}
	return text
}

// Requires are the capabilities without which the scenario shows nothing: what it says itself,
// and what its operations cannot do without. Evidence that a cluster does not give is no
// reason to leave a scenario out: what rests on it is said to be unseen.
func (s *Scenario) Requires() []string {
	all := union(nil, s.Needs...)
	var look func([]Step)
	look = func(steps []Step) {
		for _, step := range steps {
			switch step.verb() {
			case VerbEtcdCompact:
				all = union(all, CapabilityEtcdCompact)
			case VerbAPIServerRestart:
				all = union(all, CapabilityAPIServerRestart)
			}
			if step.Create != nil && step.target().kind() == "CustomResourceDefinition" {
				all = union(all, CapabilityAPIServerKinds)
			}
			if step.Storm != nil && !slices.Contains(step.Needs, CapabilityAPIServerLoad) { // or else the step says that it alone does
				all = union(all, CapabilityAPIServerLoad)
			}
			look(step.parts())
		}
	}
	look(s.Setup)
	look(s.Steps)
	return all
}

// requires are the capabilities that the step's operation cannot do without.
func (s *Step) requires() []string {
	if s.EtcdGet != nil && !slices.Contains(s.Needs, CapabilityEtcdRead) {
		return append(slices.Clone(s.Needs), CapabilityEtcdRead)
	}
	return s.Needs
}

// Lacks says which of the capabilities that the scenario requires are not among those that a
// cluster has; nil where it has all.
func (s *Scenario) Lacks(can []string) []string { return missingOf(s.Requires(), can) }

// union is a list with what it does not have yet of some items.
func union(list []string, items ...string) []string {
	for _, item := range items {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

func missingOf(needs, can []string) []string {
	var missing []string
	for _, need := range needs {
		if !slices.Contains(can, need) {
			missing = append(missing, need)
		}
	}
	return missing
}
