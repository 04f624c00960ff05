package theme

import (
	"image/color"
	"math"
	"reflect"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	_ "rvtui/ui/internal/uitest"
)

func luminance(c color.Color) float64 {
	channel := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*channel(r) + 0.7152*channel(g) + 0.0722*channel(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestWhateverIsReadHasAContrastOfAtLeast4Point5(t *testing.T) {
	for name, c := range map[string]struct {
		palette     palette
		backgrounds []string
	}{
		"dark":  {darkPalette, []string{"#000000", "#1E1E1E", "#282C34"}},
		"light": {lightPalette, []string{"#FFFFFF", "#FAF8F0", "#EEEEEE"}},
	} {
		for _, background := range c.backgrounds {
			for what, foreground := range map[string]color.Color{
				"text": c.palette.text, "dim": c.palette.dim, "a": c.palette.a, "b": c.palette.b, "neutral": c.palette.neutral,
			} {
				if got := contrast(foreground, lipgloss.Color(background)); got < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, what, background, got)
				}
			}
		}
	}
}

func TestNoColourMeansNoColourInAnyStyle(t *testing.T) {
	theme := reflect.ValueOf(*For(colorprofile.ASCII, true))
	for i := range theme.NumField() {
		style := theme.Field(i).Interface().(lipgloss.Style)
		if style.GetForeground() != (lipgloss.NoColor{}) || style.GetBackground() != (lipgloss.NoColor{}) {
			t.Errorf("%s has a colour", theme.Type().Field(i).Name)
		}
	}
}

func TestThePastAndTheStaleAreSeenWithoutColour(t *testing.T) {
	theme := For(colorprofile.ASCII, true)
	for name, style := range map[string]lipgloss.Style{"past": theme.Past, "stale": theme.Stale, "bad": theme.Bad, "selected": theme.Selected} {
		if !style.GetReverse() {
			t.Errorf("%s is not in reverse video", name)
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
	xterm := map[string]string{"TERM": "xterm-256color"}
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
		"a usual terminal":              {env: xterm, want: screen(c256)},
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
		"--color=auto":                  {env: xterm, color: "auto", want: screen(c256)},
		"--plain":                       {env: xterm, plain: true, want: plain},
		"--plain over --color=always":   {env: xterm, plain: true, color: "always", want: plain},
		"ACCESSIBLE":                    {env: with("ACCESSIBLE", "1"), want: plain},
		"ACCESSIBLE empty":              {env: with("ACCESSIBLE", ""), want: screen(c256)},
		"TERM=dumb":                     {env: with("TERM", "dumb"), want: plain},
		"stdin is no terminal":          {env: xterm, noIn: true, want: plain},
		"stdout is no terminal":         {env: xterm, noOut: true, want: plain},
		"a pipe, with --color=always":   {env: xterm, noOut: true, color: "always", want: plain},
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
