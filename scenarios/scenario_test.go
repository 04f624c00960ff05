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
