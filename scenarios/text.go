package scenarios

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
