package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// readTimeout bounds what is read after a step.
const readTimeout = 10 * time.Second

// reader is what a source must be able to do so that revisions can be followed on it. Revisions
// are those of the whole store, and what is read is of one kind in the walk's namespace.
type reader interface {
	// head is the newest revision: no write that was answered before is above it.
	head(ctx context.Context) (int64, error)
	// list is what there is at a revision, 0 for the newest. values says whether those are
	// needed too. The error is errCompacted where the revision is gone, and errNoKind where
	// there is no list of the kind.
	list(ctx context.Context, kind schema.GroupVersionResource, revision int64, values bool) (snapshot, error)
	// watch tells every change after a revision, in order, until it fails or ctx ends.
	watch(ctx context.Context, kind schema.GroupVersionResource, after int64, tell func(cluster.Change)) error
	// compacted is the revision that the store was last compacted at, 0 if nothing is gone; known
	// is false where it cannot be found out.
	compacted(ctx context.Context, head int64) (revision int64, known bool)
}

var (
	errCompacted = errors.New("etcdserver: mvcc: required revision has been compacted") // as etcd says it
	errNoKind    = errors.New("there is no list of this kind")
	errNoWatch   = errors.New("this source has no watch")
)

// snapshot is what there is of a kind at a revision: the newest change of each key.
type snapshot struct {
	at    int64
	items map[string]cluster.Change
}

// follower is a cluster.Follower of the kinds that a walk names, each from the moment on that
// it is named. It follows the watch of each and holds it against a list, so that it knows
// when all has come; where there is no watch, or it does not say all, it finds the revisions
// by lists of the past.
type follower struct {
	reader    reader
	namespace string
	patience  time.Duration // with a watch that is behind
	ctx       context.Context
	stop      context.CancelFunc
	head      int64 // that Next told
	kinds     map[schema.GroupVersionResource]*kindFollower
}

// patience is how long a watch may lag behind what is known to have been written.
const patience = 2 * time.Second

func follow(ctx context.Context, reader reader, namespace string) (*follower, error) {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	head, err := reader.head(bounded)
	if err != nil {
		return nil, err
	}
	f := &follower{reader: reader, namespace: namespace, patience: patience, head: head, kinds: map[schema.GroupVersionResource]*kindFollower{}}
	f.ctx, f.stop = context.WithCancel(context.WithoutCancel(ctx))
	return f, nil
}

// Stop ends the watches.
func (f *follower) Stop() {
	f.stop()
	for _, kind := range f.kinds {
		<-kind.stream.done
	}
}

// Next reads on to the newest revision.
func (f *follower) Next(ctx context.Context, kinds []schema.GroupVersionResource, answers []scenarios.Exchange) (cluster.Since, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	head, err := f.reader.head(ctx)
	if err != nil {
		return cluster.Since{}, err
	}
	since := cluster.Since{Head: head}
	for _, kind := range kinds {
		followed := f.kinds[kind]
		if followed == nil {
			if followed, err = f.begin(ctx, kind); err != nil {
				return since, fmt.Errorf("reading what was written to %s: %w", kind.Resource, err)
			}
			f.kinds[kind] = followed
		}
		changes, err := followed.upTo(ctx, head, answered(f.namespace, kind, answers))
		if err != nil {
			return since, fmt.Errorf("reading what was written to %s: %w", kind.Resource, err)
		}
		since.Changes = append(since.Changes, changes...)
	}
	slices.SortStableFunc(since.Changes, func(a, b cluster.Change) int { return cmp.Compare(a.Revision, b.Revision) })
	f.head = head
	compacted, known := f.reader.compacted(ctx, head)
	since.Compacted, since.CompactedUnknown = compacted, !known
	return since, nil
}
