package sources

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/cluster"
)

// history is a store of one kind, in memory, that remembers every revision.
type history struct {
	mu      sync.Mutex
	changes []cluster.Change // change i is revision i+2; a revision of somebody else has no key
	gone    int64            // revisions below this one are compacted
	lists   int

	watching bool                 // there is a watch
	broken   chan struct{}        // closed: the watch fails
	hide     func(int64) bool     // revisions that the watch never brings
	grown    map[chan int64]int64 // who waits for what comes
}

func newHistory() *history {
	return &history{grown: map[chan int64]int64{}, broken: make(chan struct{})}
}

func (h *history) put(name string) int64    { return h.write(cluster.Change{Key: name}) }
func (h *history) delete(name string) int64 { return h.write(cluster.Change{Key: name, Delete: true}) }
func (h *history) others() int64            { return h.write(cluster.Change{}) }

func (h *history) write(change cluster.Change) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	change.Revision = int64(len(h.changes)) + 2
	if change.Key != "" {
		change.Key = "/registry/configmaps/ns/" + change.Key
		if !change.Delete {
			change.Value = fmt.Appendf(nil, "at %d", change.Revision)
		}
	}
	h.changes = append(h.changes, change)
	for waiting := range h.grown {
		select {
		case waiting <- change.Revision:
		default:
		}
	}
	return change.Revision
}

func (h *history) newest() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return int64(len(h.changes)) + 1
}

// between are the changes of the kind after a up to b.
func (h *history) between(a, b int64) []cluster.Change {
	h.mu.Lock()
	defer h.mu.Unlock()
	var changes []cluster.Change
	for _, change := range h.changes {
		if change.Key != "" && a < change.Revision && change.Revision <= b {
			changes = append(changes, change)
		}
	}
	return changes
}

func (h *history) at(revision int64) snapshot {
	s := snapshot{at: revision, items: map[string]cluster.Change{}}
	for _, change := range h.between(0, revision) {
		if change.Delete {
			delete(s.items, change.Key)
		} else {
			s.items[change.Key] = change
		}
	}
	return s
}

// The reader.

func (h *history) head(context.Context) (int64, error) { return h.newest(), nil }

func (h *history) list(_ context.Context, _ schema.GroupVersionResource, revision int64, _ bool) (snapshot, error) {
	h.lists++
	if revision == 0 {
		return h.at(h.newest()), nil
	}
	if revision < h.gone {
		return snapshot{}, errCompacted
	}
	return h.at(revision), nil
}

func (h *history) watch(ctx context.Context, _ schema.GroupVersionResource, after int64, tell func(cluster.Change)) error {
	if !h.watching {
		return errNoWatch
	}
	grown := make(chan int64, 1)
	h.mu.Lock()
	h.grown[grown] = after
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.grown, grown)
	}()
	for {
		newest := h.newest()
		for _, change := range h.between(after, newest) {
			if h.hide == nil || !h.hide(change.Revision) {
				tell(change)
			}
		}
		after = newest
		select {
		case <-grown:
		case <-h.broken:
			return errors.New("the connection is lost")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (h *history) compacted(context.Context, int64) (int64, bool) { return h.gone, true }
