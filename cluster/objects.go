package cluster

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

// object is one that the session's calls named.
type object struct {
	mapping    *meta.RESTMapping
	name       string
	made       bool // a call was answered with 201 Created
	finalizers bool // it had some when it was last read
	unreadable bool // a read of it was refused: it is no more among a step's objects
}

func (o *object) is(mapping *meta.RESTMapping, name string) bool {
	return o.name == name && o.mapping.Resource.GroupResource() == mapping.Resource.GroupResource()
}

// resolve notes the object that a call is about, and says what resource serves its kind.
func (s *Session) resolve(ctx context.Context, call scenarios.Call) (*meta.RESTMapping, error) {
	kind := kindOf(call)
	mapping, err := s.cluster.kinds.mapping(ctx, kind, s.pending)
	if err != nil {
		return nil, err
	}
	if call.Verb != scenarios.VerbList {
		s.note(mapping, nameOf(call))
	}
	s.pending = s.pending || call.Verb != scenarios.VerbGet && kind.Kind == "CustomResourceDefinition"
	return mapping, nil
}

// note remembers an object, unless its name is one that no request could carry.
func (s *Session) note(mapping *meta.RESTMapping, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := slices.IndexFunc(s.objects, func(o object) bool { return o.is(mapping, name) })
	switch {
	case known >= 0:
		s.objects[known].unreadable = false // it may be readable by now
	case name != "" && len(content.IsPathSegmentName(name)) == 0:
		s.objects = append(s.objects, object{mapping: mapping, name: name})
	}
}

// nameFromPath notes the object that a raw request is about, if it is one of the
// session's namespace: /api/v1/namespaces/NAMESPACE/RESOURCE[/NAME].
func (s *Session) nameFromPath(call scenarios.Call) {
	resource, name, ok := splitPath(s.namespace, call.Path)
	if !ok {
		return
	}
	if name == "" && call.Method == http.MethodPost {
		var object map[string]any
		if json.Unmarshal([]byte(call.Body), &object) == nil {
			name = nameOf(scenarios.Call{Object: object})
		}
	}
	if name == "" {
		return
	}
	// An unknown resource is not noted: the apiserver's answer says the rest.
	kind, err := s.cluster.kinds.mapper.KindFor(resource)
	if err != nil {
		return
	}
	if mapping, err := s.cluster.kinds.mapper.RESTMapping(kind.GroupKind(), kind.Version); err == nil {
		s.note(mapping, name)
	}
}

// splitPath takes the path of a resource in the namespace apart.
func splitPath(namespace, path string) (resource schema.GroupVersionResource, name string, ok bool) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) >= 5 && parts[0] == "api":
		resource.Version, parts = parts[1], parts[2:]
	case len(parts) >= 6 && parts[0] == "apis":
		resource.Group, resource.Version, parts = parts[1], parts[2], parts[3:]
	default:
		return resource, "", false
	}
	if parts[0] != "namespaces" || parts[1] != namespace {
		return schema.GroupVersionResource{}, "", false
	}
	resource.Resource = parts[2]
	if len(parts) > 3 {
		name = parts[3]
	}
	return resource, name, true
}

// markMade notes which objects the exchanges made, so that Close deletes no other ones
// outside of the namespace.
func (s *Session) markMade(exchanges []scenarios.Exchange) {
	for _, exchange := range exchanges {
		if exchange.Status != http.StatusCreated || strings.Contains(exchange.Path, "dryRun=") {
			continue
		}
		answer, _ := decodeJSON(exchange.ResponseBody)
		object, _ := answer.(map[string]any)
		if object["kind"] == nil || object["kind"] == "Status" {
			continue
		}
		made := scenarios.Call{Object: object}
		kind := kindOf(made)
		mapping, err := s.cluster.kinds.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			continue // it is no object: a token, for one
		}
		s.note(mapping, nameOf(made)) // the server may have made up its name
		s.mu.Lock()
		for i := range s.objects {
			if s.objects[i].is(mapping, nameOf(made)) {
				s.objects[i].made = true
			}
		}
		s.mu.Unlock()
	}
}

// made reports whether the session made an object.
func (s *Session) made(mapping *meta.RESTMapping, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.objects, func(o object) bool { return o.is(mapping, name) && o.made })
}

// kindsNamed are the kinds of the objects that calls named.
func (s *Session) kindsNamed() []schema.GroupVersionResource {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kinds []schema.GroupVersionResource
	for _, o := range s.objects {
		if o.mapping.Scope.Name() == meta.RESTScopeNameNamespace && !slices.Contains(kinds, o.mapping.Resource) {
			kinds = append(kinds, o.mapping.Resource)
		}
	}
	return kinds
}

// key is an object's key in etcd.
func (s *Session) key(o object) string {
	namespace := ""
	if o.mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		namespace = s.namespace
	}
	return etcdKey(s.cluster.config.Prefix, o.mapping.Resource.GroupResource(), namespace, o.name)
}
