package cluster

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestANameThatNoRequestCanCarrySpoilsNoLaterStep(t *testing.T) {
	s := newFakeAPI(t).open(t)
	for _, name := range []string{".", "..", "a/b", "a%b"} {
		for _, verb := range []scenarios.Verb{scenarios.VerbGet, scenarios.VerbEtcdGet, scenarios.VerbKubectlApply} {
			// Whether it is an error or an answer does not matter here.
			_, _ = s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: verb, Name: name}, nil)
		}
	}
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	if len(seen.Objects) != 1 || seen.Objects[0].Name != "cm1" || !seen.Objects[0].Exists {
		t.Errorf("objects: %+v", seen.Objects)
	}
}

func TestAnObjectThatCannotBeReadSpoilsNoOtherStep(t *testing.T) {
	api := newFakeAPI(t)
	reads, refuse := 0, true
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if !refuse || r.Method != http.MethodGet || r.URL.Path != "/api/v1/namespaces/rvtui-test/configmaps/closed" {
			return false
		}
		if r.Header.Get("User-Agent") == "rvtui" {
			reads++
		}
		status(w, http.StatusForbidden, "Forbidden", "no")
		return true
	}
	s := api.open(t)
	closed := scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "closed"}
	if seen := do(t, s, closed); seen.Exchanges[0].Status != 403 || len(seen.Objects) != 0 {
		t.Errorf("the object's own step: %+v", seen)
	}
	for range 2 {
		seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbPatch, Name: "absent", Object: configMap(nil)})
		if len(seen.Objects) != 1 || seen.Objects[0].Name != "absent" || seen.Objects[0].Exists {
			t.Errorf("another object's step: %+v", seen.Objects)
		}
	}
	if reads != 1 {
		t.Errorf("what cannot be read was read %d times", reads)
	}
	refuse = false
	if seen := do(t, s, closed); len(seen.Objects) != 2 {
		t.Errorf("named again, and readable: %+v", seen.Objects)
	}
}

// What a step wrote is in the watch cache before the next one begins.
func TestAStepEndsWhenTheWatchCacheHasGotToWhatItWrote(t *testing.T) {
	api := newFakeAPI(t)
	var asked []string
	api.instead = func(_ http.ResponseWriter, r *http.Request) bool {
		if rv := r.URL.Query().Get("resourceVersion"); r.Method == http.MethodGet && r.Header.Get("User-Agent") == "rvtui" && strings.HasSuffix(r.URL.Path, "/cm1") && rv != "" {
			asked = append(asked, rv)
		}
		return false
	}
	s := api.open(t)
	made := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1"})
	if want := made.Objects[0].ResourceVersion; !slices.Equal(asked, []string{want}) {
		t.Errorf("the cache was asked for %q, want %s once", asked, want)
	}
}
