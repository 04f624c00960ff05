package cluster

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rvtui/cluster/journal"
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
	s := api.openOn(t, api.cluster(t, func(c *Config) { c.Clean = "rvtui clean --context x" }))
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		status(w, http.StatusForbidden, "Forbidden", "not today")
		return true
	}
	err := s.Close(t.Context())
	var left *scenarios.LeftError
	if !errors.As(err, &left) || left.Namespace != "rvtui-test" || err.Error() != "namespace rvtui-test is left on the cluster; `rvtui clean --context x` removes it: not today" {
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

// An apiserver that is being restarted comes back: what it does not do now it does then.
func TestTheCleanUpInsistsWhereTheApiserverIsAwayForAMoment(t *testing.T) {
	for name, away := range map[string]func(http.ResponseWriter){
		"503": func(w http.ResponseWriter) {
			status(w, http.StatusServiceUnavailable, "ServiceUnavailable", "leader changed")
		},
		"cut": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI(t)
			s := api.open(t)
			asked := 0
			api.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodDelete {
					return false
				}
				if asked++; asked <= 2 {
					away(w)
				}
				return asked <= 2
			}
			if err := s.Close(t.Context()); err != nil || asked < 3 {
				t.Errorf("asked %d times: %v", asked, err)
			}
		})
	}
}

// Who is killed between the request and the answer must have noted the name, and which cluster
// it is on.
func TestANamespaceIsNotedBeforeItIsMade(t *testing.T) {
	for name, refused := range map[string]bool{"made": false, "refused": true} {
		api := newFakeAPI(t)
		directory := t.TempDir()
		noted, err := journal.Open(directory, api.URL)
		if err != nil {
			t.Fatal(err)
		}
		var before string
		api.instead = func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost {
				return false
			}
			for _, content := range contents(t, directory) {
				before = content
			}
			if refused {
				status(w, http.StatusForbidden, "Forbidden", "a quota")
			}
			return refused
		}
		_, err = api.cluster(t, func(c *Config) { c.Journal = noted }).Open(t.Context(), "a-test")
		if (err != nil) != refused {
			t.Fatalf("%s: %v", name, err)
		}
		for _, want := range []string{`"planned":{"version":"v1","resource":"namespaces","kind":"Namespace","name":"rvtui-test"}`, `"cluster":{"namespace":"kube-system","uid":"uid-of-the-namespace"}`} {
			if !strings.Contains(before, want) {
				t.Errorf("%s: noted before:\n%s", name, before)
			}
		}
		if err := noted.Close(); err != nil {
			t.Fatal(err)
		}
		records, err := journal.Read(directory)
		if err != nil || refused && len(records) > 0 || !refused && (len(records) != 1 || len(records[0].Left) != 1 || records[0].Left[0].UID != "uid-of-the-namespace") {
			t.Errorf("%s: afterwards %+v, %v", name, records, err)
		}
	}
}

func TestANamespaceThatSomebodyMadeUnderTheWalksNameIsNotTouched(t *testing.T) {
	for name, test := range map[string]struct {
		code int
		uid  string
		want []string // that is sent at the end
		says string
	}{
		"the walk's":   {200, "uid-of-the-namespace", []string{"DELETE configmaps", "PATCH configmaps/cm1 uid-2", "DELETE "}, ""},
		"another":      {200, "another", []string{"DELETE "}, "namespace rvtui-test is another one than the walk's, made under its name by somebody: nothing in it was touched: its UID is another one"},
		"none":         {404, "", []string{"DELETE "}, ""},
		"nobody knows": {403, "", []string{"DELETE configmaps/cm1 uid-2", "PATCH configmaps/cm1 uid-2", "DELETE "}, ""},
	} {
		api := newFakeAPI(t)
		s := api.open(t)
		held := configMap(nil)
		held["metadata"] = map[string]any{"finalizers": []any{"rvtui.dev/a"}}
		do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: held})
		var sent []string
		api.instead = func(w http.ResponseWriter, r *http.Request) bool {
			what := strings.Trim(strings.TrimPrefix(r.URL.Path, "/api/v1/namespaces/rvtui-test"), "/")
			switch {
			case r.Method == http.MethodGet && what == "" && test.code != 200:
				status(w, test.code, map[int]string{403: "Forbidden", 404: "NotFound"}[test.code], "no")
			case r.Method == http.MethodGet && what == "":
				io.WriteString(w, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"rvtui-test","uid":"`+test.uid+`"}}`)
			case r.Method == http.MethodGet:
				return false
			default:
				if body := readAgain(r); strings.Contains(body, "uid-2") {
					what += " uid-2"
				} else if what == "" && !strings.Contains(body, `"uid":"uid-of-the-namespace"`) {
					t.Errorf("%s: the namespace is deleted with %s", name, body)
				}
				sent = append(sent, r.Method+" "+what)
				status(w, 200, "", "")
			}
			return true
		}
		err := s.Close(t.Context())
		if text := ""; (err == nil) != (test.says == text) || err != nil && err.Error() != test.says {
			t.Errorf("%s: error %v", name, err)
		}
		if !slices.Equal(sent, test.want) {
			t.Errorf("%s: sent %q, want %q", name, sent, test.want)
		}
	}
}
