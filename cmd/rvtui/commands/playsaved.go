package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui"
	"rvtui/ui/plain"
	"rvtui/ui/saved"
	"rvtui/ui/theme"
)

func (p *Program) playSaved(s *settings) *cobra.Command {
	screen := &screenFlags{}
	command := &cobra.Command{
		Use:   "play TRACE",
		Short: "Open a saved trace, with no control plane",
		Long: `Play opens a trace that was saved by :save on the screen, or by rvtui run -o json, plain or gzipped,
and shows it as it was shown when it was recorded: each step is revealed as if it were taken now. No
control plane is started, nothing is sent, and nothing is remembered of it. - is stdin, for lines.`,
		Example: "  rvtui run two-writers -o json > two-writers.json\n  rvtui play two-writers.json\n" +
			"  gunzip -c two-writers.json.gz | rvtui play -",
		Args: func(command *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("%s takes one trace's file, but got %d", command.CommandPath(), len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json", "gz"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(command *cobra.Command, args []string) error {
			return p.openSaved(command.Context(), s, screen, args[0])
		},
	}
	screen.add(command)
	return command
}

// openSaved plays a trace's file: on the screen, or in lines where there is no terminal for it.
func (p *Program) openSaved(ctx context.Context, s *settings, screen *screenFlags, file string) error {
	facts := theme.Facts{Lookup: p.Lookup, Color: s.color, Plain: s.plain, Stdin: p.Terminal(p.In), Stdout: p.Terminal(p.Out)}
	if file == stdin && facts.Stdin {
		return usage("- is a trace that comes through a pipe, and stdin is a terminal")
	}
	trace, err := p.readTrace(ctx, file)
	if err != nil {
		return err
	}
	stage := saved.New(trace)
	scenario := stage.Scenario()
	decision := theme.Decide(facts)
	if decision.Plain {
		var in io.Reader = p.In
		if file == stdin || screen.auto {
			in = strings.NewReader("") // it was the trace, or nothing is going to be typed
		}
		_, err := plain.Drive(ctx, in, p.Out, stage, plain.Options{
			Scenarios: []*scenarios.Scenario{scenario}, Initial: scenario, Saved: stage.Saved(),
			Lang: s.language(p.Lookup), Prompt: facts.Stdin && !screen.auto, Now: p.Now,
		})
		if cause := context.Cause(ctx); err != nil && cause != nil {
			return cause
		}
		return err
	}
	result, err := ui.Run(ctx, ui.Options{
		Stage: stage, Initial: scenario, Saved: stage.Saved(), Lang: s.language(p.Lookup),
		Theme: s.theme, Profile: decision.Profile, In: p.In, Out: p.Out, Env: os.Environ(), Now: p.Now,
		Size: screen.size.Size, Auto: screen.auto,
	})
	if err == nil && result.Interrupted {
		return &InterruptError{Signal: syscall.SIGINT}
	}
	return err
}

// stdin is its name as a file.
const stdin = "-"

func (p *Program) readTrace(ctx context.Context, file string) (*scenarios.SavedTrace, error) {
	trace, err := await(ctx, func() (*scenarios.SavedTrace, error) {
		if file == stdin {
			return scenarios.ReadTrace(p.In)
		}
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		return scenarios.ReadTrace(opened)
	})
	if err == nil {
		return trace, nil
	}
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	name, hint := file, ""
	if file == stdin {
		name = "stdin"
	}
	if extension := filepath.Ext(file); extension == ".yaml" || extension == ".yml" {
		hint = "; a scenario's file is opened without play"
	}
	return nil, fmt.Errorf("cannot read the trace %s: %w%s", name, err, hint)
}
