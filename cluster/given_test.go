package cluster

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rvtui/cluster/journal"
	"rvtui/scenarios"
)

// given is a session in a namespace that is there already, with somebody's cm1 and s1 in it.
func given(t *testing.T, api *fakeAPI, change func(*Config)) *Session {
	t.Helper()
	for _, key := range []string{"configmaps/team-a/theirs", "secrets/team-a/theirs"} {
		api.etcd.put("/registry/"+key, []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"theirs","managedFields":[{"manager":"helm"},{"manager":"kubectl-edit"}]}}`))
	}
	return api.openOn(t, api.cluster(t, func(c *Config) {
		c.Namespace = "team-a"
		change(c)
	}))
}

func nothingElse(*Config) {}

func TestAGivenNamespaceIsNeitherMadeNorDeleted(t *testing.T) {
	api := newFakeAPI(t)
	writes := writesTo(api)
	s := given(t, api, nothingElse)
	if s.Namespace() != "team-a" || !slices.Equal(s.Found(), []string{"theirs"}) {
		t.Errorf("%s, found %v", s.Namespace(), s.Found())
	}
	for _, name := range []string{"cm1", "cm2"} {
		do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: name, Object: configMap(nil)})
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(*writes)
	want := []string{
		"DELETE /api/v1/namespaces/team-a/configmaps/cm1", "DELETE /api/v1/namespaces/team-a/configmaps/cm2",
		"POST /api/v1/namespaces/team-a/configmaps", "POST /api/v1/namespaces/team-a/configmaps",
	}
	if !slices.Equal(*writes, want) {
		t.Errorf("sent %q, want %q", *writes, want)
	}
	if left := api.etcd.below("/registry/"); len(left) != 2 {
		t.Errorf("left: %v", left)
	}
}

func TestInAGivenNamespaceOnlyWhatTheWalkMadeIsWrittenTo(t *testing.T) {
	api := newFakeAPI(t)
	s := given(t, api, nothingElse)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	writes := writesTo(api)
	const path = "/api/v1/namespaces/team-a/configmaps"
	theirs := map[string]any{"metadata": map[string]any{"name": "theirs"}, "data": map[string]any{}}
	foreign := map[string]scenarios.Call{
		"a DELETE of a collection":    {Verb: scenarios.VerbRaw, Method: "DELETE", Path: path},
		"a PATCH of no object":        {Verb: scenarios.VerbRaw, Method: "PATCH", Path: path},
		"a POST of who knows what":    {Verb: scenarios.VerbRaw, Method: "POST", Path: path, Body: "kind: ConfigMap"},
		"the namespace's finalizers":  {Verb: scenarios.VerbRaw, Method: "PUT", Path: "/api/v1/namespaces/team-a/finalize", Body: "{}"},
		"the namespace's status":      {Verb: scenarios.VerbRaw, Method: "PUT", Path: "/api/v1/namespaces/team-a/status", Body: "{}"},
		"the namespace":               {Verb: scenarios.VerbRaw, Method: "DELETE", Path: "/api/v1/namespaces/team-a"},
		"another namespace":           {Verb: scenarios.VerbRaw, Method: "DELETE", Path: "/api/v1/namespaces/team-b/configmaps/cm1"},
		"an object that has no name":  {Verb: scenarios.VerbReplace, Object: map[string]any{"data": map[string]any{}}},
		"the namespace, as an object": {Verb: scenarios.VerbDelete, Kind: "Namespace", Name: "team-a"},
	}
	taken := map[string]scenarios.Call{
		"create":               {Verb: scenarios.VerbCreate, Name: "theirs", Object: configMap(nil)},
		"create of a Secret":   {Verb: scenarios.VerbCreate, Kind: "Secret", Name: "theirs", Object: map[string]any{}},
		"replace":              {Verb: scenarios.VerbReplace, Name: "theirs", Object: theirs},
		"replace by content":   {Verb: scenarios.VerbReplace, Name: "cm1", Object: theirs},
		"patch":                {Verb: scenarios.VerbPatch, Name: "theirs", PatchType: "merge", Object: configMap(nil)},
		"apply":                {Verb: scenarios.VerbApply, Name: "theirs", Object: theirs},
		"delete":               {Verb: scenarios.VerbDelete, Name: "theirs"},
		"dry run":              {Verb: scenarios.VerbDelete, Name: "theirs", DryRun: true},
		"kubectl apply":        {Verb: scenarios.VerbKubectlApply, Name: "theirs", Object: theirs},
		"kubectl replace":      {Verb: scenarios.VerbKubectlReplace, Name: "theirs", Object: theirs},
		"retry":                {Verb: scenarios.VerbRetryOnConflict, Name: "theirs", Set: map[string]any{"data.a": "b"}},
		"retry with its name":  {Verb: scenarios.VerbRetryOnConflict, Name: "cm1", Set: map[string]any{"metadata.name": "theirs"}},
		"informer":             {Verb: scenarios.VerbInformer, Name: "theirs", Set: map[string]any{"data.a": "b"}},
		"meanwhile":            {Verb: scenarios.VerbWatch, Within: time.Second, Meanwhile: []scenarios.Call{{Actor: scenarios.B, Verb: scenarios.VerbDelete, Name: "theirs"}}},
		"together":             {Verb: scenarios.VerbTogether, Together: []scenarios.Call{{Actor: scenarios.B, Verb: scenarios.VerbDelete, Name: "theirs"}}},
		"raw PUT":              {Verb: scenarios.VerbRaw, Method: "PUT", Path: path + "/theirs?dryRun=All", Body: "{}"},
		"raw, escaped":         {Verb: scenarios.VerbRaw, Method: "DELETE", Path: path + "/th%65irs"},
		"raw, its subresource": {Verb: scenarios.VerbRaw, Method: "POST", Path: path + "/theirs/token", Body: "{}"},
		"raw POST":             {Verb: scenarios.VerbRaw, Method: "POST", Path: path, Body: `{"metadata":{"name":"theirs"}}`},
	}
	for what, call := range foreign {
		call.Actor = scenarios.A
		seen, err := s.Do(t.Context(), call, nil)
		if err == nil || !strings.HasSuffix(err.Error(), "a scenario writes only to what it made") || len(seen.Exchanges) > 0 {
			t.Errorf("%s: error %v, exchanges %+v", what, err, seen.Exchanges)
		}
	}
	for what, call := range taken {
		call.Actor = scenarios.A
		seen, err := s.Do(t.Context(), call, nil)
		if error := (*scenarios.TakenError)(nil); !errors.As(err, &error) || error.Name != "theirs" || error.By != "helm, kubectl-edit" || len(seen.Exchanges) > 0 {
			t.Errorf("%s: error %v, exchanges %+v", what, err, seen.Exchanges)
		}
	}
	if len(*writes) > 0 {
		t.Errorf("sent: %v", *writes)
	}
	for what, call := range map[string]scenarios.Call{
		"a read":  {Verb: scenarios.VerbGet, Name: "theirs"},
		"its own": {Verb: scenarios.VerbPatch, Name: "cm1", PatchType: "merge", Object: configMap(map[string]any{"a": "b"})},
		"raw":     {Verb: scenarios.VerbRaw, Method: "PATCH", Path: path + "/cm1", Body: `{"data":{}}`, Headers: map[string]string{"Content-Type": "application/merge-patch+json"}},
	} {
		call.Actor = scenarios.A
		if seen := do(t, s, call); seen.Exchanges[0].Status != 200 {
			t.Errorf("%s: %+v", what, seen.Exchanges)
		}
	}
}

func TestAnObjectThatSomebodyMadeUnderTheWalksNameIsNotTheWalks(t *testing.T) {
	api := newFakeAPI(t)
	s := given(t, api, nothingElse)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	const key = "/registry/configmaps/team-a/cm1"
	api.etcd.delete(key)
	api.etcd.put(key, []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm1"}}`))
	var taken *scenarios.TakenError
	if _, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbDelete, Name: "cm1"}, nil); !errors.As(err, &taken) {
		t.Errorf("the delete: %v", err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if api.etcd.now(key) == nil {
		t.Error("the end of the walk deleted it")
	}
}

func TestOneWalkAtATimeIsInAGivenNamespace(t *testing.T) {
	api := newFakeAPI(t)
	s := given(t, api, nothingElse)
	if !s.cluster.Alone() {
		t.Error("not alone")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.cluster.Open(ctx, "another"); !errors.Is(err, context.Canceled) {
		t.Errorf("beside the first: %v", err)
	}
	next := make(chan error)
	go func() {
		_, err := s.cluster.Open(t.Context(), "another")
		next <- err
	}()
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-next; err != nil {
		t.Errorf("after the first: %v", err)
	}
}

func TestWhatAWalkMadeInAGivenNamespaceIsNoted(t *testing.T) {
	api := newFakeAPI(t)
	directory := filepath.Join(t.TempDir(), "walks")
	noted, err := journal.Open(directory, api.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := given(t, api, func(c *Config) { c.Journal = noted })
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbDelete, Name: "cm1"})
	made := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	if err := noted.Close(); err != nil { // as a killed process does
		t.Fatal(err)
	}
	records, err := journal.Read(directory)
	if err != nil || len(records) != 1 || len(records[0].Left) != 2 {
		t.Fatalf("%+v, %v", records, err)
	}
	left := records[0].Left[1]
	if left.Namespace != "team-a" || left.Name != "cm1" || left.Resource != "configmaps" || !strings.Contains(string(made.Exchanges[0].ResponseBody), left.UID) {
		t.Errorf("noted: %+v", left)
	}
}

func TestAnUnansweredCreationIsTold(t *testing.T) {
	api := newFakeAPI(t)
	s := given(t, api, nothingElse)
	ctx, cancel := context.WithCancel(t.Context())
	held := make(chan struct{})
	api.instead = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		cancel()
		<-held
		return true
	}
	_, err := s.Do(ctx, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)}, nil)
	close(held)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	var left *scenarios.LeftError
	if err := s.Close(t.Context()); !errors.As(err, &left) || !strings.Contains(err.Error(), "configmaps/cm1") {
		t.Errorf("the end: %v", err)
	}
	if s.cluster.Left() == nil {
		t.Error("nothing is left, it says")
	}
}

