package cluster

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

var update = flag.Bool("update", false, "write the RBAC manifests in docs/rbac anew")

// TestTheRBACManifestsAreWhatTheCatalogueNeeds: that they are enough
// is tested against a kube-apiserver in cluster/embedded.
func TestTheRBACManifestsAreWhatTheCatalogueNeeds(t *testing.T) {
	rights := catalogueRights(t)
	for name, want := range map[string]string{
		"own-namespaces.yaml": ownNamespaces + rules(append(rights,
			Right{Resource: "namespaces", Verb: "create"}, Right{Resource: "namespaces", Verb: "delete"},
			Right{Resource: "namespaces", Verb: "get"}, Right{Resource: "namespaces", Verb: "list"}, // rvtui clean
			Right{Resource: "serviceaccounts", Verb: "watch"}, // a new namespace's
		)) + ownNamespacesBinding,
		"given-namespace.yaml": givenNamespace + rules(append(rights,
			Right{Resource: "limitranges", Verb: "list"}, Right{Resource: "resourcequotas", Verb: "list"},
		)) + givenNamespaceBinding,
	} {
		path := filepath.Join("..", "docs", "rbac", name)
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if is, err := os.ReadFile(path); err != nil || string(is) != want {
			t.Errorf("%s is not what the catalogue needs (`go test ./cluster -run RBAC -update` writes it anew): %v", path, err)
		}
	}
}

// catalogueRights are those of all built-in scenarios that a cluster of others can show.
func catalogueRights(t *testing.T) []Right {
	t.Helper()
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	can := []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityNoControllers}
	var rights []Right
	for _, scenario := range all {
		if scenario.Lacks(can) == nil {
			rights = append(rights, RightsOf(scenario, guessed)...)
		}
	}
	if len(rights) == 0 {
		t.Fatal("nobody needs anything")
	}
	return rights
}

// guessed goes by the kind's name, as there is no apiserver to ask. Kinds of rvtui's own groups
// are served nowhere without their definition.
func guessed(kind schema.GroupVersionKind) (schema.GroupResource, bool) {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.GroupResource(), !strings.HasSuffix(kind.Group, "rvtui.dev")
}

// rules are RBAC rules, one for each set of verbs of a group.
func rules(rights []Right) string {
	verbs := map[[2]string][]string{}
	for _, right := range rights {
		resource := right.Resource
		if right.Subresource != "" {
			resource += "/" + right.Subresource
		}
		of := [2]string{right.Group, resource}
		if !slices.Contains(verbs[of], right.Verb) {
			verbs[of] = append(verbs[of], right.Verb)
		}
	}
	var lines []string
	for of, can := range verbs {
		slices.Sort(can)
		lines = append(lines, fmt.Sprintf("  - apiGroups: [%q]\n    resources: [%s]\n    verbs: [%s]\n", of[0], of[1], strings.Join(can, ", ")))
	}
	slices.Sort(lines)
	return "rules:\n" + strings.Join(lines, "")
}

const ownNamespaces = `# What rvtui needs where it makes a namespace of its own for each walk. RBAC cannot limit
# rights to namespaces by a prefix of their name, so they are the whole cluster's: where that
# is too much, give it one namespace instead (given-namespace.yaml).
#
#   kubectl apply -f own-namespaces.yaml
#   rvtui --context X
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: rvtui
`

const ownNamespacesBinding = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: rvtui
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: rvtui
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: User
    name: somebody # who runs rvtui
`

const givenNamespace = `# What rvtui needs in one namespace that is there already, and nothing outside of it.
#
#   kubectl apply -n team-a -f given-namespace.yaml
#   rvtui --context X --namespace team-a
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: rvtui
`

const givenNamespaceBinding = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: rvtui
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: rvtui
subjects:
  - apiGroup: rbac.authorization.k8s.io
    kind: User
    name: somebody # who runs rvtui
`
