package cluster

import (
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestAnInformersObjectIsStaleAndOnlyAPutNotices(t *testing.T) {
	for patchType, want := range map[string]string{"": "B Patch, A Update conflict", "merge": "B Patch, A Patch"} {
		s := newFakeAPI(t).open(t)
		do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(map[string]any{"k": "0"})})
		call := scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbInformer, Name: "cm1", PatchType: patchType, Set: map[string]any{"data.k": "mine"}}
		call.Meanwhile = []scenarios.Call{patch(scenarios.B, "1")}
		seen := do(t, s, call)
		if got := calledOf(seen); got != want {
			t.Errorf("client calls: %s, want %s", got, want)
		}
		if written := strings.Contains(string(seen.Objects[0].Object), "mine"); written != (patchType == "merge") {
			t.Errorf("the object: %s", seen.Objects[0].Object)
		}
		if first, last := seen.Exchanges[0], seen.Exchanges[len(seen.Exchanges)-1]; !strings.Contains(first.Path, "watch=true") || last.Method == "GET" || last.Actor != "A" {
			t.Errorf("exchanges: %+v", seen.Exchanges)
		}
	}
}

func TestAnInformerWithoutTheObjectIsAnError(t *testing.T) {
	s := newFakeAPI(t).open(t)
	_, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbInformer, Name: "cm1"}, nil)
	if err == nil || !strings.Contains(err.Error(), "cm1 is not in the informer's cache") {
		t.Errorf("error %v", err)
	}
}
