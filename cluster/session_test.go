package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
)

func configMap(data map[string]any) map[string]any { return map[string]any{"data": data} }

// copyOf is what a writer holds: an answered object, as it came.
func copyOf(t *testing.T, body json.RawMessage) map[string]any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestTheSecondWriterIsRefusedAndWritesNothing(t *testing.T) {
	s := newFakeAPI(t).open(t)
	setup := do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(map[string]any{"owner": "nobody"})})
	if len(setup.Revisions) != 1 || setup.Revisions[0].By != scenarios.BySetup || !setup.Revisions[0].Own || setup.Revisions[0].Version != 1 {
		t.Fatalf("revisions of the setup: %+v", setup.Revisions)
	}
	read := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1"})
	if len(read.Revisions) != 0 || read.Etcd != setup.Etcd {
		t.Errorf("a GET changed the store: %+v", read)
	}
	held := copyOf(t, read.Exchanges[0].ResponseBody)

	first := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbReplace, Name: "cm1", Object: scenarios.Change(held, map[string]any{"data.owner": "A"})})
	if first.Exchanges[0].Status != 200 || len(first.Revisions) != 1 {
		t.Fatalf("A's PUT: %+v", first)
	}
	revision := first.Revisions[0]
	if revision.By != "A" || *revision.Exchange != 0 || revision.Version != 2 || !strings.Contains(string(revision.Value), `"owner":"A"`) {
		t.Errorf("A's revision: %+v", revision)
	}
	second := do(t, s, scenarios.Call{Actor: scenarios.B, Verb: scenarios.VerbReplace, Name: "cm1", Object: scenarios.Change(held, map[string]any{"data.owner": "B"})})
	exchange := second.Exchanges[0]
	if exchange.Status != 409 || exchange.Actor != scenarios.B || exchange.RequestHeaders["User-Agent"] != "rvtui-B" || !strings.HasSuffix(exchange.Path, "?fieldManager=rvtui-B") {
		t.Errorf("B's PUT: %+v", exchange)
	}
	if len(second.Revisions) != 0 || second.Etcd.Head != first.Etcd.Head {
		t.Errorf("the refused PUT wrote: %+v", second.Revisions)
	}
	object := second.Objects[0]
	if object.ModRevision != revision.Revision || object.KeyVersion != 2 || scenarios.ParseRevision(object.ResourceVersion) != revision.Revision || object.Key != "/registry/configmaps/rvtui-test/cm1" {
		t.Errorf("the object after B's PUT: %+v", object)
	}
}

func TestARevisionOfSomeoneElseIsNobodysStep(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	api.etcd.put("/registry/leases/kube-system/other", []byte(`{"kind":"Lease"}`))
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	if len(seen.Revisions) != 2 {
		t.Fatalf("revisions: %+v", seen.Revisions)
	}
	other, own := seen.Revisions[0], seen.Revisions[1]
	if other.By != scenarios.ByUnknown || other.Own || other.Value != nil || other.Name != "" || other.Exchange != nil {
		t.Errorf("the other's revision: %+v", other)
	}
	if own.By != "A" || own.Revision != other.Revision+1 {
		t.Errorf("A's revision: %+v", own)
	}
}

func TestADeletedObjectNoLongerExists(t *testing.T) {
	s := newFakeAPI(t).open(t)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	seen := do(t, s, scenarios.Call{Actor: scenarios.B, Verb: scenarios.VerbDelete, Name: "cm1"})
	if len(seen.Revisions) != 1 || seen.Revisions[0].Op != "DELETE" || seen.Revisions[0].By != "B" || seen.Revisions[0].ModRevision != seen.Etcd.Head {
		t.Errorf("revisions: %+v", seen.Revisions)
	}
	if len(seen.Objects) != 1 || seen.Objects[0].Exists || seen.Objects[0].ResourceVersion != "" {
		t.Errorf("objects: %+v", seen.Objects)
	}
}

