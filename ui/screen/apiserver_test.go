package screen

import (
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
)

// restartedAfter is a trace whose step after the first n restarts the apiserver.
func restartedAfter(t *testing.T, n int) scenarios.Trace {
	trace := uitest.UpTo(uitest.TwoWriters(t), n)
	trace.Steps = append(trace.Steps, scenarios.Observation{
		Step: n + 1, Actor: scenarios.Admin, Operation: "apiserverRestart", DurationMs: 868, Verdict: scenarios.OK, Etcd: trace.Steps[n-1].Etcd,
	})
	return trace
}

func TestARestartIsALineBelowTheRequests(t *testing.T) {
	for _, height := range []int{2, 5, 8, 30} {
		f := at(restartedAfter(t, 3), Panes, cells.Size{Width: 120, Height: 36})
		b := f.apiserver(34, height)
		last := strings.TrimRight(cellsOf(b.Lines[len(b.Lines)-1:]), "\n")
		if want := "▸ admin restarted      ready 868ms"; last != want || len(b.Lines) > height {
			t.Errorf("%d lines of %d, the last is %q, want %q", len(b.Lines), height, last, want)
		}
	}
	if b := at(uitest.UpTo(uitest.TwoWriters(t), 3), Panes, cells.Size{Width: 120, Height: 36}).apiserver(34, 30); strings.Contains(cellsOf(b.Lines), "restart") {
		t.Error("there was no restart")
	}
}
