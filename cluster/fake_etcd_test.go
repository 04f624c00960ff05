package cluster

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// fakeEtcd is a store with revisions, in memory: as much of etcd as the package asks for.
type fakeEtcd struct {
	clientv3.KV
	clientv3.Watcher

	mu        sync.Mutex
	changed   *sync.Cond
	revision  int64
	compacted int64
	kvs       map[string]*mvccpb.KeyValue
	events    []*clientv3.Event
}

func newFakeEtcd() *fakeEtcd {
	f := &fakeEtcd{revision: 1, kvs: map[string]*mvccpb.KeyValue{}}
	f.changed = sync.NewCond(&f.mu)
	return f
}

func (f *fakeEtcd) client(t *testing.T) *clientv3.Client {
	t.Helper()
	client := clientv3.NewCtxClient(t.Context())
	client.KV, client.Watcher = f, f
	return client
}

// put and delete return the revision that they make.
func (f *fakeEtcd) put(key string, value []byte) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.revision++
	kv := &mvccpb.KeyValue{Key: []byte(key), Value: value, CreateRevision: f.revision, ModRevision: f.revision, Version: 1}
	if old := f.kvs[key]; old != nil {
		kv.CreateRevision, kv.Version = old.CreateRevision, old.Version+1
	}
	f.kvs[key] = kv
	f.events = append(f.events, &clientv3.Event{Type: mvccpb.Event_PUT, Kv: kv})
	f.changed.Broadcast()
	return f.revision
}

func (f *fakeEtcd) delete(key string) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.revision++
	delete(f.kvs, key)
	kv := &mvccpb.KeyValue{Key: []byte(key), ModRevision: f.revision}
	f.events = append(f.events, &clientv3.Event{Type: mvccpb.Event_DELETE, Kv: kv})
	f.changed.Broadcast()
	return f.revision
}

// after waits for revisions after one and returns their events, and the newest revision.
func (f *fakeEtcd) after(ctx context.Context, revision int64) ([]*clientv3.Event, int64) {
	defer context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	})()
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.revision <= revision && ctx.Err() == nil {
		f.changed.Wait()
	}
	var events []*clientv3.Event
	for _, event := range f.events {
		if event.Kv.ModRevision > revision {
			events = append(events, event)
		}
	}
	return events, f.revision
}

func (f *fakeEtcd) now(key string) *mvccpb.KeyValue {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kvs[key]
}

func (f *fakeEtcd) newest() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.revision
}

// below are what there is below a prefix, by key.
func (f *fakeEtcd) below(prefix string) []*mvccpb.KeyValue {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []*mvccpb.KeyValue
	for _, key := range slices.Sorted(maps.Keys(f.kvs)) {
		if strings.HasPrefix(key, prefix) {
			found = append(found, f.kvs[key])
		}
	}
	return found
}

func (f *fakeEtcd) Get(ctx context.Context, key string, opts ...clientv3.OpOption) (*clientv3.GetResponse, error) {
	op := clientv3.OpGet(key, opts...)
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if op.Rev() != 0 && op.Rev() < f.compacted {
		return nil, rpctypes.ErrCompacted
	}
	if op.Rev() > f.revision {
		return nil, rpctypes.ErrFutureRev
	}
	response := &clientv3.GetResponse{Header: &etcdserverpb.ResponseHeader{Revision: f.revision}}
	if kv := f.kvs[key]; kv != nil {
		response.Count = 1
		if !op.IsCountOnly() {
			response.Kvs = []*mvccpb.KeyValue{kv}
		}
	}
	return response, nil
}

func (f *fakeEtcd) Compact(_ context.Context, revision int64, _ ...clientv3.CompactOption) (*clientv3.CompactResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if revision <= f.compacted {
		return nil, rpctypes.ErrCompacted
	}
	if revision > f.revision {
		return nil, rpctypes.ErrFutureRev
	}
	f.compacted = revision
	return &clientv3.CompactResponse{Header: &etcdserverpb.ResponseHeader{Revision: f.revision}}, nil
}

func (f *fakeEtcd) Watch(ctx context.Context, key string, opts ...clientv3.OpOption) clientv3.WatchChan {
	next := clientv3.OpGet(key, opts...).Rev()
	messages := make(chan clientv3.WatchResponse)
	wake := context.AfterFunc(ctx, f.changed.Broadcast)
	go func() {
		defer close(messages)
		defer wake()
		for {
			f.mu.Lock()
			for f.revision < next && ctx.Err() == nil {
				f.changed.Wait()
			}
			message := clientv3.WatchResponse{}
			if next < f.compacted {
				message.CompactRevision, message.Canceled = f.compacted, true
			} else {
				for _, event := range f.events {
					if event.Kv.ModRevision >= next {
						message.Events = append(message.Events, event)
					}
				}
				next = f.revision + 1
			}
			f.mu.Unlock()
			select {
			case messages <- message:
			case <-ctx.Done():
				return
			}
			if message.Canceled {
				return
			}
		}
	}()
	return messages
}
