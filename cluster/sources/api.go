package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// API is the store as far as the apiserver tells of it: an object's resourceVersion is its
// key's mod_revision, and that of a list without one the newest revision. Nothing but the
// revisions of the walk's own objects can be seen this way.
type API struct {
	objects  dynamic.Interface
	metadata metadata.Interface
}

var _ cluster.Store = (*API)(nil)

// NewAPI makes a source of an apiserver. It asks nothing of it yet.
func NewAPI(config *rest.Config) (*API, error) {
	config = rest.CopyConfig(config)
	config.QPS, config.RateLimiter = -1, nil
	config.Timeout = 0 // it would end watches; what is asked for has a deadline of its own
	config.UserAgent = "rvtui"
	config.WarningHandler, config.WarningHandlerWithContext = rest.NoWarnings{}, nil
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client of the apiserver: %w", err)
	}
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client of the apiserver: %w", err)
	}
	return &API{objects: objects, metadata: client}, nil
}

// Source is the store's name.
func (a *API) Source() string { return "the API alone" }

// Key cannot be told: an apiserver says nothing of keys.
func (a *API) Key(context.Context, string, int64) (cluster.KeyState, error) {
	return cluster.KeyState{}, &scenarios.LackError{Lack: []string{scenarios.CapabilityEtcdRead}}
}

// Follow starts after the newest revision.
func (a *API) Follow(ctx context.Context, room cluster.Room) (cluster.Follower, error) {
	return follow(ctx, &apiReader{API: a, room: room}, room.Namespace)
}

// apiReader reads a walk's namespace through the API.
type apiReader struct {
	*API
	room cluster.Room
}

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// head is the resourceVersion of a list that asks for none, which is the newest: any list of
// the store would do, and this one is short.
func (r *apiReader) head(ctx context.Context) (int64, error) {
	list, err := r.metadata.Resource(configMaps).Namespace(r.room.Namespace).List(ctx, metav1.ListOptions{Limit: 1})
	if err != nil {
		return 0, fmt.Errorf("asking the apiserver for the newest revision: %w", err)
	}
	return revisionOf(list.ResourceVersion)
}

// list lists at a revision exactly, or what is newest.
func (r *apiReader) list(ctx context.Context, kind schema.GroupVersionResource, revision int64, values bool) (snapshot, error) {
	options := metav1.ListOptions{}
	if revision > 0 {
		options.ResourceVersion = strconv.FormatInt(revision, 10)
		options.ResourceVersionMatch = metav1.ResourceVersionMatchExact
	}
	var list runtime.Object
	var err error
	if values && !secret(kind) {
		list, err = r.objects.Resource(kind).Namespace(r.room.Namespace).List(ctx, options)
	} else {
		list, err = r.metadata.Resource(kind).Namespace(r.room.Namespace).List(ctx, options)
	}
	switch {
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		return snapshot{}, errCompacted
	case apierrors.IsNotFound(err), apierrors.IsMethodNotSupported(err):
		return snapshot{}, errNoKind
	case err != nil:
		return snapshot{}, err
	}
	found := snapshot{items: map[string]cluster.Change{}}
	if about, err := meta.ListAccessor(list); err == nil {
		found.at, err = revisionOf(about.GetResourceVersion())
		if err != nil {
			return snapshot{}, err
		}
	}
	err = meta.EachListItem(list, func(object runtime.Object) error {
		change, err := r.change(kind, object)
		found.items[change.Key] = change
		return err
	})
	return found, err
}

// watch watches a kind. The apiserver ends a watch now and then; it goes on from there.
func (r *apiReader) watch(ctx context.Context, kind schema.GroupVersionResource, after int64, tell func(cluster.Change)) error {
	for ctx.Err() == nil {
		options := metav1.ListOptions{ResourceVersion: strconv.FormatInt(after, 10), AllowWatchBookmarks: true}
		var stream watch.Interface
		var err error
		if secret(kind) {
			stream, err = r.metadata.Resource(kind).Namespace(r.room.Namespace).Watch(ctx, options)
		} else {
			stream, err = r.objects.Resource(kind).Namespace(r.room.Namespace).Watch(ctx, options)
		}
		if err != nil {
			return err
		}
		read, err := r.events(stream, kind, tell)
		stream.Stop()
		if err != nil {
			return err
		}
		if read == 0 {
			return errors.New("the apiserver ends the watch at once")
		}
		after = read
	}
	return ctx.Err()
}

// events reads a watch to its end, and returns the revision that it came to; 0 if it brought
// nothing.
func (r *apiReader) events(stream watch.Interface, kind schema.GroupVersionResource, tell func(cluster.Change)) (int64, error) {
	read := int64(0)
	for event := range stream.ResultChan() {
		if event.Type == watch.Error {
			return read, apierrors.FromObject(event.Object)
		}
		change, err := r.change(kind, event.Object)
		if err != nil {
			return read, err
		}
		read = change.Revision
		if event.Type == watch.Bookmark {
			continue
		}
		if change.Delete = event.Type == watch.Deleted; change.Delete {
			change.Value = nil
		}
		tell(change)
	}
	return read, nil
}

// change is an object as the change that its resourceVersion names.
func (r *apiReader) change(kind schema.GroupVersionResource, object runtime.Object) (cluster.Change, error) {
	about, err := meta.Accessor(object)
	if err != nil {
		return cluster.Change{}, err
	}
	revision, err := revisionOf(about.GetResourceVersion())
	if err != nil {
		return cluster.Change{}, err
	}
	change := cluster.Change{Revision: revision, Key: r.room.Key(kind.GroupResource(), about.GetName())}
	if served, ok := object.(*unstructured.Unstructured); ok && !secret(kind) {
		// What is stored has no resourceVersion.
		unstructured.RemoveNestedField(served.Object, "metadata", "resourceVersion")
		if change.Value, err = json.Marshal(served.Object); err != nil {
			return cluster.Change{}, err
		}
	}
	return change, nil
}

// compacted is unknown: no answer tells it.
func (r *apiReader) compacted(context.Context, int64) (int64, bool) { return 0, false }

func revisionOf(resourceVersion string) (int64, error) {
	revision := scenarios.ParseRevision(resourceVersion)
	if revision == 0 {
		return 0, fmt.Errorf("the resourceVersion %q is no revision of etcd", resourceVersion)
	}
	return revision, nil
}

// secret reports whether a kind's values are not to be read at all.
func secret(kind schema.GroupVersionResource) bool {
	return kind.Group == "" && kind.Resource == "secrets"
}
