package ui

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"rvtui/scenarios"
	"rvtui/ui/tracefile"
)

// work is all that the program does outside of itself: each call to the stage is a
// command of its own, can be cancelled, and is awaited at the end.
type work struct {
	stage  Stage
	ctx    context.Context
	cancel context.CancelFunc
	send   func(tea.Msg)

	mu    sync.Mutex
	ended bool
	busy  sync.WaitGroup
	walks map[*walk]struct{} // begun, and not closed yet
	// first is the file that the first walk that is set up is saved in; nil where it is in none.
	first *tracefile.File
}

// walk is one play of a scenario. Its calls never overlap: mu is held during each.
type walk struct {
	ctx    context.Context
	cancel context.CancelFunc
	mu     sync.Mutex
	play   Play

	saving sync.Mutex // held while files are written; taken within mu, never the other way
	latest scenarios.Trace
	files  []*growing
}

// What the commands report.
type (
	phaseMsg    string
	preparedMsg struct {
		info scenarios.Info
		err  error
	}
	begunMsg struct {
		walk  *walk
		trace scenarios.Trace
		err   error
	}
	progressMsg struct {
		walk *walk
		so   scenarios.Partial
	}
	steppedMsg struct {
		walk         *walk
		observations []scenarios.Observation
		err          error // why there are not as many as were asked for
	}
	panicMsg struct{ err *PanicError }
)

func newWork(ctx context.Context, stage Stage) *work {
	w := &work{stage: stage, walks: map[*walk]struct{}{}}
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w
}

// command makes a command of f: awaited at the end, its panic a message.
func (w *work) command(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		w.mu.Lock()
		if w.ended {
			w.mu.Unlock()
			return nil
		}
		w.busy.Add(1)
		w.mu.Unlock()
		defer w.busy.Done()
		defer func() {
			if v := recover(); v != nil {
				msg = panicMsg{&PanicError{Value: v, Stack: debug.Stack()}}
			}
		}()
		return f()
	}
}

func (w *work) prepare() tea.Cmd {
	return w.command(func() tea.Msg {
		info, err := w.stage.Prepare(w.ctx, func(phase string) { w.send(phaseMsg(phase)) })
		return preparedMsg{info, err}
	})
}

func (w *work) begin(scenario *scenarios.Scenario) (*walk, tea.Cmd) {
	k := &walk{}
	k.ctx, k.cancel = context.WithCancel(w.ctx)
	w.mu.Lock()
	w.walks[k] = struct{}{}
	w.mu.Unlock()
	return k, w.command(func() tea.Msg {
		k.mu.Lock()
		defer k.mu.Unlock()
		if err := k.ctx.Err(); err != nil {
			return begunMsg{walk: k, err: err}
		}
		play, err := w.stage.Begin(k.ctx, scenario)
		if err != nil {
			return begunMsg{walk: k, err: err}
		}
		k.play = play
		w.mu.Lock()
		if w.first != nil {
			k.files, w.first = []*growing{{file: w.first}}, nil
		}
		w.mu.Unlock()
		return w.kept(k, begunMsg{walk: k, trace: play.Trace()})
	})
}

// step takes n steps.
func (w *work) step(k *walk, n int) tea.Cmd {
	return w.command(func() tea.Msg {
		k.mu.Lock()
		defer k.mu.Unlock()
		taken := make([]scenarios.Observation, 0, n)
		for range n {
			o, err := k.play.Step(k.ctx, func(so scenarios.Partial) {
				w.send(progressMsg{k, so})
			})
			if err != nil {
				return w.kept(k, steppedMsg{k, taken, err})
			}
			taken = append(taken, o)
		}
		return w.kept(k, steppedMsg{walk: k, observations: taken})
	})
}

// kept tells what the walk has come to, and then brings its files up to date: the screen
// waits for no disk.
func (w *work) kept(k *walk, news tea.Msg) tea.Msg {
	if !k.saved() {
		k.keep() // for a file that is yet to come
		return news
	}
	w.send(news)
	return k.keep()
}

// leave ends a walk that nobody looks at any more.
func (w *work) leave(k *walk) tea.Cmd {
	k.cancel()
	return w.command(func() tea.Msg {
		w.close(k, closeWithin)
		return nil
	})
}

// close waits for the walk's call to end and removes what the walk made. That it could
// not be removed is no news to the reader: the namespace has a name of its own, and an
// embedded control plane goes with all that is in it.
func (w *work) close(k *walk, within time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	w.mu.Lock()
	_, open := w.walks[k]
	delete(w.walks, k)
	w.mu.Unlock()
	if !open || k.play == nil {
		return
	}
	// The walk's own context has ended: that is why it is closed.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), within)
	defer cancel()
	_ = k.play.Close(ctx)
}

// end cancels what is under way, waits for it, and closes the walks that are left.
// It takes no longer than stop and close together, even if a call ignores its context.
func (w *work) end(stop, close time.Duration) {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.cancel()
	if !within(stop, w.busy.Wait) {
		return // a call that does not end has its walk, which cannot be closed under it
	}
	w.mu.Lock()
	left := make([]*walk, 0, len(w.walks))
	for k := range w.walks {
		left = append(left, k)
	}
	w.mu.Unlock()
	var all sync.WaitGroup
	for _, k := range left {
		all.Go(func() {
			defer func() { _ = recover() }() // the terminal is restored and the end is near: nothing is left to tell
			w.close(k, close)
		})
	}
	within(close, all.Wait)
}

// within reports whether f was done in time.
func within(d time.Duration, f func()) bool {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
