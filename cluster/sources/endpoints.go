package sources

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// Endpoints is etcd, or what serves its API in its place, asked by a client that can only read.
type Endpoints struct {
	cluster.EtcdStore
	version string
	kine    bool
	// served is how the apiserver serves a namespace, where it is not known yet whether this
	// is its etcd.
	served func(ctx context.Context, name string) (identity, error)
}

var _ cluster.Store = (*Endpoints)(nil)

// Close closes the client.
func (e *Endpoints) Close() error { return e.Client.Close() }

// Version is etcd's, such as "3.6.16"; or else it begins with what it is: "kine (etcd API 3.6.11)".
func (e *Endpoints) Version() string {
	switch {
	case !e.kine:
		return e.version
	case e.version == "":
		return "kine"
	}
	return "kine (etcd API " + e.version + ")"
}

// Can are the capabilities that a cluster has by this source.
func (e *Endpoints) Can() []string {
	if e.kine {
		return []string{scenarios.CapabilityEtcdRead}
	}
	return []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityEtcdVersion}
}

// Follow starts after the newest revision. It is an error where the store has no such
// namespace: then it is another cluster's, or the prefix is wrong.
func (e *Endpoints) Follow(ctx context.Context, room cluster.Room) (cluster.Follower, error) {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	if err := e.holds(bounded, namespaceKey(room.Prefix, room.Namespace)); err != nil {
		return nil, err
	}
	if e.served != nil {
		if err := e.same(bounded, e.served, room.Prefix, room.Namespace); err != nil && !errors.Is(err, errNotSeen) {
			return nil, err
		}
	}
	return follow(ctx, &etcdReader{Endpoints: e, room: room, floor: 1}, room.Namespace)
}

func namespaceKey(prefix, namespace string) string {
	return cluster.Room{Prefix: prefix}.Key(schema.GroupResource{Resource: "namespaces"}, namespace)
}

// holds reports, as an error, that there is no such key.
func (e *Endpoints) holds(ctx context.Context, key string) error {
	found, err := e.Key(ctx, key, 0)
	if err != nil {
		return fmt.Errorf("reading %s: %w", key, err)
	}
	if found.Count == 0 {
		return noSuchKey(key)
	}
	return nil
}

func noSuchKey(key string) error {
	return fmt.Errorf("etcd has no key %s: either the apiserver keeps its objects elsewhere (--etcd-prefix, as in the apiserver's own flags), or this is not its etcd", key)
}

// etcdReader reads a walk's namespace of etcd.
type etcdReader struct {
	*Endpoints
	room  cluster.Room
	floor int64 // the oldest revision that can still be read; 0 when that cannot be found out
}

// head reads a key that there is for certain, and that a client may read that may read any.
func (r *etcdReader) head(ctx context.Context) (int64, error) {
	found, err := r.Key(ctx, namespaceKey(r.room.Prefix, r.room.Namespace), 0)
	if err != nil {
		return 0, fmt.Errorf("asking etcd for its newest revision: %w", err)
	}
	return found.Head, nil
}

func (r *etcdReader) list(ctx context.Context, kind schema.GroupVersionResource, revision int64, values bool) (snapshot, error) {
	options := []clientv3.OpOption{clientv3.WithPrefix(), clientv3.WithRev(revision)}
	if !values || secret(kind) {
		options = append(options, clientv3.WithKeysOnly())
	}
	response, err := r.Client.Get(ctx, r.room.Key(kind.GroupResource(), ""), options...)
	if errors.Is(err, rpctypes.ErrCompacted) {
		return snapshot{}, errCompacted
	}
	if err != nil {
		return snapshot{}, err
	}
	found := snapshot{at: response.Header.Revision, items: map[string]cluster.Change{}}
	for _, kv := range response.Kvs {
		found.items[string(kv.Key)] = changeOf(kind, kv, false)
	}
	return found, nil
}

func (r *etcdReader) watch(ctx context.Context, kind schema.GroupVersionResource, after int64, tell func(cluster.Change)) error {
	for message := range r.Client.Watch(ctx, r.room.Key(kind.GroupResource(), ""), clientv3.WithPrefix(), clientv3.WithRev(after+1)) {
		if err := message.Err(); err != nil {
			return err
		}
		for _, event := range message.Events {
			tell(changeOf(kind, event.Kv, event.Type == mvccpb.Event_DELETE))
		}
	}
	return ctx.Err()
}

func changeOf(kind schema.GroupVersionResource, kv *mvccpb.KeyValue, deleted bool) cluster.Change {
	change := cluster.Change{Revision: kv.ModRevision, Delete: deleted, Key: string(kv.Key)}
	if deleted {
		return change // kine tells of the key as it was; etcd tells nothing
	}
	change.CreateRevision, change.Version = kv.CreateRevision, kv.Version
	if !secret(kind) {
		change.Value = kv.Value
	}
	return change
}

// compacted is where the store begins. One that does not let it be found out is not asked again.
func (r *etcdReader) compacted(ctx context.Context, head int64) (int64, bool) {
	if r.floor == 0 || r.kine { // kine reads below what it has compacted, and finds nothing there
		return 0, false
	}
	floor, err := r.Oldest(ctx, r.floor, head)
	switch {
	case err != nil && ctx.Err() == nil:
		r.floor = 0
	case err == nil:
		r.floor = floor
	}
	return oldestKept(r.floor, err == nil)
}

// oldestKept is the oldest revision that can be read as what the store was compacted at.
func oldestKept(floor int64, known bool) (int64, bool) {
	switch {
	case !known || floor == 0:
		return 0, false
	case floor == 1:
		return 0, true
	}
	return floor, true
}

// isKine reports whether what answers is kine, which keeps Kubernetes' objects in a SQL
// database and serves as much of etcd's API as an apiserver needs.
func isKine(members []string) bool {
	return len(members) > 0 && strings.EqualFold(members[0], "kine")
}
