package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// The themes, by the names that a reader chooses them by. No colour is not among them: it
// is decided by Decide, and no theme is above it.
const (
	Auto         = "auto" // dark or light, as the terminal's background is
	Dark         = "dark"
	Light        = "light"
	HighContrast = "high-contrast" // dark or light as well, and at least 7:1
	ANSI         = "ansi"          // the terminal's own sixteen colours, however it shows them
)

// Names lists the themes.
var Names = []string{Auto, Dark, Light, HighContrast, ANSI}

// palette is what the themes differ in. A nil colour is the terminal's own.
type palette struct {
	text, dim, a, b, neutral, border color.Color
	// thin leaves A and B without bold: of the sixteen colours, some terminals (xterm is
	// one) show bold ones in their brighter variant, which a light background swallows.
	thin bool
}

// The palettes. Blue and orange differ for every kind of colour vision, and so do yellow
// and cyan. Each colour keeps its contrast where a terminal of 256 colours shows the
// nearest one that it has.
var (
	darkPalette = palette{
		text:    lipgloss.Color("#E4E4E4"),
		dim:     lipgloss.Color("#A8A8A8"),
		a:       lipgloss.Color("#7CB7FF"),
		b:       lipgloss.Color("#FFB060"),
		neutral: lipgloss.Color("#D0D0D0"),
		border:  lipgloss.Color("#949494"),
	}
	lightPalette = palette{
		text:    lipgloss.Color("#1C1C1C"),
		dim:     lipgloss.Color("#585858"),
		a:       lipgloss.Color("#0A4FA0"),
		b:       lipgloss.Color("#9A3E00"),
		neutral: lipgloss.Color("#303030"),
		border:  lipgloss.Color("#666666"),
	}
	highContrastDark = palette{
		text:    lipgloss.Color("#FFFFFF"),
		dim:     lipgloss.Color("#D0D0D0"),
		a:       lipgloss.Color("#AFD7FF"),
		b:       lipgloss.Color("#FFD787"),
		neutral: lipgloss.Color("#FFFFFF"),
		border:  lipgloss.Color("#D0D0D0"),
	}
	highContrastLight = palette{
		text:    lipgloss.Color("#000000"),
		dim:     lipgloss.Color("#303030"),
		a:       lipgloss.Color("#00005F"),
		b:       lipgloss.Color("#5F0000"),
		neutral: lipgloss.Color("#000000"),
		border:  lipgloss.Color("#303030"),
	}
	// Of the sixteen colours only those that terminals' own palettes keep legible on
	// their own background; all else is in the terminal's own colour for text.
	ansiDark  = palette{a: lipgloss.BrightCyan, b: lipgloss.BrightYellow}
	ansiLight = palette{a: lipgloss.Blue, b: lipgloss.Red, thin: true}
)

// The backgrounds that the named themes ask for.
var (
	darkBackground  = lipgloss.Color("#121212")
	lightBackground = lipgloss.Color("#FFFFFF")
	black           = lipgloss.Color("#000000")
)

// For returns the theme of a name, "" being Auto, for a colour profile, on a terminal
// whose background is dark or light. Where the profile has no colours, neither has the
// theme; where it has sixteen, the theme leaves the terminal its background, because it
// leaves it the colour of its text.
func For(name string, profile colorprofile.Profile, dark bool) *Theme {
	switch name {
	case Dark:
		dark = true
	case Light:
		dark = false
	}
	switch {
	case profile <= colorprofile.ASCII:
		return build(palette{})
	case (profile == colorprofile.ANSI || name == ANSI) && dark:
		return build(ansiDark)
	case profile == colorprofile.ANSI || name == ANSI:
		return build(ansiLight)
	case name == HighContrast && dark:
		return on(black, highContrastDark)
	case name == HighContrast:
		return on(lightBackground, highContrastLight)
	case name == Dark:
		return on(darkBackground, darkPalette)
	case name == Light:
		return on(lightBackground, lightPalette)
	case dark:
		return build(darkPalette)
	default:
		return build(lightPalette)
	}
}

// on makes a palette's theme, with a background of its own.
func on(background color.Color, p palette) *Theme {
	th := build(p)
	th.Background = background
	return th
}
