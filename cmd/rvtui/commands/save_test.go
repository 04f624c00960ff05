package commands

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rvtui/scenarios"
)

// thenBlock is a scenario file whose second step waits until the program ends; thenPanic one
// whose second step is a mistake of rvtui's own.
func thenBlock(t *testing.T) string { return twoSteps(t, "block") }
func thenPanic(t *testing.T) string { return twoSteps(t, "panic") }

func twoSteps(t *testing.T, second string) string {
	return scenarioFile(t, "cm1", "    expect: {code: 200}\n", "    expect: {code: 200}\n  - actor: A\n    get: {name: "+second+"}\n")
}

// readBack reads a trace that the program wrote.
func readBack(t *testing.T, content string) *scenarios.SavedTrace {
	t.Helper()
	trace, err := scenarios.ReadTrace(strings.NewReader(content))
	if err != nil {
		t.Fatalf("%v in %s", err, content)
	}
	return trace
}

func TestAnInterruptedRunsJSONIsAWholeDocument(t *testing.T) {
	cluster := fakeCluster{blocked: make(chan struct{})}
	go func() {
		<-cluster.blocked
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGINT)
	}()
	saved := filepath.Join(t.TempDir(), "x.json")
	o := tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return cluster, nil }, "run", "-o", "json", "--save", saved, thenBlock(t))
	if o.code != 130 || o.errors != "" {
		t.Errorf("exit %d, %s", o.code, o.errors)
	}
	if n := readBack(t, o.out).Len(); n != 1 {
		t.Errorf("stdout has %d steps of the trace", n)
	}
	if content, err := os.ReadFile(saved); err != nil || string(content) != o.out {
		t.Errorf("the file holds something else: %v, %s", err, content)
	}
}

func TestAPanicLeavesAWholeDocumentAsWell(t *testing.T) {
	o := try(t, "run", "-o", "json", thenPanic(t))
	if n := readBack(t, o.out).Len(); n != 1 || o.code != exitInternal {
		t.Errorf("exit %d, %d steps", o.code, n)
	}
}

func TestAWalkIsKeptInAFileWhereverItGoes(t *testing.T) {
	scenario := scenarioFile(t, "cm1")
	want := try(t, "run", "-o", "json", scenario).out
	for name, args := range map[string][]string{
		"run": {"run"}, "run in Markdown": {"run", "-o", "markdown"}, "in lines": {},
	} {
		saved := filepath.Join(t.TempDir(), "x.json")
		o := try(t, append(args, "--save", saved, scenario)...)
		content, err := os.ReadFile(saved)
		if err != nil || o.code != 0 {
			t.Fatalf("%s: exit %d, %v, %s", name, o.code, err, o.errors)
		}
		if trace := readBack(t, string(content)); trace.Len() != 1 || string(content) != want {
			t.Errorf("%s: %d steps, %s", name, trace.Len(), content)
		}
		if !o.inside {
			t.Errorf("%s: what the servers did inside is not in it", name)
		}
	}
}

func TestWhereAWalkCannotBeKeptNothingIsStarted(t *testing.T) {
	scenario, there := scenarioFile(t, "cm1"), written(t, "x.json", "mine")
	free := filepath.Join(t.TempDir(), "free.json")
	for says, args := range map[string][]string{
		there + " is there already, and is left alone; --save takes another name": {"run", "--save", there, scenario},
		"x.json is there already":                             {"--save", there, scenario},
		"y.json: no such file or directory":                   {"run", "--save", filepath.Join(t.TempDir(), "nowhere", "y.json"), scenario},
		"--save keeps one walk in its file, and 2 scenarios":  {"run", "--save", free, scenario, scenario},
		"--save keeps one scenario's walk, and none was name": {"--save", free},
	} {
		if o := tryAlone(t, "", args...); o.code != 2 || !strings.Contains(o.errors, says) || strings.Count(o.errors, "\n") != 1 {
			t.Errorf("%q: exit %d, %s", says, o.code, o.errors)
		}
	}
	if content, err := os.ReadFile(there); string(content) != "mine" {
		t.Errorf("%q, %v", content, err)
	}
	if _, err := os.Stat(free); !os.IsNotExist(err) {
		t.Error("a file was made")
	}
}

func TestAFileThatFellBehindIsSaidAndTheRunGoesOn(t *testing.T) {
	for name, args := range map[string][]string{"run": {"run"}, "in lines": {}} {
		directory := filepath.Join(t.TempDir(), "d")
		if err := os.Mkdir(directory, 0o700); err != nil {
			t.Fatal(err)
		}
		saved := filepath.Join(directory, "x.json")
		away := fakeCluster{before: func(context.Context) { _ = os.RemoveAll(directory) }}
		o := tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return away, nil },
			append(args, "--save", saved, twoSteps(t, "cm1"))...)
		said := o.errors + o.out
		if n := strings.Count(said, "next step tries again"); n != 1 {
			t.Errorf("%s: said %d times: %s", name, n, said)
		}
		if name == "run" && (o.code != 2 || !strings.Contains(o.errors, "cannot save the trace to "+saved+": no such file or directory\n")) {
			t.Errorf("%s: exit %d, %s", name, o.code, o.errors)
		}
	}
}
