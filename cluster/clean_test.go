package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"rvtui/cluster/journal"
)

// namespacesAPI serves namespaces, and a ConfigMap of team-a, and deletes as a cluster with a
// namespace controller does.
type namespacesAPI struct {
	url     string
	mu      sync.Mutex
	objects map[string]map[string]any // by path
	stuck   map[string]bool           // by path: what is deleted and does not go
	nobody  bool                      // may list namespaces
	hidden  map[string]bool           // by path: what may not be read
	// deletedUnseen is what may not be read any more once it was deleted.
	deletedUnseen string
	writes        []string
}

func (api *namespacesAPI) serve(t *testing.T) {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	api.url = server.URL
}

func namespaceObject(name, uid string, labels, annotations map[string]any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{
		"name": name, "uid": uid, "resourceVersion": "7", "labels": labels, "annotations": annotations,
		"creationTimestamp": "2026-11-30T11:50:00Z",
	}}
}

func (api *namespacesAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	api.mu.Lock()
	defer api.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	body, _ := io.ReadAll(r.Body)
	if r.Method != http.MethodGet {
		api.writes = append(api.writes, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/api/v1/namespaces/"))
	}
	if answer, ok := discoveryAnswers[r.URL.Path]; ok {
		io.WriteString(w, answer)
		return
	}
	const all = "/api/v1/namespaces"
	object, there := api.objects[r.URL.Path]
	switch {
	case api.hidden[r.URL.Path]:
		status(w, http.StatusForbidden, "Forbidden", "not for you")
	case r.URL.Path == all && api.nobody:
		status(w, http.StatusForbidden, "Forbidden", "not for you")
	case r.URL.Path == all:
		items := []any{}
		for path, object := range api.objects {
			if strings.Count(path, "/") == 4 { // labels are not looked at: the client has to
				items = append(items, object)
			}
		}
		json.NewEncoder(w).Encode(map[string]any{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "items": items})
	case !there && strings.HasSuffix(r.URL.Path, "s"):
		io.WriteString(w, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","items":[]}`)
	case !there:
		status(w, http.StatusNotFound, "NotFound", "not found")
	case r.Method == http.MethodDelete:
		metadata := object["metadata"].(map[string]any)
		if !strings.Contains(string(body), fmt.Sprintf(`"uid":%q`, metadata["uid"])) {
			status(w, http.StatusConflict, "Conflict", "no precondition, or another's: "+string(body))
			return
		}
		if !api.stuck[r.URL.Path] {
			delete(api.objects, r.URL.Path)
		}
		if r.URL.Path == api.deletedUnseen {
			api.hidden[r.URL.Path] = true
		}
		status(w, http.StatusOK, "", "")
	default:
		json.NewEncoder(w).Encode(object)
	}
}

// own are the labels of a namespace of a run.
func own(run string) map[string]any {
	return map[string]any{labelManagedBy: managedByRvtui, labelRun: run}
}

func expires(at string) map[string]any {
	return map[string]any{annotationExpires: at, annotationScenario: "two-writers"}
}

func TestCleanRemovesWhatIsNobodysAndNothingOfOthers(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "walks")
	const later, before = "2026-11-30T12:50:00Z", "2026-11-30T11:59:00Z"
	api := &namespacesAPI{objects: map[string]map[string]any{}}
	api.serve(t)
	dead, alive := open(t, directory, api.url), open(t, directory, api.url)
	on(t, dead, "k1")
	for _, object := range []map[string]any{
		kubeSystem("k1"),
		namespaceObject("rvtui-killed", "u1", own(dead.Run()), expires(later)),
		namespaceObject("rvtui-expired", "u2", own("elsewhere"), expires(before)),
		namespaceObject("rvtui-elsewhere", "u3", own("elsewhere"), expires(later)),
		namespaceObject("rvtui-alive", "u4", own(alive.Run()), expires(before)),
		namespaceObject("rvtui-unclear", "u5", own("elsewhere"), nil),
		// Somebody's, with a name or labels that are alike.
		namespaceObject("rvtui-abcdef", "u6", nil, expires(before)),
		namespaceObject("rvtui-docs", "u7", map[string]any{labelManagedBy: managedByRvtui}, expires(before)),
		namespaceObject("rvtui-helm", "u8", map[string]any{labelManagedBy: "Helm", labelRun: dead.Run()}, expires(before)),
		namespaceObject("my-rvtui", "u9", own(dead.Run()), expires(before)),
	} {
		api.objects["/api/v1/namespaces/"+object["metadata"].(map[string]any)["name"].(string)] = object
	}
	configMap := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "cm1", "uid": "c1"}}
	replaced := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "cm2", "uid": "another"}}
	api.objects["/api/v1/namespaces/team-a/configmaps/cm1"] = configMap
	api.objects["/api/v1/namespaces/team-a/configmaps/cm2"] = replaced
	for name, uid := range map[string]string{"cm1": "c1", "cm2": "c2"} {
		note(t, dead, journal.Made{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespace: "team-a", Name: name, UID: uid})
	}
	note(t, dead, journal.Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: "rvtui-killed", UID: "u1"})
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	clean := func(change func(*CleanOptions)) []string {
		t.Helper()
		return cleanOn(t, api, directory, change)
	}

	want := []string{
		"ConfigMap team-a/cm1: would be removed, its rvtui has ended",
		"Namespace /rvtui-alive: kept, its rvtui is running on this machine; --all removes it too",
		"Namespace /rvtui-elsewhere: kept, it may be in use elsewhere, and expires in 50m0s; --all removes it too",
		"Namespace /rvtui-expired: would be removed, it has expired",
		"Namespace /rvtui-killed: would be removed, its rvtui has ended",
		"Namespace /rvtui-unclear: kept, it does not say when it expires; --all removes it too",
	}
	if got := clean(func(o *CleanOptions) { o.DryRun = true }); !slices.Equal(got, want) || len(api.writes) > 0 {
		t.Errorf("dry run:\n%s\nsent %v", strings.Join(got, "\n"), api.writes)
	}
	for i := range want {
		want[i] = strings.Replace(want[i], "would be removed", "removed", 1)
	}
	if got := clean(func(*CleanOptions) {}); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	slices.Sort(api.writes)
	if sent := []string{"DELETE rvtui-expired", "DELETE rvtui-killed", "DELETE team-a/configmaps/cm1"}; !slices.Equal(api.writes, sent) {
		t.Errorf("sent %q", api.writes)
	}
	if got := clean(func(o *CleanOptions) { o.All = true }); len(got) != 3 {
		t.Errorf("all:\n%s", strings.Join(got, "\n"))
	}
	var left []string
	for path := range api.objects {
		left = append(left, strings.TrimPrefix(path, "/api/v1/namespaces/"))
	}
	slices.Sort(left)
	if want := []string{"kube-system", "my-rvtui", "rvtui-abcdef", "rvtui-docs", "rvtui-helm", "team-a/configmaps/cm2"}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	if records, err := journal.Read(directory); err != nil || len(records) != 1 || !records[0].Alive {
		t.Errorf("the records afterwards: %+v, %v", records, err)
	}
	if err := alive.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCleanSaysWhatStays(t *testing.T) {
	api := &namespacesAPI{objects: map[string]map[string]any{}, stuck: map[string]bool{"/api/v1/namespaces/rvtui-stuck": true}}
	stuck := namespaceObject("rvtui-stuck", "u1", own("elsewhere"), expires("2026-11-30T11:00:00Z"))
	stuck["status"] = map[string]any{"conditions": []any{map[string]any{"status": "True", "message": "a finalizer is left"}, map[string]any{"status": "False", "message": "nothing"}}}
	api.objects["/api/v1/namespaces/rvtui-stuck"] = stuck
	got := cleanOn(t, api, "", func(o *CleanOptions) { o.Timeout = time.Second }) // for the answer to be there, however busy the machine
	if want := "Namespace /rvtui-stuck: stays, it is being deleted, but has not gone yet: a finalizer is left"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q", got)
	}
}

