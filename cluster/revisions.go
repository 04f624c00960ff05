package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"rvtui/scenarios"
)

// follower reads every revision of the whole store, one after the other, whoever wrote it.
type follower struct {
	etcd *clientv3.Client
	ctx  context.Context // of the watch; it ends with stop
	stop context.CancelFunc
	from clientv3.WatchChan
	next int64 // the first revision that was not read yet
}

// follow starts after the newest revision.
func follow(ctx context.Context, etcd *clientv3.Client) (*follower, error) {
	head, err := head(ctx, etcd)
	if err != nil {
		return nil, err
	}
	f := &follower{etcd: etcd, next: head + 1}
	f.ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx))
	f.watch()
	return f, nil
}

func (f *follower) watch() {
	f.from = f.etcd.Watch(f.ctx, "", clientv3.WithPrefix(), clientv3.WithRev(f.next))
}

// upTo reads on until revision head. Each revision changes at least one key, and all that
// it changes comes in one message, so a revision is complete when it is there.
func (f *follower) upTo(ctx context.Context, head int64) ([]*clientv3.Event, error) {
	var events []*clientv3.Event
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

// revisionKey is one key's change in one revision.
type revisionKey struct {
	revision int64
	key      string
}

// blame notes which key of which revision a step's RPCs wrote, and for whom. It is kept
// beyond the step, for a step that is cancelled reads no revisions.
func (s *Session) blame(call scenarios.Call, exchanges []scenarios.Exchange, rpcs []scenarios.RPC) {
	for _, rpc := range rpcs {
		if rpc.Wrote() && rpc.Exchange != nil {
			s.wrote[revisionKey{rpc.Revision, rpc.Key}] = by(call, exchanges[*rpc.Exchange].Actor)
		}
	}
}

func by(call scenarios.Call, actor scenarios.Actor) string {
	if call.Setup {
		return scenarios.BySetup
	}
	return string(actor)
}

// revision describes an event of the store, and who wrote it.
func (s *Session) revision(call scenarios.Call, event *clientv3.Event, seen *scenarios.Observation) scenarios.Revision {
	prefix := s.cluster.config.Prefix
	key := string(event.Kv.Key)
	r := scenarios.Revision{
		Revision:       event.Kv.ModRevision,
		Op:             "PUT",
		Key:            key,
		CreateRevision: event.Kv.CreateRevision,
		ModRevision:    event.Kv.ModRevision,
		Version:        event.Kv.Version,
		By:             scenarios.ByUnknown,
	}
	r.Name, r.Own = ownName(prefix, s.namespace, key)
	if event.Type == mvccpb.Event_DELETE {
		r.Op = "DELETE"
	} else if r.Own && !holdsSecret(prefix, key) {
		r.Value = s.redactor().body(false, storedObject(event.Kv.Value))
	}
	if writer, ok := s.wrote[revisionKey{r.Revision, key}]; ok {
		r.By = writer
	}
	if r.Exchange = writingExchange(r, seen, s.cluster.config.RPCs != nil); r.Exchange != nil {
		r.By = by(call, seen.Exchanges[*r.Exchange].Actor)
	}
	return r
}

// writingExchange finds the exchange that made a revision: by the RPC that wrote it or,
// where nobody records RPCs, by what the apiserver answered.
func writingExchange(r scenarios.Revision, seen *scenarios.Observation, recorded bool) *int {
	for _, rpc := range seen.RPCs {
		if rpc.Wrote() && rpc.Exchange != nil && rpc.Revision == r.Revision && rpc.Key == r.Key {
			return new(*rpc.Exchange)
		}
	}
	if recorded || !r.Own {
		return nil
	}
	i := slices.IndexFunc(seen.Exchanges, func(e scenarios.Exchange) bool { return answersFor(e, r) })
	if i < 0 {
		return nil
	}
	return &i
}

// answersFor reports whether an exchange's answer shows that it made a revision of an own
// key: with the revision as the object's resourceVersion or, as a DELETE is answered with
// no object, with the name alone.
func answersFor(e scenarios.Exchange, r scenarios.Revision) bool {
	if e.Method == http.MethodGet || e.Status < 200 || e.Status > 299 {
		return false
	}
	if e.Method == http.MethodDelete && r.Op == "DELETE" {
		path, _, _ := strings.Cut(e.Path, "?")
		_, name, ok := cutLast(path)
		return ok && name == r.Name
	}
	answer, _ := decodeJSON(e.ResponseBody)
	object, _ := answer.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	version, _ := metadata["resourceVersion"].(string)
	return metadata["name"] == r.Name && scenarios.ParseRevision(version) == r.Revision
}
