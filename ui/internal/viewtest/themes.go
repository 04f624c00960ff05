package viewtest

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// ScreenSizes are the sizes of screen that goldens show: one for each layout.
var ScreenSizes = []cells.Size{{Width: 200, Height: 60}, {Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}}

// themes are what a reader can come to look at: each theme, and no colours.
var themes = map[string]*theme.Theme{
	"no colours":    theme.For(theme.Auto, colorprofile.ASCII, true),
	"dark":          theme.For(theme.Dark, colorprofile.TrueColor, true),
	"light":         theme.For(theme.Light, colorprofile.TrueColor, false),
	"ansi dark":     theme.For(theme.ANSI, colorprofile.ANSI, true),
	"ansi light":    theme.For(theme.ANSI, colorprofile.ANSI, false),
	"high contrast": theme.For(theme.HighContrast, colorprofile.TrueColor, true),
	"256 colours":   theme.For(theme.Auto, colorprofile.ANSI256, true),
}

// colour is an escape sequence that sets one: of the sixteen, of the 256, or any. Bold,
// underline and reverse video are none.
var colour = regexp.MustCompile(`\x1b\[(?:[0-9;:]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)

// EveryTheme is the text of what draw draws, after checking that each theme has the same
// words and signs in the same cells, and that without colours there is none.
func EveryTheme(t *testing.T, size cells.Size, draw func(th *theme.Theme) string) string {
	t.Helper()
	bare := draw(themes["no colours"])
	text := uitest.Cells(t, bare, size.Width, size.Height)
	if colour.MatchString(bare) {
		t.Errorf("without colours there is one: %q", colour.FindString(bare))
	}
	if !colour.MatchString(draw(themes["dark"])) {
		t.Error("with colours there is none")
	}
	for name, th := range themes {
		if in := uitest.Cells(t, draw(th), size.Width, size.Height); in != text {
			t.Errorf("%s: other words or signs\n%s", name, in)
		}
	}
	return text
}

// Goldens compares what draw draws with testdata/NAME-LANG-SIZE.golden, in every language, at
// every size and in every theme: one text stands for all themes.
func Goldens(t *testing.T, name string, draw func(size cells.Size, th *theme.Theme, lang string) string) {
	t.Helper()
	for _, lang := range words.Languages {
		for _, size := range ScreenSizes {
			golden := fmt.Sprintf("%s-%s-%dx%d", name, lang, size.Width, size.Height)
			t.Run(golden, func(t *testing.T) {
				uitest.Golden(t, golden, EveryTheme(t, size, func(th *theme.Theme) string { return draw(size, th, lang) }))
			})
		}
	}
}
