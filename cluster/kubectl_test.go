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
	for _, test := range []struct{ owner, want, said string }{
		{"A", "GET 404, GET 200, POST 201", "configmap/cm1 created"}, // the second GET is of the namespace
		{"B", "GET 200, PATCH 200", "configmap/cm1 configured"},
		{"B", "GET 200", "configmap/cm1 unchanged"}, // nothing to change
	} {
		seen := apply(test.owner)
		var got []string
		for _, e := range seen.Exchanges {
			got = append(got, fmt.Sprintf("%s %d", e.Method, e.Status))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("owner %s: %v, want %s", test.owner, got, test.want)
		}
		if got := seen.Client; len(got) != 1 || got[0].Call != "kubectl apply" || got[0].Error != "" || !strings.HasSuffix(got[0].Output, test.said) {
			t.Errorf("owner %s: kubectl said %+v", test.owner, got)
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

func TestKubectlReplaceReadsTheResourceVersionThatTheManifestLacks(t *testing.T) {
	s := newFakeAPI(t).open(t)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	manifest := func(version string) map[string]any {
		metadata := map[string]any{"name": "cm1"}
		if version != "" {
			metadata["resourceVersion"] = version
		}
		return map[string]any{"data": map[string]any{"owner": "B"}, "metadata": metadata}
	}
	for _, test := range []struct{ version, want, said, err string }{
		{"", "GET 200, PUT 200", "configmap/cm1 replaced", ""},
		{"1", "PUT 409", "", `error when replacing "manifest.json": the object has been modified`},
	} {
		seen := do(t, s, scenarios.Call{Actor: scenarios.B, Verb: scenarios.VerbKubectlReplace, Name: "cm1", Object: manifest(test.version)})
		var got []string
		for _, e := range seen.Exchanges {
			got = append(got, fmt.Sprintf("%s %d", e.Method, e.Status))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%v, want %s", got, test.want)
		}
		last := seen.Exchanges[len(seen.Exchanges)-1]
		if !strings.HasSuffix(last.Path, "?fieldManager=kubectl-replace&fieldValidation=Strict") {
			t.Errorf("path %s", last.Path)
		}
		if c := seen.Client[0]; c.Call != "kubectl replace" || c.Output != test.said || c.Error != test.err || c.IsConflict != (test.err != "") {
			t.Errorf("kubectl said %+v", c)
		}
	}
}
