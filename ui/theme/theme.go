// Package theme says how things look: one struct of named styles for each theme, and
// the one decision on colour and on plain mode. It may import terminal libraries
// alone, and never reads the environment itself.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Theme is a style for each meaning. Nothing on screen is told by colour alone, so
// each meaning that has a colour here has a letter, a word or a sign on the screen too.
type Theme struct {
	Text   lipgloss.Style // what is read
	Strong lipgloss.Style // what is read first
	Dim    lipgloss.Style // what can be passed over

	A       lipgloss.Style // writer A: titles, names
	B       lipgloss.Style // writer B
	Neutral lipgloss.Style // everyone else: apiserver, etcd, observer, admin

	Border      lipgloss.Style
	BorderFocus lipgloss.Style
	Focus       lipgloss.Style // the title of the pane that has the keyboard

	Added   lipgloss.Style // a line that a write adds
	Removed lipgloss.Style // a line that a write takes away
	// The words that make the difference within such lines.
	AddedWord, RemovedWord lipgloss.Style
	Current                lipgloss.Style // what belongs to the step under the cursor

	Stale lipgloss.Style // a resourceVersion that is no longer the live one
	Good  lipgloss.Style // as expected
	Bad   lipgloss.Style // not as expected, or an error

	Live lipgloss.Style // the cursor is at the live edge
	Past lipgloss.Style // the cursor is behind it

	Key      lipgloss.Style // a key's name in a hint
	Selected lipgloss.Style // the selected row of a list
}

// palette is what the themes differ in. A nil colour is the terminal's own.
type palette struct {
	text, dim, a, b, neutral, border color.Color
}

func build(p palette) *Theme {
	plain := lipgloss.NewStyle()
	in := func(c color.Color) lipgloss.Style {
		if c == nil {
			return plain
		}
		return plain.Foreground(c)
	}
	return &Theme{
		Text:        in(p.text),
		Strong:      in(p.text).Bold(true),
		Dim:         in(p.dim),
		A:           in(p.a).Bold(true),
		B:           in(p.b).Bold(true),
		Neutral:     in(p.neutral).Bold(true),
		Border:      in(p.border),
		BorderFocus: in(p.text).Bold(true),
		Focus:       plain.Bold(true).Reverse(true),
		Added:       in(p.text).Bold(true),
		Removed:     in(p.dim),
		AddedWord:   in(p.text).Bold(true).Underline(true),
		RemovedWord: in(p.dim).Underline(true),
		Current:     in(p.text).Bold(true),
		Stale:       plain.Bold(true).Reverse(true),
		Good:        in(p.text).Bold(true),
		Bad:         in(p.b).Bold(true).Reverse(true),
		Live:        in(p.text).Bold(true),
		Past:        plain.Bold(true).Reverse(true),
		Key:         in(p.text).Bold(true),
		Selected:    plain.Bold(true).Reverse(true),
	}
}

// The palettes. Blue and orange differ for every kind of colour vision.
var (
	darkPalette = palette{
		text:    lipgloss.Color("#E4E4E4"),
		dim:     lipgloss.Color("#A0A0A0"),
		a:       lipgloss.Color("#7CB7FF"),
		b:       lipgloss.Color("#FFB060"),
		neutral: lipgloss.Color("#D0D0D0"),
		border:  lipgloss.Color("#767676"),
	}
	lightPalette = palette{
		text:    lipgloss.Color("#1C1C1C"),
		dim:     lipgloss.Color("#5A5A5A"),
		a:       lipgloss.Color("#0A4FA0"),
		b:       lipgloss.Color("#9A3E00"),
		neutral: lipgloss.Color("#303030"),
		border:  lipgloss.Color("#8A8A8A"),
	}
	// Of the sixteen colours only those two that terminals' own palettes keep legible.
	ansiDark  = palette{a: lipgloss.BrightBlue, b: lipgloss.BrightYellow}
	ansiLight = palette{a: lipgloss.Blue, b: lipgloss.Red}
)

// For returns the theme for a colour profile, on a dark or a light background.
func For(profile colorprofile.Profile, dark bool) *Theme {
	switch {
	case profile <= colorprofile.ASCII:
		return build(palette{})
	case profile == colorprofile.ANSI && dark:
		return build(ansiDark)
	case profile == colorprofile.ANSI:
		return build(ansiLight)
	case dark:
		return build(darkPalette)
	default:
		return build(lightPalette)
	}
}
