package embedded

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/client-go/rest"

	"rvtui/cluster/logs"
	"rvtui/cluster/rpcs"
	"rvtui/cluster/spans"
)

// The phases of a start, in the order in which they are reported.
const (
	PhaseEtcd      = "etcd"           // etcd answers
	PhaseAPIServer = "kube-apiserver" // the kube-apiserver listens
	PhaseReady     = "ready"          // /readyz says ok
)

// How long a server may take to stop: graceTime of its own accord, then stopTimeout with
// every connection cut. Nobody waits for an answer from a control plane that is closed.
const (
	graceTime   = 200 * time.Millisecond
	stopTimeout = 1500 * time.Millisecond
)

// Options say how a control plane is started.
type Options struct {
	// Parent is the directory to make the control plane's own directory in; "" is
	// os.TempDir().
	Parent string
	// Report is told each phase once it is reached, one at a time. It may be nil.
	Report func(phase string)
	// Recorder records etcd's RPCs. It may be nil.
	Recorder *rpcs.Recorder
	// Spans records the kube-apiserver's spans. It may be nil: nothing is traced then.
	Spans *spans.Recorder
	// Log keeps what is logged, beside the file. It may be nil.
	Log *logs.Recorder
	// Namespaces runs the namespace controller of kube-controller-manager too: a namespace
	// that is deleted goes, with all that is in it, as on every cluster. Without the
	// controller it stays Terminating.
	Namespaces bool
	// KeepPast keeps the kube-apiserver from compacting etcd, which it would do every 5 minutes.
	// Whoever walks through a scenario may look at a step for as long as they like, and the next
	// one may read what was there before.
	KeepPast bool
}

// ControlPlane is a running etcd with a kube-apiserver on it.
type ControlPlane struct {
	profile     profile
	directory   *directory
	log         *logFile
	etcd        *etcd
	credentials *credentials
	address     net.Addr // of the kube-apiserver, whichever one it is
	failed      chan error

	// over ends, with the reason, where the control plane failed or is being closed. What
	// waits for a server to start waits no longer than that.
	over context.Context
	end  context.CancelCauseFunc

	mu         sync.Mutex // held while a kube-apiserver is stopped or restarted
	apiserver  *apiserver
	namespaces *namespaceController // nil where it does not run

	closeOnce sync.Once
	closeErr  error
}

var errClosed = errors.New("the control plane was closed")

// profile is what sets a start apart from another in how it is tuned.
type profile struct {
	flags          []string // of the kube-apiserver, beside those that say where things are
	noOpenAPIV2    bool     // leave /openapi/v2 out, a quarter of the start's work
	tickMs         uint     // of etcd's raft, in milliseconds
	electionMs     uint
	noFsync        bool
	walSegmentSize int64 // bytes that etcd allocates ahead for each file of its log
	collectAt      int64 // bytes of the process at which garbage is collected during the start; 0 leaves it
}

// quick is how the program starts its control plane. An etcd with one member has nobody
// to lose an election to, and nothing in it outlives the program. /openapi/v3 is what
// kubectl reads since 1.27, and what the server itself derives managed fields from.
var quick = profile{
	flags:          trimming(),
	noOpenAPIV2:    true,
	tickMs:         10,
	electionMs:     100,
	noFsync:        true,
	walSegmentSize: 1 << 20,
	collectAt:      120 << 20,
}

// Start starts a control plane and returns once it is ready. ctx bounds the start only.
// Whatever was started is stopped again where Start fails.
//
// One process can have one control plane at a time: the kube-apiserver's feature gates,
// metrics and loggers are the process's.
func Start(ctx context.Context, options Options) (*ControlPlane, error) {
	return start(ctx, options, quick)
}

