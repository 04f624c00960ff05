package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"rvtui/cluster/journal"
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

	// Namespace is one that is there already, for all walks, one after the other; "" gives each
	// walk a namespace of its own.
	Namespace string
	// Journal notes what is made, for Clean; nil where the cluster goes with the process. The
	// caller closes it.
	Journal *journal.Journal
	// Clean is the command that removes what is left, for a person to type; "rvtui clean" if empty.
	Clean string
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
	books       dynamic.Interface
	names       metadata.Interface // the same, for who needs to know names only
	run         string             // the random name of this process's run
	stepTimeout time.Duration
	turn        chan struct{}          // holds one value while somebody walks in the given namespace
	mu          sync.Mutex             // guards what follows
	left        []*scenarios.LeftError // what could not be removed
	lacksRights map[string]string      // why scenarios cannot be walked through, by name
	// restarting holds one value while the apiserver is restarted, by whichever walk: a
	// step that was given up leaves its restart behind, and nothing can begin meanwhile.
	restarting chan struct{}
	kinds      *kinds
	// credentials are what must be in nothing that is recorded.
	credentials *credentials
}

var _ scenarios.Cluster = (*Cluster)(nil)

// New makes a Cluster. It asks nothing of the apiserver yet.
func New(config Config) (*Cluster, error) {
	if config.REST == nil || config.Store == nil {
		return nil, errors.New("making a cluster: both the apiserver and etcd are needed")
	}
	if config.Prefix == "" {
		config.Prefix = "/registry"
	}
	config.Prefix = "/" + strings.Trim(config.Prefix, "/")
	if config.Clean == "" {
		config.Clean = "rvtui clean"
	}
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
	names, err := metadata.NewForConfig(own)
	if err != nil {
		return nil, fmt.Errorf("making a client of the apiserver: %w", err)
	}
	kinds, err := newKinds(own)
	if err != nil {
		return nil, fmt.Errorf("making a client of the apiserver's discovery: %w", err)
	}
	run := config.Journal.Run()
	if run == "" {
		run = strings.ToLower(rand.Text()[:10])
	}
	return &Cluster{
		config: config, books: books, names: names, kinds: kinds, run: run, stepTimeout: stepTimeout,
		turn: make(chan struct{}, 1), restarting: make(chan struct{}, 1),
		credentials: credentialsOf(config.REST),
	}, nil
}

// Info is what the cluster says of itself.
func (c *Cluster) Info() scenarios.Info { return c.config.Info }

// can reports whether the cluster has a capability.
func (c *Cluster) can(capability string) bool { return slices.Contains(c.config.Can, capability) }

// Can lists the capabilities that the cluster has.
func (c *Cluster) Can() []string { return slices.Clone(c.config.Can) }

// Open makes room for one walk, in a namespace of its own or in the given one, and follows
// etcd's revisions from the moment that it is there. It returns a *scenarios.MissingError
// where Preflight found that the user may not do what the scenario does.
func (c *Cluster) Open(ctx context.Context, scenario string) (scenarios.Session, error) {
	session, err := c.begin(ctx, scenario)
	if err != nil {
		return nil, c.config.Explain(err) // a typed nil in the interface would look like a session
	}
	return session, nil
}

// begin is Open without the explanation of what goes wrong.
func (c *Cluster) begin(ctx context.Context, scenario string) (*Session, error) {
	if why := c.lackOf(scenario); why != "" {
		return nil, &scenarios.MissingError{Scenario: scenario, Missing: []string{scenarios.LackRights}, Why: why}
	}
	if err := c.settled(ctx); err != nil {
		return nil, fmt.Errorf("waiting for the apiserver's restart: %w", err)
	}
	if err := c.identify(ctx); err != nil {
		return nil, fmt.Errorf("preparing %s: %w", scenario, err)
	}
	session, err := c.open(ctx, scenario)
	if err != nil {
		return nil, err
	}
	session.follower, err = c.config.Store.Follow(ctx, Room{Namespace: session.namespace, Prefix: c.config.Prefix})
	if err != nil {
		// The namespace goes also where ctx is why there is no session.
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		return nil, errors.Join(fmt.Errorf("following etcd's revisions for %s: %w", scenario, err), session.end(clean))
	}
	session.takeLog() // what came before is not the session's
	return session, nil
}

// open makes the room itself.
func (c *Cluster) open(ctx context.Context, scenario string) (*Session, error) {
	if c.config.Namespace != "" {
		session, err := c.openGiven(ctx)
		if err != nil {
			return nil, err
		}
		if err := c.connect(ctx, scenarios.B); err != nil {
			<-c.turn
			return nil, fmt.Errorf("reaching the apiserver for %s: %w", scenario, err)
		}
		return session, nil
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := c.connect(ctx, scenarios.B); err != nil {
		return nil, fmt.Errorf("reaching the apiserver for %s: %w", scenario, err)
	}
	return c.openOwn(ctx, scenario)
}

// session is a session in a namespace, without what reads the store.
func (c *Cluster) session(namespace string, given bool) *Session {
	return &Session{cluster: c, namespace: namespace, given: given, began: c.config.Now(), wrote: map[revisionKey]string{}}
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
