package embedded

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/client-go/rest"

	"rvtui/cluster/rpcs"
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
}

// ControlPlane is a running etcd with a kube-apiserver on it.
type ControlPlane struct {
	directory *directory
	log       *logFile
	etcd      *etcd
	apiserver *apiserver
	failed    chan error

	closeOnce sync.Once
	closeErr  error
}

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
	defer collectAt(profile.collectAt)()
	c := &ControlPlane{failed: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = withAdvice(err)
			_ = c.Close()
		}
	}()

	if c.directory, err = makeDirectory(options.Parent); err != nil {
		return nil, err
	}
	if c.log, err = openLog(c.directory.path("control-plane.log"), c.fail); err != nil {
		return nil, fmt.Errorf("cannot write a log: %w", err)
	}

	c.etcd = newEtcd(c.directory, c.log, options.Recorder, profile)
	c.apiserver = newAPIServer(c.directory, c.log, c.etcd.endpoint())
	if err = c.apiserver.listen(); err != nil {
		return nil, fmt.Errorf("cannot configure the kube-apiserver: %w", err)
	}

	// etcd elects itself while the kube-apiserver's options are worked out.
	etcdStarted := make(chan error, 1)
	go func() { etcdStarted <- c.etcd.start(ctx) }()

	configured := make(chan error, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		configured <- c.apiserver.configure(ctx, profile)
	}()

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
	if err = c.apiserver.run(ctx, c.failed, func() { report(PhaseAPIServer) }); err != nil {
		return nil, fmt.Errorf("cannot start the kube-apiserver: %w", err)
	}
	// A start leaves more garbage than the control plane will make in its first minutes.
	go debug.FreeOSMemory()
	report(PhaseReady)
	return c, nil
}

// await waits for a part of the start, or for what ended its goroutine.
func (c *ControlPlane) await(done <-chan error) error {
	select {
	case err := <-done:
		return err
	case err := <-c.failed:
		return err
	}
}

// running is held by the process's control plane.
var running sync.Mutex

// fail keeps the first thing that ended a server against our will.
func (c *ControlPlane) fail(err error) {
	select {
	case c.failed <- withAdvice(err):
	default:
	}
}

// Failed gives one error where the kube-apiserver or etcd ended of its own accord, or
// would have ended the process. The control plane is of no more use then; close it.
func (c *ControlPlane) Failed() <-chan error { return c.failed }

// RESTConfig returns a new configuration for a client of the group system:masters, that
// speaks JSON and is not throttled.
func (c *ControlPlane) RESTConfig() *rest.Config { return c.apiserver.restConfig() }

// EtcdEndpoint is the address of etcd, a unix socket, as an etcd client takes it.
func (c *ControlPlane) EtcdEndpoint() string { return c.etcd.endpoint() }

// EtcdClient returns a new client of the control plane's etcd; the caller closes it.
func (c *ControlPlane) EtcdClient() (*clientv3.Client, error) {
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{c.etcd.endpoint()},
		Logger:    c.log.zap("etcd-client"),
	})
	if err != nil {
		return nil, fmt.Errorf("cannot reach etcd: %w", err)
	}
	return client, nil
}

// Address is where the kube-apiserver listens, host and port.
func (c *ControlPlane) Address() net.Addr { return c.apiserver.listener.Addr() }

// LogFile is the path of the file that both servers log to. It is gone after Close.
func (c *ControlPlane) LogFile() string { return c.log.file.Name() }

// Close stops both servers and removes the directory. It takes a few seconds at the most,
// and can be called any number of times.
func (c *ControlPlane) Close() error {
	c.closeOnce.Do(func() {
		if c.apiserver != nil {
			c.apiserver.stop()
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
