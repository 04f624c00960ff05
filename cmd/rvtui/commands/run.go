package commands

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui/plain"
)

func (p *Program) run(s *settings) *cobra.Command {
	var save saveFlag
	output := outputFlag{"text", []string{"text", "markdown", "json"}}
	command := &cobra.Command{
		Use:   "run SCENARIO|FILE...",
		Short: "Walk through scenarios and write down what was seen",
		Long: `Run walks once through each scenario, and writes a transcript of what was sent, what came back,
what reached etcd and what was written there. It exits 1 where an expectation failed. With -o json the
steps come one by one, and make one whole document also where the walk is interrupted.`,
		Example: "  rvtui run two-writers\n  rvtui run two-writers -o markdown > two-writers.md\n" +
			"  rvtui run two-writers -o json | jq '.steps[3].exchanges[0].status'",
		Args: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s takes a scenario's name or file; `rvtui list` shows the names", command.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeNames,
		RunE: func(command *cobra.Command, args []string) error {
			all, err := playbill(command.Context(), args)
			if err != nil {
				return err
			}
			if save.path != "" && len(all) > 1 {
				return usage("--save keeps one walk in its file, and %d scenarios were named", len(all))
			}
			file, err := save.file()
			if err != nil {
				return err
			}
			inside := output.value == "json" || file != nil // the transcripts do not tell of it
			return p.withControlPlane(command.Context(), place{own: s.own}, inside, func(ctx context.Context, cluster scenarios.Cluster, line *statusLine) error {
				verdict := scenarios.OK
				for _, scenario := range all {
					trace, err := p.runOne(ctx, cluster, line, scenario, &keeper{file: file}, output.value, s.language(p.Lookup))
					if err != nil {
						return err
					}
					if trace.Verdict() == scenarios.Failed {
						verdict = scenarios.Failed
					}
				}
				return verdictError(verdict)
			})
		},
	}
	output.add(command)
	save.add(command.Flags())
	p.addClusterFlags(command)
	return command
}

// runOne walks through a scenario. Text and JSON come step by step, Markdown at the end.
func (p *Program) runOne(ctx context.Context, cluster scenarios.Cluster, line *statusLine, scenario *scenarios.Scenario, save *keeper, format, lang string) (trace scenarios.Trace, err error) {
	var grows scenarios.Growing
	var unwritten error
	defer func() { // whatever ends the walk, a panic too
		if format == "json" && unwritten == nil {
			err = errors.Join(err, p.writeBytes([]byte(grows.End())))
		}
	}()
	trace, err = walk(ctx, cluster, scenario, line, func(so *scenarios.Trace) error {
		p.keep(save, line, so)
		var more []byte
		switch format {
		case "text":
			more = []byte(plain.Step(so, len(so.Steps), lang) + "\n")
		case "json":
			var err error
			if more, err = grows.Append(*so); err != nil {
				return fmt.Errorf("encoding the trace: %w", err)
			}
		default:
			return nil
		}
		unwritten = line.above(func() error { return p.writeBytes(more) })
		return unwritten
	})
	line.clear()
	if err = errors.Join(err, save.err); err != nil {
		return trace, err
	}
	switch format {
	case "text":
		err = p.writeBytes([]byte(plain.End(&trace, lang)))
	case "markdown":
		err = p.write(func(w io.Writer) error { return plain.Markdown(w, &trace, lang) })
	}
	return trace, err
}

func (p *Program) writeBytes(content []byte) error {
	return p.write(func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
