package scenarios

import (
	"fmt"
	"testing"
)

func TestWhatEveryoneWouldFeelIsExclusive(t *testing.T) {
	for steps, want := range map[string]bool{
		"[{actor: A, get: {name: cm1}}]":                                                        false,
		"[{actor: admin, etcdCompact: {revision: 5}}]":                                          true,
		"[{actor: A, get: {name: cm1}}, {actor: admin, apiserverRestart: {}}]":                  true,
		"[{actor: A, watch: {meanwhile: [{actor: B, get: {name: cm1}}]}}]":                      false,
		"[{actor: A, watch: {meanwhile: [{actor: admin, apiserverRestart: {}}]}}]":              true,
		"[{actor: A, informer: {name: c, meanwhile: [{actor: A, apiserverRestart: {}}]}}]":      true,
		"[{actor: A, retryOnConflict: {name: c, meanwhile: {actor: A, apiserverRestart: {}}}}]": true,
		"[{actor: A, together: [{actor: A, storm: {times: 2, do: {apiserverRestart: {}}}}]}]":   true,
	} {
		for _, content := range []string{
			"scenario: x\ntitle: x\nsteps: " + steps,
			fmt.Sprintf("scenario: x\ntitle: x\nsetup: %s\nsteps: [{actor: A, get: {name: cm1}}]", steps),
		} {
			scenario, err := Decode("x.yaml", []byte(content))
			if err != nil {
				t.Fatal(err)
			}
			if got := scenario.Exclusive(); got != want {
				t.Errorf("%v, want %v, of\n%s", got, want, content)
			}
		}
	}
}

// A together of a hundred is named in a line, as a storm is.
func TestATogetherIsNamedInAFewWords(t *testing.T) {
	patch := func(actor Actor, name string) Step {
		return Step{Actor: actor, Operation: Operation{Patch: &Patch{Target: Target{Name: name}}}}
	}
	var hundred, many, five []Step
	for i := range 100 {
		hundred = append(hundred, patch([]Actor{A, B}[i%2], "cm1"))
		many = append(many, patch(A, fmt.Sprint("cm", max(i, 3))))
	}
	for i := range 5 {
		five = append(five, patch(B, fmt.Sprint("cm", i)))
	}
	for want, steps := range map[string][]Step{
		"together A: patch cm1 (merge), B: patch cm1 (merge)":                                                                   hundred[:2],
		"together A: 50 times patch cm1 (merge), B: 50 times patch cm1 (merge)":                                                 hundred,
		"together A: 4 times patch cm3 (merge), A: patch cm4 (merge), A: patch cm5 (merge), A: patch cm6 (merge), and 93 more":  many,
		"together B: patch cm0 (merge), B: patch cm1 (merge), B: patch cm2 (merge), B: patch cm3 (merge), B: patch cm4 (merge)": five,
	} {
		if got := (Operation{Together: steps}).operationText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