func TestWhoMayNotListNamespacesCleansWhatIsNoted(t *testing.T) {
	directory := t.TempDir()
	dead := open(t, directory, "https://a:6443")
	api := &namespacesAPI{nobody: true, objects: map[string]map[string]any{
		"/api/v1/namespaces/rvtui-killed": namespaceObject("rvtui-killed", "u1", own(dead.Run()), nil),
		"/api/v1/namespaces/rvtui-reused": namespaceObject("rvtui-reused", "another", own(dead.Run()), nil),
	}}
	for name, uid := range map[string]string{"rvtui-killed": "u1", "rvtui-reused": "u2"} {
		note(t, dead, journal.Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: name, UID: uid})
	}
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	got := cleanOn(t, api, directory, func(*CleanOptions) {})
	if want := "Namespace /rvtui-killed: removed, its rvtui has ended"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q", got)
	}
}

// contents are a directory's files.
func contents(t *testing.T, directory string) map[string]string {
	t.Helper()
	if directory == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(directory, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[file] = string(content)
	}
	return all
}

// kubeSystem is what tells a cluster from another one.
func kubeSystem(uid string) map[string]any { return namespaceObject("kube-system", uid, nil, nil) }

func on(t *testing.T, j *journal.Journal, uid string) {
	t.Helper()
	if err := j.On(journal.Identity{Namespace: "kube-system", UID: uid}); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNotThereIsCrossedOutOnlyOnTheSameCluster(t *testing.T) {
	moved := "it was made on another cluster, which had this address (the UID of its namespace kube-system was another)"
	for name, test := range map[string]struct {
		noted   string // the UID of kube-system
		server  string
		crossed bool
		want    []string
	}{
		"the same":                       {"k1", "", true, nil},
		"the same, by another address":   {"k1", "https://tunnel:1", true, nil},
		"another at the address":         {"k0", "", false, []string{"ConfigMap team-a/cm9: kept, " + moved, "Namespace /rvtui-gone: kept, " + moved, "Namespace /rvtui-lost: kept, " + moved}},
		"another":                        {"k0", "https://b:6443", false, nil},
		"one that the journal is not of": {"", "", false, nil},
	} {
		directory := t.TempDir()
		api := &namespacesAPI{objects: map[string]map[string]any{"/api/v1/namespaces/kube-system": kubeSystem("k1")}}
		api.serve(t)
		if test.server == "" {
			test.server = api.url
		}
		dead := open(t, directory, test.server)
		if test.noted != "" {
			on(t, dead, test.noted)
		}
		note(t, dead, journal.Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: "rvtui-gone", UID: "u1"})
		note(t, dead, journal.Made{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespace: "team-a", Name: "cm9", UID: "u9"})
		if err := dead.Plan(journal.Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: "rvtui-lost"}); err != nil {
			t.Fatal(err)
		}
		if err := dead.Close(); err != nil {
			t.Fatal(err)
		}
		before := contents(t, directory)
		for _, dry := range []bool{true, false} {
			if got := cleanOn(t, api, directory, func(o *CleanOptions) { o.DryRun = dry }); !slices.Equal(got, test.want) {
				t.Errorf("%s: got %q", name, got)
			}
		}
		if after := contents(t, directory); (len(after) == 0) != test.crossed || !test.crossed && !maps.Equal(after, before) {
			t.Errorf("%s: the journal is\n%v", name, after)
		}
		if len(api.writes) > 0 {
			t.Errorf("%s: sent %v", name, api.writes)
		}
	}
}

