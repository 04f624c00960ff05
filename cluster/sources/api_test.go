package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"rvtui/cluster"
)

// apiserver answers a source's requests by hand, and remembers them.
type apiserver struct {
	mu       sync.Mutex
	requests []*http.Request
	answer   func(w http.ResponseWriter, r *http.Request, watches int)
	watches  int
}

func (a *apiserver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.requests = append(a.requests, r)
	watches := 0
	if r.URL.Query().Get("watch") != "" {
		a.watches++
		watches = a.watches
	}
	a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	a.answer(w, r, watches)
}

// source is the API of an apiserver, for the namespace ns.
func (a *apiserver) source(t *testing.T) *apiReader {
	t.Helper()
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	api, err := NewAPI(&rest.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return &apiReader{API: api, room: cluster.Room{Namespace: "ns", Prefix: "/registry"}}
}

func event(kind, name, version string) string {
	return fmt.Sprintf(`{"type":%q,"object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":%q,"namespace":"ns","resourceVersion":%q},"data":{"k":"v"}}}`, kind, name, version) + "\n"
}

func TestAWatchThatTheApiserverEndsGoesOn(t *testing.T) {
	var from []string
	a := &apiserver{answer: func(w http.ResponseWriter, r *http.Request, watches int) {
		from = append(from, r.URL.Query().Get("resourceVersion"))
		switch watches {
		case 1:
			io.WriteString(w, event("ADDED", "a", "11")+event("DELETED", "a", "12")+event("BOOKMARK", "", "20"))
		case 2:
			io.WriteString(w, event("MODIFIED", "b", "21"))
		default:
			io.WriteString(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version: 21 (30)","reason":"Expired","code":410}}`+"\n")
		}
	}}
	var told []cluster.Change
	err := a.source(t).watch(t.Context(), configMaps, 10, func(c cluster.Change) { told = append(told, c) })
	if err == nil || !strings.Contains(err.Error(), "too old resource version") {
		t.Errorf("error %v", err)
	}
	if got := strings.Join(from, " "); got != "10 20 21" {
		t.Errorf("it watches from %s", got)
	}
	want := []cluster.Change{{Revision: 11}, {Revision: 12, Delete: true}, {Revision: 21}}
	if len(told) != len(want) {
		t.Fatalf("told of %v", told)
	}
	for i, change := range told {
		if change.Revision != want[i].Revision || change.Delete != want[i].Delete || (change.Value == nil) != change.Delete ||
			!strings.HasPrefix(change.Key, "/registry/configmaps/ns/") || strings.Contains(string(change.Value), "resourceVersion") {
			t.Errorf("%+v, %s", change, change.Value)
		}
	}
}

func TestAnApiserverThatEndsWatchesAtOnceIsNotAskedForever(t *testing.T) {
	a := &apiserver{answer: func(http.ResponseWriter, *http.Request, int) {}}
	if err := a.source(t).watch(t.Context(), configMaps, 10, nil); err == nil || a.watches != 1 {
		t.Errorf("%d watches, error %v", a.watches, err)
	}
}

func TestOfSecretsOnlyTheMetadataIsAskedFor(t *testing.T) {
	secrets := schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	a := &apiserver{answer: func(w http.ResponseWriter, r *http.Request, watches int) {
		if watches > 0 {
			io.WriteString(w, `{"type":"ADDED","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"s","resourceVersion":"11"}}}`+"\n")
			return
		}
		io.WriteString(w, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"12"},"items":[{"metadata":{"name":"s","resourceVersion":"11"}}]}`)
	}}
	r := a.source(t)
	now, err := r.list(t.Context(), secrets, 0, true)
	if err != nil || now.at != 12 || now.items["/registry/secrets/ns/s"].Revision != 11 || now.items["/registry/secrets/ns/s"].Value != nil {
		t.Errorf("%+v, error %v", now, err)
	}
	var told []cluster.Change
	ctx, cancel := context.WithCancel(t.Context())
	_ = r.watch(ctx, secrets, 10, func(c cluster.Change) { told = append(told, c); cancel() })
	if len(told) == 0 || told[0].Value != nil {
		t.Errorf("told of %+v", told)
	}
	for _, request := range a.requests {
		if accept := request.Header.Get("Accept"); !strings.Contains(accept, "PartialObjectMetadata") {
			t.Errorf("%s %s accepts %s", request.Method, request.URL, accept)
		}
	}
}

func TestAListOfThePastIsExact(t *testing.T) {
	a := &apiserver{answer: func(w http.ResponseWriter, r *http.Request, _ int) {
		if r.URL.Query().Get("resourceVersion") == "3" {
			w.WriteHeader(http.StatusGone)
			io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}`)
			return
		}
		io.WriteString(w, `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"12"},"items":[{"metadata":{"name":"a","resourceVersion":"11"},"data":{"k":"v"}}]}`)
	}}
	r := a.source(t)
	then, err := r.list(t.Context(), configMaps, 12, true)
	if err != nil || string(then.items["/registry/configmaps/ns/a"].Value) != `{"apiVersion":"v1","data":{"k":"v"},"kind":"ConfigMap","metadata":{"name":"a"}}` {
		t.Errorf("%+v, error %v", then, err)
	}
	if query := a.requests[0].URL.Query(); query.Get("resourceVersion") != "12" || query.Get("resourceVersionMatch") != "Exact" {
		t.Errorf("it asked for %v", query)
	}
	if _, err := r.list(t.Context(), configMaps, 3, true); !errors.Is(err, errCompacted) {
		t.Errorf("error %v", err)
	}
	for _, request := range a.requests {
		if request.Method != http.MethodGet {
			t.Errorf("it sends a %s", request.Method)
		}
	}
}

func TestAResourceVersionThatIsNoRevisionIsNotTakenForOne(t *testing.T) {
	a := &apiserver{answer: func(w http.ResponseWriter, _ *http.Request, _ int) {
		io.WriteString(w, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"xyz"},"items":[]}`)
	}}
	if head, err := a.source(t).head(t.Context()); err == nil || !strings.Contains(err.Error(), `"xyz"`) {
		t.Errorf("head %d, error %v", head, err)
	}
}
