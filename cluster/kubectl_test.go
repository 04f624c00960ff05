package cluster

import (
	"fmt"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestKubectlApplyReadsAndPatchesAndAsksNothingElse(t *testing.T) {
	s := newFakeAPI(t).open(t)
	apply := func(owner string) scenarios.Observation {
		return do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbKubectlApply, Name: "cm1", Object: configMap(map[string]any{"owner": owner})})
	}
	for _, test := range []struct{ owner, want string }{
		{"A", "GET 404, GET 200, POST 201"}, // the second GET is of the namespace
		{"B", "GET 200, PATCH 200"},
		{"B", "GET 200"}, // nothing to change
	} {
		seen := apply(test.owner)
		var got []string
		for _, e := range seen.Exchanges {
			got = append(got, fmt.Sprintf("%s %d", e.Method, e.Status))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("owner %s: %v, want %s", test.owner, got, test.want)
		}
		last := seen.Exchanges[len(seen.Exchanges)-1]
		if last.Method != "GET" && !strings.Contains(last.Path, "?fieldManager=kubectl-client-side-apply&fieldValidation=Strict") {
			t.Errorf("path %s", last.Path)
		}
		if last.Method == "PATCH" && (last.RequestHeaders["Content-Type"] != "application/strategic-merge-patch+json" || !strings.Contains(string(last.RequestBody), `"data":{"owner":"B"}`)) {
			t.Errorf("patch %s %s", last.RequestHeaders["Content-Type"], last.RequestBody)
		}
	}
}