func TestEventsOfWhatWasThereDoNotCount(t *testing.T) {
	api := newFakeAPI(t)
	s := given(t, api, nothingElse)
	seen := do(t, s, scenarios.Call{
		Actor: scenarios.A, Verb: scenarios.VerbWatch, Events: 1, Within: 30 * time.Second,
		Meanwhile: []scenarios.Call{{Actor: scenarios.B, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)}},
	})
	var names []string
	for _, event := range seen.Events {
		names = append(names, event.Name)
	}
	if !slices.Equal(names, []string{"theirs", "cm1"}) {
		t.Errorf("events of %v", names)
	}
}

func TestWhatOthersWriteInAGivenNamespaceIsNotTheWalks(t *testing.T) {
	api := newFakeAPI(t)
	s := given(t, api, nothingElse)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	api.etcd.put("/registry/configmaps/team-a/theirs", []byte(`{"metadata":{"name":"theirs"}}`))
	api.etcd.put("/registry/configmaps/team-a/cm1", []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm1"},"data":{"a":"b"}}`))
	seen := do(t, s, scenarios.Call{Actor: scenarios.B, Verb: scenarios.VerbCreate, Name: "cm2", Object: configMap(nil)})
	own := map[string]bool{}
	for _, r := range seen.Revisions {
		own[r.Key+" "+r.By] = r.Own
		if !r.Own && (r.Name != "" || r.Value != nil) {
			t.Errorf("of somebody's object: %+v", r)
		}
	}
	want := map[string]bool{
		"/registry/configmaps/team-a/theirs " + scenarios.ByUnknown: false,
		"/registry/configmaps/team-a/cm1 " + scenarios.ByUnknown:    true, // somebody writes to the walk's
		"/registry/configmaps/team-a/cm2 B":                         true,
	}
	if !maps.Equal(own, want) {
		t.Errorf("own: %v", own)
	}
}

func TestPagesAreNotCountedWithOthersObjects(t *testing.T) {
	for name, test := range map[string]struct {
		there  string
		judged bool
	}{
		"somebody's":                  {"configmaps/team-a/another", false},
		"somebody's, of another kind": {"secrets/team-a/another", true},
		"the controller's":            {"configmaps/team-a/kube-root-ca.crt", true},
		"in another namespace":        {"configmaps/team-b/another", true},
	} {
		api := newFakeAPI(t)
		s := api.openOn(t, api.cluster(t, func(c *Config) { c.Namespace = "team-a" }))
		do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
		api.etcd.put("/registry/"+test.there, []byte(`{"metadata":{"name":"`+path.Base(test.there)+`"}}`)) // after the walk began
		const all = "/api/v1/namespaces/team-a/configmaps"
		for what, call := range map[string]scenarios.Call{
			"a limit":      {Verb: scenarios.VerbList, Limit: 1},
			"a token":      {Verb: scenarios.VerbList, Continue: "x"},
			"raw":          {Verb: scenarios.VerbRaw, Path: all + "?limit=1"},
			"raw, a token": {Verb: scenarios.VerbRaw, Path: all + "?continue=x"},
			"meanwhile":    {Verb: scenarios.VerbTogether, Together: []scenarios.Call{{Actor: scenarios.B, Verb: scenarios.VerbList, Limit: 1}}},
		} {
			call.Actor = scenarios.A
			_, err := s.Do(t.Context(), call, nil)
			lack := (*scenarios.LackError)(nil)
			if test.judged && err != nil || !test.judged && (!errors.As(err, &lack) || err.Error() != "other objects are in the namespace, and a page is counted with them") {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		for _, call := range []scenarios.Call{{Verb: scenarios.VerbList}, {Verb: scenarios.VerbRaw, Path: all + "?limit=0"}, {Verb: scenarios.VerbRaw, Path: all + "/cm1?limit=1"}} {
			call.Actor = scenarios.A
			do(t, s, call)
		}
	}
}

func TestATakenNameComesWithAdvice(t *testing.T) {
	for name, test := range map[string]struct {
		noted, alive bool
		want         string
	}{
		"nobody's":        {false, false, "name another namespace, or delete it yourself"},
		"a killed walk's": {true, false, "a walk that was killed left it; `rvtui clean --context x` removes it"},
		"a living walk's": {true, true, "another walk of rvtui is in the namespace; one at a time"},
	} {
		directory := t.TempDir()
		api := newFakeAPI(t)
		mine, other := open(t, directory, api.URL), open(t, directory, api.URL)
		s := given(t, api, func(c *Config) { c.Journal, c.Clean = mine, "rvtui clean --context x" })
		if test.noted {
			uid := uidOf(api.etcd.now("/registry/configmaps/team-a/theirs"))
			note(t, other, journal.Made{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespace: "team-a", Name: "theirs", UID: uid})
		}
		if !test.alive {
			if err := other.Close(); err != nil {
				t.Fatal(err)
			}
		}
		_, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbDelete, Name: "theirs"}, nil)
		if err == nil || !strings.HasSuffix(err.Error(), "rvtui writes only to what it made: "+test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
