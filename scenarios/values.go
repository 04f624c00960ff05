package scenarios

import (
	"context"
	"slices"
)

// newValues lays out what the expressions of a step see: what the step brought (o is nil
// before it), the state before it, the state after it, and the steps before it by id.
func newValues(ctx context.Context, j *judging, o *Observation, before, after State) *values {
	of := map[string]any{}
	for _, name := range variables {
		of[name] = nil
	}
	if o == nil {
		o = &Observation{}
	}
	for name, value := range j.stepValues(o) {
		of[name] = value
	}
	for name, value := range j.stateValues(after) {
		of[name] = value
	}
	of["before"] = j.stateValues(before)
	of["steps"] = j.steps
	of["ns"] = j.namespace
	return &values{ctx: ctx, of: of, found: j.found, server: j.server}
}

// stepValues is what one step brought, by variable.
func (j *judging) stepValues(o *Observation) map[string]any {
	answer := answerOf(o).without(j.found)
	causes := []any{}
	for _, cause := range answer.causes {
		causes = append(causes, cause)
	}
	body := any(map[string]any{})
	if answer.body != nil {
		body = answer.body
	}
	exchanges, rpcs, own, all, events := []any{}, []any{}, []any{}, []any{}, []any{}
	for _, e := range o.Exchanges {
		request, response := DecodeJSON(e.RequestBody), DecodeJSON(e.ResponseBody)
		a := readAnswer(e)
		exchanges = append(exchanges, map[string]any{
			"actor": string(e.Actor), "call": e.Call, "attempt": e.Attempt, "method": e.Method, "path": e.Path,
			"status": e.Status, "reason": a.reason, "message": a.message, "request": request, "response": response,
			"requestHeaders": e.RequestHeaders, "responseHeaders": e.ResponseHeaders,
			"startedMs": e.StartedMs, "durationMs": e.DurationMs,
		})
	}
	for _, r := range o.RPCs {
		rpc := map[string]any{
			"exchange": nil, "actor": string(r.Actor), "method": r.Method, "key": r.Key, "rangeEnd": r.RangeEnd,
			"atRevision": r.AtRevision, "limit": r.Limit, "compareModRevision": nil, "succeeded": nil, "writes": r.Writes,
			"wrote": r.Wrote(), "revision": r.Revision, "modRevision": r.ModRevision, "count": r.Count, "error": r.Error, "heldMs": r.HeldMs,
		}
		if r.Exchange != nil {
			rpc["exchange"] = *r.Exchange
		}
		if r.CompareModRevision != nil {
			rpc["compareModRevision"] = *r.CompareModRevision
		}
		if r.Succeeded != nil {
			rpc["succeeded"] = *r.Succeeded
		}
		rpcs = append(rpcs, rpc)
	}
	for _, r := range o.Revisions {
		revision := map[string]any{
			"revision": r.Revision, "op": r.Op, "key": r.Key, "name": r.Name, "createRevision": r.CreateRevision,
			"modRevision": r.ModRevision, "version": r.Version, "by": r.By, "own": r.Own, "value": DecodeJSON(r.Value),
		}
		if r.By == "" {
			revision["by"] = unseen(CapabilityEtcdRPC) // which would tell
		}
		if r.Op != "DELETE" { // etcd gives a deleted key neither
			revision["createRevision"], revision["version"] = told(r.CreateRevision), j.sight.version(r.Version)
		}
		all = append(all, revision)
		if r.Own {
			own = append(own, revision)
		}
	}
	for _, e := range o.Events {
		if slices.Contains(j.found, e.Name) {
			continue
		}
		events = append(events, map[string]any{
			"actor": string(e.Actor), "type": e.Type, "name": e.Name, "resourceVersion": e.ResourceVersion, "object": DecodeJSON(e.Object),
		})
	}
	client := []any{}
	for _, c := range o.Client {
		client = append(client, map[string]any{
			"actor": string(c.Actor), "call": c.Call, "error": c.Error, "output": c.Output, "isConflict": c.IsConflict,
			"isAlreadyExists": c.IsAlreadyExists, "isInvalid": c.IsInvalid, "isNotFound": c.IsNotFound, "isGone": c.IsGone, "isTimeout": c.IsTimeout,
		})
	}
	return map[string]any{
		"code": answer.code, "reason": answer.reason, "message": answer.message, "causes": causes,
		"answer": body, "items": answer.items, "exchanges": exchanges, "rpcs": j.rpcs(o, rpcs), "revisions": own,
		"allRevisions": j.sight.or(CapabilityEtcdAll, all), "events": events, "client": client, "durationMs": o.DurationMs,
	}
}

// rpcs are a step's RPCs. Those that rvtui makes itself it sees on every cluster; an
// apiserver's only where they are recorded.
func (j *judging) rpcs(o *Observation, rpcs []any) any {
	if len(o.Exchanges) == 0 {
		return rpcs
	}
	return j.sight.or(CapabilityEtcdRPC, rpcs)
}

// stateValues is a state, by variable. An object that is gone is not among the objects.
func (j *judging) stateValues(s State) map[string]any {
	objects, keys, held := map[string]any{}, map[string]any{}, map[string]any{}
	for name, object := range s.Objects {
		if !object.Exists {
			continue
		}
		objects[name] = DecodeJSON(object.Object)
		keys[name] = map[string]any{
			"key": object.Key, "createRevision": told(object.CreateRevision), "modRevision": j.sight.or(CapabilityEtcdRead, told(object.ModRevision)), "version": j.sight.version(object.KeyVersion),
		}
	}
	for actor, holds := range s.Held {
		of := map[string]any{}
		for name, h := range holds {
			of[name] = h.Object
		}
		held[string(actor)] = of
	}
	return map[string]any{
		"objects": objects, "keys": keys, "held": held,
		"etcd": map[string]any{"head": s.Etcd.Head, "compacted": j.compacted(s.Etcd)},
	}
}

// compacted is the revision that the store was compacted at, where that could be found out.
func (j *judging) compacted(s EtcdState) any {
	if s.CompactedUnknown {
		return unseen(CapabilityEtcdRead)
	}
	return j.sight.or(CapabilityEtcdRead, s.Compacted)
}

// rememberedValues is what later steps see of a step by its id.
func (j *judging) rememberedValues(o *Observation, after State) map[string]any {
	remembered := j.stepValues(o)
	for name, value := range j.stateValues(after) {
		remembered[name] = value
	}
	return remembered
}
