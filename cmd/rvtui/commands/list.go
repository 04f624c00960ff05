package commands

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"rvtui/scenarios"
)

// listed is one scenario in `rvtui list -o json`.
type listed struct {
	Name    string         `json:"name"`
	Chapter string         `json:"chapter"`
	Title   scenarios.Text `json:"title"`
	Labels  []string       `json:"labels"`
	Needs   []string       `json:"needs"`
}

func (p *Program) list(s *settings) *cobra.Command {
	output := outputFlag{"table", []string{"table", "json", "yaml"}}
	command := &cobra.Command{
		Use:   "list [SCENARIO...]",
		Short: "List the built-in scenarios, or print their files",
		Example: "  rvtui list\n  rvtui list -o json | jq -r '.[].name'\n" +
			"  rvtui list -o yaml two-writers > mine.yaml",
		Args: cobra.ArbitraryArgs, ValidArgsFunction: completeNames,
		RunE: func(_ *cobra.Command, args []string) error {
			catalogue, err := scenarios.Catalogue()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				var named []*scenarios.Scenario
				for _, name := range args {
					scenario, err := scenarios.Find(catalogue, name)
					if err != nil {
						return err
					}
					named = append(named, scenario)
				}
				catalogue = named
			}
			return p.write(func(w io.Writer) error {
				switch output.value {
				case "json":
					return listJSON(w, catalogue)
				case "yaml":
					return listYAML(w, catalogue)
				}
				return listTable(w, catalogue, s.language(p.Lookup))
			})
		},
	}
	output.add(command)
	return command
}

func listJSON(w io.Writer, catalogue []*scenarios.Scenario) error {
	rows := []listed{}
	for _, s := range catalogue {
		rows = append(rows, listed{s.Name, s.Chapter, s.Title, append([]string{}, s.Labels...), append([]string{}, s.Requires()...)})
	}
	return writeJSON(w, rows)
}

// listYAML prints the scenarios' files as they were written, as documents one after the other.
func listYAML(w io.Writer, catalogue []*scenarios.Scenario) error {
	for i, s := range catalogue {
		content, err := scenarios.Source(s)
		if err != nil {
			return fmt.Errorf("reading the catalogue: %w", err)
		}
		if i > 0 {
			content = append([]byte("---\n"), content...)
		}
		if _, err := w.Write(content); err != nil {
			return err
		}
	}
	return nil
}

func listTable(w io.Writer, catalogue []*scenarios.Scenario, lang string) error {
	width := 0
	for _, s := range catalogue {
		width = max(width, len(s.Name))
	}
	var b strings.Builder
	chapter := ""
	for _, s := range catalogue {
		if s.Chapter != chapter {
			if chapter != "" {
				b.WriteByte('\n')
			}
			chapter = s.Chapter
			b.WriteString(chapter + "\n")
		}
		labels := ""
		if len(s.Labels) > 0 {
			labels = "  (" + strings.Join(s.Labels, ", ") + ")"
		}
		fmt.Fprintf(&b, "  %s  %s%s\n", pad(s.Name, width), s.Title.In(lang), labels)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pad fills s with spaces to a width in cells.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

// writeJSON writes one indented document. Signs that HTML minds stay as they are.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
