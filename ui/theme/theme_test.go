package theme

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	_ "rvtui/ui/internal/uitest"
)

// luminance and contrast are WCAG 2.2's relative luminance and contrast ratio.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func linear(v uint32) float64 {
	s := float64(v) / 0xffff
	if s <= 0.04045 {
		return s / 12.92
	}
	return math.Pow((s+0.055)/1.055, 2.4)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// xterm is the palette of xterm as it ships (XTerm-col.ad), for the sixteen colours: what
// another terminal makes of them is the reader's own choice.
var xterm = [16]string{
	"#000000", "#CD0000", "#00CD00", "#CDCD00", "#0000EE", "#CD00CD", "#00CDCD", "#E5E5E5",
	"#7F7F7F", "#FF0000", "#00FF00", "#FFFF00", "#5C5CFF", "#FF00FF", "#00FFFF", "#FFFFFF",
}

// token is a style of a theme, with its name in Theme.
type token struct {
	name  string
	style lipgloss.Style
}

func tokens(th *Theme) (all []token) {
	fields := reflect.ValueOf(*th)
	for i := range fields.NumField() {
		if style, ok := fields.Field(i).Interface().(lipgloss.Style); ok {
			all = append(all, token{fields.Type().Field(i).Name, style})
		}
	}
	return all
}

// The backgrounds that a theme is held to be seen on: from black and white to the
// greyest that terminals' usual schemes have.
var (
	darkBackgrounds  = []string{"#000000", "#121212", "#1E1E1E", "#282C34"}
	lightBackgrounds = []string{"#FFFFFF", "#FAF8F0", "#F5F5F5", "#EEEEEE"}
)

// drawn are the colours of a token as a terminal draws them on a background. A token may
// be drawn in two ways, where bold makes a colour of the sixteen brighter. None is the
// terminal's own pair, which a theme that has sixteen colours leaves alone.
func drawn(style lipgloss.Style, profile colorprofile.Profile, background color.Color) (pairs [][2]color.Color) {
	foreground, behind := style.GetForeground(), background
	if (style.GetBackground() != lipgloss.NoColor{}) {
		behind = profile.Convert(style.GetBackground())
	}
	if (foreground == lipgloss.NoColor{}) {
		return nil
	}
	add := func(c color.Color) {
		pair := [2]color.Color{c, behind}
		if style.GetReverse() {
			pair = [2]color.Color{behind, c}
		}
		pairs = append(pairs, pair)
	}
	if basic, ok := foreground.(ansi.BasicColor); ok {
		add(lipgloss.Color(xterm[basic]))
		if style.GetBold() && basic < 8 {
			add(lipgloss.Color(xterm[basic+8]))
		}
		return pairs
	}
	add(profile.Convert(foreground))
	return pairs
}

func TestEveryTokenPairOfEveryThemeHasAContrastOfAtLeast4Point5(t *testing.T) {
	for _, name := range Names {
		atLeast := 4.5
		if name == HighContrast {
			atLeast = 7
		}
		for _, profile := range []colorprofile.Profile{colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
			for _, dark := range []bool{true, false} {
				th := For(name, profile, dark)
				backgrounds := darkBackgrounds
				if name == Light || name != Dark && !dark {
					backgrounds = lightBackgrounds
				}
				if th.Background != nil {
					r, g, b, _ := th.Background.RGBA()
					backgrounds = append(slices.Clone(backgrounds), fmt.Sprintf("#%02X%02X%02X", r>>8, g>>8, b>>8))
				}
				sixteen := name == ANSI || profile == colorprofile.ANSI
				if sixteen {
					atLeast = 4.5
				}
				for _, token := range tokens(th) {
					for _, background := range backgrounds {
						pairs := drawn(token.style, profile, lipgloss.Color(background))
						if len(pairs) == 0 && (!sixteen || slices.Contains([]string{"A", "B", "Bad"}, token.name)) {
							t.Errorf("%s, %v: %s has no colour to be computed", name, profile, token.name)
						}
						for _, pair := range pairs {
							if got := contrast(pair[0], pair[1]); got < atLeast {
								t.Errorf("%s, %v: %s on %s has a contrast of %.2f, want %.1f", name, profile, token.name, background, got, atLeast)
							}
						}
					}
				}
			}
		}
	}
}