// A process that was killed between its request and the answer knows no UID.
func TestANamespaceThatWasOnlyPlannedIsKnownByItsRun(t *testing.T) {
	for _, nobody := range []bool{false, true} {
		directory := t.TempDir()
		dead := open(t, directory, "https://a:6443")
		on(t, dead, "k1")
		api := &namespacesAPI{nobody: nobody, objects: map[string]map[string]any{
			"/api/v1/namespaces/kube-system":   kubeSystem("k1"),
			"/api/v1/namespaces/rvtui-lost":    namespaceObject("rvtui-lost", "u1", own(dead.Run()), expires("2026-11-30T12:50:00Z")),
			"/api/v1/namespaces/rvtui-another": namespaceObject("rvtui-another", "u2", own("elsewhere"), expires("2026-11-30T12:50:00Z")),
		}}
		for _, name := range []string{"rvtui-lost", "rvtui-another"} {
			if err := dead.Plan(journal.Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		if err := dead.Close(); err != nil {
			t.Fatal(err)
		}
		got := cleanOn(t, api, directory, func(*CleanOptions) {})
		if !slices.Contains(got, "Namespace /rvtui-lost: removed, its rvtui has ended") || !slices.Equal(api.writes, []string{"DELETE rvtui-lost"}) {
			t.Errorf("got %q, sent %v", got, api.writes)
		}
		if left := contents(t, directory); len(left) > 0 {
			t.Errorf("the journal stays: %v", left)
		}
	}
}

func TestWhatMayNotBeLookedAtIsNotCalledRemoved(t *testing.T) {
	directory := t.TempDir()
	api := &namespacesAPI{nobody: true, objects: map[string]map[string]any{}, hidden: map[string]bool{
		"/api/v1/namespaces/rvtui-hidden": true, "/api/v1/namespaces/team-a/configmaps/cm1": true,
	}}
	api.serve(t)
	dead := open(t, directory, api.url)
	api.objects["/api/v1/namespaces/rvtui-going"] = namespaceObject("rvtui-going", "u2", own(dead.Run()), nil)
	api.deletedUnseen = "/api/v1/namespaces/rvtui-going"
	note(t, dead, journal.Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: "rvtui-hidden", UID: "u1"})
	note(t, dead, journal.Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: "rvtui-going", UID: "u2"})
	note(t, dead, journal.Made{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespace: "team-a", Name: "cm1", UID: "u3"})
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"ConfigMap team-a/cm1: not seen, you may not look whether it is there",
		"Namespace /rvtui-going: not seen, it is being deleted; you may not look whether it has gone",
		"Namespace /rvtui-hidden: not seen, you may not look whether it is there",
	}
	before := contents(t, directory)
	if got := cleanOn(t, api, directory, func(*CleanOptions) {}); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if !maps.Equal(contents(t, directory), before) {
		t.Error("something was crossed out")
	}
}

