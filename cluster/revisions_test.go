package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"rvtui/cluster/rpcs"
	"rvtui/scenarios"
)

func TestARevisionIsWhoseRPCOrAnswerItWas(t *testing.T) {
	const key = "/registry/configmaps/ns/cm1"
	put := Change{Key: key, Revision: 7, CreateRevision: 5, Version: 2}
	deleted := Change{Key: key, Revision: 7, Delete: true}
	txn := func(succeeded bool, revision int64, key string) []scenarios.RPC {
		return []scenarios.RPC{{Exchange: new(1), Method: "Txn", Key: key, Writes: "put", Succeeded: &succeeded, Revision: revision}}
	}
	answer := func(method, path, name, version string) scenarios.Exchange {
		body, _ := json.Marshal(map[string]any{"metadata": map[string]any{"name": name, "uid": "u1", "resourceVersion": version}})
		return scenarios.Exchange{Actor: scenarios.B, Method: method, Path: path, Status: 200, RequestBody: json.RawMessage(`{"metadata":{"resourceVersion":"6"}}`), ResponseBody: body}
	}
	other := scenarios.Exchange{Actor: scenarios.A, Method: "GET", Status: 200}
	const path = "/api/v1/namespaces/ns/configmaps/cm1?fieldManager=rvtui-B"
	tests := map[string]struct {
		recorded bool // RPCs are
		rpcs     []scenarios.RPC
		exchange scenarios.Exchange
		event    Change
		setup    bool
		want     string
	}{
		"the Txn that wrote it":           {recorded: true, rpcs: txn(true, 7, key), exchange: answer("PUT", path, "cm1", "7"), event: put, want: "B"},
		"the setup's Txn":                 {recorded: true, rpcs: txn(true, 7, key), exchange: answer("PUT", path, "cm1", "7"), event: put, setup: true, want: scenarios.BySetup},
		"a Txn that did not succeed":      {recorded: true, rpcs: txn(false, 7, key), exchange: answer("PUT", path, "cm1", "6"), event: put, want: scenarios.ByUnknown},
		"a Txn of another revision":       {recorded: true, rpcs: txn(true, 8, key), exchange: answer("PUT", path, "cm1", "8"), event: put, want: scenarios.ByUnknown},
		"a Txn of another key":            {recorded: true, rpcs: txn(true, 7, key+"0"), exchange: answer("PUT", path, "cm10", "7"), event: put, want: scenarios.ByUnknown},
		"RPCs are believed before answer": {recorded: true, exchange: answer("PUT", path, "cm1", "7"), event: put, want: scenarios.ByUnknown},
		"the answer, without RPCs":        {exchange: answer("PUT", path, "cm1", "7"), event: put, want: "B"},
		"an answer of another revision":   {exchange: answer("PUT", path, "cm1", "6"), event: put, want: scenarios.ByUnknown},
		"an answer of another object":     {exchange: answer("PUT", strings.ReplaceAll(path, "cm1", "cm2"), "cm2", "7"), event: put, want: scenarios.ByUnknown},
		"a GET wrote nothing":             {exchange: answer("GET", path, "cm1", "7"), event: put, want: scenarios.ByUnknown},
		"a DELETE has no resourceVersion": {exchange: answer("DELETE", path, "", ""), event: deleted, want: "B"},
		"a DELETE of another object":      {exchange: answer("DELETE", "/api/v1/namespaces/ns/configmaps/cm2", "", ""), event: deleted, want: scenarios.ByUnknown},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := &Session{namespace: "ns", wrote: map[revisionKey]string{}, cluster: &Cluster{config: Config{Prefix: "/registry"}, credentials: newCredentials()}}
			if test.recorded {
				s.cluster.config.RPCs = &rpcs.Recorder{}
			}
			s.hold(key, holding{revision: 6, uid: "u1"})
			call := scenarios.Call{Setup: test.setup}
			seen := scenarios.Observation{Exchanges: []scenarios.Exchange{other, test.exchange}, RPCs: test.rpcs}
			s.blame(call, seen.Exchanges, seen.RPCs)
			got := s.revision(call, test.event, &seen)
			if got.By != test.want || (got.Exchange != nil) != (test.want != scenarios.ByUnknown) {
				t.Errorf("by %q, exchange %v; want by %q", got.By, got.Exchange, test.want)
			}
			if !got.Own || got.Name != "cm1" || got.ModRevision != 7 || got.Revision != 7 {
				t.Errorf("%+v", got)
			}
			// A cancelled step's revision is told in the next one, which has no such exchange.
			later := s.revision(scenarios.Call{}, test.event, &scenarios.Observation{})
			if test.recorded && later.By != test.want || later.Exchange != nil {
				t.Errorf("in the next step: by %q", later.By)
			}
		})
	}
}

