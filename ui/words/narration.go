package words

import "rvtui/scenarios"

// Narration is what the scenario's author says of a step, and what has to stand before it.
// It was written for a step that comes out as expected: of any other it says what was meant to
// happen, and head says so. Where the step could not be done at all it says nothing, for
// then the error is what there is to say.
func Narration(o *scenarios.Observation, lang string) (head, said string) {
	said = o.Say.In(lang)
	switch {
	case o.Error != "":
		return "", ""
	case said != "" && o.Verdict == scenarios.Failed:
		return In(lang, "This was meant to happen:"), said
	}
	return "", said
}
