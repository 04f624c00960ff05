package commands

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// OwnCluster is how a cluster of the user's own is named and reached.
type OwnCluster struct {
	// AddFlags adds the flags that name it, of all commands the same. nil where there are none.
	AddFlags func(*pflag.FlagSet)
	// Named reports whether those that were given name one. An error is one of usage.
	Named func(given *pflag.FlagSet) (bool, error)
	// Connect reaches it, and writes nothing to it. Its errors are whole lines for a person.
	Connect func(ctx context.Context, options ConnectOptions) (*ControlPlane, error)
}

// ConnectOptions say how the user's own cluster is reached.
type ConnectOptions struct {
	Report  func(phase string) // is told each phase
	Context string             // another context than the one that the flags say, of the same kubeconfig
	Inside  bool               // what is logged is recorded as well
	Say     io.Writer          // where a login's program talks to the person
	Screen  bool               // afterwards the terminal is a screen's
	// Journal is the directory in which to note what is made there; "" where nothing is.
	Journal string
	// Clean is the command that removes what a crash leaves there.
	Clean string
}

// connect reaches the user's own cluster, and says on the line that it does.
func (p *Program) connect(ctx context.Context, line *statusLine, o ConnectOptions) (*ControlPlane, error) {
	o.Report = func(phase string) { line.set("%s", phase) }
	o.Say = saying{p, line}
	o.Clean = cleanCommand(p.given, o.Context)
	return p.Own.Connect(ctx, o)
}

// saying writes to stderr, where the line gives way.
type saying struct {
	p    *Program
	line *statusLine
}

func (s saying) Write(text []byte) (n int, err error) {
	err = s.line.above(func() error { n, err = s.p.Err.Write(text); return err })
	return n, err
}

// tellLeft says on stderr what is left on the cluster, a line for each, and reports whether
// something is.
func (p *Program) tellLeft(plane *ControlPlane) bool {
	if plane == nil || plane.Left == nil {
		return false
	}
	left := plane.Left()
	if left == nil {
		return false
	}
	for line := range strings.SplitSeq(left.Error(), "\n") {
		p.warn("%s", line)
	}
	return true
}

// confirm asks what has to be asked before the first write.
func (c *ControlPlane) confirm(ctx context.Context) error {
	if c.Confirm == nil {
		return nil
	}
	return c.Confirm(ctx)
}

// clusterFlags are the flags of a cluster of the user's own.
func (p *Program) clusterFlags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	if p.Own.AddFlags != nil {
		p.Own.AddFlags(flags)
	}
	return flags
}

// usedOften are those of the flags that each command's help shows.
var usedOften = []string{"context", "kubeconfig", "namespace", "etcd", "etcd-endpoints", "yes"}

// inHelp says of a flag which part of a command's help it is in.
const inHelp = "rvtui/help"

// addClusterFlags adds the flags of a cluster of the user's own to a command.
func (p *Program) addClusterFlags(command *cobra.Command) {
	flags := p.clusterFlags()
	flags.VisitAll(func(flag *pflag.Flag) {
		part := "topic"
		if slices.Contains(usedOften, flag.Name) {
			part = "command"
		}
		flag.Annotations = map[string][]string{inHelp: {part}}
	})
	command.Flags().AddFlagSet(flags)
}

// nameCluster notes whether a command's flags name a cluster of the user's own.
func (p *Program) nameCluster(command *cobra.Command, s *settings) error {
	s.own = false
	if p.Own.Named == nil || command.Flags().Lookup(usedOften[0]) == nil {
		return nil // not a command that has the flags
	}
	p.given = command.Flags()
	named, err := p.Own.Named(p.given)
	if err != nil {
		return usage("%s: %v", command.CommandPath(), err)
	}
	s.own = named
	return nil
}

// usageTemplate is cobra's, with the cluster's flags after a command's own.
func usageTemplate(root *cobra.Command) string {
	cobra.AddTemplateFunc("rvtuiFlags", func(command *cobra.Command, part string) string {
		picked := pflag.NewFlagSet("", pflag.ContinueOnError)
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			of := "own"
			if parts := flag.Annotations[inHelp]; len(parts) > 0 {
				of = parts[0]
			}
			if of == part {
				picked.AddFlag(flag)
			}
		})
		return picked.FlagUsages()
	})
	const cobras, heading = "{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "A cluster of your own (all of its flags: rvtui help cluster):"
	return strings.Replace(root.UsageTemplate(), cobras,
		`{{rvtuiFlags . "own" | trimTrailingWhitespaces}}{{with rvtuiFlags . "command"}}`+"\n\n"+heading+"\n{{. | trimTrailingWhitespaces}}{{end}}", 1)
}

// ownCluster is a topic of help. It cannot be run.
func (p *Program) ownCluster() *cobra.Command {
	topic := &cobra.Command{Use: "cluster", Short: "The flags that point rvtui at a cluster of your own"}
	topic.SetHelpFunc(func(command *cobra.Command, _ []string) {
		fmt.Fprintf(p.Out, `Without flags, rvtui has a control plane of its own, whatever kubeconfig there is. These flags point
run, check, record, version, clean and the screen at a cluster of your own. One of --context, --kubeconfig,
--cluster and --server has to say which; the rest of the kubeconfig is read as kubectl reads it.

  rvtui --context kind-dev two-writers
  rvtui check --context kind-dev
  rvtui version --context kind-dev   what this cluster can show, and why not the rest
  rvtui clean --context kind-dev     remove what a crash left there

What a cluster cannot show is said, and never made up. Nothing there is compacted, restarted or
flooded, and no object is touched that rvtui did not make.

%s`, p.clusterFlags().FlagUsagesWrapped(p.width()))
	})
	return topic
}
