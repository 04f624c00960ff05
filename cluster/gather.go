package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rvtui/scenarios"
)

// gather adds what there is to know after a step: the revisions since the step before, the
// objects, and the store.
func (s *Session) gather(ctx context.Context, call scenarios.Call, seen *scenarios.Observation) error {
	if err := s.contradicted(seen.Exchanges); err != nil {
		return err
	}
	since, err := s.follower.Next(ctx, s.kindsNamed(), seen.Exchanges)
	for _, change := range since.Changes {
		seen.Revisions = append(seen.Revisions, s.revision(call, change, seen))
	}
	if err != nil {
		return err
	}
	s.head = since.Head
	seen.Etcd = scenarios.EtcdState{Head: since.Head, Compacted: since.Compacted, CompactedUnknown: since.CompactedUnknown, Source: s.cluster.config.Store.Source()}
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
		s.served(object)
		s.settle(ctx, s.objects[i], since.Changes)
	}
	return nil
}

// settleWithin bounds the wait for the watch cache: it mostly takes a few milliseconds.
const settleWithin = time.Second

// settle waits until the apiserver's watch cache has got to what the step wrote, by a GET
// that is served from the cache once it has (k8s.io/apiserver/pkg/storage/cacher, Cacher.Get).
// A step that comes at once, as it does in a script, then meets what it meets where a person
// reads first. Where the cache does not get there, the next step shows it.
func (s *Session) settle(ctx context.Context, o object, changes []Change) {
	newest := int64(0)
	for _, change := range changes {
		if change.Key == s.key(o) {
			newest = max(newest, change.Revision)
		}
	}
	if newest == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	_, _ = s.within(s.cluster.books, o.mapping).Get(ctx, o.name, metav1.GetOptions{ResourceVersion: strconv.FormatInt(newest, 10)})
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
	o.uid, o.finalizers = found.GetUID(), len(found.GetFinalizers()) > 0
	encoded, err := json.Marshal(found.Object)
	if err != nil {
		return object, fmt.Errorf("encoding %s %s: %w", o.mapping.Resource.Resource, o.name, err)
	}
	object.Object = s.redactor().body(servesSecrets(o.mapping.Resource.Resource), encoded)

	if !s.cluster.can(scenarios.CapabilityEtcdRead) {
		// An object's resourceVersion is its key's mod_revision; the rest only etcd tells.
		object.ModRevision = scenarios.ParseRevision(object.ResourceVersion)
		return object, nil
	}
	stored, err := s.cluster.config.Store.Key(ctx, object.Key, 0)
	if err != nil {
		return object, fmt.Errorf("reading %s from etcd: %w", object.Key, err)
	}
	object.CreateRevision, object.ModRevision, object.KeyVersion = stored.CreateRevision, stored.ModRevision, stored.Version
	return object, nil
}
