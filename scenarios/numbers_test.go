package scenarios

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"
)

var (
	// number is a figure of two digits or more: a revision, a code, a duration; no part
	// of a word.
	number = regexp.MustCompile(`\b\d{2,}`)
	digits = regexp.MustCompile(`\d+`)
)

// statusCodes may be named for comparison where they did not come.
var statusCodes = []string{"200", "201", "404", "409", "410", "422"}

// sourced are numbers that no operation and no expectation holds, by the scenario that names
// them: they are of the source that it names.
var sourced = map[string][]string{
	"patch-storm":             {"34"}, // requestTimeoutUpperBound, k8s.io/apiserver/pkg/endpoints/handlers
	"patch-retries-unlimited": {"34"},
	"exact-compacted":         {"15"}, // how often the watch cache asks for etcd's compaction, k8s.io/apiserver/pkg/storage/cacher
	"compaction-keeps-lists":  {"15"},
	"too-large":               {"10"}, // Request.maxRetries, k8s.io/client-go/rest
}

// A number that the engine fills in is right by its making. One that an author wrote must be
// what a step does, or what an expectation checks: or else nothing would notice that it is
// not true any more.
func TestANumberThatAnAuthorWroteIsOneThatIsChecked(t *testing.T) {
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		encoded, err := json.Marshal([][]Step{wordless(s.Setup), wordless(s.Steps)})
		if err != nil {
			t.Fatal(err)
		}
		held := digits.FindAllString(string(encoded), -1)
		for i := range s.Steps {
			step := &s.Steps[i]
			for _, text := range []Text{step.Title, step.Say} {
				for _, said := range text {
					for _, n := range number.FindAllString(placeholder.ReplaceAllString(said, " "), -1) {
						if !slices.Contains(statusCodes, n) && !slices.Contains(held, n) && !slices.Contains(sourced[s.Name], n) {
							t.Errorf("%s, step %d names %s, which nothing checks: %s", s.Name, i+1, n, said)
						}
					}
				}
			}
		}
	}
}

// wordless are steps without what is said of them.
func wordless(steps []Step) []Step {
	out := slices.Clone(steps)
	for i := range out {
		step := &out[i]
		step.Title, step.Ask, step.Say = nil, nil, nil
		step.Choices = slices.Clone(step.Choices)
		for j := range step.Choices {
			step.Choices[j].Says = nil
		}
		if step.Expect != nil {
			expect := *step.Expect
			expect.That = slices.Clone(expect.That)
			for j := range expect.That {
				expect.That[j].Means = nil
			}
			step.Expect = &expect
		}
	}
	return out
}
