package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// onCluster is the shared control plane as scenarios see it.
func onCluster(t *testing.T) scenarios.Cluster {
	t.Helper()
	return clusterOf(t, cluster.Config{})
}

// onInside is the same, with what the servers do inside.
func onInside(t *testing.T) scenarios.Cluster {
	t.Helper()
	return clusterOf(t, cluster.Config{Spans: inside, Log: lines})
}

func clusterOf(t *testing.T, config cluster.Config) scenarios.Cluster {
	t.Helper()
	plane := controlPlane(t)
	etcd, err := plane.EtcdClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = etcd.Close() })
	c, err := newCluster(plane, etcd, config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newCluster adds to a configuration what any has.
func newCluster(plane *ControlPlane, etcd *clientv3.Client, config cluster.Config) (scenarios.Cluster, error) {
	builtIn := BuiltIn()
	store := cluster.NewEtcdStore(etcd)
	config.REST, config.Store, config.Compact, config.RPCs = plane.RESTConfig(), store, store.Compact, recorder
	config.Info = scenarios.Info{Mode: "embedded", Kubernetes: builtIn.Kubernetes, Etcd: builtIn.Etcd}
	config.Can = scenarios.Capabilities
	config.Restart = plane.RestartAPIServer
	return cluster.New(config)
}

// walk takes every step of a scenario, and changes each expectation for one that must fail.
func walk(t *testing.T, c scenarios.Cluster, scenario *scenarios.Scenario) scenarios.Trace {
	t.Helper()
	run, err := scenarios.Begin(t.Context(), c, scenario)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	run.Probe = func(step *scenarios.Step, judge func(*scenarios.Expect) []scenarios.Check) {
		for _, mutation := range scenarios.Mutations(step.Expect) {
			mutationsTried.Add(1)
			if !slices.ContainsFunc(judge(mutation.Expect), func(c scenarios.Check) bool { return !c.OK }) {
				mutationsSurvived.Add(1)
				t.Errorf("%s, %q: the expectation cannot fail: with %s it holds as well", scenario.Name, step.Title.In(scenarios.English), mutation.What)
			}
		}
	}
	for {
		if _, err := run.Step(t.Context(), nil); errors.Is(err, io.EOF) {
			return run.Trace()
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

var mutationsTried, mutationsSurvived atomic.Int64

// TestEveryScenarioComesOutAsItSays walks through the catalogue, side by side, and then
// through the exclusive scenarios one by one.
func TestEveryScenarioComesOutAsItSays(t *testing.T) {
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	c := onCluster(t)
	t.Run("catalogue", func(t *testing.T) {
		for _, scenario := range all {
			if !scenario.Exclusive() {
				t.Run(scenario.Name, func(t *testing.T) {
					t.Parallel()
					comesOutAsItSays(t, c, scenario)
				})
			}
		}
	})
	for _, scenario := range all {
		if scenario.Exclusive() {
			t.Run("catalogue/"+scenario.Name, func(t *testing.T) { comesOutAsItSays(t, c, scenario) })
		}
	}
	t.Logf("%d mutated expectations tried, %d survived", mutationsTried.Load(), mutationsSurvived.Load())
	if mutationsTried.Load() == 0 {
		t.Error("no expectation was mutated")
	}
	log, err := os.ReadFile(controlPlane(t).LogFile())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(log), controlPlane(t).RESTConfig().BearerToken) {
		t.Error("the token is in the log")
	}
}

func comesOutAsItSays(t *testing.T, c scenarios.Cluster, scenario *scenarios.Scenario) {
	t.Helper()
	trace := walk(t, c, scenario)
	for i := range trace.Steps {
		o := &trace.Steps[i]
		if o.Verdict != scenarios.OK {
			t.Errorf("step %d, %s %s: %s\n  expected %s\n  got      %s", o.Step, o.Actor, o.Operation, o.Verdict, o.Expected, o.Got)
		}
		if text := texts(o); strings.Contains(text, "${") || strings.Contains(text, " …") {
			t.Errorf("step %d has a text without its value: %s", o.Step, text)
		}
	}
	wantNoToken(t, &trace)
	if check, ok := evidence[scenario.Name]; ok {
		check(t, &trace)
	}
}

// texts is what a step says.
func texts(o *scenarios.Observation) string {
	return o.Title.In(scenarios.English) + " " + o.Say.In(scenarios.English)
}

func wantNoToken(t *testing.T, trace *scenarios.Trace) {
	t.Helper()
	encoded, err := json.Marshal(trace)
	if err != nil {
		t.Fatal(err)
	}
	token := controlPlane(t).RESTConfig().BearerToken
	if token == "" {
		t.Fatal("there is no token to look for")
	}
	for _, secret := range []string{token, "Authorization", "Bearer"} {
		if strings.Contains(string(encoded), secret) {
			t.Errorf("%q is in the trace", secret)
		}
	}
}

// evidence is what a trace must hold beside its own expectations: that these could not
// pass for want of evidence.
var evidence = map[string]func(*testing.T, *scenarios.Trace){
	"two-writers": func(t *testing.T, trace *scenarios.Trace) {
		a, b := trace.Steps[2], trace.Steps[3]
		var txns []scenarios.RPC
		for _, rpc := range a.RPCs {
			if rpc.Method == "Txn" {
				txns = append(txns, rpc)
			}
		}
		var sent struct {
			Metadata struct{ ResourceVersion string }
		}
		if err := json.Unmarshal(a.Exchanges[0].RequestBody, &sent); err != nil {
			t.Fatal(err)
		}
		if len(txns) != 1 || txns[0].CompareModRevision == nil || txns[0].Succeeded == nil || !*txns[0].Succeeded ||
			*txns[0].CompareModRevision != scenarios.ParseRevision(sent.Metadata.ResourceVersion) {
			t.Errorf("A sent resourceVersion %s, and these Txns reached etcd: %+v", sent.Metadata.ResourceVersion, txns)
		}
		if b.Exchanges[0].Status != 409 || len(b.RPCs) == 0 || slices.ContainsFunc(b.RPCs, scenarios.RPC.Wrote) {
			t.Errorf("B's PUT: %d, and reached etcd as %+v", b.Exchanges[0].Status, b.RPCs)
		}
	},
	"too-large": func(t *testing.T, trace *scenarios.Trace) {
		if n := len(trace.Steps[0].Exchanges); n != 1 {
			t.Errorf("the raw request made %d exchanges", n)
		}
		exchanges := trace.Steps[1].Exchanges
		for i, e := range exchanges {
			if e.Attempt != i+1 || e.Status != 504 {
				t.Errorf("exchange %d is attempt %d with %d", i+1, e.Attempt, e.Status)
			}
		}
		if len(exchanges) != 11 {
			t.Errorf("client-go made %d attempts", len(exchanges))
		}
	},
	"any-version": func(t *testing.T, trace *scenarios.Trace) {
		if n := len(trace.Steps[0].RPCs); n == 0 {
			t.Error("the consistent list has no RPC, so nothing is recorded")
		}
		if rpcs := trace.Steps[1].RPCs; len(rpcs) > 0 {
			t.Errorf("the list at resourceVersion=0 reached etcd: %+v", rpcs)
		}
	},
}