func TestACredentialInAnObjectIsInNoRevision(t *testing.T) {
	s := &Session{namespace: "ns", wrote: map[revisionKey]string{}, cluster: &Cluster{config: Config{Prefix: "/registry"}, credentials: newCredentials("mine")}}
	const key = "/registry/configmaps/ns/cm1"
	value := `{"kind":"ConfigMap","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"k\":\"Bearer abcdefghijklmnop1234567890\"}}"}},"data":{"k":"Bearer abcdefghijklmnop1234567890","own":"mine"}}`
	r := s.revision(scenarios.Call{}, Change{Key: key, Value: []byte(value), Revision: 7}, &scenarios.Observation{})
	if said := string(r.Value); said == "" || strings.Contains(said, "abcdefghijk") || strings.Contains(said, "mine") {
		t.Errorf("the revision's value is %s", said)
	}
}

func TestTheFollowerReadsEveryRevisionOnce(t *testing.T) {
	etcd := newFakeEtcd()
	etcd.put("/registry/before", nil)
	f := followFrom(t.Context(), etcd.client(t), etcd.revision+1)
	defer f.Stop()
	for range 3 {
		want := []int64{etcd.put("a", nil), etcd.put("b", nil), etcd.delete("a")}
		events, err := f.upTo(t.Context(), want[2])
		if err != nil || len(events) != len(want) {
			t.Fatalf("%d events, error %v", len(events), err)
		}
		for i, event := range events {
			if event.Kv.ModRevision != want[i] {
				t.Errorf("revision %d, want %d", event.Kv.ModRevision, want[i])
			}
		}
	}
	if events, err := f.upTo(t.Context(), etcd.revision); err != nil || len(events) != 0 {
		t.Errorf("%d events with nothing new, error %v", len(events), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.upTo(ctx, etcd.revision+1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestTheFollowerGoesOnAfterACompaction(t *testing.T) {
	etcd := newFakeEtcd()
	client := etcd.client(t)
	for range 5 {
		etcd.put("a", nil)
	}
	etcd.Compact(t.Context(), 4)
	f := followFrom(t.Context(), client, 2)
	defer f.Stop()
	events, err := f.upTo(t.Context(), 6)
	if err != nil || len(events) != 3 || events[0].Kv.ModRevision != 4 {
		t.Errorf("%d events, error %v", len(events), err)
	}
}

func TestTheOldestReadableRevisionIsFound(t *testing.T) {
	for _, compacted := range []int64{0, 1, 2, 3, 17, 49, 50} {
		etcd := newFakeEtcd()
		for etcd.revision < 50 {
			etcd.put("a", nil)
		}
		etcd.compacted = compacted
		got, err := oldest(t.Context(), etcd.client(t), 1, 50)
		if want := max(compacted, 1); err != nil || got != want {
			t.Errorf("got %d, want %d, error %v", got, want, err)
		}
	}
}

func TestTheFollowerKeepsWhatCameEarlyForTheNextStep(t *testing.T) {
	etcd := newFakeEtcd()
	f := followFrom(t.Context(), etcd.client(t), 2)
	defer f.Stop()
	first, second := etcd.put("a", nil), etcd.put("b", nil)
	for _, head := range []int64{first, second} {
		events, err := f.upTo(t.Context(), head)
		if err != nil || len(events) != 1 || events[0].Kv.ModRevision != head {
			t.Errorf("up to %d: %v, error %v", head, events, err)
		}
	}
}
