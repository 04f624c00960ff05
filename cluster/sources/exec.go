package sources

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// Exec is etcd, read with etcdctl in the pod that it runs in. To run something there is full
// access to the cluster, so that the user must have asked for it; what is run only reads.
type Exec struct {
	pod     etcdPod
	version string
	// run runs a command in the pod, and returns what it printed.
	run func(ctx context.Context, command []string) ([]byte, error)
}

var _ cluster.Store = (*Exec)(nil)

// NewExec finds etcd's static pod, and asks etcd there what it is and whether the apiserver's
// keys are under the prefix, "/registry" if empty. The error is one line for a person.
func NewExec(ctx context.Context, config *rest.Config, prefix string) (*Exec, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	config = rest.CopyConfig(config)
	config.WarningHandler, config.WarningHandlerWithContext = rest.NoWarnings{}, nil
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("looking for etcd's pod: %w", err)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceSystem).List(ctx, metav1.ListOptions{LabelSelector: "component=etcd"})
	if err != nil {
		return nil, fmt.Errorf("looking for etcd's pod: %w", err)
	}
	pod, err := findEtcd(pods.Items)
	if err != nil {
		return nil, fmt.Errorf("looking for etcd's pod: %w", err)
	}
	e := &Exec{pod: pod, run: inPod(config, client, pod)}
	if err := e.ask(ctx, Etcd{Prefix: prefix}.prefix()); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *Exec) ask(ctx context.Context, prefix string) error {
	printed, err := e.run(ctx, append(e.etcdctl(), "endpoint", "status", "-w", "json"))
	if err == nil {
		e.version, err = decodeStatus(printed)
	}
	if err != nil {
		return fmt.Errorf("running etcdctl in pod %s/%s: %w", e.pod.namespace, e.pod.name, err)
	}
	return e.holds(ctx, namespaceKey(prefix, "default"))
}

// etcdctl is the command up to what it is to do, for the caller to append to.
func (e *Exec) etcdctl() []string { return append([]string(nil), e.pod.etcdctl...) }

// Source is the store's name.
func (e *Exec) Source() string { return "etcdctl in pod " + e.pod.name }

// Version is etcd's, such as "3.6.16".
func (e *Exec) Version() string { return e.version }

// Can are the capabilities that a cluster has by this source.
func (e *Exec) Can() []string {
	return []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityEtcdVersion}
}

// Follow starts after the newest revision. It is an error where the store has no such namespace.
func (e *Exec) Follow(ctx context.Context, room cluster.Room) (cluster.Follower, error) {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	if err := e.holds(bounded, namespaceKey(room.Prefix, room.Namespace)); err != nil {
		return nil, err
	}
	return follow(ctx, &execReader{Exec: e, room: room, floor: 1}, room.Namespace)
}

// holds reports, as an error, that there is no such key.
func (e *Exec) holds(ctx context.Context, key string) error {
	found, err := e.Key(ctx, key, 0)
	if err == nil && found.Count == 0 {
		err = noSuchKey(key)
	}
	return err
}

// Key reads a key, without its value.
func (e *Exec) Key(ctx context.Context, key string, revision int64) (cluster.KeyState, error) {
	response, err := e.get(ctx, key, revision, "--keys-only")
	if err != nil {
		return cluster.KeyState{}, err
	}
	state := cluster.KeyState{Head: int64(response.Header.Revision), Count: int64(response.Count)}
	if len(response.Kvs) == 1 {
		kv := response.Kvs[0]
		state.CreateRevision, state.ModRevision, state.Version = int64(kv.CreateRevision), int64(kv.ModRevision), int64(kv.Version)
	}
	return state, nil
}

// get runs `etcdctl get`. A key begins with a slash, or is compact_rev_key: never with a dash.
func (e *Exec) get(ctx context.Context, key string, revision int64, flags ...string) (ctlResponse, error) {
	command := append(e.etcdctl(), "get", key, "-w", "json")
	if revision > 0 {
		command = append(command, "--rev="+strconv.FormatInt(revision, 10))
	}
	printed, err := e.run(ctx, append(command, flags...))
	if err != nil {
		if strings.Contains(err.Error(), "required revision has been compacted") {
			return ctlResponse{}, errCompacted
		}
		return ctlResponse{}, fmt.Errorf("running etcdctl in pod %s/%s: %w", e.pod.namespace, e.pod.name, err)
	}
	return decodeRange(printed)
}

// execReader reads a walk's namespace with etcdctl.
type execReader struct {
	*Exec
	room  cluster.Room
	floor int64 // the oldest revision that can still be read; 0 when that cannot be found out
}

func (r *execReader) head(ctx context.Context) (int64, error) {
	state, err := r.Key(ctx, namespaceKey(r.room.Prefix, r.room.Namespace), 0)
	return state.Head, err
}

func (r *execReader) list(ctx context.Context, kind schema.GroupVersionResource, revision int64, values bool) (snapshot, error) {
	flags := []string{"--prefix"}
	if !values || secret(kind) {
		flags = append(flags, "--keys-only")
	}
	response, err := r.get(ctx, r.room.Key(kind.GroupResource(), ""), revision, flags...)
	if err != nil {
		return snapshot{}, err
	}
	found := snapshot{at: int64(response.Header.Revision), items: map[string]cluster.Change{}}
	for _, kv := range response.Kvs {
		found.items[string(kv.Key)] = cluster.Change{
			Revision: int64(kv.ModRevision), Key: string(kv.Key),
			CreateRevision: int64(kv.CreateRevision), Version: int64(kv.Version), Value: kv.Value,
		}
	}
	return found, nil
}

// watch is not for a command that must end.
func (r *execReader) watch(context.Context, schema.GroupVersionResource, int64, func(cluster.Change)) error {
	return errNoWatch
}

// compacted believes what the apiserver wrote when it last had etcd compacted, if it is so.
func (r *execReader) compacted(ctx context.Context, _ int64) (int64, bool) {
	if r.floor > 0 && !r.readable(ctx, r.floor) {
		r.floor = 0
		response, err := r.get(ctx, "compact_rev_key", 0)
		if err == nil && len(response.Kvs) == 1 {
			revision, err := strconv.ParseInt(string(response.Kvs[0].Value), 10, 64)
			if err == nil && revision > 1 && r.readable(ctx, revision) && !r.readable(ctx, revision-1) {
				r.floor = revision
			}
		}
	}
	return oldestKept(r.floor, true)
}

func (r *execReader) readable(ctx context.Context, revision int64) bool {
	_, err := r.Key(ctx, "compact_rev_key", revision)
	return err == nil
}
