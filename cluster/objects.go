package cluster

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"rvtui/cluster/journal"
	"rvtui/scenarios"
)

// object is one that the session's calls named.
type object struct {
	mapping    *meta.RESTMapping
	name       string
	made       bool        // a call was answered with 201 Created
	uids       []types.UID // that it had then
	uid        types.UID   // that it had when it was last read
	finalizers bool        // it had some then
	unreadable bool        // a read of it was refused: it is no more among a step's objects
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
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		s.look(ctx, mapping.Resource)
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

// created notes what an answer of 201 Created says that was made, as soon as it is there: it
// is what Close, and Clean after a crash, may delete.
func (s *Session) created(path string, body []byte) {
	if strings.Contains(path, "dryRun=") {
		return
	}
	answer, _ := decodeJSON(body)
	content, _ := answer.(map[string]any)
	if content["kind"] == nil || content["kind"] == "Status" {
		return
	}
	made := scenarios.Call{Object: content}
	kind, name := kindOf(made), nameOf(made)
	mapping, err := s.cluster.kinds.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return // it is no object: a token, for one
	}
	uid := (&unstructured.Unstructured{Object: content}).GetUID()
	s.note(mapping, name) // the server may have made up its name
	s.mu.Lock()
	for i := range s.objects {
		if s.objects[i].is(mapping, name) {
			s.objects[i].made = true
			if uid != "" {
				s.objects[i].uids = append(s.objects[i].uids, uid)
			}
		}
	}
	s.mu.Unlock()
	namespaced := mapping.Scope.Name() == meta.RESTScopeNameNamespace
	if !s.given && namespaced {
		return // it goes with the namespace, which is noted
	}
	noted := journal.Made{Group: mapping.Resource.Group, Version: mapping.Resource.Version, Resource: mapping.Resource.Resource, Kind: kind.Kind, Name: name, UID: string(uid)}
	if namespaced {
		noted.Namespace = s.namespace
	}
	// A walk that cannot be noted goes on: only a crash would leave something.
	_ = s.cluster.config.Journal.Note(noted)
}

// markUnanswered keeps what a given namespace may hold without anybody having said so: what
// was to be made by a request that was never answered.
func (s *Session) markUnanswered(exchanges []scenarios.Exchange) {
	if !s.given {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, exchange := range exchanges {
		if exchange.Status != 0 || exchange.Method == http.MethodGet || strings.Contains(exchange.Path, "dryRun=") {
			continue
		}
		resource, name, _ := splitPath(s.namespace, exchange.Path)
		if body, ok := decodeJSON(exchange.RequestBody); ok && name == "" {
			content, _ := body.(map[string]any)
			name = nameOf(scenarios.Call{Object: content})
		}
		if exchange.Method != http.MethodDelete && resource.Resource != "" && name != "" {
			s.unanswered = append(s.unanswered, resource.Resource+"/"+name)
		}
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
