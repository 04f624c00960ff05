// Package text writes recordings as plain text: what stands on the screen, step by step,
// without colours. For one who reads rather than looks, ui/plain tells the same in sentences.
// It may import the recording and what that is made of.
package text

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
	"rvtui/ui/recording"
)

// Write writes each still of a recording below its step's title.
func Write(w io.Writer, r *recording.Recording) error {
	b := bufio.NewWriter(w)
	first := true
	for f := range r.Stills() {
		if !first {
			fmt.Fprint(b, "\n")
		}
		first = false
		if f.Label != "" {
			fmt.Fprint(b, f.Label+"\n"+strings.Repeat("─", min(cells.Width(f.Label), r.Size.Width))+"\n\n")
		}
		for line := range strings.Lines(ansi.Strip(f.Content) + "\n") {
			fmt.Fprint(b, strings.TrimRight(line, " \n")+"\n")
		}
		if err := b.Flush(); err != nil {
			return err
		}
	}
	return nil
}
