package cluster

import (
	"context"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestWhatASecretHoldsIsCopiedNowhere(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	writes := writesTo(api)
	before := len(*writes)
	operations := []any{map[string]any{"op": "copy", "from": "/data/a", "path": "/metadata/annotations/b"}}
	for name, call := range map[string]scenarios.Call{
		"patch": {Actor: scenarios.A, Verb: scenarios.VerbPatch, Kind: "Secret", APIVersion: "v1", Name: "s1", PatchType: "json", JSONPatch: operations},
		"raw": {Actor: scenarios.A, Verb: scenarios.VerbRaw, Method: "PATCH", Path: "/api/v1/namespaces/rvtui-test/secrets/s1",
			Body: `[{"op":"move","from":"/data/a","path":"/metadata/labels/b"}]`},
	} {
		if _, err := s.Do(context.Background(), call, nil); err == nil || !strings.Contains(err.Error(), "is not copied") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := len(*writes); after != before {
		t.Errorf("%d requests were sent", after-before)
	}
}
