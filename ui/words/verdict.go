package words

import (
	"strings"

	"rvtui/scenarios"
)

// Verdict is a step's verdict in words.
type Verdict struct {
	Short string // "as expected"; "" where nothing was expected
	// Text is what that is said of: what was checked, or, where it was not as expected,
	// what was expected and what came instead.
	Text string
}

// Judge says what became of a step's expectations. Where all held, what was expected is
// what came, and is said once.
func Judge(o *scenarios.Observation, lang string) Verdict {
	switch o.Verdict {
	case scenarios.Skipped:
		if o.Reason != "" {
			return Verdict{Short: In(lang, "skipped: %s", o.Reason)}
		}
		return Verdict{Short: In(lang, "skipped")}
	case scenarios.Failed:
		if o.Error != "" {
			return Verdict{Short: In(lang, "could not be done: %s", o.Error)}
		}
		return Verdict{Short: In(lang, "NOT as expected"), Text: disagreement(o, lang)}
	}
	var held []string
	for _, check := range o.Checks {
		if s := check.Expected.In(lang); s != "" {
			held = append(held, s)
		}
	}
	if len(held) == 0 {
		return Verdict{}
	}
	return Verdict{Short: In(lang, "as expected"), Text: strings.Join(held, " · ")}
}

// disagreement is what was expected and what came, of the checks that failed.
func disagreement(o *scenarios.Observation, lang string) string {
	var parts []string
	for _, check := range o.Checks {
		if !check.OK {
			parts = append(parts, In(lang, "expected %s, got %s", check.Expected.In(lang), check.Got.In(lang)))
		}
	}
	if len(parts) == 0 {
		return In(lang, "expected %s, got %s", o.Expected, o.Got)
	}
	return strings.Join(parts, " · ")
}
