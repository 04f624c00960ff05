package screen

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

func TestEveryKeyAndEverySignCanBeReachedInHelp(t *testing.T) {
	th := theme.For(theme.Auto, colorprofile.ASCII, true)
	for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 10}} {
		var all strings.Builder
		for scroll := range HelpScroll(size, th, scenarios.English) + 1 {
			all.WriteString(ansi.Strip(HelpFrame(size, th, scenarios.English, scroll)) + "\n")
		}
		for _, group := range keys.Groups() {
			for _, binding := range group.Bindings {
				if !strings.Contains(all.String(), binding.Help().Key) {
					t.Errorf("%v: no key %q", size, binding.Help().Key)
				}
			}
		}
		for _, c := range keys.Commands {
			if !strings.Contains(all.String(), ":"+c.Name+" "+c.Takes) {
				t.Errorf("%v: no command %q", size, c.Name)
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

// Where a text of the help is changed, its translation has to be found again.
func TestTheWholeHelpIsSaidInChinese(t *testing.T) {
	same := []string{"no rv", "head", "rev", "op", "key", "ver", "by", "create_revision", "mod_revision", "Range", "Txn if mod=N → put", "watch cache", "span"} // fields and API words
	translated := func(english string) {
		t.Helper()
		if words.In(scenarios.Chinese, english) == english && strings.ContainsFunc(english, unicode.IsLetter) && !slices.Contains(same, english) {
			t.Errorf("%q is not said in Chinese", english)
		}
	}
	for _, group := range keys.Groups() {
		translated(group.Title)
		for _, binding := range group.Bindings {
			translated(binding.Help().Desc)
		}
	}
	translated(commandsTitle)
	for _, c := range keys.Commands {
		translated(c.Takes)
		translated(c.Does)
	}
	for _, part := range legend {
		translated(part.title)
		for _, m := range part.meanings {
			translated(m.sign)
			translated(m.means)
		}
	}
}
