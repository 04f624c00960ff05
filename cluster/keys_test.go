package cluster

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestKeysAreWhereTheAPIServerPutsThem(t *testing.T) {
	tests := []struct{ group, resource, namespace, name, want string }{
		{"", "configmaps", "ns", "cm1", "/registry/configmaps/ns/cm1"},
		{"", "services", "ns", "s", "/registry/services/specs/ns/s"},
		{"", "nodes", "", "n", "/registry/minions/n"},
		{"apps", "deployments", "ns", "d", "/registry/deployments/ns/d"},
		{"coordination.k8s.io", "leases", "ns", "l", "/registry/leases/ns/l"},
		{"networking.k8s.io", "ingresses", "ns", "i", "/registry/ingress/ns/i"},
		{"example.com", "widgets", "ns", "w", "/registry/example.com/widgets/ns/w"},
		{"apiextensions.k8s.io", "customresourcedefinitions", "", "widgets.example.com", "/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com"},
	}
	for _, test := range tests {
		got := etcdKey("/registry", schema.GroupResource{Group: test.group, Resource: test.resource}, test.namespace, test.name)
		if got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
		if name, own := ownName("/registry", "ns", got); own != (test.namespace == "ns") || own && name != test.name {
			t.Errorf("%s: name %q, own %v", got, name, own)
		}
	}
}

func TestOnlyKeysOfTheNamespaceAreOwn(t *testing.T) {
	for _, key := range []string{
		"", "/", "/registry", "/registry/namespaces/ns", "/registry/configmaps/ns", "/registry/configmaps/ns/", "/registry/configmaps/ns2/cm1",
		"/registry/configmaps/other-ns/cm1", "/elsewhere/configmaps/ns/cm1", "compact_rev_key",
	} {
		if name, own := ownName("/registry", "ns", key); own || name != "" {
			t.Errorf("%q: name %q, own %v", key, name, own)
		}
	}
}
