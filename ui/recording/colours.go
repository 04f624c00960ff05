package recording

import (
	"image/color"

	"github.com/charmbracelet/colorprofile"

	"rvtui/ui/theme"
)

// coloursOf are those of what has no colour of its own in a theme. A theme that leaves both
// to the terminal has the dark theme's here.
func coloursOf(name string) Colours {
	th := theme.For(name, colorprofile.TrueColor, true)
	if th.Background == nil {
		th = theme.For(theme.Dark, colorprofile.TrueColor, true)
	}
	return Colours{Text: rgb(th.Text.GetForeground(), color.RGBA{}), Background: rgb(th.Background, color.RGBA{})}
}
