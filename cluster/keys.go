package cluster

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// specialFolders are the resources whose keys are not under the resource's own name:
// k8s.io/kubernetes/pkg/kubeapiserver.SpecialDefaultResourcePrefixes.
var specialFolders = map[schema.GroupResource]string{
	{Resource: "replicationcontrollers"}:                "controllers",
	{Resource: "endpoints"}:                             "services/endpoints",
	{Resource: "nodes"}:                                 "minions",
	{Resource: "services"}:                              "services/specs",
	{Group: "networking.k8s.io", Resource: "ingresses"}: "ingress",
}

// etcdKey is where the apiserver keeps an object; namespace is empty for an object that
// has none. Kinds of the kube-apiserver itself are in a folder named after the resource
// alone (k8s.io/apiserver/pkg/server/storage, DefaultStorageFactory.ResourcePrefix);
// custom resources, their definitions and APIServices have the group before it.
func etcdKey(prefix string, resource schema.GroupResource, namespace, name string) string {
	folder, special := specialFolders[resource]
	switch {
	case special:
	case scheme.Scheme.IsGroupRegistered(resource.Group):
		folder = resource.Resource
	default:
		folder = resource.Group + "/" + resource.Resource
	}
	parts := []string{prefix, folder}
	if namespace != "" {
		parts = append(parts, namespace)
	}
	return strings.Join(append(parts, name), "/")
}

// ownName is the name of the object at key if it is in the namespace, whatever its kind.
func ownName(prefix, namespace, key string) (name string, own bool) {
	rest, ok := strings.CutPrefix(key, prefix+"/")
	if !ok {
		return "", false
	}
	folder, name, ok := cutLast(rest)
	if !ok || name == "" || !strings.HasSuffix(folder, "/"+namespace) {
		return "", false
	}
	return name, true
}

func cutLast(path string) (before, after string, found bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return path, "", false
	}
	return path[:i], path[i+1:], true
}

// holdsSecret reports whether a Secret is, or may be, at key.
func holdsSecret(prefix, key string) bool {
	rest, ok := strings.CutPrefix(key, prefix+"/")
	return ok && strings.HasPrefix(rest, "secrets/")
}

// Key is the key of an object in the room's namespace or, with no name, what all keys of the
// resource there begin with.
func (r Room) Key(resource schema.GroupResource, name string) string {
	return etcdKey(r.Prefix, resource, r.Namespace, name)
}

// Object takes the path of an object or of a collection in the room's namespace apart, whatever
// path the apiserver itself is at, and whatever version or subresource it names. The name of
// a collection is empty.
func (r Room) Object(path string) (resource schema.GroupResource, name string, ok bool) {
	path, _, _ = strings.Cut(path, "?")
	before, after, found := strings.Cut(path, "/namespaces/"+r.Namespace+"/")
	parts := strings.Split(before, "/")
	if !found || len(parts) < 2 {
		return resource, "", false
	}
	if group := parts[len(parts)-2]; group != "api" { // before the version
		resource.Group = group
	}
	resource.Resource, name, _ = strings.Cut(after, "/")
	name, _, _ = strings.Cut(name, "/")
	return resource, name, true
}