func open(t *testing.T, directory, server string) *journal.Journal {
	t.Helper()
	j, err := journal.Open(directory, server)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func note(t *testing.T, j *journal.Journal, made journal.Made) {
	t.Helper()
	if err := j.Note(made); err != nil {
		t.Fatal(err)
	}
}

// cleanOn cleans at noon, and returns a line for each thing that was left, sorted.
func cleanOn(t *testing.T, api *namespacesAPI, directory string, change func(*CleanOptions)) []string {
	t.Helper()
	if api.url == "" {
		api.serve(t)
	}
	options := CleanOptions{
		Journal: directory, Timeout: 10 * time.Second,
		Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
	}
	change(&options)
	before := contents(t, directory)
	cleaned, err := Clean(t.Context(), &rest.Config{Host: api.url}, options)
	if err != nil {
		t.Fatal(err)
	}
	if after := contents(t, directory); options.DryRun && !maps.Equal(after, before) {
		t.Errorf("a dry run changed the journals from\n%v\nto\n%v", before, after)
	}
	if cleaned.Unlisted != api.nobody {
		t.Errorf("unlisted: %v", cleaned.Unlisted)
	}
	var lines []string
	for _, l := range cleaned.Left {
		lines = append(lines, fmt.Sprintf("%s %s/%s: %s, %s", l.Kind, l.Namespace, l.Name, l.Fate, l.Why))
	}
	slices.Sort(lines)
	return lines
}
