package cluster

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/etcd/api/v3/mvccpb"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"rvtui/scenarios"
)

// token is the credential that no observation may hold.
const token = "the-token-of-this-test-0123456789"

// fakeAPI serves ConfigMaps and Secrets of the core group from a fakeEtcd, as a
// kube-apiserver would where resourceVersion is concerned.
type fakeAPI struct {
	*httptest.Server
	etcd    *fakeEtcd
	writing sync.Mutex // one write after the other
	// instead answers a request in the place of the fake, where it returns true.
	instead func(http.ResponseWriter, *http.Request) bool
}

func newFakeAPI(t *testing.T) *fakeAPI {
	t.Helper()
	api := &fakeAPI{etcd: newFakeEtcd()}
	api.Server = httptest.NewServer(api)
	t.Cleanup(api.Close)
	return api
}

// open is a session on the fake.
func (api *fakeAPI) open(t *testing.T) *Session {
	t.Helper()
	return api.openOn(t, api.cluster(t, func(*Config) {}))
}

func (api *fakeAPI) openOn(t *testing.T, c *Cluster) *Session {
	t.Helper()
	session, err := c.Open(t.Context(), "a-test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.(*Session).follower.Stop)
	return session.(*Session)
}

// cluster is the fake as a cluster that can do all that one can; change says what else it is.
func (api *fakeAPI) cluster(t *testing.T, change func(*Config)) *Cluster {
	t.Helper()
	store := NewEtcdStore(api.etcd.client(t))
	config := Config{
		REST:    &rest.Config{Host: api.URL, BearerToken: token},
		Store:   store,
		Can:     slices.DeleteFunc(slices.Clone(scenarios.Capabilities), func(c string) bool { return c == scenarios.CapabilityEtcdRPC }),
		Compact: store.Compact,
		Suffix:  func() string { return "test" },
	}
	change(&config)
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// do does a call that must be answered, and checks what is true of every observation.
func do(t *testing.T, s *Session, call scenarios.Call) scenarios.Observation {
	t.Helper()
	seen, err := s.Do(t.Context(), call, nil)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(seen)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(encoded), token) {
		t.Errorf("a credential is in the observation: %s", encoded)
	}
	return seen
}

func (api *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+token {
		status(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if api.instead != nil && api.instead(w, r) {
		return
	}
	if answer, ok := discoveryAnswers[r.URL.Path]; ok {
		io.WriteString(w, answer)
		return
	}
	parts := strings.Split(strings.Trim(strings.TrimPrefix(r.URL.Path, "/apis"), "/"), "/")
	switch {
	case len(parts) >= 3 && parts[2] == "namespaces" && len(parts) <= 4:
		api.namespace(w, r)
	case len(parts) == 5 && r.Method == http.MethodGet && r.URL.Query().Get("watch") == "":
		api.list(w, "/registry/"+parts[4]+"/"+parts[3]+"/")
	case len(parts) == 5 && r.Method == http.MethodGet && r.URL.Query().Get("watch") != "":
		api.watch(w, r, "/registry/"+parts[4]+"/"+parts[3]+"/")
	case len(parts) == 5 && r.Method == http.MethodPost:
		api.write(w, r, parts[3], parts[4], "")
	case len(parts) == 6:
		api.object(w, r, parts[3], parts[4], parts[5])
	default:
		status(w, http.StatusNotFound, "NotFound", "no "+r.URL.Path)
	}
}

func (api *fakeAPI) object(w http.ResponseWriter, r *http.Request, namespace, resource, name string) {
	key := "/registry/" + resource + "/" + namespace + "/" + name
	switch r.Method {
	case http.MethodGet:
		if api.etcd.now(key) == nil {
			status(w, http.StatusNotFound, "NotFound", resource+" \""+name+"\" not found")
			return
		}
		api.answer(w, http.StatusOK, key)
	case http.MethodDelete:
		var options metav1.DeleteOptions
		json.NewDecoder(r.Body).Decode(&options)
		now := api.etcd.now(key)
		if now == nil {
			status(w, http.StatusNotFound, "NotFound", resource+" \""+name+"\" not found")
			return
		}
		if wanted := options.Preconditions; wanted != nil && wanted.UID != nil && string(*wanted.UID) != uidOf(now) {
			status(w, http.StatusConflict, "Conflict", "the UID in the precondition is another one")
			return
		}
		api.etcd.delete(key)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Success","details":{"name":%q,"uid":%q}}`, name, uidOf(now))
	default:
		api.write(w, r, namespace, resource, name)
	}
}

// write stores a POST, a PUT or a merge patch.
func (api *fakeAPI) write(w http.ResponseWriter, r *http.Request, namespace, resource, name string) {
	body, _ := io.ReadAll(r.Body)
	api.writing.Lock()
	defer api.writing.Unlock()
	code := http.StatusOK
	if r.Method == http.MethodPost {
		code = http.StatusCreated
	}
	if r.Method == http.MethodPatch {
		now := api.etcd.now("/registry/" + resource + "/" + namespace + "/" + name)
		if now == nil {
			status(w, http.StatusNotFound, "NotFound", "not found")
			return
		}
		var err error
		if body, err = jsonpatch.MergePatch(now.Value, body); err != nil {
			status(w, http.StatusBadRequest, "BadRequest", err.Error())
			return
		}
	}
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		status(w, http.StatusBadRequest, "BadRequest", err.Error())
		return
	}
	metadata := object["metadata"].(map[string]any)
	key := "/registry/" + resource + "/" + namespace + "/" + metadata["name"].(string)
	if sent, ok := metadata["resourceVersion"].(string); ok {
		if now := api.etcd.now(key); now == nil || sent != strconv.FormatInt(now.ModRevision, 10) {
			status(w, http.StatusConflict, "Conflict", "the object has been modified")
			return
		}
	}
	if r.Method == http.MethodPost && api.etcd.now(key) != nil {
		status(w, http.StatusConflict, "AlreadyExists", "already exists")
		return
	}
	delete(metadata, "resourceVersion")
	delete(metadata, "uid")
	stored, _ := json.Marshal(object)
	api.etcd.put(key, stored)
	api.answer(w, code, key)
}

func (api *fakeAPI) answer(w http.ResponseWriter, code int, key string) {
	kv := api.etcd.now(key)
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(served(kv))
}

// served is a stored object with its namespace and resourceVersion.
func served(kv *mvccpb.KeyValue) map[string]any {
	var object map[string]any
	json.Unmarshal(kv.Value, &object)
	metadata := object["metadata"].(map[string]any)
	metadata["resourceVersion"] = strconv.FormatInt(kv.ModRevision, 10)
	metadata["uid"] = uidOf(kv)
	metadata["namespace"] = strings.Split(string(kv.Key), "/")[3]
	return object
}

// namespace answers with what was sent, and a UID.
func (api *fakeAPI) namespace(w http.ResponseWriter, r *http.Request) {
	var object map[string]any
	if json.NewDecoder(r.Body).Decode(&object) != nil {
		object = map[string]any{"kind": "Namespace", "apiVersion": "v1", "metadata": map[string]any{"name": path.Base(r.URL.Path)}}
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		metadata["uid"] = "uid-of-the-namespace"
	}
	json.NewEncoder(w).Encode(object)
}

// uidOf is a stored object's UID: that of its creation.
func uidOf(kv *mvccpb.KeyValue) string { return "uid-" + strconv.FormatInt(kv.CreateRevision, 10) }

// list answers with what there is below a prefix, whatever of it was asked for.
func (api *fakeAPI) list(w http.ResponseWriter, prefix string) {
	items := []any{}
	for _, kv := range api.etcd.below(prefix) {
		object := served(kv)
		object["kind"], object["apiVersion"] = "PartialObjectMetadata", "meta.k8s.io/v1"
		items = append(items, object)
	}
	json.NewEncoder(w).Encode(map[string]any{
		"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "items": items,
		"metadata": map[string]any{"resourceVersion": strconv.FormatInt(api.etcd.newest(), 10)},
	})
}

// watch sends what was put below a prefix after the request's resourceVersion. A streaming
// list has its bookmark after what there is now.
func (api *fakeAPI) watch(w http.ResponseWriter, r *http.Request, prefix string) {
	after := scenarios.ParseRevision(r.URL.Query().Get("resourceVersion"))
	if after == 1 {
		fmt.Fprintln(w, `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old resource version: 1 (5)","reason":"Expired","code":410}}`)
		return
	}
	send := func(kind string, object any) {
		json.NewEncoder(w).Encode(map[string]any{"type": kind, "object": object})
		w.(http.Flusher).Flush()
	}
	w.(http.Flusher).Flush()
	initial := r.URL.Query().Get("sendInitialEvents") == "true"
	for {
		events, head := api.etcd.after(r.Context(), after)
		if r.Context().Err() != nil {
			return
		}
		for _, event := range events {
			if strings.HasPrefix(string(event.Kv.Key), prefix) {
				send("ADDED", served(event.Kv))
			}
		}
		if initial {
			initial = false
			send("BOOKMARK", map[string]any{"kind": "ConfigMap", "apiVersion": "v1", "metadata": map[string]any{
				"resourceVersion": strconv.FormatInt(head, 10), "annotations": map[string]any{"k8s.io/initial-events-end": "true"},
			}})
		}
		after = head
	}
}

func status(w http.ResponseWriter, code int, reason, message string) {
	w.WriteHeader(code)
	result := metav1.StatusSuccess
	if code >= 400 {
		result = metav1.StatusFailure
	}
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":%q,"code":%d,"reason":%q,"message":%q}`, result, code, reason, message)
}

// discoveryAnswers is what the fake says of itself: discovery, and as much OpenAPI as
// kubectl needs to find that the server validates fields and takes strategic patches.
var discoveryAnswers = map[string]string{
	"/api": `{"kind":"APIVersions","versions":["v1"]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"coordination.k8s.io",
		"versions":[{"groupVersion":"coordination.k8s.io/v1","version":"v1"}],"preferredVersion":{"groupVersion":"coordination.k8s.io/v1","version":"v1"}}]}`,
	"/apis/coordination.k8s.io/v1": `{"kind":"APIResourceList","groupVersion":"coordination.k8s.io/v1","resources":[
		{"name":"leases","singularName":"lease","namespaced":true,"kind":"Lease","verbs":["get","create","update"]}]}`,
	"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[
		{"name":"namespaces","singularName":"namespace","namespaced":false,"kind":"Namespace","verbs":["get","list","create","update","patch","delete"]},
		{"name":"configmaps","singularName":"configmap","namespaced":true,"kind":"ConfigMap","verbs":["get","list","create","update","patch","delete"]},
		{"name":"secrets","singularName":"secret","namespaced":true,"kind":"Secret","verbs":["get","list","create","update","patch","delete"]}]}`,
	"/openapi/v3": `{"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1"}}}`,
	"/openapi/v3/api/v1": `{"openapi":"3.0.0","info":{"title":"fake","version":"1"},
		"paths":{"/api/v1/namespaces/{namespace}/configmaps/{name}":{"patch":{
			"x-kubernetes-group-version-kind":{"group":"","version":"v1","kind":"ConfigMap"},
			"parameters":[{"name":"fieldValidation","in":"query"}],
			"requestBody":{"content":{"application/strategic-merge-patch+json":{}}}}},
			"/api/v1/namespaces/{namespace}/secrets/{name}":{"patch":{
			"x-kubernetes-group-version-kind":{"group":"","version":"v1","kind":"Secret"},
			"parameters":[{"name":"fieldValidation","in":"query"}]}},
			"/api/v1/namespaces/{name}":{"patch":{
			"x-kubernetes-group-version-kind":{"group":"","version":"v1","kind":"Namespace"},
			"parameters":[{"name":"fieldValidation","in":"query"}]}}},
		"components":{"schemas":{"io.k8s.api.core.v1.ConfigMap":{"type":"object",
			"x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"ConfigMap"}],
			"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"data":{"type":"object","additionalProperties":{"type":"string"}},
			"metadata":{"type":"object","properties":{"name":{"type":"string"},"namespace":{"type":"string"},"annotations":{"type":"object","additionalProperties":{"type":"string"}}}}}}}}}`,
}

// readAgain is a request's body, which can be read once more.
func readAgain(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return string(body)
}
