package embedded

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"rvtui/scenarios"
)

// TestNoRefusalOfTheAPIServerTellsWhatASecretHolds has the kube-apiserver quote a stored
// Secret, which it does where a patch makes of it what is none.
func TestNoRefusalOfTheAPIServerTellsWhatASecretHolds(t *testing.T) {
	session, err := onInside(t).Open(t.Context(), "secrets")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(context.Background()) })
	const value, encoded, sent = "hunter2-hunter2", "aHVudGVyMi1odW50ZXIy", "correct horse battery"
	path := "/api/v1/namespaces/" + session.Namespace() + "/secrets"
	merge := map[string]string{"Content-Type": "application/merge-patch+json"}
	apply := map[string]string{"Content-Type": "application/apply-patch+yaml"}
	secret := func(field, value string) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s1"}, field: map[string]any{"p1": encoded, "p2": value}}
	}
	for _, test := range []struct {
		want int
		call scenarios.Call
	}{
		{201, scenarios.Call{Verb: scenarios.VerbCreate, Kind: "Secret", Name: "s1", Object: map[string]any{"data": map[string]any{"p1": encoded}}}},
		{422, scenarios.Call{Verb: scenarios.VerbPatch, Kind: "Secret", Name: "s1", PatchType: "merge", Object: map[string]any{"data": map[string]any{"p2": "!!!" + sent}}}},
		{422, scenarios.Call{Verb: scenarios.VerbPatch, Kind: "Secret", Name: "s1", PatchType: "merge", Object: map[string]any{"stringData": sent}}},
		{422, scenarios.Call{Verb: scenarios.VerbPatch, Kind: "Secret", Name: "s1", PatchType: "json", JSONPatch: []any{map[string]any{"op": "add", "path": "/data/p2", "value": "!!!" + sent}}}},
		{422, scenarios.Call{Verb: scenarios.VerbPatch, Kind: "Secret", Name: "s1", PatchType: "strategic", Object: map[string]any{"data": map[string]any{"p2": "!!!" + sent}}}},
		{422, scenarios.Call{Verb: scenarios.VerbRaw, Method: "PATCH", Path: path + "/s1", Headers: merge, Body: `{"data":{"p2":{"a":"` + sent + `"}}}`}},
		{400, scenarios.Call{Verb: scenarios.VerbRaw, Method: "PATCH", Path: path + "/s1", Headers: merge, Body: `{"data":"` + sent}},
		{500, scenarios.Call{Verb: scenarios.VerbRaw, Method: "PATCH", Path: path + "/s1?fieldManager=x", Headers: apply, Body: `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s1"},"stringData":{"p2":["` + sent + `"]}}`}},
		{400, scenarios.Call{Verb: scenarios.VerbRaw, Method: "POST", Path: path, Body: `{"data":"` + sent + `"}`}},
		{400, scenarios.Call{Verb: scenarios.VerbRaw, Method: "POST", Path: strings.TrimSuffix(path, "secrets") + "configmaps", Body: `{"apiVersion":"v1","kind":"Secret","data":{"p":"` + sent + `"}}`}},
		{422, scenarios.Call{Verb: scenarios.VerbKubectlApply, Object: secret("data", "!!!"+sent)}},
		{400, scenarios.Call{Verb: scenarios.VerbCreate, Name: "s2", Object: secret("data", "!!!"+sent)}},
	} {
		test.call.Actor = scenarios.A
		seen, err := session.Do(t.Context(), test.call, nil)
		if err != nil {
			t.Fatal(err)
		}
		last := seen.Exchanges[len(seen.Exchanges)-1]
		if last.Status != test.want {
			t.Errorf("%s is answered %d, want %d", test.call.Verb, last.Status, test.want)
		}
		whole, err := json.Marshal(seen)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{value, encoded, sent} {
			if strings.Contains(string(whole), text) {
				t.Errorf("%s: %q is in %s", test.call.Verb, text, whole)
			}
		}
	}
}

func TestAFutureRevisionIsEtcdsAnswer(t *testing.T) {
	session, err := onCluster(t).Open(t.Context(), "future")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(context.Background()) })
	for _, verb := range []scenarios.Verb{scenarios.VerbEtcdGet, scenarios.VerbEtcdCompact} {
		seen, err := session.Do(t.Context(), scenarios.Call{Actor: scenarios.Admin, Verb: verb, Name: "cm1", Revision: 1 << 40}, nil)
		if err != nil || len(seen.RPCs) != 1 || !strings.Contains(seen.RPCs[0].Error, "future revision") {
			t.Errorf("%s: %+v, %v", verb, seen.RPCs, err)
		}
	}
}
