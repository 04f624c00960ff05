package commands

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"rvtui/scenarios"
)

// ControlPlane is a running cluster, and how it ends.
type ControlPlane struct {
	Cluster scenarios.Cluster
	Failed  <-chan error // gives one error where a server ended of its own accord; nil on the user's own cluster
	Close   func() error // stops it and removes what it made
	// Confirm asks whatever has to be asked, and refuses what must not be done, before the
	// first write. nil where nothing has to be: on the embedded control plane.
	Confirm func(ctx context.Context) error
	// Describe says what there is to know of the user's own cluster; nil on the embedded one.
	Describe func(ctx context.Context) (ClusterFacts, error)
	// Clean removes what walks have left on the user's own cluster; nil on the embedded one.
	Clean Clean
	// Left is what could not be removed of what this process made: each a *scenarios.LeftError, on
	// one line. nil where nobody knows.
	Left func() error
}

// StartOptions say how a control plane is started.
type StartOptions struct {
	Report func(phase string) // is told each phase
	// Inside records what the servers do inside as well: the kube-apiserver's spans, and
	// what is logged.
	Inside bool
}

// Start starts a control plane and returns once it is ready.
type Start func(ctx context.Context, options StartOptions) (*ControlPlane, error)

// Versions are those of what is built in.
type Versions struct {
	Rvtui, Kubernetes, Etcd, Go string
}

// Program is rvtui with everything that it takes from outside.
type Program struct {
	In       *os.File
	Out, Err *os.File
	Lookup   func(name string) (string, bool) // the environment
	Terminal func(*os.File) bool
	Now      func() time.Time
	Start    Start
	Own      OwnCluster
	Serve    Serve
	Versions Versions

	given *pflag.FlagSet // of the command that is run, where it has those of a cluster
}

// endWithin is how long the program may take to clean up once a signal has come. Whatever
// stops what was started is bounded by itself; this is for what should not happen.
const endWithin = 20 * time.Second

// Main runs the command line and returns the process's exit code. SIGINT, SIGTERM, SIGHUP
// or SIGQUIT end whatever is going on, after cleaning up. Further ones change nothing: a
// terminal that is closed sends two, and impatience must leave nothing behind.
func (p *Program) Main(ctx context.Context, args []string) (code int) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// Where the reader of a pipe has gone, the write shall fail rather than the process die
	// with its control plane's directory left behind.
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	if !signal.Ignored(syscall.SIGHUP) { // nohup is taken at its word
		signal.Notify(signals, syscall.SIGHUP)
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case received := <-signals:
			interrupt := &InterruptError{Signal: received.(syscall.Signal)}
			cancel(interrupt)
			select {
			case <-ended:
			case <-time.After(endWithin):
				os.Exit(exitSignal + int(interrupt.Signal))
			}
		case <-ended:
		}
	}()

	defer func() {
		if value := recover(); value != nil {
			code = p.conclude(ctx, &panicError{value: value, stack: debug.Stack()})
		}
	}()
	root := p.root()
	root.SetArgs(args)
	return p.conclude(ctx, root.ExecuteContext(ctx))
}

// write writes to stdout and says what went wrong.
func (p *Program) write(write func(io.Writer) error) error {
	if err := write(p.Out); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}
