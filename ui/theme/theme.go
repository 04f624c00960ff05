// Package theme says how things look: one struct of named styles for each theme, and
// the one decision on colour and on plain mode. It may import terminal libraries
// alone, and never reads the environment itself.
package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
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

	// Background is what the theme is to be seen on, where that is not the terminal's own
	// whatever it is: a reader who asks for a light screen gets one on a dark terminal too.
	Background color.Color
}

// build makes the styles of a palette. What is in reverse video has the text's colour, or
// B's, behind letters in the background's: the same two colours, the other way round.
func build(p palette) *Theme {
	plain := lipgloss.NewStyle()
	in := func(c color.Color) lipgloss.Style {
		if c == nil {
			return plain
		}
		return plain.Foreground(c)
	}
	strong, reverse := in(p.text).Bold(true), in(p.text).Bold(true).Reverse(true)
	return &Theme{
		Text:        in(p.text),
		Strong:      strong,
		Dim:         in(p.dim),
		A:           in(p.a).Bold(!p.thin),
		B:           in(p.b).Bold(!p.thin),
		Neutral:     in(p.neutral).Bold(true),
		Border:      in(p.border),
		BorderFocus: strong,
		Focus:       reverse,
		Added:       strong,
		Removed:     in(p.dim),
		AddedWord:   strong.Underline(true),
		RemovedWord: in(p.dim).Underline(true),
		Current:     strong,
		Stale:       reverse,
		Good:        strong,
		Bad:         in(p.b).Bold(!p.thin).Reverse(true),
		Live:        strong,
		Past:        reverse,
		Key:         strong,
		Selected:    reverse,
	}
}
