package uitest

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rvtui/scenarios"
)

// TwoWriters is a trace of the scenario two-writers, all six steps taken.
func TwoWriters(t testing.TB) scenarios.Trace {
	t.Helper()
	return Trace(t, "two-writers")
}

// Trace is a recorded trace: a file of ui/testdata. `go test ./cluster/embedded -run Fixtures
// -record` records them again; large ones are compressed.
func Trace(t testing.TB, name string) scenarios.Trace {
	t.Helper()
	path := filepath.Join(fixtures(), name+".json")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		raw, err = unzip(path + ".gz")
	}
	if err != nil {
		t.Fatal(err)
	}
	var trace scenarios.Trace
	if err := json.Unmarshal(raw, &trace); err != nil {
		t.Fatalf("reading the trace of %s: %v", name, err)
	}
	return trace
}

// Traces are the names of all recorded traces.
func Traces(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir(fixtures())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(strings.TrimSuffix(entry.Name(), ".gz"), ".json"); ok {
			names = append(names, name)
		}
	}
	return names
}

func fixtures() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "..", "..", "testdata")
}

func unzip(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	from, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(from)
}

// UpTo cuts a trace after n steps: what it was when the live edge was there.
func UpTo(trace scenarios.Trace, n int) scenarios.Trace {
	trace.Steps = append([]scenarios.Observation(nil), trace.Steps[:min(n, len(trace.Steps))]...)
	return trace
}

// Long repeats a trace's steps until there are n of them.
func Long(trace scenarios.Trace, n int) scenarios.Trace {
	steps, plan := trace.Steps, trace.Plan
	trace.Steps, trace.Plan = nil, nil
	for i := range n {
		step := steps[i%len(steps)]
		step.Step = i + 1
		trace.Steps = append(trace.Steps, step)
		trace.Plan = append(trace.Plan, plan[i%len(plan)])
	}
	return trace
}
