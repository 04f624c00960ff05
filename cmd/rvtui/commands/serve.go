package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rvtui/ui/words"
)

// Served is a control plane that other programs use.
type Served struct {
	URL          string       // of the kube-apiserver
	Kubeconfig   string       // the path of the file that leads there
	EtcdEndpoint string       // as a client of etcd takes it
	Failed       <-chan error // gives one error where a server ended of its own accord
	Close        func() error // stops it and removes what it made, the kubeconfig too
}

// ServeOptions say how a control plane is started that other programs use.
type ServeOptions struct {
	Report func(phase string) // is told each phase
	// Kubeconfig is the path of the file to write; "" is one beside the control plane's own
	// files. A file that serve did not write is never overwritten.
	Kubeconfig string
}

// Serve starts a control plane for other programs and returns once it is ready. Namespaces
// that are deleted go from it, as on every cluster.
type Serve func(ctx context.Context, options ServeOptions) (*Served, error)

func (p *Program) serve() *cobra.Command {
	var kubeconfig string
	command := &cobra.Command{
		Use:   "serve",
		Short: "Run the control plane for other tools, and write a kubeconfig",
		Long: `Serve starts the kube-apiserver and the etcd that are built in, for kubectl, for your controller,
or for another rvtui, and keeps them until ctrl+c. Then all is removed, the kubeconfig too.

Once they can be used, one line on stdout says so: the URL, the kubeconfig, etcd's endpoint, the
versions. The kubeconfig holds a token that is new at each start; whoever has it may do everything,
for there is no RBAC. The kube-apiserver listens on 127.0.0.1 alone, etcd on a socket in a directory
that is yours alone. etcd asks for no credential, and what is written there bypasses the apiserver.

There are no nodes, no scheduler, and of the controllers only that of namespaces, so that a deleted
one goes: a Deployment makes no ReplicaSet, and a Pod needs its ServiceAccount made first. The APIs
are those that the scenarios use.`,
		Example: "  rvtui serve\n  rvtui serve --kubeconfig-out rvtui.kubeconfig",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			if command.Flags().Changed("kubeconfig-out") && kubeconfig == "" {
				return usage("--kubeconfig-out takes the file to write")
			}
			return p.serveUntilEnd(command.Context(), kubeconfig)
		},
	}
	command.Flags().StringVar(&kubeconfig, "kubeconfig-out", "", "the file to write the kubeconfig to (a temporary one where it is not given)")
	return command
}

// serveUntilEnd serves until ctx ends, or the control plane does.
func (p *Program) serveUntilEnd(ctx context.Context, kubeconfig string) (err error) {
	line := p.statusLine()
	defer line.clear()
	line.set("starting the control plane")
	served, err := p.Serve(ctx, ServeOptions{
		Report:     func(phase string) { line.set("starting the control plane: %s", phase) },
		Kubeconfig: kubeconfig,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, served.Close()) }()
	line.clear()
	if err := p.write(func(w io.Writer) error {
		_, err := io.WriteString(w, served.ready(p.Versions))
		return err
	}); err != nil {
		return err
	}
	fmt.Fprint(p.Err, served.use())
	select {
	case err := <-served.Failed:
		return fmt.Errorf("the control plane has ended: %w", err)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ready is one line, for a script as well. Its words are such as a shell takes.
func (s *Served) ready(v Versions) string {
	return fmt.Sprintf("ready url=%s kubeconfig=%s etcd-endpoints=%s kubernetes=%s etcd=%s\n",
		s.URL, shellWord(s.Kubeconfig), shellWord(s.EtcdEndpoint), v.Kubernetes, v.Etcd)
}

// use tells a person what to do with it.
func (s *Served) use() string {
	file, etcd := shellWord(s.Kubeconfig), shellWord(s.EtcdEndpoint)
	return fmt.Sprintf(`
From another terminal:

  kubectl --kubeconfig %s get namespaces
  rvtui --kubeconfig %s --etcd-endpoints %s

ctrl+c ends it and removes everything, the kubeconfig too.
`, file, file, etcd)
}

// shellWord quotes what a shell would take apart or read otherwise.
func shellWord(s string) string {
	s = words.Clean(s)
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
