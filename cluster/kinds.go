package cluster

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// kinds knows the apiserver's kinds and the resources that serve them. It asks the
// apiserver with a client of its own, so that discovery is never among a step's exchanges.
type kinds struct {
	discovery discovery.CachedDiscoveryInterface
	mapper    meta.ResettableRESTMapper
}

func newKinds(config *rest.Config) (*kinds, error) {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	cached := memory.NewMemCacheClient(client)
	return &kinds{discovery: cached, mapper: restmapper.NewDeferredDiscoveryRESTMapper(cached)}, nil
}

// The time that a new custom resource may take to be served, and how often it is asked for.
const (
	servedTimeout = 5 * time.Second
	servedPoll    = 20 * time.Millisecond
)

// mapping finds the resource that serves a kind. Where wait is true, the kind's
// CustomResourceDefinition may be so new that discovery does not name it yet.
func (k *kinds) mapping(ctx context.Context, kind schema.GroupVersionKind, wait bool) (*meta.RESTMapping, error) {
	ctx, cancel := context.WithTimeout(ctx, servedTimeout)
	defer cancel()
	poll := time.NewTicker(servedPoll)
	defer poll.Stop()
	for {
		mapping, err := k.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err == nil {
			return mapping, nil
		}
		if !wait || !meta.IsNoMatchError(err) {
			return nil, fmt.Errorf("looking up kind %s: %w", kind.Kind, err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("looking up kind %s: %w", kind.Kind, err)
		case <-poll.C:
			k.mapper.Reset()
		}
	}
}

// namespaced are the resources of what can be in a namespace, and be listed and deleted.
func (k *kinds) namespaced() ([]schema.GroupVersionResource, error) {
	lists, err := discovery.ServerPreferredNamespacedResources(k.discovery)
	if err != nil && len(lists) == 0 {
		return nil, err // of some groups nothing may be known: their server is down
	}
	lists = discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "delete"}}, lists)
	set, err := discovery.GroupVersionResources(lists)
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Keys(set), func(a, b schema.GroupVersionResource) int { return cmp.Compare(a.String(), b.String()) }), nil
}
