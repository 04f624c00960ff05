package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"rvtui/cluster/journal"
	"rvtui/scenarios"
)

// A namespace that the user names is somebody's: rvtui makes and deletes objects of its own
// in it, and nothing else.

// turnTimeout bounds the wait for the walk before, which is no longer looked at.
const turnTimeout = 15 * time.Second

var errTaken = errors.New("another walk is under way in it")

// Alone reports whether there is room for one walk at a time only.
func (c *Cluster) Alone() bool { return c.config.Namespace != "" }

// openGiven waits until nobody else walks in the given namespace, and notes what is there.
// The session's end is what lets the next one in.
func (c *Cluster) openGiven(ctx context.Context) (*Session, error) {
	timeout := time.NewTimer(turnTimeout)
	defer timeout.Stop()
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for namespace %s: %w", c.config.Namespace, ctx.Err())
	case <-timeout.C:
		return nil, fmt.Errorf("waiting for namespace %s: %w", c.config.Namespace, errTaken)
	}
	s := c.session(c.config.Namespace, true)
	s.look(ctx, configMaps)
	return s, nil
}

// foundObject is an object that was in the namespace before the walk.
type foundObject struct {
	resource schema.GroupResource
	name     string
}

// look notes, the first time that a resource is met, the names of what there is of it in the
// namespace. What may not be listed is not known, and each write asks again anyway.
func (s *Session) look(ctx context.Context, resource schema.GroupVersionResource) {
	if !s.given && s.cluster.can(scenarios.CapabilityNoControllers) {
		return // nobody else writes there
	}
	s.mu.Lock()
	known := slices.Contains(s.looked, resource.GroupResource())
	if !known {
		s.looked = append(s.looked, resource.GroupResource())
	}
	s.mu.Unlock()
	if known {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	options := metav1.ListOptions{Limit: 500}
	for {
		list, err := s.cluster.names.Resource(resource).Namespace(s.namespace).List(ctx, options)
		if err != nil {
			return
		}
		s.mu.Lock()
		for i := range list.Items {
			if f := (foundObject{resource.GroupResource(), list.Items[i].Name}); !slices.Contains(s.found, f) {
				s.found = append(s.found, f)
			}
		}
		s.mu.Unlock()
		if options.Continue = list.Continue; options.Continue == "" {
			return
		}
	}
}

// owned refuses, in a given namespace, a call that would write to an object that the session
// did not make. Who has a name may change at any moment, so it is asked before each write.
func (s *Session) owned(ctx context.Context, resource schema.GroupVersionResource, kind, name string) error {
	if name == "" {
		return nil // the server makes one up
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	there, err := s.cluster.books.Resource(resource).Namespace(s.namespace).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return fmt.Errorf("asking whose %s %s is: %w", kind, name, err)
	case s.madeUID(there.GetUID()):
		return nil
	}
	return &scenarios.TakenError{Kind: kind, Name: name, Namespace: s.namespace, By: writersOf(there), Advice: s.cluster.advice(there.GetUID())}
}

// advice is what to do about an object that has a walk's name; "" where nothing is known of it.
func (c *Cluster) advice(uid types.UID) string {
	switch c.config.Journal.OwnerOf(string(uid)) {
	case journal.Killed:
		return fmt.Sprintf("a walk that was killed left it; `%s` removes it", c.config.Clean)
	case journal.Living:
		return "another walk of rvtui is in the namespace; one at a time"
	}
	return ""
}

// writersOf are an object's field managers, one after the other.
func writersOf(object *unstructured.Unstructured) string {
	var names []string
	for _, entry := range object.GetManagedFields() {
		if entry.Manager != "" && !slices.Contains(names, entry.Manager) {
			names = append(names, entry.Manager)
		}
	}
	return strings.Join(names, ", ")
}

// madeUID reports whether an object is one that the session made. UIDs are unique in time and
// space, so the kind does not matter.
func (s *Session) madeUID(uid types.UID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return uid != "" && slices.ContainsFunc(s.objects, func(o object) bool { return slices.Contains(o.uids, uid) })
}

// permitGiven refuses a call on a kind of the namespace, where the namespace is given.
func (s *Session) permitGiven(ctx context.Context, call scenarios.Call, mapping *meta.RESTMapping) error {
	kind := mapping.GroupVersionKind.Kind
	names := namesOf(call)
	if call.Verb != scenarios.VerbCreate && !slices.ContainsFunc(names, func(name string) bool { return name != "" }) {
		return foreign(call.Verb, kind)
	}
	for _, name := range names {
		if err := s.owned(ctx, mapping.Resource, kind, name); err != nil {
			return err
		}
	}
	return nil
}

// namesOf are the names that a call may write under.
func namesOf(call scenarios.Call) []string {
	names := []string{call.Name}
	for _, content := range []map[string]any{call.Object, scenarios.Change(nil, call.Set)} {
		metadata, _ := content["metadata"].(map[string]any)
		if name, ok := metadata["name"].(string); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// permitRawGiven refuses a raw request that writes below the given namespace's path, unless
// it makes an object or is about one that the session made. path is as the server reads it.
func (s *Session) permitRawGiven(ctx context.Context, call scenarios.Call, path string) error {
	resource, name, ok := splitPath(s.namespace, path)
	verb := scenarios.Verb(call.Method)
	switch {
	case !ok, resource.Resource == "finalize", resource.Resource == "status":
		return foreign(verb, call.Path) // of the namespace itself
	case name == "" && call.Method != "POST":
		return foreign(verb, call.Path) // of a collection
	}
	names := []string{name}
	if body, ok := decodeJSON([]byte(call.Body)); ok {
		content, _ := body.(map[string]any)
		names = append(names, nameOf(scenarios.Call{Object: content}))
	} else if name == "" {
		return foreign(verb, call.Path) // what it would make cannot be told
	}
	for _, name := range names {
		if err := s.owned(ctx, resource, resource.Resource, name); err != nil {
			return err
		}
	}
	return nil
}

// wasThere reports whether an object of a name was there before the session.
func (s *Session) wasThere(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.found, func(f foundObject) bool { return f.name == name })
}
