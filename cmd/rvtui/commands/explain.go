package commands

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// maxErrorText bounds what is read from stdin: an error, not a log.
const maxErrorText = 1 << 20

func (p *Program) explain(s *settings) *cobra.Command {
	output := outputFlag{"text", []string{"text", "json"}}
	command := &cobra.Command{
		Use:   "explain 'ERROR TEXT' | -",
		Short: "Say what an error text means, the fix, and the scenario that shows it",
		Long: `Explain takes an error about resourceVersion as you met it: what kubectl printed, a Go error, a Status
in JSON, a line of a log. With - it reads stdin. Where it knows nothing of the text it says so and exits 1.`,
		Example: `  rvtui explain 'the object has been modified; please apply your changes to the latest version'
  kubectl replace -f cm.yaml 2>&1 | rvtui explain -`,
		Args: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s takes an error text, or - to read it from stdin", command.CommandPath())
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if text == "-" {
				read, err := p.errorText(command.Context())
				if err != nil {
					return err
				}
				text = read
			}
			found, err := scenarios.Explain(text)
			if err != nil {
				return err
			}
			if found == nil {
				fmt.Fprintln(p.Err, "rvtui: this text is not about resourceVersion, as far as rvtui knows; `rvtui list` shows what there is")
				return errFailed
			}
			return p.write(func(w io.Writer) error {
				if output.value == "json" {
					return writeJSON(w, found)
				}
				lang := s.language(p.Lookup)
				_, err := fmt.Fprintf(w, "%s\n\n%s %s\n\n%s rvtui %s\n", found.Means.In(lang),
					scenarios.Text{"en": "Fix:", "zh": "怎么办："}.In(lang), found.Fix.In(lang),
					scenarios.Text{"en": "See it:", "zh": "亲眼看看："}.In(lang), found.Scenario)
				return err
			})
		},
	}
	output.add(command)
	return command
}

// errorText reads the error from stdin; a person who types it ends it with ctrl+d.
func (p *Program) errorText(ctx context.Context) (string, error) {
	content, err := readAll(ctx, io.LimitReader(p.In, maxErrorText))
	if err != nil {
		return "", fmt.Errorf("reading the error text from stdin: %w", err)
	}
	return words.CleanLines(string(content)), nil
}