// The writers are told apart by their letters; their colours must help and not deceive.
// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
// Vision Deficiency" (2009), severity 1.0, in linear RGB.
func TestTheWritersColoursDifferForEveryColourVision(t *testing.T) {
	visions := map[string][3][3]float64{
		"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	for _, name := range Names {
		for _, profile := range []colorprofile.Profile{colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor} {
			for _, dark := range []bool{true, false} {
				th := For(name, profile, dark)
				a, b := drawn(th.A, profile, color.Black)[0][0], drawn(th.B, profile, color.Black)[0][0]
				for vision, seen := range visions {
					if d := distance(see(seen, a), see(seen, b)); d < 20 { // in CIE L*a*b*; 2.3 can just be told apart
						t.Errorf("%s, %v, dark %t: A and B are %.0f apart in %s", name, profile, dark, d, vision)
					}
				}
			}
		}
	}
}

// see is a colour, in linear RGB, as a kind of colour vision has it.
func see(vision [3][3]float64, c color.Color) (out [3]float64) {
	r, g, b, _ := c.RGBA()
	for i, row := range vision {
		out[i] = max(0, min(1, row[0]*linear(r)+row[1]*linear(g)+row[2]*linear(b)))
	}
	return out
}

// distance is CIE 1976's, between two colours in linear RGB.
func distance(one, other [3]float64) float64 {
	lab := func(c [3]float64) [3]float64 {
		f := func(t float64) float64 {
			if t > 216.0/24389 {
				return math.Cbrt(t)
			}
			return (24389.0/27*t + 16) / 116
		}
		x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
		y := f(0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2])
		z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
		return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
	}
	p, q := lab(one), lab(other)
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

func TestNoColourMeansNoColourInAnyStyleWhateverTheTheme(t *testing.T) {
	for _, name := range append([]string{""}, Names...) {
		for _, profile := range []colorprofile.Profile{colorprofile.NoTTY, colorprofile.ASCII} {
			th := For(name, profile, true)
			if th.Background != nil {
				t.Errorf("%s has a background", name)
			}
			for _, token := range tokens(th) {
				if token.style.GetForeground() != (lipgloss.NoColor{}) || token.style.GetBackground() != (lipgloss.NoColor{}) {
					t.Errorf("%s: %s has a colour", name, token.name)
				}
			}
		}
	}
}

func TestThePastAndTheStaleAreSeenWithoutColour(t *testing.T) {
	theme := For(Auto, colorprofile.ASCII, true)
	for name, style := range map[string]lipgloss.Style{"past": theme.Past, "stale": theme.Stale, "bad": theme.Bad, "selected": theme.Selected} {
		if !style.GetReverse() {
			t.Errorf("%s is not in reverse video", name)
		}
	}
}

func TestAThemeFollowsTheBackgroundUnlessItSaysItself(t *testing.T) {
	const full = colorprofile.TrueColor
	for name, c := range map[string]struct {
		theme   string
		profile colorprofile.Profile
		dark    bool
		want    palette
		on      color.Color
	}{
		"nothing said, dark":        {"", full, true, darkPalette, nil},
		"auto, dark":                {Auto, full, true, darkPalette, nil},
		"auto, light":               {Auto, full, false, lightPalette, nil},
		"auto in sixteen, light":    {Auto, colorprofile.ANSI, false, ansiLight, nil},
		"dark on light":             {Dark, full, false, darkPalette, darkBackground},
		"light on dark":             {Light, full, true, lightPalette, lightBackground},
		"light on dark, in sixteen": {Light, colorprofile.ANSI, true, ansiLight, nil},
		"high contrast, dark":       {HighContrast, full, true, highContrastDark, black},
		"high contrast, light":      {HighContrast, full, false, highContrastLight, lightBackground},
		"the sixteen, of millions":  {ANSI, full, true, ansiDark, nil},
	} {
		got, want := For(c.theme, c.profile, c.dark), build(c.want)
		want.Background = c.on
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: it is another theme", name)
		}
	}
}

