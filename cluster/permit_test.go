package cluster

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rvtui/scenarios"
)

// writesTo are the writing requests that reach an apiserver.
func writesTo(api *fakeAPI) *[]string {
	writes := &[]string{}
	var mu sync.Mutex // several may come at once
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			mu.Lock()
			defer mu.Unlock()
			*writes = append(*writes, r.Method+" "+r.URL.Path)
		}
		return false
	}
	return writes
}

func TestAScenarioWritesOnlyToWhatItMade(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	writes := writesTo(api)
	namespace := func(verb scenarios.Verb) scenarios.Call {
		return scenarios.Call{Verb: verb, Kind: "Namespace", Name: "kube-system", Object: map[string]any{"metadata": map[string]any{"name": "kube-system"}}}
	}
	raw := func(method, path string) scenarios.Call {
		return scenarios.Call{Verb: scenarios.VerbRaw, Method: method, Path: path}
	}
	elsewhere := configMap(nil)
	elsewhere["metadata"] = map[string]any{"name": "cm1", "namespace": "kube-system"}
	otherKind := map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "kube-system"}}
	meanwhile := namespace(scenarios.VerbDelete)
	for want, call := range map[string]scenarios.Call{
		"replace of Namespace kube-system":                                 namespace(scenarios.VerbReplace),
		"patch of Namespace kube-system":                                   namespace(scenarios.VerbPatch),
		"delete of Namespace kube-system":                                  namespace(scenarios.VerbDelete),
		"kubectlApply of Namespace kube-system":                            namespace(scenarios.VerbKubectlApply),
		"retryOnConflict of Namespace kube-system":                         namespace(scenarios.VerbRetryOnConflict),
		"delete of Namespace rvtui-test":                                   {Verb: scenarios.VerbDelete, Kind: "Namespace", Name: "rvtui-test"},
		"delete of Namespace kube-system, meanwhile":                       {Verb: scenarios.VerbRetryOnConflict, Name: "cm1", Meanwhile: []scenarios.Call{meanwhile}},
		"delete of Namespace kube-system, together":                        {Verb: scenarios.VerbTogether, Together: []scenarios.Call{{Actor: scenarios.B, Verb: scenarios.VerbGet, Name: "cm1"}, meanwhile}},
		"delete of Namespace kube-system, while it is watched":             {Verb: scenarios.VerbWatch, Meanwhile: []scenarios.Call{meanwhile}},
		"apply of Namespace kube-system":                                   namespace(scenarios.VerbApply),
		"informer of Namespace kube-system":                                namespace(scenarios.VerbInformer),
		"kubectlReplace of Namespace kube-system":                          namespace(scenarios.VerbKubectlReplace),
		"kubectlReplace of ConfigMap kube-system/cm1":                      {Verb: scenarios.VerbKubectlReplace, Name: "cm1", Object: elsewhere},
		"kubectlApply of ConfigMap configmaps/cm1":                         {Verb: scenarios.VerbKubectlApply, Name: "cm1", Object: elsewhere},
		"kubectlApply of Namespace namespaces/kube-system":                 {Verb: scenarios.VerbKubectlApply, APIVersion: "v1", Kind: "ConfigMap", Name: "kube-system", Object: otherKind},
		"POST of /api/v1/namespaces":                                       raw("POST", "/api/v1/namespaces"),
		"PATCH of /api/v1/namespaces/rvtui-test":                           raw("PATCH", "/api/v1/namespaces/rvtui-test"),
		"DELETE of /api/v1/namespaces/default/configmaps/x":                raw("DELETE", "/api/v1/namespaces/default/configmaps/x"),
		"PUT of /api/v1/namespaces/rvtui-test/../default/configmaps/x":     raw("PUT", "/api/v1/namespaces/rvtui-test/../default/configmaps/x"),
		"PUT of /api/v1/namespaces/rvtui-test/%2e%2e/default/configmaps/x": raw("PUT", "/api/v1/namespaces/rvtui-test/%2e%2e/default/configmaps/x"),
		"PUT of /api/v1/namespaces/rvtui-test%2f..%2fdefault/configmaps/x": raw("PUT", "/api/v1/namespaces/rvtui-test%2f..%2fdefault/configmaps/x"),
		"POST of /apis/apps/v1/deployments":                                raw("POST", "/apis/apps/v1/deployments"),
		"post of /readyz":                                                  raw("post", "/readyz"),
	} {
		call.Actor = scenarios.A
		want, _, _ = strings.Cut(want, ", ")
		seen, err := s.Do(t.Context(), call, nil)
		if err == nil || err.Error() != want+": a scenario writes only to what it made" || len(seen.Exchanges) > 0 {
			t.Errorf("%s: error %v, exchanges %+v", want, err, seen.Exchanges)
		}
	}
	if len(*writes) > 0 {
		t.Errorf("sent: %v", *writes)
	}
	for _, call := range []scenarios.Call{
		{Verb: scenarios.VerbGet, Kind: "Namespace", Name: "kube-system"},
		raw("GET", "/api/v1/namespaces/kube-system"), raw("", "/readyz"),
		raw("POST", "/api/v1/namespaces/rvtui-test/configmaps?dryRun=All"), raw("DELETE", "/apis/apps/v1/namespaces/rvtui-test/deployments/x"),
	} {
		call.Actor = scenarios.A
		if call.Method == "POST" {
			call.Body = `{"metadata":{"name":"cm1"}}`
		}
		do(t, s, call)
	}
}

