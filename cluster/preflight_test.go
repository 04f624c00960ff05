package cluster

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

// preflight is one of two scenarios, one with a Secret, on a cluster where some rights are
// lacking and dryRun answers what is tried.
func preflight(t *testing.T, namespace string, denied []string, dryRun func(http.ResponseWriter, map[string]any)) (*Cluster, Preflight) {
	t.Helper()
	c, p, err := tryPreflight(t, namespace, denied, dryRun)
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

func tryPreflight(t *testing.T, namespace string, denied []string, dryRun func(http.ResponseWriter, map[string]any)) (*Cluster, Preflight, error) {
	t.Helper()
	api := newFakeAPI(t)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		var sent map[string]any
		body := readAgain(r)
		json.Unmarshal([]byte(body), &sent)
		switch {
		case strings.HasSuffix(r.URL.Path, "/selfsubjectreviews"):
			w.Write([]byte(`{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1","status":{"userInfo":{"username":"jane"}}}`))
		case strings.HasSuffix(r.URL.Path, "/selfsubjectaccessreviews"):
			asked := sent["spec"].(map[string]any)["resourceAttributes"].(map[string]any)
			what := asked["verb"].(string) + " " + asked["resource"].(string)
			sent["status"] = map[string]any{"allowed": what != "* *" && !slices.Contains(denied, what)}
			json.NewEncoder(w).Encode(sent)
		case r.URL.Query().Get("dryRun") == "All":
			dryRun(w, sent)
		default:
			t.Errorf("sent %s %s", r.Method, r.URL)
		}
		return true
	}
	c := api.cluster(t, func(c *Config) { c.Namespace, c.Can = namespace, []string{scenarios.CapabilityEtcdRead} })
	all := []*scenarios.Scenario{
		decoded(t, "plain", "setup: [{create: {name: cm1}}]"),
		decoded(t, "secret", "setup: [{create: {kind: Secret, name: s1}}]"),
		decoded(t, "compacts", "needs: [etcd.compact]"),
	}
	p, err := c.Preflight(t.Context(), all)
	return c, p, err
}

func decoded(t *testing.T, name, more string) *scenarios.Scenario {
	t.Helper()
	scenario, err := scenarios.Decode(name+".yaml", []byte("scenario: "+name+"\nchapter: conflicts\ntitle: A test\n"+more+"\nsteps: [{actor: A, get: {name: cm1}}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	return scenario
}

func taken(w http.ResponseWriter, sent map[string]any) {
	w.WriteHeader(http.StatusCreated)
	json.NewEncoder(w).Encode(sent)
}

func TestThePreflightTellsWhatMayBeDone(t *testing.T) {
	c, p := preflight(t, "", []string{"create secrets"}, taken)
	if p.User != "jane" || p.Refused != "" || !slices.Equal(p.Walks, []string{"plain"}) || !slices.Equal(p.Makes, []string{"configmaps"}) {
		t.Errorf("%+v", p)
	}
	if want := []Skip{{"compacts", "needs etcd.compact"}, {"secret", "you may not create secrets"}}; !slices.Equal(p.Skips, want) {
		t.Errorf("skips %+v", p.Skips)
	}
	var missing *scenarios.MissingError
	if _, err := c.Open(t.Context(), "secret"); !errors.As(err, &missing) ||
		err.Error() != "secret: you may not create secrets" {
		t.Errorf("opened: %v", err)
	}
}

func TestWithoutTheRightToMakeNamespacesOneIsToBeGiven(t *testing.T) {
	_, p := preflight(t, "", []string{"create namespaces"}, func(http.ResponseWriter, map[string]any) { t.Error("it was tried") })
	if p.Refused != "you may not create namespaces: name a namespace that is there, with --namespace" {
		t.Errorf("refused: %q", p.Refused)
	}
	if _, p = preflight(t, "team-a", []string{"create namespaces"}, taken); p.Refused != "" {
		t.Errorf("in a given one: %q", p.Refused)
	}
}

func TestWhatAdmissionRefusesOrAddsIsToldBeforeTheFirstWrite(t *testing.T) {
	for namespace, kind := range map[string]string{"": "Namespace", "team-a": "ConfigMap"} {
		_, p := preflight(t, namespace, nil, func(w http.ResponseWriter, sent map[string]any) {
			if sent["kind"] != kind {
				t.Errorf("tried a %s", sent["kind"])
			}
			status(w, http.StatusForbidden, "Forbidden", `admission webhook "no.example.com" denied the request: not on Fridays`)
		})
		if want := "a " + kind + ` would be refused: admission webhook "no.example.com" denied the request: not on Fridays`; p.Refused != want {
			t.Errorf("refused: %q", p.Refused)
		}
	}
	_, p := preflight(t, "team-a", nil, func(w http.ResponseWriter, sent map[string]any) {
		sent["metadata"].(map[string]any)["labels"] = map[string]any{"team": "a"}
		taken(w, sent)
	})
	if want := []string{"admission adds the label team to each ConfigMap, so objects are not quite what a scenario sent"}; !slices.Equal(p.Remarks, want) {
		t.Errorf("remarks: %q", p.Remarks)
	}
}

func TestANamespaceThatIsNotThereIsSaidToBeThat(t *testing.T) {
	_, p := preflight(t, "nonexistent-ns", nil, func(w http.ResponseWriter, _ map[string]any) {
		status(w, http.StatusNotFound, "NotFound", `namespaces \"nonexistent-ns\" not found`)
	})
	if p.Refused != "there is no namespace nonexistent-ns" {
		t.Errorf("refused: %q", p.Refused)
	}
}

func TestAFewRightsAreNamedAndOfManyTheFirst(t *testing.T) {
	for n, want := range map[int]string{
		1: "you may not get a",
		6: "you may not get a, get b, get c, get d, get e, get f",
		8: "you may not get a, get b, get c, get d, get e, 3 more",
	} {
		var rights []Right
		for i := range n {
			rights = append(rights, Right{Resource: string(rune('a' + i)), Verb: "get"})
		}
		if got := notAllowed(rights); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An answer that says nothing of the write is no refusal of it.
func TestADryRunThatCannotBeHadIsNoRefusal(t *testing.T) {
	for code, reason := range map[int]string{http.StatusUnauthorized: "Unauthorized", http.StatusServiceUnavailable: "ServiceUnavailable", http.StatusTooManyRequests: "TooManyRequests"} {
		_, p, err := tryPreflight(t, "", nil, func(w http.ResponseWriter, _ map[string]any) { status(w, code, reason, "not now") })
		if err == nil || err.Error() != "trying the first write: not now" || p.Refused != "" {
			t.Errorf("%d: %v, refused: %q", code, err, p.Refused)
		}
	}
	_, p := preflight(t, "", nil, func(w http.ResponseWriter, _ map[string]any) {
		status(w, http.StatusBadRequest, "BadRequest", `admission webhook "x" does not support dry run`)
	})
	if p.Refused != "" || len(p.Remarks) != 1 || p.Remarks[0] != `whether a Namespace may be made cannot be tried: admission webhook "x" does not support dry run` {
		t.Errorf("refused: %q, remarks: %q", p.Refused, p.Remarks)
	}
}