func TestDecide(t *testing.T) {
	const (
		none = colorprofile.ASCII
		ansi = colorprofile.ANSI
		c256 = colorprofile.ANSI256
		full = colorprofile.TrueColor
	)
	screen := func(p colorprofile.Profile) Decision { return Decision{Profile: p} }
	plain := Decision{Plain: true, Profile: colorprofile.NoTTY}
	usual := map[string]string{"TERM": "xterm-256color"}
	with := func(kv ...string) map[string]string {
		env := map[string]string{"TERM": "xterm-256color"}
		for i := 0; i < len(kv); i += 2 {
			env[kv[i]] = kv[i+1]
		}
		return env
	}
	for name, c := range map[string]struct {
		env   map[string]string
		color string
		plain bool
		noIn  bool
		noOut bool
		want  Decision
	}{
		"a usual terminal":              {env: usual, want: screen(c256)},
		"true colour":                   {env: with("COLORTERM", "truecolor"), want: screen(full)},
		"true colour as 24bit":          {env: with("COLORTERM", "24bit"), want: screen(full)},
		"GNU screen in true colour":     {env: with("TERM", "screen-256color", "COLORTERM", "truecolor"), want: screen(c256)},
		"tmux in true colour":           {env: with("TERM", "tmux-256color", "COLORTERM", "truecolor"), want: screen(full)},
		"kitty by name":                 {env: with("TERM", "xterm-kitty"), want: screen(full)},
		"sixteen colours":               {env: with("TERM", "xterm"), want: screen(ansi)},
		"the linux console":             {env: with("TERM", "linux"), want: screen(ansi)},
		"an old terminal":               {env: with("TERM", "vt100"), want: screen(none)},
		"no TERM":                       {env: nil, want: screen(none)},
		"NO_COLOR=1":                    {env: with("NO_COLOR", "1"), want: screen(none)},
		"NO_COLOR=yes":                  {env: with("NO_COLOR", "yes"), want: screen(none)},
		"NO_COLOR=0 is not empty":       {env: with("NO_COLOR", "0"), want: screen(none)},
		"NO_COLOR empty counts for not": {env: with("NO_COLOR", ""), want: screen(c256)},
		"NO_COLOR over CLICOLOR_FORCE":  {env: with("NO_COLOR", "1", "CLICOLOR_FORCE", "1"), want: screen(none)},
		"CLICOLOR=0":                    {env: with("CLICOLOR", "0"), want: screen(none)},
		"CLICOLOR=1":                    {env: with("CLICOLOR", "1"), want: screen(c256)},
		"CLICOLOR_FORCE over CLICOLOR":  {env: with("CLICOLOR", "0", "CLICOLOR_FORCE", "1"), want: screen(c256)},
		"CLICOLOR_FORCE=0":              {env: with("CLICOLOR", "0", "CLICOLOR_FORCE", "0"), want: screen(none)},
		"CLICOLOR_FORCE on a vt100":     {env: with("TERM", "vt100", "CLICOLOR_FORCE", "1"), want: screen(ansi)},
		"--color=always over NO_COLOR":  {env: with("NO_COLOR", "1"), color: "always", want: screen(c256)},
		"--color=always on a vt100":     {env: with("TERM", "vt100"), color: "always", want: screen(ansi)},
		"--color=never":                 {env: with("COLORTERM", "truecolor", "CLICOLOR_FORCE", "1"), color: "never", want: screen(none)},
		"--color=auto":                  {env: usual, color: "auto", want: screen(c256)},
		"NO_COLOR=false":                {env: with("NO_COLOR", "false"), color: "auto", want: screen(none)},
		"CLICOLOR empty":                {env: with("CLICOLOR", ""), want: screen(c256)},
		"CLICOLOR_FORCE empty":          {env: with("CLICOLOR", "0", "CLICOLOR_FORCE", ""), want: screen(none)},
		"CLICOLOR=0 with true colour":   {env: with("COLORTERM", "truecolor", "CLICOLOR", "0"), want: screen(none)},
		"--color=always over CLICOLOR":  {env: with("CLICOLOR", "0"), color: "always", want: screen(c256)},
		"--plain without colours":       {env: with("NO_COLOR", "1"), plain: true, color: "never", want: plain},
		"ACCESSIBLE=0 is not empty":     {env: with("ACCESSIBLE", "0"), want: plain},
		"ACCESSIBLE over --color":       {env: with("ACCESSIBLE", "1"), color: "always", want: plain},
		"TERM=dumb over CLICOLOR_FORCE": {env: with("TERM", "dumb", "CLICOLOR_FORCE", "1"), color: "always", want: plain},
		"no terminal at either end":     {env: with("CLICOLOR_FORCE", "1"), noIn: true, noOut: true, want: plain},
		"--plain":                       {env: usual, plain: true, want: plain},
		"--plain over --color=always":   {env: usual, plain: true, color: "always", want: plain},
		"ACCESSIBLE":                    {env: with("ACCESSIBLE", "1"), want: plain},
		"ACCESSIBLE empty":              {env: with("ACCESSIBLE", ""), want: screen(c256)},
		"TERM=dumb":                     {env: with("TERM", "dumb"), want: plain},
		"stdin is no terminal":          {env: usual, noIn: true, want: plain},
		"stdout is no terminal":         {env: usual, noOut: true, want: plain},
		"a pipe, with --color=always":   {env: usual, noOut: true, color: "always", want: plain},
	} {
		t.Run(name, func(t *testing.T) {
			got := Decide(Facts{
				Lookup: func(name string) (string, bool) { v, ok := c.env[name]; return v, ok },
				Color:  c.color, Plain: c.plain, Stdin: !c.noIn, Stdout: !c.noOut,
			})
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
