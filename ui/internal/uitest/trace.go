package uitest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"rvtui/scenarios"
)

// TwoWriters is a trace of the scenario two-writers, all six steps taken.
func TwoWriters(t testing.TB) scenarios.Trace {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "..", "testdata", "two-writers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var trace scenarios.Trace
	if err := json.Unmarshal(raw, &trace); err != nil {
		t.Fatal(err)
	}
	return trace
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
