package ui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// edited is a text that is typed, after a key: more of it, a character less, or none.
func edited(typed string, msg tea.KeyPressMsg) string {
	switch msg.String() {
	case "backspace":
		all := []rune(typed)
		return string(all[:max(0, len(all)-1)])
	case "ctrl+u":
		return ""
	}
	return typed + msg.Text
}

// visible is a text without what cannot be seen; what has several lines becomes one.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
}

// first are a text's first characters, at most so many.
func first(text string, most int) string {
	all := []rune(text)
	return string(all[:min(len(all), most)])
}
