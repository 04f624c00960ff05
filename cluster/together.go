package cluster

import (
	"context"
	"errors"
	"sync"

	"rvtui/scenarios"
)

// together does calls at the same time, each with a client of its own. The first requests
// of all of them leave at the same instant: none does before each has its own ready.
func (st *step) together(ctx context.Context, call scenarios.Call) error {
	calls := call.Together
	actors := make([]scenarios.Actor, len(calls))
	for i := range calls {
		actors[i] = calls[i].Actor
	}
	if err := st.cluster.connect(ctx, actors...); err != nil {
		return err
	}
	start := newGate(len(calls))
	var txns *gate
	if call.MeetAtEtcd {
		txns = newGate(len(calls))
	}
	errs := make([]error, len(calls))
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			in := scopeOf(calls[i], start)
			in.txn = txns
			defer in.end()
			errs[i] = st.other(ctx, calls[i], in)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
