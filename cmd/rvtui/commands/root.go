package commands

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"rvtui/ui/theme"
)

// root is the command line as a whole.
func (p *Program) root() *cobra.Command {
	s := &settings{color: "auto", theme: theme.Auto}
	var save saveFlag
	screen := &screenFlags{}
	root := &cobra.Command{
		Use:   "rvtui [SCENARIO|FILE]",
		Short: "See what resourceVersion is, on a real kube-apiserver and a real etcd",
		Long: `Rvtui shows what happens when two writers meet in Kubernetes: writer A, writer B, the apiserver and
etcd's revisions stand side by side, and you step through each conflict and each read with the
keyboard, forwards and back. Nothing is simulated: a real kube-apiserver and a real etcd run inside
of the program, and end with it. With --context, --kubeconfig or --server the same happens on a cluster
of your own: see rvtui help cluster.

Without an argument it shows the list of scenarios. With a pipe instead of a terminal, or with
--plain, it talks in lines instead.`,
		Example: `  rvtui                        choose from the list
  rvtui two-writers            open a scenario
  rvtui my-scenario.yaml       open your own
  rvtui run too-large          one pass, as a transcript
  rvtui play two-writers.json  a trace that was saved before
  rvtui record two-writers -o two-writers.gif
                               what the screen shows, as a file
  rvtui check                  is everything as expected?
  rvtui --context kind-dev     on a cluster of your own; rvtui help cluster`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("one scenario can be opened at a time, but got %d; `rvtui run` takes several", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeNames,
		Version:           p.Versions.lines(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(command *cobra.Command, _ []string) error {
			return errors.Join(s.check(), p.nameCluster(command, s))
		},
		RunE: func(command *cobra.Command, args []string) error {
			if screen.auto && len(args) == 0 {
				return usage("--auto takes the scenario that is to be played")
			}
			return p.play(command.Context(), s, screen, save, args)
		},
	}
	screen.add(root)
	p.addClusterFlags(root)
	root.SetVersionTemplate("{{.Version}}")
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		return usage("%s: %v", command.CommandPath(), err)
	})
	flags := root.PersistentFlags()
	flags.StringVar(&s.color, "color", s.color, "colours: auto, always, never")
	flags.StringVar(&s.theme, "theme", s.theme, "how the screen looks, where there is colour: "+strings.Join(theme.Names, ", "))
	flags.StringVar(&s.lang, "lang", "", "language: en, zh (LC_ALL or LANG where it is not given)")
	flags.BoolVar(&s.plain, "plain", false, "lines of text from top to bottom instead of a screen")
	save.add(root.Flags())
	_ = root.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(theme.Names, cobra.ShellCompDirectiveNoFileComp))
	root.AddCommand(p.run(s), p.playSaved(s), p.record(s), p.check(s), p.serve(), p.list(s), p.explain(s), p.version(s), p.concepts(s), p.ownCluster(), p.clean(s))
	root.SetUsageTemplate(usageTemplate(root))
	root.SetHelpCommand(p.help(root))
	return root
}
