package words

import (
	"regexp"
	"slices"
	"testing"

	"rvtui/scenarios"
)

var verb = regexp.MustCompile(`%(?:\[\d\])?[-0-9]*([a-z])`)

func TestATranslationTakesWhatItsEnglishTakes(t *testing.T) {
	verbs := func(s string) []string {
		var out []string
		for _, match := range verb.FindAllStringSubmatch(s, -1) {
			out = append(out, match[1])
		}
		return out
	}
	for _, table := range chineseTables {
		for english, said := range table {
			want, got := verbs(english), verbs(said)
			if regexp.MustCompile(`%\[`).MatchString(said) { // in an order of its own
				slices.Sort(want)
				slices.Sort(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q takes %v, and %q takes %v", english, want, said, got)
			}
		}
	}
}

func TestIn(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{In(scenarios.English, "holds rv %s", "7"), "holds rv 7"},
		{In(scenarios.Chinese, "holds rv %s", "7"), "手里 rv 7"},
		{In(scenarios.Chinese, "nobody says this"), "nobody says this"},
		{In("", "as expected"), "as expected"},
		{CountIn(scenarios.English, 1, "step", "steps"), "1 step"},
		{CountIn(scenarios.Chinese, 1, "step", "steps"), "1 步"},
		{Are(scenarios.English, 1, "step", "steps"), "there is 1 step"},
		{Are(scenarios.Chinese, 6, "step", "steps"), "一共 6 步"},
		{Slow(scenarios.English, "about 43 s"), "about 43 s"},
		{Slow(scenarios.Chinese, "about 43 s"), "约 43 秒"},
		{Capital("as expected"), "As expected"},
		{Capital("符合预期"), "符合预期"},
		{Capital(""), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
