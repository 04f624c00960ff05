package words

import (
	"testing"

	"rvtui/scenarios"
)

// What the author says is true of a step that came out as expected, and of no other.
func TestTheNarrationOfAStepThatFailedIsHeaded(t *testing.T) {
	say := scenarios.Text{scenarios.English: "B's write is refused.", scenarios.Chinese: "B 的写入被拒绝。"}
	for name, c := range map[string]struct {
		o          scenarios.Observation
		lang       string
		head, said string
	}{
		"as expected":       {scenarios.Observation{Verdict: scenarios.OK, Say: say}, scenarios.English, "", "B's write is refused."},
		"not as expected":   {scenarios.Observation{Verdict: scenarios.Failed, Say: say}, scenarios.English, "This was meant to happen:", "B's write is refused."},
		"in Chinese":        {scenarios.Observation{Verdict: scenarios.Failed, Say: say}, scenarios.Chinese, "本来应该是这样：", "B 的写入被拒绝。"},
		"not done":          {scenarios.Observation{Verdict: scenarios.Failed, Error: "no answer came", Say: say}, scenarios.English, "", ""},
		"nothing to be had": {scenarios.Observation{Verdict: scenarios.Failed}, scenarios.English, "", ""},
		"a step not taken":  {scenarios.Observation{Verdict: scenarios.Skipped}, scenarios.English, "", ""},
	} {
		if head, said := Narration(&c.o, c.lang); head != c.head || said != c.said {
			t.Errorf("%s: got %q, %q, want %q, %q", name, head, said, c.head, c.said)
		}
	}
}
