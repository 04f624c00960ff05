package scenarios

import (
	"strings"
	"testing"
)

// asking is a scenario whose only step asks with these choices; the body of a scenario file.
func asking(choices string) string {
	return "scenario: asking\ntitle: Asking\nsetup:\n  - create: {name: cm1}\nsteps:\n  - actor: A\n    ask: What comes back?\n    choices:\n" +
		choices + "    get: {name: cm1}\n"
}

func TestTheRightChoiceIsTheOneThatHolds(t *testing.T) {
	for name, c := range map[string]struct {
		choices string
		right   int
		verdict Verdict
		got     string
	}{
		"the second":    {"      - {says: gone, if: code == 404}\n      - {says: there, if: code == 200}\n", 2, OK, ""},
		"none":          {"      - {says: gone, if: code == 404}\n      - {says: refused, if: code == 409}\n", 0, Failed, "none of them"},
		"two":           {"      - {says: there, if: code == 200}\n      - {says: found, if: code < 300}\n", 0, Failed, "there · found"},
		"one that errs": {"      - {says: gone, if: code == 404}\n      - {says: there, if: answer.data.nothing == 'x'}\n", 0, Failed, "no such key"},
	} {
		t.Run(name, func(t *testing.T) {
			run := begin(t, &scripted{answers: conflictScript().answers[:2]}, asking(c.choices))
			if plan := run.Trace().Plan[0]; len(plan.Choices) != 2 {
				t.Errorf("the plan has %d choices", len(plan.Choices))
			}
			o := step(t, run)
			if o.Right != c.right || o.Verdict != c.verdict || !strings.Contains(o.Got, c.got) {
				t.Errorf("right is %d, the verdict %s, got %q", o.Right, o.Verdict, o.Got)
			}
		})
	}
}

func TestChoicesThatCannotBeAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"one alone":        {asking("      - {says: there, if: code == 200}\n"), "out of range: 2 to 5"},
		"no question":      {strings.Replace(asking("      - {says: a, if: 'true'}\n      - {says: b, if: 'false'}\n"), "    ask: What comes back?\n", "", 1), "ask is missing"},
		"nothing said":     {asking("      - {if: 'true'}\n      - {says: b, if: 'false'}\n"), "says is missing"},
		"no expression":    {asking("      - {says: a}\n      - {says: b, if: 'false'}\n"), "if is missing"},
		"no condition":     {asking("      - {says: a, if: 1 + 1}\n      - {says: b, if: 'false'}\n"), "true or false"},
		"a value too soon": {asking("      - {says: 'rv ${code}', if: 'true'}\n      - {says: b, if: 'false'}\n"), "before there are values"},
	} {
		_, err := Decode("asking.yaml", []byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "choices") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
