package runs

import (
	"testing"

	"rvtui/scenarios"
)

func TestAChaptersScoreIsOfItsScenariosThatHaveQuestions(t *testing.T) {
	asking := []scenarios.Step{{}, {Choices: make([]scenarios.Choice, 2)}}
	all := []*scenarios.Scenario{
		{Name: "a", Chapter: "one", Steps: asking},
		{Name: "b", Chapter: "two", Steps: asking},
		{Name: "c", Chapter: "one", Steps: asking},
		{Name: "quiet", Chapter: "one", Steps: make([]scenarios.Step, 1)},
	}
	for name, test := range map[string]struct {
		scores map[string]Score
		want   Chapter
		done   bool
	}{
		"nothing answered":                     {nil, Chapter{Name: "one", Questions: 2}, false},
		"one of two":                           {map[string]Score{"a": {2, 3}}, Chapter{"one", Score{2, 3}, 1, 2}, false},
		"both":                                 {map[string]Score{"a": {2, 3}, "c": {0, 1}}, Chapter{"one", Score{2, 4}, 2, 2}, true},
		"another chapter's":                    {map[string]Score{"b": {2, 3}}, Chapter{Name: "one", Questions: 2}, false},
		"nothing that was decided":             {map[string]Score{"a": {0, 0}}, Chapter{Name: "one", Questions: 2}, false},
		"one that lost its questions since":    {map[string]Score{"a": {1, 1}, "c": {1, 1}, "quiet": {1, 1}}, Chapter{"one", Score{2, 2}, 2, 2}, true},
		"one that is in the catalogue no more": {map[string]Score{"a": {1, 1}, "gone": {1, 1}}, Chapter{"one", Score{1, 1}, 1, 2}, false},
	} {
		if got := (Memory{Scores: test.scores}).Chapter(all, "one"); got != test.want || got.Done() != test.done {
			t.Errorf("%s: got %+v, done %v, want %+v, %v", name, got, got.Done(), test.want, test.done)
		}
	}
}
