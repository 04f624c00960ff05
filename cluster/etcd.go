package cluster

import (
	"context"
	"time"

	"rvtui/scenarios"
)

// etcdGet reads one object's key from etcd itself, at the call's revision or the newest.
func (st *step) etcdGet(ctx context.Context, call scenarios.Call) error {
	mapping, err := st.resolve(ctx, call)
	if err != nil {
		return err
	}
	key := st.key(object{mapping: mapping, name: nameOf(call)})
	rpc := scenarios.RPC{Actor: call.Actor, Method: "Range", Key: key, AtRevision: call.Revision}
	return st.ask(ctx, rpc, func(rpc *scenarios.RPC) error {
		stored, err := st.cluster.config.Store.Key(ctx, key, call.Revision)
		if err != nil {
			return err
		}
		rpc.Revision, rpc.Count, rpc.ModRevision = stored.Head, stored.Count, stored.ModRevision
		return nil
	})
}

// etcdCompact makes etcd forget the revisions below the call's.
func (st *step) etcdCompact(ctx context.Context, call scenarios.Call) error {
	rpc := scenarios.RPC{Actor: call.Actor, Method: "Compact", AtRevision: call.Revision}
	return st.ask(ctx, rpc, func(rpc *scenarios.RPC) error {
		var err error
		rpc.Revision, err = st.cluster.config.Compact(ctx, call.Revision)
		return err
	})
}

// ask does one RPC and keeps it. Etcd's refusal (a compacted revision, for one) is an
// answer.
func (st *step) ask(ctx context.Context, rpc scenarios.RPC, do func(*scenarios.RPC) error) error {
	now := st.cluster.config.Now
	started := now()
	err := do(&rpc)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	rpc.StartedMs = st.since(started)
	rpc.DurationMs = float64(now().Sub(started)) / float64(time.Millisecond)
	if err != nil {
		rpc.Error = err.Error()
	}
	st.found.asked(rpc)
	return nil
}
