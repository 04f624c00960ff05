package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/cluster/sources"
	"rvtui/scenarios"
)

// foreign is the shared control plane as a cluster that is reached from outside: nobody records
// its RPCs, and it is not to be compacted or restarted.
func foreign(t *testing.T, store cluster.Store, can ...string) scenarios.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Config{
		REST:  controlPlane(t).RESTConfig(),
		Store: store,
		Info:  scenarios.Info{Mode: "another", Kubernetes: BuiltIn().Kubernetes},
		Can: append(can, scenarios.CapabilityAPIServerKinds, scenarios.CapabilityAPIServerLoad,
			scenarios.CapabilityNoControllers),
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheCatalogueComesOutThroughTheAPIAlone(t *testing.T) {
	store, err := sources.NewAPI(controlPlane(t).RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	comesOutElsewhere(t, store)
}

// TestTheCatalogueComesOutThroughListsOfThePast is the same where nobody may watch.
func TestTheCatalogueComesOutThroughListsOfThePast(t *testing.T) {
	config := rest.CopyConfig(controlPlane(t).RESTConfig())
	var refused atomic.Int64
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(request *http.Request) (*http.Response, error) {
			if request.URL.Query().Get("watch") == "" {
				return next.RoundTrip(request)
			}
			refused.Add(1)
			return &http.Response{
				Request: request, StatusCode: http.StatusForbidden, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`)),
			}, nil
		})
	})
	store, err := sources.NewAPI(config)
	if err != nil {
		t.Fatal(err)
	}
	comesOutElsewhere(t, store)
	if refused.Load() == 0 {
		t.Error("nobody tried to watch")
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func TestTheCatalogueComesOutThroughReadOnlyEndpoints(t *testing.T) {
	store, err := sources.Etcd{Endpoints: []string{controlPlane(t).EtcdEndpoint()}}.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	if got := store.Version(); got != BuiltIn().Etcd {
		t.Errorf("version %s, want %s", got, BuiltIn().Etcd)
	}
	comesOutElsewhere(t, store, store.Can()...)
}

func TestAWrongPrefixIsSaidToBeSo(t *testing.T) {
	_, err := sources.Etcd{Endpoints: []string{controlPlane(t).EtcdEndpoint()}, Prefix: "/elsewhere/"}.Dial(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no key /elsewhere/namespaces/default") || !strings.Contains(err.Error(), "--etcd-prefix") {
		t.Errorf("error %v", err)
	}
}

// witness is a store that holds what it reads against what etcd itself has.
type witness struct {
	cluster.Store
	etcd cluster.EtcdStore
	t    *testing.T
	seen atomic.Int64 // revisions that both have
}

func (w *witness) Follow(ctx context.Context, room cluster.Room) (cluster.Follower, error) {
	truth, err := w.etcd.Follow(ctx, room)
	if err != nil {
		return nil, err
	}
	follower, err := w.Store.Follow(ctx, room)
	return &witnessed{Follower: follower, truth: truth, witness: w, room: room}, err
}

type witnessed struct {
	cluster.Follower
	truth cluster.Follower
	room  cluster.Room
	*witness
}

func (w *witnessed) Stop() {
	w.Follower.Stop()
	w.truth.Stop()
}

func (w *witnessed) Next(ctx context.Context, kinds []schema.GroupVersionResource, answers []scenarios.Exchange) (cluster.Since, error) {
	since, err := w.Follower.Next(ctx, kinds, answers)
	if err != nil {
		return since, err
	}
	truth, err := w.truth.Next(ctx, kinds, answers)
	if err != nil {
		return since, err
	}
	if since.Head > truth.Head {
		w.t.Errorf("head %d, while etcd's is %d", since.Head, truth.Head)
	}
	own := slices.DeleteFunc(truth.Changes, func(c cluster.Change) bool { return !strings.Contains(c.Key, "/"+w.room.Namespace+"/") })
	if len(own) != len(since.Changes) {
		w.t.Errorf("%d changes, while etcd has %d:\n%s\n%s", len(since.Changes), len(own), brief(since.Changes), brief(own))
		return since, nil
	}
	for i, want := range own {
		got := since.Changes[i]
		if got.Revision != want.Revision || got.Key != want.Key || got.Delete != want.Delete ||
			got.CreateRevision != want.CreateRevision && got.CreateRevision != 0 || got.Version != want.Version && got.Version != 0 {
			w.t.Errorf("%s, while etcd has %s", brief([]cluster.Change{got}), brief([]cluster.Change{want}))
		}
		w.seen.Add(1)
	}
	return since, nil
}

func brief(changes []cluster.Change) string {
	var text strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&text, "%d %s delete=%t create=%d version=%d; ", c.Revision, c.Key, c.Delete, c.CreateRevision, c.Version)
	}
	return text.String()
}

// comesOutElsewhere walks through what a cluster can show of the catalogue, side by side, and
// holds the revisions that the store reads against those of etcd.
func comesOutElsewhere(t *testing.T, store cluster.Store, can ...string) {
	t.Helper()
	etcd, err := controlPlane(t).EtcdClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = etcd.Close() })
	w := &witness{Store: store, etcd: cluster.NewEtcdStore(etcd), t: t}
	c := foreign(t, w, can...)
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var walked atomic.Int64
	t.Run("catalogue", func(t *testing.T) {
		for _, scenario := range all {
			if !slices.Contains(scenario.Labels, "slow") && !scenario.Exclusive() {
				t.Run(scenario.Name, func(t *testing.T) {
					t.Parallel()
					if walkElsewhere(t, c, scenario) {
						walked.Add(1)
					}
				})
			}
		}
	})
	t.Logf("%d scenarios, %d own revisions", walked.Load(), w.seen.Load())
	if walked.Load() == 0 || w.seen.Load() == 0 {
		t.Error("nothing was walked through")
	}
}

// walkElsewhere reports whether a scenario could be shown.
func walkElsewhere(t *testing.T, c scenarios.Cluster, scenario *scenarios.Scenario) bool {
	t.Helper()
	run, err := scenarios.Begin(t.Context(), c, scenario)
	if missing := (*scenarios.MissingError)(nil); errors.As(err, &missing) {
		t.Logf("skipped: %v", err)
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := run.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	for {
		o, err := run.Step(t.Context(), nil)
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			t.Fatal(err)
		}
		if o.Verdict == scenarios.Failed || o.Verdict == scenarios.Skipped && o.Reason == "" {
			t.Errorf("step %d, %s %s: %s %s\n  expected %s\n  got      %s", o.Step, o.Actor, o.Operation, o.Verdict, o.Reason, o.Expected, o.Got)
		}
		for _, r := range o.Revisions {
			if r.Own && r.By == "" {
				t.Logf("step %d, %s %s: it is not known who wrote %s %s at %d", o.Step, o.Actor, o.Operation, r.Op, r.Key, r.Revision)
			}
			if r.Own && r.By == scenarios.ByUnknown {
				t.Errorf("step %d, %s %s: nobody is said to have written %s %s at %d", o.Step, o.Actor, o.Operation, r.Op, r.Key, r.Revision)
			}
		}
	}
}
