package screen

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/keys"
	"rvtui/ui/theme"
)

func TestEveryKeyAndEverySignCanBeReachedInHelp(t *testing.T) {
	th := theme.For(colorprofile.ASCII, true)
	for _, size := range []Size{{200, 60}, {120, 36}, {80, 24}, {60, 20}, {40, 10}} {
		var all strings.Builder
		for scroll := range HelpScroll(size, th) + 1 {
			all.WriteString(ansi.Strip(HelpFrame(size, th, scroll)) + "\n")
		}
		for _, group := range keys.Groups() {
			for _, binding := range group.Bindings {
				if !strings.Contains(all.String(), binding.Help().Key) {
					t.Errorf("%v: no key %q", size, binding.Help().Key)
				}
			}
		}
		for _, part := range legend {
			for _, m := range part.meanings {
				if !strings.Contains(all.String(), m.sign) {
					t.Errorf("%v: no sign %q", size, m.sign)
				}
			}
		}
	}
}
