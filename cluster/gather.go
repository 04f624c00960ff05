package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rvtui/scenarios"
)

// etcdClient is the source of the etcd pane's facts: rvtui's own client of etcd.
const etcdClient = "etcd client"

// gather adds what there is to know after a step: the revisions since the step before, the
// objects, and the store.
func (s *Session) gather(ctx context.Context, call scenarios.Call, seen *scenarios.Observation) error {
	newest, err := head(ctx, s.cluster.config.Etcd)
	if err != nil {
		return err
	}
	events, err := s.follower.upTo(ctx, newest)
	for _, event := range events {
		seen.Revisions = append(seen.Revisions, s.revision(call, event, seen))
	}
	if err != nil {
		return fmt.Errorf("reading etcd's revisions up to %d: %w", newest, err)
	}
	if s.floor, err = oldest(ctx, s.cluster.config.Etcd, s.floor, newest); err != nil {
		return err
	}
	seen.Etcd = scenarios.EtcdState{Head: newest, Source: etcdClient}
	if s.floor > 1 {
		seen.Etcd.Compacted = s.floor
	}
	for i := range s.objects {
		if s.objects[i].unreadable {
			continue
		}
		object, err := s.read(ctx, &s.objects[i])
		var unreadable *unreadableError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &unreadable):
			// The step's own result is none the worse for it, nor is any later step's.
			s.objects[i].unreadable = true
			continue
		case err != nil:
			return err
		}
		seen.Objects = append(seen.Objects, object)
	}
	return nil
}

// takeRPCs takes what reached etcd on behalf of the exchanges, in the order of time.
func (s *Session) takeRPCs(exchanges []scenarios.Exchange) []scenarios.RPC {
	taken := []scenarios.RPC{}
	if s.cluster.config.RPCs == nil {
		return taken
	}
	for i, exchange := range exchanges {
		for _, call := range s.cluster.config.RPCs.Take(exchange.TraceID) {
			rpc := call.RPC
			rpc.Exchange = &i
			rpc.Actor = exchange.Actor
			rpc.StartedMs = s.since(call.Started)
			taken = append(taken, rpc)
		}
	}
	slices.SortStableFunc(taken, func(a, b scenarios.RPC) int { return cmp.Compare(a.StartedMs, b.StartedMs) })
	return taken
}

// unreadableError is the apiserver's refusal, other than 404, to give an object.
type unreadableError struct{ error }

// read reads an object as the apiserver serves it now (a GET with no resourceVersion), and
// what etcd says of its key.
func (s *Session) read(ctx context.Context, o *object) (scenarios.Object, error) {
	object := scenarios.Object{
		Kind:     o.mapping.GroupVersionKind.Kind,
		Resource: o.mapping.Resource.Resource,
		Name:     o.name,
		Key:      s.key(*o),
	}
	found, err := s.within(s.cluster.books, o.mapping).Get(ctx, o.name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return object, nil
	case err != nil:
		return object, &unreadableError{err}
	}
	object.Exists = true
	object.ResourceVersion = found.GetResourceVersion()
	o.finalizers = len(found.GetFinalizers()) > 0
	encoded, err := json.Marshal(found.Object)
	if err != nil {
		return object, fmt.Errorf("encoding %s %s: %w", o.mapping.Resource.Resource, o.name, err)
	}
	object.Object = s.redactor().body(servesSecrets(o.mapping.Resource.Resource), encoded)

	stored, err := s.cluster.config.Etcd.Get(ctx, object.Key, clientv3.WithKeysOnly())
	if err != nil {
		return object, fmt.Errorf("reading %s from etcd: %w", object.Key, err)
	}
	if len(stored.Kvs) == 1 {
		kv := stored.Kvs[0]
		object.CreateRevision, object.ModRevision, object.KeyVersion = kv.CreateRevision, kv.ModRevision, kv.Version
	}
	return object, nil
}

// oldest finds the oldest revision that can still be read, which is the one that etcd was
// last compacted to, by whomever; floor is what it was before. Etcd tells the number to
// nobody who asks for it, but refuses to read below it.
func oldest(ctx context.Context, etcd *clientv3.Client, floor, head int64) (int64, error) {
	var failed error
	readable := func(revision int64) bool {
		_, err := etcd.Get(ctx, anyKey, clientv3.WithRev(revision), clientv3.WithCountOnly())
		if err != nil && !errors.Is(err, rpctypes.ErrCompacted) {
			failed = err
		}
		return err == nil || failed != nil // an error ends the search
	}
	above := int64(0)
	if !readable(floor) {
		above = 1 + int64(sort.Search(int(head-floor), func(i int) bool { return readable(floor + 1 + int64(i)) }))
	}
	if failed != nil {
		return floor, fmt.Errorf("asking etcd what it still has: %w", failed)
	}
	return floor + above, nil
}
