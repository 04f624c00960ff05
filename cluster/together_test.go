package cluster

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestManyGetChangeAndPutAtOnceAndEachIsACallOfItsOwn(t *testing.T) {
	s := newFakeAPI(t).open(t)
	made := do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(map[string]any{"n": "0"})})
	const n = 50
	storm := scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbTogether}
	for i := range n {
		storm.Together = append(storm.Together, scenarios.Call{
			Actor: []scenarios.Actor{scenarios.A, scenarios.B}[i%2], Verb: scenarios.VerbRetryOnConflict, Name: "cm1", Backoff: "none", Set: map[string]any{"data.n": "1"},
		})
	}
	seen := do(t, s, storm)
	started := func(a, b scenarios.Exchange) int { return int(a.StartedMs*1e6) - int(b.StartedMs*1e6) }
	if len(seen.Exchanges) != 2*n || !slices.IsSortedFunc(seen.Exchanges, started) {
		t.Errorf("%d exchanges, or not in the order of their start", len(seen.Exchanges))
	}
	calls := map[int]bool{}
	written := 0
	for _, e := range seen.Exchanges {
		calls[e.Call] = true
		if e.Attempt != 1 {
			t.Errorf("nothing was repeated: %+v", e)
		}
		if e.Method == http.MethodPut && e.Status == http.StatusOK {
			written++
		}
	}
	if len(calls) != 2*n {
		t.Errorf("%d calls, want %d", len(calls), 2*n)
	}
	// Some may have read after the first had written, so more than one may be written.
	if written == 0 || int64(written) != seen.Etcd.Head-made.Etcd.Head || written != len(seen.Revisions) || len(seen.Client) != 3*n {
		t.Errorf("%d written, revisions %+v, %d client calls", written, seen.Revisions, len(seen.Client))
	}
}

func TestTheFirstRequestsOfAllLeaveTogether(t *testing.T) {
	api := newFakeAPI(t)
	arrived := newGate(3)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/cm1") && strings.HasPrefix(r.Header.Get("User-Agent"), "rvtui-") {
			_ = arrived.pass(r.Context()) // none is answered before all are there
		}
		return false
	}
	s := api.open(t)
	get := func(actor scenarios.Actor) scenarios.Call {
		return scenarios.Call{Actor: actor, Verb: scenarios.VerbGet, Name: "cm1"}
	}
	nothing := scenarios.Call{Actor: scenarios.Observer, Verb: scenarios.VerbEtcdGet, Name: "cm2"} // which sends no request
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbTogether, Together: []scenarios.Call{get("A"), get("A"), nothing, get("B")}})
	if len(seen.Exchanges) != 3 || seen.Exchanges[0].Status != 404 || len(seen.RPCs) != 1 {
		t.Errorf("exchanges %+v, RPCs %+v", seen.Exchanges, seen.RPCs)
	}
}

func TestARawCallAmongOthersIsRecordedAsOneOfItsOwn(t *testing.T) {
	s := newFakeAPI(t).open(t)
	watch := scenarios.Call{Actor: scenarios.B, Verb: scenarios.VerbRaw, Method: "GET", Path: "/api/v1/namespaces/rvtui-test/configmaps?watch=true&resourceVersion=1", Headers: map[string]string{"X-Seen": "yes"}}
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbTogether, Together: []scenarios.Call{watch}})
	if e := seen.Exchanges[0]; e.RequestHeaders["X-Seen"] != "yes" || !strings.Contains(string(e.ResponseBody), "too old") {
		t.Errorf("%+v", e)
	}
}

func TestACallOfManyThatCannotBeMadeIsAnError(t *testing.T) {
	s := newFakeAPI(t).open(t)
	seen, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbTogether, Together: []scenarios.Call{
		{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1"},
		{Actor: scenarios.B, Verb: scenarios.VerbGet, Kind: "Nonsense", Name: "cm1"},
	}}, nil)
	if err == nil || !strings.Contains(err.Error(), "Nonsense") || len(seen.Exchanges) != 1 {
		t.Errorf("error %v, exchanges %+v", err, seen.Exchanges)
	}
}

func TestRepeatedAttemptsStayWithTheirOwnCall(t *testing.T) {
	r := newRecording(t.Context(), nil)
	first, second := &scope{}, &scope{}
	get := func(in *scope, status int, after string) {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(status)
		})
		request, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/x", nil)
		response, err := r.through(in, scenarios.A)(http.DefaultTransport).RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	get(first, 504, "1")
	get(second, 504, "1")
	get(first, 200, "")
	get(second, 200, "")
	var got [][2]int
	for _, e := range r.finish().Exchanges {
		got = append(got, [2]int{e.Call, e.Attempt})
	}
	if want := [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAGateLetsNobodyWaitForEver(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newGate(2).pass(ctx); err == nil {
		t.Error("a gate that waits for another opened")
	}
	start, write := newGate(2), newGate(2)
	gone, here := &scope{first: start, write: write}, &scope{first: start, write: write}
	gone.end()
	gone.end() // arrives once
	request, _ := http.NewRequest(http.MethodPut, "http://fake.example", nil)
	for range 2 {
		if err := here.wait(t.Context(), request); err != nil {
			t.Error(err)
		}
	}
}
