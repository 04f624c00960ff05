package scenarios

import "testing"

func TestATitleBeforeThereAreValuesHasNoEmptyBrackets(t *testing.T) {
	for said, want := range map[string]string{
		"A reads cm1 (${rv(a) + 1})":         "A reads cm1",
		"A 读 cm1（${rv(a) + 1}）":              "A 读 cm1",
		"A 读 cm1 (${a})":                     "A 读 cm1",
		"A reads cm1 (again)":                "A reads cm1 (again)",
		"A reads ${a}, and (at ${b}) B goes": "A reads …, and B goes",
	} {
		if got := planned(Text{Chinese: said}).In(Chinese); got != want {
			t.Errorf("%s: got %q, want %q", said, got, want)
		}
	}
}
