package screen

import (
	"slices"
	"strings"
	"unicode"

	"rvtui/scenarios"
)

// sharedRun is how many words in a row make an error text the same as another: enough
// to tell errors apart, and few enough for one that names another object.
const sharedRun = 4

// Matching are the scenarios that the filter finds: by a part of their name, title,
// summary, fix, steps' titles or error texts; by an error text that shares some words in a row with one of
// theirs, since whoever met an error met it on an object of another name; or by words
// that all stand somewhere in them.
func (p Picker) Matching(lang string) []*scenarios.Scenario {
	if strings.TrimSpace(p.Filter) == "" {
		return p.Scenarios
	}
	typed := wordsOf(p.Filter)
	var named, out []*scenarios.Scenario // whose name is typed comes first: enter opens it
	for _, s := range p.Scenarios {
		switch {
		case len(typed) == 0 || !finds(typed, s, lang):
		case strings.EqualFold(s.Name, strings.TrimSpace(p.Filter)):
			named = append(named, s)
		default:
			out = append(out, s)
		}
	}
	return append(named, out...)
}

func finds(typed []string, s *scenarios.Scenario, lang string) bool {
	parts := append([]string{s.Name, s.Chapter, s.Title.In(lang), s.Summary.In(lang), s.Fix.In(lang)}, s.Met...)
	for i := range s.Steps {
		parts = append(parts, s.Steps[i].Title.In(lang))
	}
	for i, part := range parts {
		parts[i] = strings.Join(wordsOf(part), " ")
	}
	phrase := strings.Join(typed, " ")
	if slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(part, phrase) }) {
		return true
	}
	for _, met := range s.Met {
		if shareRun(typed, wordsOf(met)) {
			return true
		}
	}
	all := strings.Join(parts, "\n")
	return !slices.ContainsFunc(typed, func(word string) bool { return !strings.Contains(all, word) })
}

// shareRun reports whether two texts have sharedRun words in a row in common, or all
// of the first's, where those are fewer.
func shareRun(typed, met []string) bool {
	n := min(sharedRun, len(typed))
	for i := 0; i+n <= len(typed); i++ {
		for j := 0; j+n <= len(met); j++ {
			if slices.Equal(typed[i:i+n], met[j:j+n]) {
				return true
			}
		}
	}
	return false
}

// wordsOf is a text's words, in lower case and without what stands between them.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
