package commands

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui/cells"
)

// concepts is a topic of help, with one of its own for each concept. It cannot be run.
func (p *Program) concepts(s *settings) *cobra.Command {
	all, err := scenarios.Concepts()
	if err != nil {
		panic(err) // the file is part of the program
	}
	topic := &cobra.Command{Use: "concepts", Short: "The words one has to know: resourceVersion, watch cache, snapshot, …"}
	topic.SetHelpFunc(func(*cobra.Command, []string) { p.tell(s, all) })
	for i := range all {
		concept := &cobra.Command{Use: all[i].Name, Short: all[i].Called(scenarios.English)}
		if lower := strings.ToLower(all[i].Name); lower != all[i].Name {
			concept.Aliases = []string{lower}
		}
		concept.SetHelpFunc(func(*cobra.Command, []string) { p.tell(s, all[i:i+1]) })
		topic.AddCommand(concept)
	}
	return topic
}

// tell writes concepts. A help function returns no error; a pipe that was closed early
// is none that anyone has to hear of.
func (p *Program) tell(s *settings, concepts []scenarios.Concept) {
	_ = writeConcepts(p.Out, concepts, s.language(p.Lookup), p.width())
}

func writeConcepts(w io.Writer, concepts []scenarios.Concept, lang string, width int) error {
	seeIt := scenarios.Text{"en": "See it: ", "zh": "亲眼看看："}.In(lang)
	between := " "
	if lang == scenarios.Chinese {
		between = ""
	}
	var b strings.Builder
	for i, c := range concepts {
		if i > 0 {
			b.WriteByte('\n')
		}
		var said []string
		for _, sentence := range c.Says {
			said = append(said, sentence.In(lang))
		}
		b.WriteString(c.Called(lang) + "\n")
		for _, paragraph := range []string{strings.Join(said, between), seeIt + "rvtui " + c.Scenario} {
			for _, line := range cells.Wrap(paragraph, width-2) {
				fmt.Fprintf(&b, "  %s\n", line)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// width is how wide text on stdout is made: the terminal's width, or a page's.
func (p *Program) width() int {
	const page, narrowest, readable = 80, 20, 100
	if !p.Terminal(p.Out) {
		return page
	}
	width, _, err := term.GetSize(p.Out.Fd())
	if err != nil || width < narrowest {
		return page
	}
	return min(width, readable)
}
