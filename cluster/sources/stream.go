package sources

import (
	"context"
	"errors"
	"sync"

	"rvtui/cluster"
)

// mostPending is how many changes a stream keeps that nobody took. Then it ends, and what
// came is found by lists: a walk that is left alone must not grow.
const mostPending = 10_000

// stream reads a watch in the background.
type stream struct {
	more chan struct{} // has a value when something has come
	done chan struct{} // closed when it has ended
	stop context.CancelFunc

	mu      sync.Mutex
	changes []cluster.Change
	failed  error
}

func openStream(ctx context.Context, watch func(context.Context, func(cluster.Change)) error) *stream {
	s := &stream{more: make(chan struct{}, 1), done: make(chan struct{})}
	ctx, s.stop = context.WithCancel(ctx)
	go func() {
		defer close(s.done)
		defer s.stop()
		err := watch(ctx, s.add)
		if err == nil {
			err = errors.New("the watch has ended")
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.failed == nil {
			s.failed = err
		}
		s.signal()
	}()
	return s
}

func (s *stream) add(change cluster.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.changes) == mostPending {
		s.failed = errors.New("more has come than anybody read")
		s.stop()
		return
	}
	s.changes = append(s.changes, change)
	s.signal()
}

func (s *stream) signal() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// pending is what has come and was not taken, and why no more comes.
func (s *stream) pending() ([]cluster.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes[:len(s.changes):len(s.changes)], s.failed
}

// take takes the changes up to a revision.
func (s *stream) take(head int64) []cluster.Change {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for n < len(s.changes) && s.changes[n].Revision <= head {
		n++
	}
	taken := s.changes[:n:n]
	s.changes = s.changes[n:]
	return taken
}

// end stops it and waits until it has ended.
func (s *stream) end() {
	s.stop()
	<-s.done
}
