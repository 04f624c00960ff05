// Rvtui shows what resourceVersion is: writer A, writer B, the apiserver and etcd side by
// side, on a real kube-apiserver and a real etcd inside of the program.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"rvtui/cluster"
	"rvtui/cluster/embedded"
	"rvtui/cluster/logs"
	"rvtui/cluster/remote"
	"rvtui/cluster/rpcs"
	"rvtui/cluster/spans"
	"rvtui/cmd/rvtui/commands"
	"rvtui/scenarios"
)

func main() {
	// Kubernetes puts flags of its own, such as --version=raw, onto this set, and cobra
	// takes over what it finds there.
	pflag.CommandLine = pflag.NewFlagSet(os.Args[0], pflag.ContinueOnError)
	builtIn := embedded.BuiltIn()
	own := remote.NewFlags()
	var program *commands.Program
	program = &commands.Program{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Lookup:   os.LookupEnv,
		Terminal: func(file *os.File) bool { return term.IsTerminal(file.Fd()) },
		Now:      time.Now,
		Start:    start,
		Own: commands.OwnCluster{AddFlags: own.AddTo, Named: own.Named, Connect: func(ctx context.Context, o commands.ConnectOptions) (*commands.ControlPlane, error) {
			flags := own
			if o.Context != "" {
				flags = own.Of(o.Context)
			}
			return connect(ctx, program, flags, o)
		}},
		Serve:    serve,
		Versions: commands.Versions{Rvtui: version(), Kubernetes: builtIn.Kubernetes, Etcd: builtIn.Etcd, Go: runtime.Version()},
	}
	os.Exit(program.Main(context.Background(), os.Args[1:]))
}

// version is the module's, where the program was installed as a module; else "devel".
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// start starts the embedded control plane and makes a cluster of it.
func start(ctx context.Context, options commands.StartOptions) (*commands.ControlPlane, error) {
	recorder := &rpcs.Recorder{}
	var inside *spans.Recorder
	var log *logs.Recorder
	if options.Inside {
		inside, log = &spans.Recorder{}, &logs.Recorder{}
	}
	plane, err := embedded.Start(ctx, embedded.Options{Report: options.Report, Recorder: recorder, Spans: inside, Log: log, KeepPast: true})
	if err != nil {
		return nil, err
	}
	etcd, err := plane.EtcdClient()
	if err != nil {
		_ = plane.Close()
		return nil, err
	}
	builtIn := embedded.BuiltIn()
	store := cluster.NewEtcdStore(etcd)
	on, err := cluster.New(cluster.Config{
		REST: plane.RESTConfig(), Store: store, RPCs: recorder, Spans: inside, Log: log,
		Info: scenarios.Info{Mode: "embedded", Kubernetes: builtIn.Kubernetes, Etcd: builtIn.Etcd},
		Can:  scenarios.Capabilities,

		Compact: store.Compact, Restart: plane.RestartAPIServer,
	})
	if err != nil {
		_ = etcd.Close()
		_ = plane.Close()
		return nil, err
	}
	return &commands.ControlPlane{
		Cluster: on,
		Failed:  plane.Failed(),
		Left:    on.Left,
		Close: func() error {
			// The client first: etcd waits for its watches otherwise.
			_ = etcd.Close()
			if err := plane.Close(); err != nil {
				return fmt.Errorf("stopping the control plane: %w", err)
			}
			return nil
		},
	}, nil
}