func TestASecretsContentIsNowhereInAnObservation(t *testing.T) {
	s := newFakeAPI(t).open(t)
	const content = "c2VjcmV0LXZhbHVl"
	secret := map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s1", "annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": `{"data":{"k":"` + content + `"}}`}}, "data": map[string]any{"k": content}}
	for _, call := range []scenarios.Call{
		{Verb: scenarios.VerbCreate, Kind: "Secret", Name: "s1", Object: secret},
		{Verb: scenarios.VerbGet, Kind: "Secret", Name: "s1"},
		{Verb: scenarios.VerbPatch, Kind: "Secret", Name: "s1", PatchType: "merge", Object: map[string]any{"stringData": map[string]any{"k": content}}},
		{Verb: scenarios.VerbRaw, Method: "GET", Path: "/api/v1/namespaces/rvtui-test/secrets/s1"},
	} {
		call.Actor = scenarios.A
		seen := do(t, s, call)
		encoded, _ := json.Marshal(seen)
		if strings.Contains(string(encoded), content) || !strings.Contains(string(encoded), hidden) {
			t.Errorf("%s: %s", call.Verb, encoded)
		}
		if seen.Exchanges[0].Status >= 300 || len(seen.Objects) != 1 || !seen.Objects[0].Exists {
			t.Errorf("%s was not done: %+v", call.Verb, seen)
		}
	}
}

func TestARawCallSendsItsOwnHeadersAndRecordsNoCredential(t *testing.T) {
	api := newFakeAPI(t)
	var sent http.Header
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != "PUT" {
			return false
		}
		sent = r.Header
		http.Error(w, "the answer is no JSON; token "+token, http.StatusServiceUnavailable)
		return true
	}
	s := api.open(t)
	seen := do(t, s, scenarios.Call{
		Actor: scenarios.B, Verb: scenarios.VerbRaw, Method: "PUT", Path: "/api/v1/namespaces/rvtui-test/configmaps/cm1?dryRun=All",
		Headers: map[string]string{"If-Match": `"1"`, "X-Seen": "yes", "X-Api-Key": "my-key", "Cookie": "a=my-cookie"},
		Body:    `{"metadata":{"name":"cm1"}}`,
	})
	if sent.Get("X-Api-Key") != "my-key" || sent.Get("If-Match") != `"1"` {
		t.Errorf("sent: %v", sent)
	}
	exchange := seen.Exchanges[0]
	if len(seen.Exchanges) != 1 || exchange.Status != 503 || exchange.RequestHeaders["If-Match"] != `"1"` || exchange.RequestHeaders["X-Seen"] != "yes" {
		t.Errorf("exchange: %+v", exchange)
	}
	encoded, _ := json.Marshal(exchange)
	for _, credential := range []string{"my-key", "my-cookie", "Authorization"} {
		if strings.Contains(string(encoded), credential) {
			t.Errorf("%q is in %s", credential, encoded)
		}
	}
	if want := `"the answer is no JSON; token (hidden)\n"`; string(exchange.ResponseBody) != want {
		t.Errorf("body: %s, want %s", exchange.ResponseBody, want)
	}
}

func TestARawCallGoesNowhereButToTheAPIServer(t *testing.T) {
	s := newFakeAPI(t).open(t)
	for _, path := range []string{"http://elsewhere.example/", ".elsewhere.example/", "@elsewhere.example/"} {
		if _, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbRaw, Method: "GET", Path: path}, nil); err == nil {
			t.Errorf("%q was sent", path)
		}
	}
}

func TestARefusedReadIsRepeatedAsOneCall(t *testing.T) {
	api := newFakeAPI(t)
	asked := 0
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("User-Agent") != "rvtui-A" {
			return false
		}
		if asked++; asked < 3 {
			w.Header().Set("Retry-After", "0")
			status(w, http.StatusGatewayTimeout, "Timeout", "Too large resource version")
			return true
		}
		return false
	}
	s := api.open(t)
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1", ResourceVersion: "1000"})
	if len(seen.Exchanges) != 3 {
		t.Fatalf("exchanges: %+v", seen.Exchanges)
	}
	for i, want := range []int{504, 504, 404} {
		exchange := seen.Exchanges[i]
		if exchange.Status != want || exchange.Call != 1 || exchange.Attempt != i+1 || !strings.HasSuffix(exchange.Path, "?resourceVersion=1000") {
			t.Errorf("attempt %d: %+v", i+1, exchange)
		}
	}
}

