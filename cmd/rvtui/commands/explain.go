package commands

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui/cells"
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
in JSON, a line of a log. With - it reads stdin. Of several errors in one text each is explained. Where it
knows nothing of the text it says so and exits 1.`,
		Example: `  rvtui explain 'the object has been modified; please apply your changes to the latest version'
  kubectl replace -f cm.yaml 2>&1 | rvtui explain -`,
		Args: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s takes an error text, or - to read it from stdin", command.CommandPath())
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			text, cut := strings.Join(args, " "), false
			if text == "-" {
				var err error
				if text, cut, err = p.errorText(command.Context()); err != nil {
					return err
				}
			}
			found, err := scenarios.Explain(ansi.Strip(strings.ToValidUTF8(text, "?")))
			if err != nil {
				return err
			}
			if cut {
				fmt.Fprintln(p.Err, "rvtui: this is more than one error; only the first MiB of it was read")
			}
			if strings.TrimSpace(text) == "" {
				fmt.Fprintln(p.Err, "rvtui: there is no text to explain")
				return errFailed
			}
			if len(found) == 0 {
				fmt.Fprintln(p.Err, "rvtui: this text is not known as one about resourceVersion; give the whole message, or see `rvtui list`")
				return errFailed
			}
			return p.write(func(w io.Writer) error {
				if output.value == "json" {
					return writeEachJSON(w, found)
				}
				width := 0 // a pipe's reader gets paragraphs as lines
				if p.Terminal(p.Out) {
					width = p.width()
				}
				return writeExplained(w, found, s.language(p.Lookup), width)
			})
		},
	}
	output.add(command)
	return command
}

// writeEachJSON writes one document for each error, so that one error is no list of one.
func writeEachJSON(w io.Writer, found []scenarios.Explained) error {
	for _, one := range found {
		if err := writeJSON(w, one.Explanation); err != nil {
			return err
		}
	}
	return nil
}

// writeExplained tells what each of the errors is about; where there are several, after the
// words of the text that speak of it. width is that of lines, in cells; 0 leaves paragraphs
// whole.
func writeExplained(w io.Writer, found []scenarios.Explained, lang string, width int) error {
	const longest = 100 // cells
	var b strings.Builder
	for i, one := range found {
		if i > 0 {
			b.WriteByte('\n')
		}
		if len(found) > 1 {
			fmt.Fprintf(&b, "“%s”\n\n", ansi.Truncate(words.Clean(one.Words), longest, "…"))
		}
		said := []string{
			one.Means.In(lang),
			scenarios.Text{"en": "Fix: ", "zh": "怎么办："}.In(lang) + one.Fix.In(lang),
			scenarios.Text{"en": "See it: ", "zh": "亲眼看看："}.In(lang) + "rvtui " + one.Scenario,
		}
		if len(one.Also) > 0 {
			said[len(said)-1] += scenarios.Text{"en": "; and ", "zh": "；还有 "}.In(lang) + strings.Join(one.Also, scenarios.Text{"en": ", ", "zh": "、"}.In(lang))
		}
		if width > 0 {
			for i := range said {
				said[i] = strings.Join(cells.Wrap(said[i], width), "\n")
			}
		}
		b.WriteString(strings.Join(said, "\n\n") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// errorText reads the error from stdin; a person who types it ends it with ctrl+d. cut says
// that there was more than is read.
func (p *Program) errorText(ctx context.Context) (text string, cut bool, err error) {
	content, err := readAll(ctx, io.LimitReader(p.In, maxErrorText+1))
	if err != nil {
		return "", false, fmt.Errorf("reading the error text from stdin: %w", err)
	}
	return string(content[:min(len(content), maxErrorText)]), len(content) > maxErrorText, nil
}
