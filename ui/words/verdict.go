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
			return Verdict{Short: "skipped: " + o.Reason}
		}
		return Verdict{Short: "skipped"}
	case scenarios.Failed:
		if o.Error != "" {
			return Verdict{Short: "could not be done: " + o.Error}
		}
		return Verdict{Short: "NOT as expected", Text: disagreement(o, lang)}
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
	return Verdict{Short: "as expected", Text: strings.Join(held, " · ")}
}

// disagreement is what was expected and what came, of the checks that failed.
func disagreement(o *scenarios.Observation, lang string) string {
	var parts []string
	for _, check := range o.Checks {
		if !check.OK {
			parts = append(parts, "expected "+check.Expected.In(lang)+", got "+check.Got.In(lang))
		}
	}
	if len(parts) == 0 {
		return "expected " + o.Expected + ", got " + o.Got
	}
	return strings.Join(parts, " · ")
}
