package commands

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rvtui/cmd/rvtui/internal/memory"
	"rvtui/scenarios"
	"rvtui/ui/runs"
)

// at is an environment with a state directory, and where what was run is kept there.
func at(t *testing.T) (environment map[string]string, path string) {
	state := t.TempDir()
	return map[string]string{"XDG_STATE_HOME": state}, filepath.Join(state, "rvtui", "state.json")
}

func onFakeCluster(context.Context, func(string)) (scenarios.Cluster, error) {
	return fakeCluster{}, nil
}

func kept(t *testing.T, path string) runs.Memory {
	t.Helper()
	m, err := memory.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWhatWasRunInLinesIsRememberedAndTheNextOffered(t *testing.T) {
	environment, path := at(t)
	if o := tryIn(t, environment, onFakeCluster); !strings.Contains(o.out, "To begin: open two-writers.") {
		t.Errorf("the first run: exit %d, %q", o.code, o.out)
	}
	if o := tryIn(t, environment, onFakeCluster, "two-writers"); o.code != 0 || o.errors != "" {
		t.Errorf("exit %d, %q", o.code, o.errors)
	}
	run := kept(t, path).Runs["two-writers"]
	if run.Verdict == "" || run.Step != run.Steps || run.Steps == 0 || run.At.IsZero() {
		t.Errorf("%+v is remembered", run)
	}
	o := tryIn(t, environment, onFakeCluster)
	if strings.Contains(o.out, "To begin") || !strings.Contains(o.out, "Not run yet, and next: ") || strings.Contains(o.out, "next: two-writers") {
		t.Errorf("the next run: %q", o.out)
	}
}

func TestRunCheckAndTheReadersFilesAreNotRemembered(t *testing.T) {
	environment, path := at(t)
	for _, args := range [][]string{{"run", "two-writers"}, {"check", "two-writers"}, {"list"}, {scenarioFile(t, "cm1")}} {
		tryIn(t, environment, onFakeCluster, args...)
		if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
			t.Errorf("%v has left something: %v", args, err)
		}
	}
}

func TestWhatWasRunIsKeptWhereASignalEndsTheSession(t *testing.T) {
	environment, path := at(t)
	calls := 0
	start := func(context.Context, func(string)) (scenarios.Cluster, error) {
		return fakeCluster{before: func(ctx context.Context) {
			if calls++; calls == 3 { // after the setup and a step
				_ = syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
				<-ctx.Done()
			}
		}}, nil
	}
	o := tryIn(t, environment, start, "two-writers")
	if o.code != 128+int(syscall.SIGTERM) || !o.closed {
		t.Fatalf("exit %d, %q, %q", o.code, o.out, o.errors)
	}
	if run := kept(t, path).Runs["two-writers"]; run.Step != 1 {
		t.Errorf("%+v is remembered", run)
	}
}

func TestAMemoryThatCannotBeUsedIsOneLineAndKept(t *testing.T) {
	environment, path := at(t)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	const damaged = "{\"version\":1,\x1b[31m"
	if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	o := tryIn(t, environment, onFakeCluster, "two-writers")
	if o.code != 0 || strings.Count(o.errors, "\n") != 1 || !strings.Contains(o.errors, "what was run before cannot be read from "+path) {
		t.Errorf("exit %d, %q", o.code, o.errors)
	}
	if content, err := os.ReadFile(path + ".bad"); err != nil || string(content) != damaged {
		t.Errorf("%v, kept is %q", err, content)
	}
	if len(kept(t, path).Runs) != 1 {
		t.Error("the run was not remembered")
	}
}

func TestWithoutAPlaceForItNothingIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, environment := range map[string]map[string]string{
		"no home":            nil,
		"a relative one":     {"XDG_STATE_HOME": "state", "HOME": "home"},
		"a home that is not": {"HOME": file},
	} {
		if o := tryIn(t, environment, onFakeCluster, "two-writers"); o.code != 0 || o.errors != "" {
			t.Errorf("%s: exit %d, %q", name, o.code, o.errors)
		}
	}
}

func TestTheStateDirectoryIsTheSpecifications(t *testing.T) {
	for want, environment := range map[string]map[string]string{
		"/s/rvtui/state.json":              {"XDG_STATE_HOME": "/s", "HOME": "/h"},
		"/h/.local/state/rvtui/state.json": {"XDG_STATE_HOME": "s", "HOME": "/h"},
		"":                                 {"HOME": ""},
	} {
		p := &Program{Lookup: func(name string) (string, bool) { value, ok := environment[name]; return value, ok }}
		if got := p.memoryPath(); got != want {
			t.Errorf("%v: %q, want %q", environment, got, want)
		}
	}
}
