package sources

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// etcdctl is a pod's etcdctl on a history: as much of it as is asked for.
func (h *history) etcdctl(t *testing.T) *Exec {
	pod := etcdPod{namespace: "kube-system", name: "etcd-a", container: "etcd", etcdctl: []string{"etcdctl", "--endpoints=https://127.0.0.1:2379"}}
	return &Exec{pod: pod, run: func(_ context.Context, command []string) ([]byte, error) {
		if command[0] != "etcdctl" || command[1] != "--endpoints=https://127.0.0.1:2379" {
			t.Errorf("it runs %v", command)
		}
		if slices.Contains(command, "endpoint") {
			return []byte(`[{"Endpoint":"x","Status":{"version":"3.6.16"}}]`), nil
		}
		if command[2] != "get" {
			t.Errorf("it runs %v", command)
		}
		return h.get(command[3], command[4:])
	}}
}

func (h *history) get(key string, flags []string) ([]byte, error) {
	revision := h.newest()
	for _, flag := range flags {
		if text, ok := strings.CutPrefix(flag, "--rev="); ok {
			revision, _ = strconv.ParseInt(text, 10, 64)
		}
	}
	if revision < h.gone {
		return nil, errors.New("it ended with 1: etcdserver: mvcc: required revision has been compacted")
	}
	kvs := []map[string]any{}
	switch {
	case key == "compact_rev_key" && h.gone > 0:
		kvs = append(kvs, map[string]any{"key": []byte(key), "create_revision": 1, "mod_revision": 1, "version": 1, "value": []byte(strconv.FormatInt(h.gone, 10))})
	case strings.HasPrefix(key, "/registry/namespaces/"):
		kvs = append(kvs, map[string]any{"key": []byte(key), "create_revision": 1, "mod_revision": 1, "version": 1})
	default:
		for _, change := range h.at(revision).items {
			if change.Key == key || slices.Contains(flags, "--prefix") && strings.HasPrefix(change.Key, key) {
				kv := map[string]any{"key": []byte(change.Key), "create_revision": 2, "mod_revision": change.Revision, "version": 5}
				if !slices.Contains(flags, "--keys-only") {
					kv["value"] = change.Value
				}
				kvs = append(kvs, kv)
			}
		}
	}
	return json.Marshal(map[string]any{"header": map[string]any{"cluster_id": uint64(14841639068965178418), "revision": h.newest()}, "kvs": kvs, "count": len(kvs)})
}

func TestRevisionsAreFoundWithEtcdctl(t *testing.T) {
	h := newHistory()
	h.put("old")
	e := h.etcdctl(t)
	if err := e.ask(t.Context(), "/registry"); err != nil || e.Version() != "3.6.16" || e.Source() != "etcdctl in pod etcd-a" {
		t.Fatalf("%s, %s, error %v", e.Version(), e.Source(), err)
	}
	f, err := e.Follow(t.Context(), cluster.Room{Namespace: "ns", Prefix: "/registry"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Stop()
	for range 2 {
		at := h.newest()
		made := h.put("a")
		h.put("a")
		h.others()
		h.delete("a")
		brief := h.put("brief")
		h.delete("brief")
		since, err := f.Next(t.Context(), kinds, []scenarios.Exchange{posted("a", made), posted("brief", brief)})
		if err != nil {
			t.Fatal(err)
		}
		if want := h.between(at, h.newest()); !sameChanges(since.Changes, want) || since.Compacted != 0 {
			t.Errorf("compacted %d, changes %v; want %v", since.Compacted, since.Changes, want)
		}
		if since.Changes[0].Version != 5 || since.Changes[0].CreateRevision != 2 {
			t.Errorf("not as etcd has it: %+v", since.Changes[0])
		}
	}
	h.gone = h.newest() - 2
	since, err := f.Next(t.Context(), kinds, nil)
	if err != nil || since.Compacted != h.gone {
		t.Errorf("compacted %d, want %d, error %v", since.Compacted, h.gone, err)
	}
	if state, err := e.Key(t.Context(), "/registry/configmaps/ns/old", 0); err != nil || state.ModRevision != 2 || state.Count != 1 || state.Head != h.newest() {
		t.Errorf("%+v, error %v", state, err)
	}
	if _, err := e.Key(t.Context(), "/registry/configmaps/ns/old", 2); err == nil || !strings.Contains(err.Error(), "compacted") {
		t.Errorf("error %v", err)
	}
}

func TestWhatEtcdctlCannotDoIsOneLine(t *testing.T) {
	e := &Exec{pod: etcdPod{namespace: "kube-system", name: "etcd-a"}, run: func(context.Context, []string) ([]byte, error) {
		return nil, errors.New("it ended with 1: context deadline exceeded")
	}}
	const want = "running etcdctl in pod kube-system/etcd-a: it ended with 1: context deadline exceeded"
	if err := e.ask(t.Context(), "/registry"); err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
	h := newHistory()
	e = h.etcdctl(t)
	inner := e.run
	e.run = func(ctx context.Context, command []string) ([]byte, error) {
		if slices.Contains(command, "/elsewhere/namespaces/default") {
			return []byte(`{"header":{"revision":7}}`), nil
		}
		return inner(ctx, command)
	}
	if err := e.ask(t.Context(), "/elsewhere"); err == nil || !strings.Contains(err.Error(), "--etcd-prefix") {
		t.Errorf("error %v", err)
	}
}
