package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

// EtcdStore is etcd, asked through its own client. The caller closes the client.
type EtcdStore struct {
	Client *clientv3.Client
	Name   string // as Source says it
}

// NewEtcdStore is the store of an etcd that the program itself reaches.
func NewEtcdStore(client *clientv3.Client) EtcdStore {
	return EtcdStore{Client: client, Name: "etcd client"}
}

var _ Store = EtcdStore{}

// Source is the store's name.
func (s EtcdStore) Source() string { return s.Name }

// Compact makes etcd forget the revisions below one, and waits until they are gone from its
// disk too; it returns the newest one.
func (s EtcdStore) Compact(ctx context.Context, revision int64) (int64, error) {
	response, err := s.Client.Compact(ctx, revision, clientv3.WithCompactPhysical())
	if err != nil {
		return 0, err
	}
	return response.Header.Revision, nil
}

// Key reads a key, without its value.
func (s EtcdStore) Key(ctx context.Context, key string, revision int64) (KeyState, error) {
	response, err := s.Client.Get(ctx, key, clientv3.WithKeysOnly(), clientv3.WithRev(revision))
	if err != nil {
		return KeyState{}, err
	}
	state := KeyState{Head: response.Header.Revision, Count: response.Count}
	if len(response.Kvs) == 1 {
		kv := response.Kvs[0]
		state.CreateRevision, state.ModRevision, state.Version = kv.CreateRevision, kv.ModRevision, kv.Version
	}
	return state, nil
}

// Oldest finds the oldest revision that can still be read, given one that could be read before,
// 1 at first, and the newest.
func (s EtcdStore) Oldest(ctx context.Context, floor, head int64) (int64, error) {
	return oldest(ctx, s.Client, floor, head)
}

// Follow starts after the newest revision.
func (s EtcdStore) Follow(ctx context.Context, _ Room) (Follower, error) {
	head, err := head(ctx, s.Client)
	if err != nil {
		return nil, err
	}
	return followFrom(ctx, s.Client, head+1), nil
}

func followFrom(ctx context.Context, etcd *clientv3.Client, next int64) *follower {
	f := &follower{etcd: etcd, next: next, floor: 1}
	f.ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx))
	f.watch()
	return f
}

// follower reads every revision of the whole store, one after the other, whoever wrote it.
type follower struct {
	etcd *clientv3.Client
	ctx  context.Context // of the watch; it ends with stop
	stop context.CancelFunc
	from clientv3.WatchChan
	next int64 // the first revision that was not read yet
	// ahead are events that came with others, of revisions that nobody asked for yet.
	ahead []*clientv3.Event
	floor int64 // the oldest revision that can still be read; 1 while nothing is compacted
}

func (f *follower) watch() {
	f.from = f.etcd.Watch(f.ctx, "", clientv3.WithPrefix(), clientv3.WithRev(f.next))
}

// Stop ends the watch.
func (f *follower) Stop() { f.stop() }

// Next reads on to the newest revision, and finds out what is compacted.
func (f *follower) Next(ctx context.Context, _ []schema.GroupVersionResource, _ []scenarios.Exchange) (Since, error) {
	newest, err := head(ctx, f.etcd)
	if err != nil {
		return Since{}, err
	}
	since := Since{Head: newest}
	events, err := f.upTo(ctx, newest)
	for _, event := range events {
		change := Change{
			Revision: event.Kv.ModRevision, Delete: event.Type == mvccpb.Event_DELETE, Key: string(event.Kv.Key),
			CreateRevision: event.Kv.CreateRevision, Version: event.Kv.Version,
		}
		if !change.Delete {
			change.Value = event.Kv.Value
		}
		since.Changes = append(since.Changes, change)
	}
	if err != nil {
		return since, fmt.Errorf("reading etcd's revisions up to %d: %w", newest, err)
	}
	if f.floor, err = oldest(ctx, f.etcd, f.floor, newest); err != nil {
		return since, err
	}
	if f.floor > 1 {
		since.Compacted = f.floor
	}
	return since, nil
}

// upTo reads on until revision head. Each revision changes at least one key, and all that
// it changes comes in one message, so a revision is complete when it is there.
func (f *follower) upTo(ctx context.Context, head int64) (events []*clientv3.Event, _ error) {
	defer func() {
		later := slices.IndexFunc(events, func(e *clientv3.Event) bool { return e.Kv.ModRevision > head })
		if later >= 0 {
			events, f.ahead = events[:later:later], events[later:]
		}
	}()
	events, f.ahead = f.ahead, nil
	for f.next <= head {
		select {
		case <-ctx.Done():
			return events, ctx.Err()
		case message, open := <-f.from:
			switch {
			case !open:
				return events, errors.New("the watch of etcd has ended")
			case message.CompactRevision > f.next:
				// Compacted before it was read: what is below is gone for everyone.
				f.next = message.CompactRevision
				f.watch()
			case message.Err() != nil:
				return events, message.Err()
			}
			for _, event := range message.Events {
				events = append(events, event)
				f.next = event.Kv.ModRevision + 1
			}
		}
	}
	return events, nil
}

// head is the newest revision of the store, linearizable: no write that was answered
// before is above it.
func head(ctx context.Context, etcd *clientv3.Client) (int64, error) {
	response, err := etcd.Get(ctx, anyKey, clientv3.WithCountOnly())
	if err != nil {
		return 0, fmt.Errorf("asking etcd for its newest revision: %w", err)
	}
	return response.Header.Revision, nil
}

// anyKey is read where the answer's header is all that matters; it need not exist.
const anyKey = "compact_rev_key"

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
