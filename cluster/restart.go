package cluster

import (
	"context"
	"time"

	"rvtui/scenarios"
)

// restartTimeout bounds a restart of the apiserver. It takes about a second.
const restartTimeout = time.Minute

// apiserverRestart restarts the apiserver, and sees to it that the actors' connections to
// the new one are there. A cancelled step does not cut it short, for without an apiserver
// there is nothing more to do: like what waits without a context, it ends a little later.
func (st *step) apiserverRestart(ctx context.Context) error {
	select {
	case st.cluster.restarting <- struct{}{}:
		defer func() { <-st.cluster.restarting }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restartTimeout)
	defer cancel()
	if err := st.cluster.config.Restart(ctx); err != nil {
		return err
	}
	return st.cluster.connect(ctx, scenarios.A, scenarios.B)
}

// settled waits until no restart is under way.
func (c *Cluster) settled(ctx context.Context) error {
	select {
	case c.restarting <- struct{}{}:
		<-c.restarting
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