func TestACancelledStepReturnsWhatWasSeen(t *testing.T) {
	api := newFakeAPI(t)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("User-Agent") != "rvtui-A" {
			return false
		}
		<-r.Context().Done()
		return true
	}
	s := api.open(t)
	for _, verb := range []scenarios.Verb{scenarios.VerbGet, scenarios.VerbRaw, scenarios.VerbRetryOnConflict, scenarios.VerbKubectlApply, scenarios.VerbKubectlReplace, scenarios.VerbWatch, scenarios.VerbInformer, scenarios.VerbTogether} {
		ctx, cancel := context.WithCancel(t.Context())
		call := scenarios.Call{Actor: scenarios.A, Verb: verb, Name: "cm1", Method: "GET", Path: "/api/v1/namespaces/rvtui-test/configmaps/cm1"}
		if verb == scenarios.VerbTogether {
			call.Together = []scenarios.Call{{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1"}}
		}
		seen, err := s.Do(ctx, call, func(so scenarios.Partial) {
			if so.Exchanges[0].InFlight {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", verb, err)
		}
		if len(seen.Exchanges) != 1 || seen.Exchanges[0].Error != context.Canceled.Error() || seen.Exchanges[0].InFlight || seen.Exchanges[0].Status != 0 {
			t.Errorf("%s: %+v", verb, seen.Exchanges)
		}
	}
}

func TestAnUnreachableAPIServerIsAnError(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	api.Close()
	seen, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbReplace, Name: "cm1", Object: configMap(nil)}, nil)
	if err == nil || len(seen.Exchanges) != 1 || seen.Exchanges[0].Error == "" {
		t.Errorf("error %v, exchanges %+v", err, seen.Exchanges)
	}
}

func TestEtcdIsReadAndCompacted(t *testing.T) {
	s := newFakeAPI(t).open(t)
	made := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	written := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbReplace, Name: "cm1", Object: configMap(nil)})
	read := do(t, s, scenarios.Call{Actor: scenarios.Observer, Verb: scenarios.VerbEtcdGet, Name: "cm1"})
	if rpc := read.RPCs[0]; len(read.Exchanges) != 0 || rpc.Method != "Range" || rpc.ModRevision != written.Etcd.Head || rpc.Exchange != nil || rpc.Actor != scenarios.Observer {
		t.Errorf("read: %+v", read)
	}
	if made.Etcd.Compacted != 0 {
		t.Errorf("compacted before it was: %+v", made.Etcd)
	}
	compacted := do(t, s, scenarios.Call{Actor: scenarios.Admin, Verb: scenarios.VerbEtcdCompact, Revision: written.Etcd.Head})
	if compacted.RPCs[0].Method != "Compact" || compacted.RPCs[0].Error != "" || compacted.Etcd.Compacted != written.Etcd.Head {
		t.Errorf("compacted: %+v", compacted)
	}
	for _, verb := range []scenarios.Verb{scenarios.VerbEtcdGet, scenarios.VerbEtcdCompact} {
		future := do(t, s, scenarios.Call{Actor: scenarios.Admin, Verb: verb, Name: "cm1", Revision: written.Etcd.Head + 1000})
		if len(future.RPCs) != 1 || !strings.Contains(future.RPCs[0].Error, "future revision") || future.Etcd != compacted.Etcd {
			t.Errorf("%s of a future revision: %+v", verb, future)
		}
	}
	again := do(t, s, scenarios.Call{Actor: scenarios.Observer, Verb: scenarios.VerbEtcdGet, Name: "cm1", Revision: made.Etcd.Head})
	if !strings.Contains(again.RPCs[0].Error, "compacted") {
		t.Errorf("read of a compacted revision: %+v", again.RPCs)
	}
}

func TestCloseDeletesTheNamespaceOnce(t *testing.T) {
	api := newFakeAPI(t)
	var deleted []string
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "DELETE" {
			deleted = append(deleted, r.URL.Path)
			status(w, http.StatusOK, "", "")
			return true
		}
		return false
	}
	s := api.open(t)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	for range 2 {
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := "/api/v1/namespaces/rvtui-test/configmaps /api/v1/namespaces/rvtui-test"
	if strings.Join(deleted, " ") != want {
		t.Errorf("deleted %v, want %s", deleted, want)
	}
}

// An apiserver may say again and again when to try again; a step has an end all the same.
func TestAStepThatIsPutOffForEverEnds(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	s.cluster.stepTimeout = time.Second / 4
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			w.Header().Set("Retry-After", "3600")
			status(w, http.StatusTooManyRequests, "TooManyRequests", "later")
		}
		return r.Method == http.MethodPost
	}
	seen, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: map[string]any{"metadata": map[string]any{"name": "cm1"}}}, nil)
	if err == nil || err.Error() != "doing create: it has come to no end within 250ms" || t.Context().Err() != nil {
		t.Errorf("error %v", err)
	}
	if len(seen.Exchanges) != 1 || seen.Exchanges[0].Status != http.StatusTooManyRequests || seen.Exchanges[0].ResponseHeaders["Retry-After"] != "3600" {
		t.Errorf("the refusal is not told: %+v", seen.Exchanges)
	}
}
