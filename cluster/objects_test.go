package cluster

import "testing"

func TestARawPathNamesItsObject(t *testing.T) {
	tests := map[string]struct{ group, resource, name string }{
		"/api/v1/namespaces/ns/configmaps/cm1":                 {"", "configmaps", "cm1"},
		"/api/v1/namespaces/ns/configmaps/cm1?x=/y":            {"", "configmaps", "cm1"},
		"/api/v1/namespaces/ns/configmaps":                     {"", "configmaps", ""},
		"/api/v1/namespaces/ns/pods/p/status":                  {"", "pods", "p"},
		"/apis/coordination.k8s.io/v1/namespaces/ns/leases/l1": {"coordination.k8s.io", "leases", "l1"},
		"/api/v1/namespaces/other/configmaps/cm1":              {},
		"/api/v1/namespaces/ns":                                {},
		"/api/v1/nodes/n1":                                     {},
		"/version":                                             {},
		"":                                                     {},
	}
	for path, want := range tests {
		resource, name, ok := splitPath("ns", path)
		if resource.Group != want.group || resource.Resource != want.resource || name != want.name || ok != (want.resource != "") {
			t.Errorf("%s: %v %q %v", path, resource, name, ok)
		}
	}
}
