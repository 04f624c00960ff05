package sources

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/cluster"
	"rvtui/scenarios"
)

var kinds = []schema.GroupVersionResource{configMaps}

func following(t *testing.T, h *history) *follower {
	t.Helper()
	f, err := follow(t.Context(), h, "ns")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f
}

// wantNext reads on, and wants what came after a revision.
func wantNext(t *testing.T, f *follower, h *history, after int64, answers ...scenarios.Exchange) []cluster.Change {
	t.Helper()
	since, err := f.Next(t.Context(), kinds, answers)
	if err != nil {
		t.Fatal(err)
	}
	if want := h.between(after, h.newest()); !sameChanges(since.Changes, want) || since.Head != h.newest() {
		t.Fatalf("head %d, changes %v; want %d, %v", since.Head, since.Changes, h.newest(), want)
	}
	return since.Changes
}

func posted(name string, revision int64) scenarios.Exchange {
	return scenarios.Exchange{Method: "POST", Path: "/api/v1/namespaces/ns/configmaps", Status: 201,
		ResponseBody: fmt.Appendf(nil, `{"kind":"ConfigMap","metadata":{"name":%q,"resourceVersion":"%d"}}`, name, revision)}
}

func TestEveryChangeIsToldOnceWithAWatchAndWithout(t *testing.T) {
	for _, watching := range []bool{true, false} {
		t.Run(fmt.Sprint("watching ", watching), func(t *testing.T) {
			h := newHistory()
			h.watching = watching
			h.put("old")
			f := following(t, h)
			at := h.newest()
			wantNext(t, f, h, at)
			h.put("a")
			h.others()
			h.put("a")
			h.delete("old")
			changes := wantNext(t, f, h, at)
			if first := changes[0]; first.CreateRevision != first.Revision || changes[1].CreateRevision != first.Revision || changes[1].Version != 0 {
				t.Errorf("a was created at %d: %+v", first.Revision, changes)
			}
			at = h.newest()
			wantNext(t, f, h, at)
			// It comes and goes within a step, and only its creation's answer tells.
			made := h.put("brief")
			h.delete("brief")
			wantNext(t, f, h, at, posted("brief", made))
		})
	}
}

func TestWhatAWatchDoesNotBringIsFoundByLists(t *testing.T) {
	h := newHistory()
	h.watching = true
	h.hide = func(revision int64) bool { return revision == 3 }
	f := following(t, h)
	f.patience = 10 * time.Millisecond
	at := h.newest()
	h.put("a")
	h.put("a")
	wantNext(t, f, h, at)
	at = h.newest()
	h.put("a")
	wantNext(t, f, h, at)
}

func TestALostWatchIsOpenedAgain(t *testing.T) {
	h := newHistory()
	h.watching = true
	f := following(t, h)
	at := h.newest()
	wantNext(t, f, h, at)
	close(h.broken)
	<-f.kinds[configMaps].stream.done
	h.broken = make(chan struct{})
	h.put("a")
	wantNext(t, f, h, at)
	at = h.newest()
	h.put("a")
	h.delete("a")
	h.lists = 0
	wantNext(t, f, h, at)
	if h.lists != 1 {
		t.Errorf("%d lists with a watch", h.lists)
	}
}

func TestAKindIsFollowedFromWhereItIsNamed(t *testing.T) {
	h := newHistory()
	h.watching = true
	h.put("before")
	f := following(t, h)
	h.put("before")
	if since, err := f.Next(t.Context(), nil, nil); err != nil || len(since.Changes) > 0 || since.Head != h.newest() {
		t.Fatalf("%+v, error %v", since, err)
	}
	at := h.newest()
	h.delete("before") // by the step that names the kind first
	wantNext(t, f, h, at)
}

func TestACreationThatWasNotSeenIsNotClaimed(t *testing.T) {
	h := newHistory()
	h.put("old")
	f := following(t, h)
	h.put("old")
	h.gone = h.put("old")
	since, err := f.Next(t.Context(), kinds, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(since.Changes) != 1 || since.Changes[0].CreateRevision != 0 || since.Compacted != h.gone {
		t.Errorf("%+v", since)
	}
}

func TestAStreamThatNobodyReadsEnds(t *testing.T) {
	h := newHistory()
	h.watching = true
	f := following(t, h)
	wantNext(t, f, h, h.newest())
	for range mostPending + 1 {
		h.put("a")
	}
	stream := f.kinds[configMaps].stream
	<-stream.done
	if pending, err := stream.pending(); len(pending) != mostPending || err == nil {
		t.Errorf("%d pending, error %v", len(pending), err)
	}
	since, err := f.Next(t.Context(), kinds, nil)
	if err != nil || since.Head != h.newest() || len(since.Changes) == 0 {
		t.Errorf("%d changes up to %d, error %v", len(since.Changes), since.Head, err)
	}
}

func TestAnEndedWatchSaysSo(t *testing.T) {
	s := openStream(t.Context(), func(_ context.Context, _ func(cluster.Change)) error { return nil })
	<-s.done
	if _, err := s.pending(); err == nil || errors.Is(err, errNoWatch) {
		t.Errorf("error %v", err)
	}
}

func TestAnswersNameRevisionsOfTheirKind(t *testing.T) {
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	const object = `{"metadata":{"name":"a","resourceVersion":"7"}}`
	tests := map[string]struct {
		kind   schema.GroupVersionResource
		path   string
		status int
		body   string
		want   int
	}{
		"an object":              {configMaps, "/api/v1/namespaces/ns/configmaps/a?x=y", 200, object, 1},
		"an apiserver at a path": {configMaps, "/k8s/clusters/c/api/v1/namespaces/ns/configmaps/a", 200, object, 1},
		"a list's items":         {configMaps, "/api/v1/namespaces/ns/configmaps", 200, `{"metadata":{"resourceVersion":"9"},"items":[` + object + `,` + object + `]}`, 2},
		"a subresource":          {deployments, "/apis/apps/v1/namespaces/ns/deployments/a/scale", 200, object, 1},
		"another version":        {deployments, "/apis/apps/v2/namespaces/ns/deployments/a", 200, object, 1},
		"another group":          {deployments, "/apis/other/v1/namespaces/ns/deployments/a", 200, object, 0},
		"another kind":           {configMaps, "/api/v1/namespaces/ns/secrets/a", 200, object, 0},
		"another namespace":      {configMaps, "/api/v1/namespaces/ns2/configmaps/a", 200, object, 0},
		"a refusal":              {configMaps, "/api/v1/namespaces/ns/configmaps/a", 409, object, 0},
		"a Status":               {configMaps, "/api/v1/namespaces/ns/configmaps/a", 200, `{"kind":"Status","metadata":{}}`, 0},
		"no JSON":                {configMaps, "/api/v1/namespaces/ns/configmaps/a", 200, `"k8s"`, 0},
		"no namespace":           {configMaps, "/version", 200, object, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			exchanges := []scenarios.Exchange{{Path: test.path, Status: test.status, ResponseBody: []byte(test.body)}}
			if got := answered("ns", test.kind, exchanges); len(got) != test.want {
				t.Errorf("%v, want %d", got, test.want)
			}
		})
	}
}
