package cluster

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

// On a cluster with controllers they empty the namespace; a finalizer that the walk put on is
// nobody's but the walk's.
func TestWithControllersOnlyFinalizersAndTheNamespaceAreTheWalksToRemove(t *testing.T) {
	api := newFakeAPI(t)
	var writes []string
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet {
			writes = append(writes, r.Method+" "+r.URL.Path)
		}
		name, filling := strings.CutPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name=")
		if !filling {
			return false
		}
		// A controller makes it as soon as somebody waits for it.
		parts := strings.Split(r.URL.Path, "/")
		object := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `"}}`
		api.etcd.put("/registry/"+parts[5]+"/rvtui-test/"+name, []byte(object))
		io.WriteString(w, `{"type":"ADDED","object":`+object+`}`)
		return true
	}
	s := api.openOn(t, api.cluster(t, func(c *Config) {
		c.Can = slices.DeleteFunc(c.Can, func(c string) bool { return c == scenarios.CapabilityNoControllers })
	}))
	if found := s.Found(); !slices.Equal(found, []string{"default", "kube-root-ca.crt"}) {
		t.Errorf("found %v", found)
	}
	held := configMap(nil)
	held["metadata"] = map[string]any{"finalizers": []any{"rvtui.dev/a"}}
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: held})
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm2", Object: configMap(nil)})
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"POST /api/v1/namespaces", "POST /api/v1/namespaces/rvtui-test/configmaps", "POST /api/v1/namespaces/rvtui-test/configmaps",
		"PATCH /api/v1/namespaces/rvtui-test/configmaps/cm1", "DELETE /api/v1/namespaces/rvtui-test",
	}
	if !slices.Equal(writes, want) {
		t.Errorf("sent %q, want %q", writes, want)
	}
}

func TestTheNamespaceSaysWhoseItIsAndGoesByItsUID(t *testing.T) {
	api := newFakeAPI(t)
	var made, deleted string
	api.instead = func(_ http.ResponseWriter, r *http.Request) bool {
		body := readAgain(r)
		switch {
		case r.Method == http.MethodPost && r.URL.Path == "/api/v1/namespaces":
			made = body
		case r.Method == http.MethodDelete:
			deleted = body
		}
		return false
	}
	s := api.open(t)
	for _, want := range []string{`"app.kubernetes.io/managed-by":"rvtui"`, `"rvtui.dev/run":"` + s.cluster.run + `"`, `"rvtui.dev/scenario":"a-test"`, `"rvtui.dev/expires":"2`} {
		if !strings.Contains(made, want) {
			t.Errorf("made %s, want %s in it", made, want)
		}
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(deleted, `"preconditions":{"uid":"uid-of-the-namespace"}`) {
		t.Errorf("deleted with %s", deleted)
	}
}

func TestWhatCannotBeRemovedIsTold(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		status(w, http.StatusForbidden, "Forbidden", "not today")
		return true
	}
	err := s.Close(t.Context())
	var left *LeftError
	if !errors.As(err, &left) || left.Namespace != "rvtui-test" || err.Error() != "namespace rvtui-test is left on the cluster; `rvtui clean` removes it: not today" {
		t.Errorf("error %v", err)
	}
	if !errors.Is(s.cluster.Left(), left) {
		t.Errorf("left: %v", s.cluster.Left())
	}
}

// What happened to a creation without an answer is found out, so that no namespace stays
// behind that nobody knows of.
func TestANamespaceThatWasMadeWithoutAnAnswerGoes(t *testing.T) {
	for name, run := range map[string]string{"its own": "", "another's": "someone"} {
		api := newFakeAPI(t)
		c := api.cluster(t, nothingElse)
		if run == "" {
			run = c.run
		}
		var writes []string
		api.instead = func(w http.ResponseWriter, r *http.Request) bool {
			switch {
			case r.Method == http.MethodPost:
				panic(http.ErrAbortHandler)
			case r.Method == http.MethodDelete:
				writes = append(writes, r.URL.Path+" "+readAgain(r))
			case r.URL.Path == "/api/v1/namespaces/rvtui-test":
				w.Write([]byte(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"rvtui-test","uid":"u1","labels":{"app.kubernetes.io/managed-by":"rvtui","rvtui.dev/run":"` + run + `"}}}`))
				return true
			}
			return false
		}
		if _, err := c.Open(t.Context(), "a-test"); err == nil {
			t.Errorf("%s: no error", name)
		}
		if mine := run == c.run; mine != (len(writes) == 1) || mine && !strings.Contains(writes[0], `"uid":"u1"`) {
			t.Errorf("%s: sent %q", name, writes)
		}
	}
}