func TestWhatTheSessionMadeIsItsOwnAndGoesWithIt(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	var writes []string
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			return false
		}
		writes = append(writes, r.Method+" "+r.URL.Path)
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusCreated)
		}
		w.Write([]byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"made-x7"}}`))
		return true
	}
	for _, call := range []scenarios.Call{
		{Verb: scenarios.VerbCreate, Kind: "Namespace", Object: map[string]any{"metadata": map[string]any{"generateName": "made-"}}},
		{Verb: scenarios.VerbPatch, Kind: "Namespace", Name: "made-x7", Object: map[string]any{}},
	} {
		call.Actor = scenarios.A
		do(t, s, call)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"POST /api/v1/namespaces", "PATCH /api/v1/namespaces/made-x7", "DELETE /api/v1/namespaces/made-x7", "DELETE /api/v1/namespaces/rvtui-test"}
	if !slices.Equal(writes, want) {
		t.Errorf("sent %v, want %v", writes, want)
	}
}

func TestARecordedSecretIsNotWrittenBack(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	secret := map[string]any{"apiVersion": "v1", "kind": "Secret", "data": map[string]any{"k": "aHVudGVyMg=="}}
	made := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Kind: "Secret", Name: "s9", Object: secret})
	held := copyOf(t, made.Exchanges[0].ResponseBody)
	writes := writesTo(api)
	const why = ": what was read is recorded without its values, so it cannot be written back; patch it instead"
	for want, call := range map[string]scenarios.Call{
		"replace of Secret s9":                            {Verb: scenarios.VerbReplace, Kind: "Secret", Name: "s9", Object: scenarios.Change(held, map[string]any{"data.b": "Yg=="})},
		"create of Secret s10":                            {Verb: scenarios.VerbCreate, Name: "s10", Object: held},
		"kubectlApply of Secret s9":                       {Verb: scenarios.VerbKubectlApply, Object: held},
		"PUT of /api/v1/namespaces/rvtui-test/secrets/s9": {Verb: scenarios.VerbRaw, Method: "PUT", Path: "/api/v1/namespaces/rvtui-test/secrets/s9", Body: string(made.Exchanges[0].ResponseBody)},
		// A token in another object is hidden likewise.
		"replace of ConfigMap cm1": {Verb: scenarios.VerbReplace, Name: "cm1", Object: configMap(map[string]any{"token": hidden})},
	} {
		call.Actor = scenarios.A
		seen, err := s.Do(t.Context(), call, nil)
		if err == nil || err.Error() != want+why || len(seen.Exchanges) > 0 {
			t.Errorf("%s: error %v, exchanges %+v", want, err, seen.Exchanges)
		}
	}
	if len(*writes) > 0 {
		t.Errorf("sent: %v", *writes)
	}
	patched := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbPatch, Kind: "Secret", Name: "s9", PatchType: "merge", Object: map[string]any{"data": map[string]any{"b": "Yg=="}}})
	if patched.Exchanges[0].Status != 200 {
		t.Errorf("the patch: %+v", patched.Exchanges)
	}
	if kept := string(api.etcd.now("/registry/secrets/rvtui-test/s9").Value); !strings.Contains(kept, "aHVudGVyMg==") {
		t.Errorf("stored: %s", kept)
	}
}

// What controllers put into the walk's own namespace is not the walk's.
func TestWhatControllersPutIntoTheNamespaceIsNotWrittenTo(t *testing.T) {
	api := newFakeAPI(t)
	api.etcd.put("/registry/configmaps/rvtui-test/kube-root-ca.crt", []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kube-root-ca.crt"}}`))
	api.etcd.put("/registry/serviceaccounts/rvtui-test/default", []byte(`{"metadata":{"name":"default"}}`))
	s := api.openOn(t, api.cluster(t, func(c *Config) { c.Can = []string{scenarios.CapabilityEtcdRead} }))
	writes := writesTo(api)
	const path = "/api/v1/namespaces/rvtui-test/configmaps"
	ca := map[string]any{"metadata": map[string]any{"name": "kube-root-ca.crt"}, "data": map[string]any{"a": "b"}}
	for what, call := range map[string]scenarios.Call{
		"patch":           {Verb: scenarios.VerbPatch, Name: "kube-root-ca.crt", PatchType: "merge", Object: configMap(nil)},
		"delete":          {Verb: scenarios.VerbDelete, Name: "kube-root-ca.crt"},
		"replace":         {Verb: scenarios.VerbReplace, Object: ca},
		"apply":           {Verb: scenarios.VerbApply, Name: "kube-root-ca.crt", Object: ca},
		"retry":           {Verb: scenarios.VerbRetryOnConflict, Name: "cm1", Set: map[string]any{"metadata.name": "kube-root-ca.crt"}},
		"meanwhile":       {Verb: scenarios.VerbWatch, Within: time.Second, Meanwhile: []scenarios.Call{{Actor: scenarios.B, Verb: scenarios.VerbDelete, Name: "kube-root-ca.crt"}}},
		"raw":             {Verb: scenarios.VerbRaw, Method: "PATCH", Path: path + "/kube-root-ca.crt", Body: "{}"},
		"raw, escaped":    {Verb: scenarios.VerbRaw, Method: "DELETE", Path: path + "/kube%2Droot-ca.crt"},
		"raw POST":        {Verb: scenarios.VerbRaw, Method: "POST", Path: path, Body: `{"metadata":{"name":"kube-root-ca.crt"}}`},
		"raw, collection": {Verb: scenarios.VerbRaw, Method: "DELETE", Path: path},
	} {
		call.Actor = scenarios.A
		seen, err := s.Do(t.Context(), call, nil)
		if err == nil || !strings.HasSuffix(err.Error(), "a scenario writes only to what it made") || len(seen.Exchanges) > 0 {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if len(*writes) > 0 {
		t.Errorf("sent: %v", *writes)
	}
	for _, call := range []scenarios.Call{
		{Verb: scenarios.VerbGet, Name: "kube-root-ca.crt"},
		{Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)},
		{Verb: scenarios.VerbCreate, Kind: "Secret", Name: "kube-root-ca.crt", Object: map[string]any{}},
		{Verb: scenarios.VerbRaw, Method: "DELETE", Path: path + "/cm1"},
	} {
		call.Actor = scenarios.A
		do(t, s, call)
	}
}
