package commands

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui/plain"
)

func (p *Program) run(s *settings) *cobra.Command {
	output := outputFlag{"text", []string{"text", "markdown", "json"}}
	command := &cobra.Command{
		Use:   "run SCENARIO|FILE...",
		Short: "Walk through scenarios and write down what was seen",
		Long: `Run walks once through each scenario, and writes a transcript of what was sent, what came back,
what reached etcd and what was written there. It exits 1 where an expectation failed.`,
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
			inside := output.value == "json" // the transcripts do not tell of it
			return p.withControlPlane(command.Context(), inside, func(ctx context.Context, cluster scenarios.Cluster, line *statusLine) error {
				verdict := scenarios.OK
				for _, scenario := range all {
					trace, err := p.runOne(ctx, cluster, line, scenario, output.value, s.language(p.Lookup))
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
	return command
}

// runOne walks through a scenario. Text comes step by step, the other formats at the end.
func (p *Program) runOne(ctx context.Context, cluster scenarios.Cluster, line *statusLine, scenario *scenarios.Scenario, format, lang string) (scenarios.Trace, error) {
	trace, err := walk(ctx, cluster, scenario, line, func(so *scenarios.Trace) error {
		if format != "text" {
			return nil
		}
		line.clear()
		return p.write(func(w io.Writer) error {
			_, err := io.WriteString(w, plain.Step(so, len(so.Steps), lang)+"\n")
			return err
		})
	})
	line.clear()
	if err != nil {
		return trace, err
	}
	return trace, p.write(func(w io.Writer) error {
		switch format {
		case "json":
			return trace.WriteJSON(w)
		case "markdown":
			return plain.Markdown(w, &trace, lang)
		}
		_, err := io.WriteString(w, plain.End(&trace, lang))
		return err
	})
}
