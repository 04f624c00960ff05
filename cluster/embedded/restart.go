package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// endTimeout is how long a kube-apiserver may take to end before another one starts, once
// its connections are cut. Two at the same time would share what there is once in a process.
const endTimeout = 10 * time.Second

// RestartAPIServer stops the kube-apiserver and starts another one on the same etcd, with
// the same address and credentials, and returns once it is ready. Everything that the old
// one had in memory is gone, its watch caches above all; connections to it are cut off.
//
// It is not to be interrupted lightly: where ctx ends, or the other one does not start, the
// control plane has failed, and Failed says so. It can be called at any time; where the
// control plane has failed or is closed, it does nothing but say so.
func (c *ControlPlane) RestartAPIServer(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	failed := func(err error) error { return fmt.Errorf("cannot restart the kube-apiserver: %w", withAdvice(err)) }
	if c.over.Err() != nil {
		return failed(context.Cause(c.over))
	}
	if ctx.Err() != nil {
		return failed(context.Cause(ctx)) // and the old one runs on
	}
	if err := c.replaceAPIServer(ctx); err != nil {
		err = failed(err)
		c.apiserver.stop(context.Background(), stopTimeout)
		if !errors.Is(err, errClosed) {
			c.fail(err)
		}
		return err
	}
	go debug.FreeOSMemory() // as after the first start
	return nil
}

// replaceAPIServer stops one kube-apiserver and starts the next. Where it fails, c.apiserver
// is the one to stop.
func (c *ControlPlane) replaceAPIServer(ctx context.Context) error {
	if !c.apiserver.stop(c.over, endTimeout) {
		return cmp.Or(context.Cause(c.over), errors.New("it does not stop"))
	}
	next := newAPIServer(c.directory, c.log, c.etcd.endpoint(), c.credentials, c.apiserver.spans)
	if err := next.listen(c.address.String()); err != nil {
		return err
	}
	c.apiserver = next
	configured, ended := configuring(ctx, next, c.profile)
	if err := c.await(configured); err != nil {
		select { // it is not left behind
		case <-ended:
		case <-time.After(stopTimeout):
		}
		return err
	}
	return next.run(ctx, c.over, func() {})
}
