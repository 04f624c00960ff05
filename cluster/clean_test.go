package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
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
	writes  []string
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
	for _, object := range []map[string]any{
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
	if want := []string{"my-rvtui", "rvtui-abcdef", "rvtui-docs", "rvtui-helm", "team-a/configmaps/cm2"}; !slices.Equal(left, want) {
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
	got := cleanOn(t, api, "", func(o *CleanOptions) { o.Timeout = time.Millisecond })
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
	left, err := Clean(t.Context(), &rest.Config{Host: api.url}, options)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range left {
		lines = append(lines, fmt.Sprintf("%s %s/%s: %s, %s", l.Kind, l.Namespace, l.Name, l.Fate, l.Why))
	}
	slices.Sort(lines)
	return lines
}
