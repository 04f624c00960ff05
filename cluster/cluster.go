package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"rvtui/cluster/logs"
	"rvtui/cluster/rpcs"
	"rvtui/cluster/spans"
	"rvtui/scenarios"
)

// Config is what a Cluster is made from.
type Config struct {
	REST *rest.Config // how the apiserver is reached; its credentials are every actor's
	// Store is where the evidence on etcd comes from.
	Store Store
	RPCs  *rpcs.Recorder // what the apiserver asks of etcd; nil where nobody records it
	// Spans is what the apiserver does inside; nil where nobody records it.
	Spans *spans.Recorder
	// Log is what the servers and the client libraries log; nil where nobody records it.
	Log  *logs.Recorder
	Info scenarios.Info
	Can  []string // the capabilities
	// Compact makes etcd forget the revisions below one, and waits until they are gone from its
	// disk too; it returns the newest one. nil where etcd is somebody else's too.
	Compact func(ctx context.Context, revision int64) (head int64, err error)
	// Restart stops the apiserver and starts it anew on the same etcd, with the same address
	// and credentials, and returns once it is ready. nil where nobody can.
	Restart func(ctx context.Context) error

	// Explain makes of what went wrong one line for a person, where it knows better, and returns
	// any other error as it is. nil where there is nothing to explain.
	Explain func(error) error

	Prefix string           // of the apiserver's keys in etcd; "/registry" if empty
	Now    func() time.Time // time.Now if nil
	Suffix func() string    // of the next namespace's name; random if nil
}

// Cluster is a kube-apiserver and its etcd. It implements scenarios.Cluster.
type Cluster struct {
	config Config
	// books is for what the program itself has to know or to make, and what no step
	// did: it is not recorded.
	books dynamic.Interface
	// restarting holds one value while the apiserver is restarted, by whichever walk: a
	// step that was given up leaves its restart behind, and nothing can begin meanwhile.
	restarting chan struct{}
	kinds      *kinds
	// credentials are what must be in nothing that is recorded.
	credentials *credentials
}

var _ scenarios.Cluster = (*Cluster)(nil)

// managedBy is on each namespace that rvtui makes, so that a crash's leftovers can be told.
var managedBy = map[string]any{"app.kubernetes.io/managed-by": "rvtui"}

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// New makes a Cluster. It asks nothing of the apiserver yet.
func New(config Config) (*Cluster, error) {
	if config.REST == nil || config.Store == nil {
		return nil, errors.New("making a cluster: both the apiserver and etcd are needed")
	}
	if config.Prefix == "" {
		config.Prefix = "/registry"
	}
	config.Prefix = "/" + strings.Trim(config.Prefix, "/")
	if config.Explain == nil {
		config.Explain = func(err error) error { return err }
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Suffix == nil {
		config.Suffix = func() string { return strings.ToLower(rand.Text()[:6]) }
	}
	own := quiet(config.REST)
	own.UserAgent = "rvtui"
	books, err := dynamic.NewForConfig(own)
	if err != nil {
		return nil, fmt.Errorf("making a client of the apiserver: %w", err)
	}
	kinds, err := newKinds(own)
	if err != nil {
		return nil, fmt.Errorf("making a client of the apiserver's discovery: %w", err)
	}
	return &Cluster{config: config, books: books, kinds: kinds, restarting: make(chan struct{}, 1), credentials: credentialsOf(config.REST)}, nil
}

// Info is what the cluster says of itself.
func (c *Cluster) Info() scenarios.Info { return c.config.Info }

// can reports whether the cluster has a capability.
func (c *Cluster) can(capability string) bool { return slices.Contains(c.config.Can, capability) }

// Can lists the capabilities that the cluster has.
func (c *Cluster) Can() []string { return slices.Clone(c.config.Can) }

// Open makes a namespace of its own for one walk, and follows etcd's revisions from the
// moment that it is there.
func (c *Cluster) Open(ctx context.Context, scenario string) (scenarios.Session, error) {
	session, err := c.open(ctx, scenario)
	if err != nil {
		return nil, c.config.Explain(err) // a typed nil in the interface would look like a session
	}
	return session, nil
}

func (c *Cluster) open(ctx context.Context, scenario string) (*Session, error) {
	name := "rvtui-" + c.config.Suffix()
	namespace := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": name, "labels": managedBy},
	}}
	if err := c.settled(ctx); err != nil {
		return nil, fmt.Errorf("waiting for the apiserver's restart: %w", err)
	}
	if err := c.connect(ctx, scenarios.B); err != nil {
		return nil, fmt.Errorf("reaching the apiserver for %s: %w", scenario, err)
	}
	if _, err := c.books.Resource(namespaces).Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return nil, fmt.Errorf("making a namespace for %s: %w", scenario, err)
	}
	follower, err := c.config.Store.Follow(ctx, Room{Namespace: name, Prefix: c.config.Prefix})
	if err != nil {
		// The namespace goes also where ctx is why there is no session.
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		return nil, errors.Join(
			fmt.Errorf("following etcd's revisions for %s: %w", scenario, err),
			c.books.Resource(namespaces).Delete(clean, name, metav1.DeleteOptions{}))
	}
	session := &Session{
		cluster:   c,
		namespace: name,
		began:     c.config.Now(),
		follower:  follower,
		wrote:     map[revisionKey]string{},
	}
	session.takeLog() // what came before is not the session's
	return session, nil
}

// quiet is a copy of config for a client that speaks JSON, is not throttled on the
// client's side, and prints no warnings: they are in the answers' headers anyway.
func quiet(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS = -1
	config.RateLimiter = nil
	config.WarningHandler = rest.NoWarnings{}
	config.WarningHandlerWithContext = nil
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
	return config
}
