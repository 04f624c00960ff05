package uitest

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"rvtui/scenarios"
)

// Less is a recorded trace as it would have been on a cluster that shows less than the
// embedded control plane: one of Kubernetes 1.35.4 that has these capabilities and no others.
// Each step is judged again, by what is left of the evidence.
func Less(t testing.TB, name string, can ...string) scenarios.Trace {
	t.Helper()
	trace := Trace(t, name) // decoded anew, so that all of it is ours to change
	trace.Mode, trace.Kubernetes, trace.Etcd = "kind-dev", "1.35.4", ""
	trace.Can = append([]string{}, can...)
	source := "the API alone"
	if slices.Contains(can, scenarios.CapabilityEtcdRead) {
		trace.Etcd, source = "3.6.5", "read-only client"
	}
	scenario := named(t, name)
	if trace.Setup != nil {
		without(&trace, trace.Setup, source)
	}
	for i := range trace.Steps {
		o := &trace.Steps[i]
		without(&trace, o, source)
		if s := &scenario.Steps[i]; s.EtcdGet != nil && !trace.Sees(scenarios.CapabilityEtcdRead) {
			skip(o, scenarios.CapabilityEtcdRead)
		} else if s.EtcdCompact != nil {
			skip(o, scenarios.CapabilityEtcdCompact)
		}
	}
	judge(t, scenario, &trace)
	return trace
}

// judge judges a trace's steps by their evidence as it is now.
func judge(t testing.TB, scenario *scenarios.Scenario, trace *scenarios.Trace) {
	t.Helper()
	for i, step := range scenarios.Recheck(context.Background(), scenario, trace).Steps {
		if step.Unjudged != "" {
			t.Fatalf("step %d of %s cannot be judged: %s", i+1, scenario.Name, step.Unjudged)
		}
		trace.Steps[i] = step.Observation
	}
}

func named(t testing.TB, name string) *scenarios.Scenario {
	t.Helper()
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(s *scenarios.Scenario) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("there is no scenario %s", name)
	}
	return all[at]
}

// without takes away what the trace's cluster does not show.
func without(trace *scenarios.Trace, o *scenarios.Observation, source string) {
	o.Spans, o.Log = nil, nil
	o.RPCs = slices.DeleteFunc(o.RPCs, func(r scenarios.RPC) bool { return r.Exchange != nil })
	o.Etcd.Source = source
	if trace.Sees(scenarios.CapabilityEtcdRead) {
		return
	}
	o.Etcd.Compacted = 0
	o.Revisions = slices.DeleteFunc(o.Revisions, func(r scenarios.Revision) bool { return !r.Own })
	for i := range o.Revisions {
		r := &o.Revisions[i]
		r.CreateRevision, r.Version = 0, 0
		r.Value = served(r.Value, r.Revision)
	}
	for i := range o.Objects {
		o.Objects[i].CreateRevision, o.Objects[i].KeyVersion = 0, 0
	}
}

// served is a stored object as the API gives it: with its resourceVersion.
func served(raw json.RawMessage, revision int64) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil {
		return raw
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		metadata["resourceVersion"] = strconv.FormatInt(revision, 10)
	}
	encoded, _ := json.Marshal(object) // it was JSON before
	return encoded
}

// skip makes a step one that was not taken.
func skip(o *scenarios.Observation, lack string) {
	why := scenarios.LackError{Lack: []string{lack}}
	*o = scenarios.Observation{
		Step: o.Step, ID: o.ID, Actor: o.Actor, Operation: o.Operation, Verdict: scenarios.Skipped, Reason: why.Error(), Lack: why.Lack,
		Title: o.Title, Exchanges: []scenarios.Exchange{}, RPCs: []scenarios.RPC{}, Revisions: []scenarios.Revision{}, Events: []scenarios.WatchEvent{},
		Objects: o.Objects, Etcd: o.Etcd,
	}
}
