package commands

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/recording"
	"rvtui/ui/recording/cast"
	"rvtui/ui/screen"
)

// recordFlags are those of rvtui record.
type recordFlags struct {
	files       []string
	format      string
	check       bool
	size        sizeFlag
	views       []string
	castVersion int
	normalise   bool
	recording.Options
}

func (p *Program) record(s *settings) *cobra.Command {
	f := &recordFlags{size: sizeFlag{cells.Size{Width: 120, Height: 36}}, castVersion: cast.V2}
	command := &cobra.Command{
		Use:   "record SCENARIO|TRACE -o FILE...",
		Short: "Write what the screen shows, as a GIF, an SVG, an asciicast, pictures or text",
		Long: `Record walks once through a scenario, or takes a trace that was saved before, and writes what the
screen shows of it, each step for as long as it takes to read. No terminal is recorded: a trace gives
the same recording on every machine, and needs no control plane for it.

The file's ending says what it is:
  .gif    an animation                .png    a picture; of several frames, NAME-03.png for step 3
  .svg    an animation, sharp at any size, in a web page without a script
  .cast   an asciicast, for asciinema and its players, with a marker at each step
  .txt    each step's screen, plain   .md     the whole trace as a document, as run -o markdown writes it
  .tape   a script for VHS, which plays the same in the real program and films it

A file that exists is written over, once the new one is whole. -o - is stdout, and --format says what
is written there. With --check nothing is written: it exits 1 where a file is not what would be.`,
		Example: "  rvtui record two-writers -o two-writers.gif -o two-writers.svg\n" +
			"  rvtui run two-writers -o json > two-writers.json\n" +
			"  rvtui record two-writers.json --step 4 -o conflict.png\n" +
			"  rvtui record two-writers.json -o two-writers.svg --check",
		Args: func(command *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("%s takes one scenario or one trace's file, but got %d", command.CommandPath(), len(args))
			}
			return nil
		},
		ValidArgsFunction: completeNames,
		RunE: func(command *cobra.Command, args []string) error {
			outputs, err := f.outputs(p)
			if err != nil {
				return err
			}
			if err := f.options(command, s, p); err != nil {
				return err
			}
			return p.recordTo(command.Context(), s, f, args[0], outputs)
		},
	}
	p.addClusterFlags(command)
	flags := command.Flags()
	flags.StringArrayVarP(&f.files, "output", "o", nil, "a file to write, several times for several; - is stdout")
	flags.StringVar(&f.format, "format", "", "what -o - writes: "+strings.Join(formatNames(), ", "))
	flags.BoolVar(&f.check, "check", false, "write nothing, and compare the files with what would be written")
	flags.Var(&f.size, "size", "in cells")
	flags.IntSliceVar(&f.Steps, "step", nil, "a step to show, several times for several; 0 is the setup (default all)")
	flags.StringSliceVar(&f.views, "view", nil, "a view to show of each step, several times for several: "+strings.Join(viewNames(), ", ")+" (default panes)")
	flags.DurationVar(&f.Hold, "hold", 0, "how long each frame stays (default as long as it takes to read)")
	flags.BoolVar(&f.Predict, "predict", false, "each question before its step")
	flags.BoolVar(&f.Present, "present", false, "as in the presenter's mode, one idea at a time")
	flags.BoolVar(&f.Keys, "keys", false, "the key that leads to each frame")
	flags.BoolVar(&f.normalise, "normalise", false, "number the revisions by their order, from 1, and name what differs from run to run the same")
	flags.IntVar(&f.castVersion, "cast-version", f.castVersion, "of an asciicast: 2, which all players read, or 3")
	_ = command.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = command.RegisterFlagCompletionFunc("view", cobra.FixedCompletions(viewNames(), cobra.ShellCompDirectiveNoFileComp))
	return command
}

// options takes over what the recording's own options are, and refuses what it cannot be.
func (f *recordFlags) options(command *cobra.Command, s *settings, p *Program) error {
	f.Size, f.Theme, f.Lang = f.size.Size, s.theme, s.language(p.Lookup)
	if f.castVersion != cast.V2 && f.castVersion != cast.V3 {
		return usage("--cast-version is %d; it takes 2 or 3", f.castVersion)
	}
	if command.Flags().Changed("hold") && (f.Hold < shortestHold || f.Hold > longestHold) {
		return usage("--hold is %s; it takes %s to %s", f.Hold, shortestHold, longestHold)
	}
	for _, name := range f.views {
		at := slices.Index(viewNames(), name)
		if at < 0 {
			return usage("--view is %q; it takes %s", name, strings.Join(viewNames(), ", "))
		}
		f.Views = append(f.Views, recordable[at])
	}
	return nil
}

// What a frame may stay: what animations can show, and what anybody waits for.
const (
	shortestHold = 40 * time.Millisecond
	longestHold  = 10 * time.Minute
)

// recordable are the views that --view takes.
var recordable = []screen.View{screen.Panes, screen.HTTP, screen.Diff, screen.Timeline, screen.Path, screen.Log}

func viewNames() []string {
	names := []string{"panes"}
	for _, view := range recordable[1:] {
		names = append(names, view.Name())
	}
	return names
}

// recordTo makes the recording, and writes or compares it.
func (p *Program) recordTo(ctx context.Context, s *settings, f *recordFlags, arg string, outputs []output) error {
	from, err := p.source(ctx, s, f, arg)
	if err != nil {
		return err
	}
	if f.normalise {
		normalised := scenarios.Normalise(*from.trace)
		from.trace = &normalised
	}
	r, err := recording.New(from.trace, f.Options)
	if err != nil {
		return fmt.Errorf("recording %s: %w", arg, err)
	}
	if err := p.deliver(ctx, making{r, f.castVersion, from.command}, outputs, f.check); err != nil {
		return err
	}
	if from.ran && from.trace.Verdict() == scenarios.Failed {
		fmt.Fprintf(p.Err, "rvtui: an expectation of %s failed, and the recording shows it; `rvtui check %s` says which\n", arg, arg)
		return errFailed
	}
	return nil
}
