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
	// Unseen is what could not be judged, and why; "" where all was.
	Unseen string
	// Open says that nothing was judged at all, so that it is neither as expected nor not.
	Open bool
}

// Judge says what became of a step's expectations. Where all held, what was expected is
// what came, and is said once. What the cluster does not show is said to be unseen.
func Judge(t *scenarios.Trace, o *scenarios.Observation, lang string) Verdict {
	switch o.Verdict {
	case scenarios.Skipped:
		return skipped(o, lang)
	case scenarios.Failed:
		if o.Error != "" {
			return Verdict{Short: In(lang, "could not be done: %s", o.Error)}
		}
		return Verdict{Short: In(lang, "NOT as expected"), Text: disagreement(o, lang), Unseen: unseen(t, o, lang)}
	}
	var held []string
	for _, check := range o.Checks {
		if s := check.Expected.In(lang); s != "" && !check.Unseen {
			held = append(held, s)
		}
	}
	open := unseen(t, o, lang)
	switch {
	case len(held) == 0 && open == "":
		return Verdict{}
	case len(held) == 0:
		return Verdict{Short: In(lang, "not judged"), Unseen: open, Open: true}
	}
	return Verdict{Short: In(lang, "as expected"), Text: strings.Join(held, " · "), Unseen: open}
}

// Rest is what stands behind the verdict in a line: what it is said of, and what is unseen.
func (v Verdict) Rest() string {
	if v.Text == "" || v.Unseen == "" {
		return v.Text + v.Unseen
	}
	return v.Text + " · " + v.Unseen
}

// skipped is the verdict of a step that was not taken.
func skipped(o *scenarios.Observation, lang string) Verdict {
	v := Verdict{Short: In(lang, "skipped"), Open: true}
	switch {
	case len(o.Lack) > 0:
		v.Short = In(lang, "skipped: needs %s", named(o.Lack, lang))
		v.Unseen = In(lang, "not done here; it takes %s", gives(o.Lack, lang))
		if _, why, ok := strings.Cut(o.Reason, ": "); ok {
			v.Unseen += In(lang, " (%s)", why)
		}
	case o.Reason != "":
		v.Short = In(lang, "skipped: %s", o.Reason)
	}
	return v
}

// disagreement is what was expected and what came, of the checks that failed.
func disagreement(o *scenarios.Observation, lang string) string {
	var parts []string
	for _, check := range o.Checks {
		if !check.OK && !check.Unseen {
			parts = append(parts, In(lang, "expected %s, got %s", check.Expected.In(lang), check.Got.In(lang)))
		}
	}
	if len(parts) == 0 {
		return In(lang, "expected %s, got %s", o.Expected, o.Got)
	}
	return strings.Join(parts, " · ")
}
