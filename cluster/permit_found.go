package cluster

import (
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

// spare refuses a write to what controllers put into the session's own namespace, such as
// kube-root-ca.crt. One that the session made under such a name is its own.
func (s *Session) spare(verb scenarios.Verb, resource schema.GroupResource, names ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.found {
		made := func(o object) bool {
			return o.made && o.name == f.name && o.mapping.Resource.GroupResource() == resource
		}
		if f.resource == resource && slices.Contains(names, f.name) && !slices.ContainsFunc(s.objects, made) {
			return foreign(verb, resource.Resource+"/"+f.name)
		}
	}
	return nil
}

// spareRaw is spare for a raw request below the namespace's path, which is as the server reads
// it. A collection is written to with all that is in it.
func (s *Session) spareRaw(call scenarios.Call, path string) error {
	resource, name, ok := splitPath(s.namespace, path)
	if !ok {
		return nil
	}
	names := []string{name}
	switch {
	case name == "" && call.Method == http.MethodPost:
		body, _ := decodeJSON([]byte(call.Body))
		content, _ := body.(map[string]any)
		names = namesOf(scenarios.Call{Object: content})
	case name == "":
		s.mu.Lock()
		names = nil
		for _, f := range s.found {
			names = append(names, f.name)
		}
		s.mu.Unlock()
	}
	return s.spare(scenarios.Verb(call.Method), resource.GroupResource(), names...)
}
