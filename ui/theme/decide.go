package theme

import (
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Facts are all that the decision on colour and plain mode depends on.
type Facts struct {
	Lookup func(name string) (value string, set bool) // the environment
	Color  string                                     // --color: auto (or ""), always, never
	Plain  bool                                       // --plain
	Stdin  bool                                       // stdin is a terminal
	Stdout bool                                       // stdout is a terminal
}

// Decision is how the program talks: as lines, or as a screen in these colours.
type Decision struct {
	Plain   bool
	Profile colorprofile.Profile
}

// Decide makes the decision. Most specific wins: the flag, then NO_COLOR, then
// CLICOLOR_FORCE, then CLICOLOR, then what the terminal says of itself. It is made
// here because the libraries take NO_COLOR=yes for false and do not know CLICOLOR=0.
func Decide(f Facts) Decision {
	get := func(name string) string {
		value, _ := f.Lookup(name)
		return value
	}
	plain := f.Plain || get("ACCESSIBLE") != "" || get("TERM") == "dumb" || !f.Stdin || !f.Stdout
	if plain {
		return Decision{Plain: true, Profile: colorprofile.NoTTY} // no escape codes at all
	}

	terminal := terminalProfile(get("TERM"), get("COLORTERM"))
	forced := max(terminal, colorprofile.ANSI)
	force, _ := f.Lookup("CLICOLOR_FORCE")
	cli, cliSet := f.Lookup("CLICOLOR")
	switch {
	case f.Color == "never":
		return Decision{Profile: colorprofile.ASCII}
	case f.Color == "always":
		return Decision{Profile: forced}
	case get("NO_COLOR") != "":
		return Decision{Profile: colorprofile.ASCII}
	case force != "" && force != "0":
		return Decision{Profile: forced}
	case cliSet && cli == "0":
		return Decision{Profile: colorprofile.ASCII}
	default:
		return Decision{Profile: terminal}
	}
}

// terminalProfile is the colours that a terminal has by its TERM and COLORTERM.
func terminalProfile(term, colorterm string) colorprofile.Profile {
	name, _, _ := strings.Cut(term, "-")
	switch {
	case colorterm == "truecolor" || colorterm == "24bit":
		if name == "screen" { // GNU screen inherits COLORTERM and knows 256 colours at most
			return colorprofile.ANSI256
		}
		return colorprofile.TrueColor
	case strings.HasSuffix(term, "-direct"):
		return colorprofile.TrueColor
	case strings.Contains(term, "256color"):
		return colorprofile.ANSI256
	case term == "" || name == "vt100" || name == "vt220":
		return colorprofile.ASCII
	}
	switch name {
	case "alacritty", "ghostty", "kitty", "wezterm", "foot":
		return colorprofile.TrueColor
	}
	if strings.HasPrefix(term, "xterm-") { // xterm-kitty, xterm-ghostty
		switch strings.TrimPrefix(term, "xterm-") {
		case "kitty", "ghostty":
			return colorprofile.TrueColor
		}
	}
	return colorprofile.ANSI
}