func start(ctx context.Context, options Options, profile profile) (_ *ControlPlane, err error) {
	if options.Parent == "" {
		options.Parent = os.TempDir()
	}
	report := options.Report
	if report == nil {
		report = func(string) {}
	}
	if !running.TryLock() {
		return nil, errors.New("cannot start a second control plane in one process")
	}
	if options.KeepPast {
		profile.flags = append(slices.Clone(profile.flags), "--etcd-compaction-interval=0")
	}
	defer collectAt(profile.collectAt)()
	c := newControlPlane(profile)
	defer func() {
		if err != nil {
			err = withAdvice(err)
			_ = c.Close()
		}
	}()

	if c.directory, err = makeDirectory(options.Parent); err != nil {
		return nil, err
	}
	if c.log, err = openLog(c.directory.path("control-plane.log"), options.Log, c.fail); err != nil {
		return nil, fmt.Errorf("cannot write a log: %w", err)
	}

	c.etcd = newEtcd(c.directory, c.log, options.Recorder, profile)
	if c.credentials, err = makeCredentials(c.directory); err != nil {
		return nil, fmt.Errorf("cannot configure the kube-apiserver: %w", err)
	}
	c.apiserver = newAPIServer(c.directory, c.log, c.etcd.endpoint(), c.credentials, options.Spans)
	if err = c.apiserver.listen("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("cannot configure the kube-apiserver: %w", err)
	}
	c.address = c.apiserver.listener.Addr()

	// etcd elects itself while the kube-apiserver's options are worked out.
	etcdStarted := make(chan error, 1)
	go func() { etcdStarted <- c.etcd.start(ctx) }()

	configured, ended := configuring(ctx, c.apiserver, profile)

	if err = c.await(etcdStarted); err != nil {
		// The other half of the start is not left behind, unless it waits for etcd.
		select {
		case <-ended:
		case <-time.After(stopTimeout):
		}
		return nil, fmt.Errorf("cannot start etcd: %w", err)
	}
	report(PhaseEtcd)
	if err = c.await(configured); err != nil {
		return nil, fmt.Errorf("cannot configure the kube-apiserver: %w", err)
	}
	if err = c.apiserver.run(ctx, c.over, func() { report(PhaseAPIServer) }); err != nil {
		return nil, fmt.Errorf("cannot start the kube-apiserver: %w", err)
	}
	if options.Namespaces {
		if c.namespaces, err = startNamespaceController(ctx, c.RESTConfig()); err != nil {
			return nil, fmt.Errorf("cannot start the namespace controller: %w", err)
		}
	}
	// A start leaves more garbage than the control plane will make in its first minutes.
	go debug.FreeOSMemory()
	report(PhaseReady)
	return c, nil
}

func newControlPlane(profile profile) *ControlPlane {
	c := &ControlPlane{profile: profile, failed: make(chan error, 1)}
	c.over, c.end = context.WithCancelCause(context.Background())
	return c
}

// configuring configures a kube-apiserver in a goroutine of its own, because a fatal message
// ends it. ended is closed then too, when nothing comes out of configured.
func configuring(ctx context.Context, a *apiserver, profile profile) (configured <-chan error, ended <-chan struct{}) {
	result, done := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(done)
		result <- a.configure(ctx, profile)
	}()
	return result, done
}

// await waits for a part of a start, or for what ended its goroutine.
func (c *ControlPlane) await(done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-c.over.Done():
		return context.Cause(c.over)
	}
}

// running is held by the process's control plane.
var running sync.Mutex

// fail keeps the first thing that ended a server against our will.
func (c *ControlPlane) fail(err error) {
	err = withAdvice(err)
	select {
	case c.failed <- err:
	default:
	}
	c.end(err)
}

// Failed gives one error where the kube-apiserver or etcd ended of its own accord, or
// would have ended the process. The control plane is of no more use then; close it.
func (c *ControlPlane) Failed() <-chan error { return c.failed }

// RESTConfig returns a new configuration for a client of the group system:masters, that
// speaks JSON and is not throttled.
func (c *ControlPlane) RESTConfig() *rest.Config { return c.credentials.restConfig(c.address) }

// EtcdEndpoint is the address of etcd, a unix socket, as an etcd client takes it.
func (c *ControlPlane) EtcdEndpoint() string { return c.etcd.endpoint() }

// EtcdClient returns a new client of the control plane's etcd; the caller closes it.
func (c *ControlPlane) EtcdClient() (*clientv3.Client, error) {
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{c.etcd.endpoint()},
		Logger:    c.log.own("rvtui"),
	})
	if err != nil {
		return nil, fmt.Errorf("cannot reach etcd: %w", err)
	}
	return client, nil
}

// Address is where the kube-apiserver listens, host and port.
func (c *ControlPlane) Address() net.Addr { return c.address }

// Directory is the path of the control plane's own directory, which nobody else can look
// into. What is put there is gone after Close.
func (c *ControlPlane) Directory() string { return c.directory.name }

// LogFile is the path of the file that both servers log to. It is gone after Close.
func (c *ControlPlane) LogFile() string { return c.log.file.Name() }

// Close stops both servers and removes the directory. It takes a few seconds at the most,
// and can be called any number of times.
func (c *ControlPlane) Close() error {
	c.closeOnce.Do(func() {
		c.end(errClosed) // a restart under way gives up
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.namespaces != nil {
			c.namespaces.stop()
		}
		if c.apiserver != nil {
			c.apiserver.stop(context.Background(), stopTimeout)
		}
		if c.etcd != nil {
			c.etcd.stop()
		}
		if c.log != nil {
			c.log.close()
		}
		if c.directory != nil {
			c.closeErr = c.directory.remove()
		}
		running.Unlock()
	})
	return c.closeErr
}
