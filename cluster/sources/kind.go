package sources

import (
	"context"
	"errors"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/cluster"
)

// kindFollower follows one kind.
type kindFollower struct {
	*follower
	kind   schema.GroupVersionResource
	told   snapshot // what there was at the revision up to which everything is told
	whole  bool     // told has all that there was; else only what was not written since
	stream *stream
}

// begin follows a kind from the head that Next told last: it was named after that.
func (f *follower) begin(ctx context.Context, kind schema.GroupVersionResource) (*kindFollower, error) {
	k := &kindFollower{follower: f, kind: kind, whole: true}
	var err error
	k.told, err = f.reader.list(ctx, kind, f.head, false)
	switch {
	case errors.Is(err, errNoKind):
		// A custom kind may be so new that it is not served yet.
		k.told = snapshot{items: map[string]cluster.Change{}}
	case errors.Is(err, errCompacted):
		now, err := f.reader.list(ctx, kind, 0, false)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(now.items, func(_ string, item cluster.Change) bool { return item.Revision > f.head })
		k.told, k.whole = now, false
	case err != nil:
		return nil, err
	}
	k.told.at = f.head
	k.open()
	return k, nil
}

func (k *kindFollower) open() {
	after := k.told.at
	k.stream = openStream(k.ctx, func(ctx context.Context, tell func(cluster.Change)) error {
		return k.reader.watch(ctx, k.kind, after, tell)
	})
}

// upTo returns the changes up to a revision that were not told yet. answered are revisions of
// the kind that the apiserver's answers named.
func (k *kindFollower) upTo(ctx context.Context, head int64, answered []int64) ([]cluster.Change, error) {
	now, err := k.reader.list(ctx, k.kind, 0, false)
	if errors.Is(err, errNoKind) {
		return k.tell(k.stream.take(head), head), nil // its definition is gone, and its objects before that
	}
	if err != nil {
		return nil, err
	}
	if k.await(ctx, now, answered) {
		return k.tell(k.stream.take(head), head), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return k.byLists(ctx, head, answered)
}

// await waits for the watch to bring what a list and answers show to have happened. It reports
// false where the watch has failed or stays behind.
func (k *kindFollower) await(ctx context.Context, now snapshot, answered []int64) bool {
	patience := time.NewTimer(k.patience)
	defer patience.Stop()
	for {
		pending, failed := k.stream.pending()
		if k.arrived(pending, now, answered) {
			return true
		}
		if failed != nil {
			return false
		}
		select {
		case <-k.stream.more:
		case <-patience.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// arrived reports whether what was told and what is pending come to what is there now.
func (k *kindFollower) arrived(pending []cluster.Change, now snapshot, answered []int64) bool {
	view, newest := maps.Clone(k.told.items), int64(0)
	for _, change := range pending {
		apply(view, change)
		newest = change.Revision
	}
	for key, item := range now.items {
		if item.Revision > k.told.at && view[key].Revision < item.Revision {
			return false
		}
	}
	for key, item := range view {
		if _, there := now.items[key]; !there && item.Revision <= now.at {
			return false // its deletion has not come
		}
	}
	for _, revision := range answered {
		// An object may have come and gone since.
		if revision > max(k.told.at, newest) {
			return false
		}
	}
	return true
}

// byLists finds the changes by lists of the past, and watches on from there.
func (k *kindFollower) byLists(ctx context.Context, head int64, answered []int64) ([]cluster.Change, error) {
	k.stream.end()
	defer k.open()
	now, err := k.reader.list(ctx, k.kind, head, true)
	if err != nil && !errors.Is(err, errNoKind) {
		return nil, err
	}
	now.at = head
	p := past{list: func(revision int64) (snapshot, error) {
		return k.reader.list(ctx, k.kind, revision, true)
	}, answered: answered}
	if err := p.between(k.told, now); err != nil {
		return nil, err
	}
	k.whole = k.whole && !p.lost
	return k.tell(p.changes, head), nil
}

// tell notes that changes up to a revision are told.
func (k *kindFollower) tell(changes []cluster.Change, head int64) []cluster.Change {
	for i := range changes {
		change := &changes[i]
		before, there := k.told.items[change.Key]
		switch {
		case change.Delete || change.CreateRevision != 0:
		case there:
			change.CreateRevision = before.CreateRevision
		case k.whole:
			change.CreateRevision = change.Revision
		}
		apply(k.told.items, *change)
	}
	k.told.at = head
	return changes
}

func apply(items map[string]cluster.Change, change cluster.Change) {
	if change.Delete {
		delete(items, change.Key)
		return
	}
	change.Value = nil // nobody asks for it again
	items[change.Key] = change
}
