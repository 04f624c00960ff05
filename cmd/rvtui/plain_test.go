package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// typed runs the program in lines: what is typed comes through a pipe, and state is where
// what was run is kept.
func typed(t *testing.T, tmp, state, lines string, args ...string) string {
	t.Helper()
	command := program(t, tmp, append([]string{"--plain"}, args...)...)
	command.Env = append(command.Env, "XDG_STATE_HOME="+state)
	command.Stdin = strings.NewReader(lines)
	var errors strings.Builder
	command.Stderr = &errors
	output, err := command.Output()
	if err != nil || errors.Len() > 0 {
		t.Fatalf("%v, %s\n%s", err, errors.String(), output)
	}
	if strings.Contains(string(output), "\x1b") {
		t.Error("there are escape codes in the output")
	}
	return string(output)
}

// inOrder checks that a text says things one after the other.
func inOrder(t *testing.T, text string, says ...string) {
	t.Helper()
	rest := text
	for _, want := range says {
		at := regexp.MustCompile("(?m)" + want).FindStringIndex(rest)
		if at == nil {
			t.Fatalf("it does not say %q, or not after what comes before it:\n%s", want, text)
		}
		rest = rest[at[1]:]
	}
}

func TestInLinesAScenarioIsWalkedPredictedLookedAtAndTheNextOneOpened(t *testing.T) {
	tmp, state := temporary(t), t.TempDir()
	said := typed(t, tmp, state, strings.Join([]string{
		"next", "", "back", "next", "goto 1", "last",
		"predict", "next", "2", // A's PUT: right
		"next", "1", // B's PUT: wrong
		"state", "steps", "http", "http all", "diff", "timeline", "path", "etcd", "log",
		"6", "list", "next", "quit", "next",
	}, "\n")+"\n", "two-writers")
	inOrder(t, said,
		`^Ready: embedded, kube-apiserver 1\.37\.2, etcd 3\.7\.3\.$`, `^Set up: cm1 has resourceVersion \d+, data\.owner: nobody\.$`,
		`^Step 1 of 6\.`, `^Step 2 of 6\.`, `^Step 1 of 6\.`, `^Step 2 of 6\.`, `^Step 1 of 6\.`, `^Step 2 of 6\.`,
		`^Question before step 3: .*\n1: .*\n2: .*\n3: .*\nType the answer's number\.$`, `^Step 3 of 6\.`, `^You were right: 200 OK`,
		`^Question before step 4: `, `^Step 4 of 6\.`, `^Answer: 409 Conflict after `, `^You were wrong: you said 200 OK.*; it is 409 Conflict`,
		`^State of two-writers after step 4 of 6:$`, `^B holds cm1 at resourceVersion \d+, which is stale, data\.owner: nobody\.$`,
		`^B, step 4, sent, refused: data\.owner: B; instead of data\.owner: nobody\.$`, `^Revision \d+: PUT cm1, version 2, by A\.$`,
		`^Steps of two-writers; step 4 is looked at, 4 of 6 are taken:$`, `^5, to come: B reads cm1 again\.$`,
		`^ +reason: Conflict$`, `\(http all unfolds\)`, `creationTimestamp`, // http, http all
		`^ -   owner: nobody\n \+   owner: A$`,                                      // diff
		`─ PUT cm1 rv=\d+ ─`,                                                        // timeline
		`from the watch cache, no RPC`, `──▶ 409 Conflict`, `^ Proof: spans Update`, // path
		`^head \d+   compacted none`, // etcd
		`^Step 6 of 6\.`, `^You predicted 1 of 2\.$`, `^Chapter conflicts: 1 of \d+ scenarios answered, 1 of 2 right\.$`,
		`^What to do instead: `, `^Source: `, `^End: 6 steps, all as expected\.$`, `^Not run yet, and next: lost-update\.`,
		`^Chapter conflicts: 1 of \d+ scenarios answered`, `^two-writers: .*\. Last run: as expected, \d{4}-\d\d-\d\d, predicted 1 of 2\.$`, // list
		`^lost-update: `, `^Next: step 1\.`,
	)
	if strings.Count(said, "Step 1 of") != 3 {
		t.Error("quit did not end it")
	}

	content, err := os.ReadFile(filepath.Join(state, "rvtui", "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Scenarios map[string]struct {
			Verdict   string
			Predicted *struct{ Right, Asked int }
		}
	}
	if err := json.Unmarshal(content, &kept); err != nil {
		t.Fatal(err)
	}
	if s := kept.Scenarios["two-writers"]; s.Verdict != "ok" || s.Predicted == nil || s.Predicted.Right != 1 || s.Predicted.Asked != 2 {
		t.Errorf("kept is %s", content)
	}

	// Another session knows of it, and the end of the input is its end.
	again := typed(t, tmp, state, "list\n")
	inOrder(t, again, `^two-writers: .*\. Last run: as expected, .*, predicted 1 of 2\.$`, `^Not run yet, and next: lost-update\.$`)
	wantEmpty(t, tmp)
}
