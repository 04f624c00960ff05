package scenarios

import (
	"strings"
	"unicode"
)

// English and Chinese are the languages that built-in scenarios are written in,
// named as in LANG.
const (
	English = "en"
	Chinese = "zh"
)

// Text is one sentence or paragraph in each of its languages, keyed by language.
// In a scenario file a plain string means English alone.
type Text map[string]string

// In returns the text in lang, or in English where lang is missing, or "".
func (t Text) In(lang string) string {
	if s, ok := t[lang]; ok && s != "" {
		return s
	}
	return t[English]
}

// Empty reports whether there is no text in any language.
func (t Text) Empty() bool {
	for _, s := range t {
		if s != "" {
			return false
		}
	}
	return true
}

// unfolded is a Chinese text without the spaces that YAML puts where a line ends: Chinese has
// none between two characters, nor beside its own punctuation.
func unfolded(text string) string {
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		if r == ' ' && i > 0 && i+1 < len(runes) {
			before, after := runes[i-1], runes[i+1]
			if fullWidth(before) || fullWidth(after) || unicode.Is(unicode.Han, before) && unicode.Is(unicode.Han, after) {
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// fullWidth reports whether r is Chinese punctuation, such as 。 or ，.
func fullWidth(r rune) bool {
	return r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
}
