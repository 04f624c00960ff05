package cluster

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"rvtui/scenarios"
)

// scope is one of several things that are done at the same time within a step. Its
// exchanges are numbered among themselves, and it starts together with the others.
type scope struct {
	first, write *gate // before its first request, and its first that writes; either may be nil
	txn          *gate // before its first Txn, at etcd's door; may be nil
	own          map[string]string
	readAll      bool // these two as in recording

	mu                 sync.Mutex
	began, writes, met bool // past the first gate, past the second, past etcd's door
}

// meetWithin bounds how long a Txn waits at etcd's door for the others'.
const meetWithin = 5 * time.Second

// scopeOf is a scope to do a call in.
func scopeOf(call scenarios.Call, first *gate) *scope {
	return &scope{first: first, own: call.Headers, readAll: call.Verb == scenarios.VerbRaw}
}

// wait holds a request back until the other scopes have come as far.
func (s *scope) wait(ctx context.Context, request *http.Request) error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	first := !s.began
	write := !s.writes && request.Method != http.MethodGet
	s.began, s.writes = true, s.writes || write
	s.mu.Unlock()
	if first {
		if err := s.first.pass(ctx); err != nil {
			return err
		}
	}
	if write {
		return s.write.pass(ctx)
	}
	return nil
}

// meet holds a Txn back until the other scopes have come as far as theirs, or to their end. It
// reports whether the Txn was held: the last to come is not, nor is any after a scope's first.
func (s *scope) meet(ctx context.Context) (held bool) {
	s.mu.Lock()
	met := s.met
	s.met = true
	s.mu.Unlock()
	if met || s.txn.arrive() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, meetWithin)
	defer cancel()
	_ = s.txn.wait(ctx) // too late is no error: then it goes on alone
	return true
}

// end lets the others go on without this scope.
func (s *scope) end() {
	s.mu.Lock()
	began, writes, met := s.began, s.writes, s.met
	s.began, s.writes, s.met = true, true, true
	s.mu.Unlock()
	if !began {
		s.first.arrive()
	}
	if !writes {
		s.write.arrive()
	}
	if !met {
		s.txn.arrive()
	}
}

// gate opens when all that it waits for have arrived. A nil gate is open.
type gate struct {
	mu      sync.Mutex
	missing int
	open    chan struct{}
}

func newGate(n int) *gate { return &gate{missing: n, open: make(chan struct{})} }

// arrive reports whether the gate is open from now on.
func (g *gate) arrive() bool {
	if g == nil {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.missing--; g.missing == 0 {
		close(g.open)
	}
	return g.missing <= 0
}

// pass arrives and waits for the others.
func (g *gate) pass(ctx context.Context) error {
	if g == nil {
		return nil
	}
	g.arrive()
	return g.wait(ctx)
}

func (g *gate) wait(ctx context.Context) error {
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// scoped is the step for what is done in a scope of its own.
func (st *step) scoped(in *scope) *step {
	copied := *st
	copied.in = in
	return &copied
}

// reads says whether to read all that is answered in a scope, and ownHeaders what its
// requests' own headers are.
func (r *recording) reads(in *scope) bool {
	if in == nil {
		return r.readAll
	}
	return in.readAll
}

func (r *recording) ownHeaders(in *scope) map[string]string {
	if in == nil {
		return r.own
	}
	return in.own
}

// answers counts what was answered in a scope.
func (r *recording) answers(in *scope) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for i, exchange := range r.exchanges {
		if r.scopes[i] == in && exchange.Status != 0 {
			n++
		}
	}
	return n
}

// newest is the index of a scope's newest exchange; -1 if there is none.
func (r *recording) newest(in *scope) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if r.scopes[i] == in {
			return i
		}
	}
	return -1
}

// streaming is the index of a scope's newest exchange where that is a streaming list.
func (r *recording) streaming(in *scope) (int, bool) {
	i := r.newest(in)
	if i < 0 {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return i, strings.Contains(r.exchanges[i].Path, "sendInitialEvents=true")
}

// stream notes that the answer of exchange i goes on; the exchange lasts until the function
// that it returns, which then calls release, is called.
func (r *recording) stream(i int, release func()) func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams == nil {
		r.streams = map[int]bool{}
	}
	r.streams[i] = true
	return func() {
		release()
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.closed || !r.streams[i] {
			return
		}
		delete(r.streams, i)
		r.exchanges[i].DurationMs = r.since(r.now()) - r.exchanges[i].StartedMs
		r.report()
	}
}

// undoneError is that one of a step's calls could not be made at all, whatever came of the
// others.
type undoneError struct {
	verb scenarios.Verb
	err  error
}

func (e *undoneError) Error() string { return string(e.verb) + ": " + e.err.Error() }
func (e *undoneError) Unwrap() error { return e.err }

// other does one of the calls that a call is made of, in a scope of its own. That the
// apiserver refuses it is an answer, and no error.
func (st *step) other(ctx context.Context, call scenarios.Call, in *scope) error {
	err := st.scoped(in).do(ctx, call)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && st.recording.answers(in) == 0:
		return &undoneError{call.Verb, err}
	}
	return nil
}

// others does calls one after the other.
func (st *step) others(ctx context.Context, calls []scenarios.Call) error {
	for _, call := range calls {
		if err := st.other(ctx, call, scopeOf(call, nil)); err != nil {
			return err
		}
	}
	return nil
}
