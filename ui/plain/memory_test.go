package plain

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/runs"
)

var now = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// remembering plays what is typed for a reader with a memory.
func remembering(t *testing.T, before runs.Memory, typed string, initial int) (said string, session runs.Memory) {
	t.Helper()
	all := []*scenarios.Scenario{{Name: "two-writers"}, {Name: "lost-update"}}
	own := &scenarios.Scenario{Name: "lost-update"}
	o := Options{Scenarios: all, Lang: scenarios.English, Memory: before, Now: func() time.Time { return now }}
	if initial >= 0 {
		o.Initial = append(all, own)[initial]
	}
	var out strings.Builder
	session, err := Drive(context.Background(), strings.NewReader(typed), &out, &stage{trace: uitest.TwoWriters(t)}, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), session
}

func TestTheListSaysWhatToBeginOrToGoOnWith(t *testing.T) {
	ended := runs.Run{Verdict: scenarios.OK, Step: 6, Steps: 6, At: now}
	for name, test := range map[string]struct {
		before    map[string]runs.Run
		says, not string
	}{
		"the first run": {nil, "To begin: open two-writers.", "Not run yet"},
		"another":       {map[string]runs.Run{"two-writers": ended}, "Not run yet, and next: lost-update.", "To begin"},
		"all were run":  {map[string]runs.Run{"two-writers": ended, "lost-update": ended}, "2 scenarios.", "Not run yet"},
	} {
		out, session := remembering(t, runs.Memory{Runs: test.before}, "list\n", -1)
		if strings.Count(out, test.says) != 2 || strings.Contains(out, test.not) {
			t.Errorf("%s:\n%s", name, out)
		}
		if !session.Empty() {
			t.Errorf("%s: nothing was run, and %+v is remembered", name, session)
		}
	}
}

func TestWhatWasRunComesBack(t *testing.T) {
	_, session := remembering(t, runs.Memory{}, "2\nopen lost-update\n6\n", 0)
	if run := session.Runs["two-writers"]; run != (runs.Run{Step: 2, Steps: 6, At: now}) {
		t.Errorf("the one that was left: %+v", run)
	}
	if run := session.Runs["lost-update"]; run != (runs.Run{Verdict: scenarios.OK, Step: 6, Steps: 6, At: now}) {
		t.Errorf("the one that was run: %+v", run)
	}
	if _, session = remembering(t, runs.Memory{}, "6\n", 2); !session.Empty() {
		t.Errorf("a file of the reader's: %+v", session)
	}
}

func TestWhereNobodyTypesNothingIsOffered(t *testing.T) {
	out, session := remembering(t, runs.Memory{}, "", 0)
	if strings.Contains(out, "Type next") || session.Runs["two-writers"].Verdict != scenarios.OK {
		t.Errorf("%+v\n%s", session, out)
	}
}

func TestWhatWasRunComesBackWithAnErrorToo(t *testing.T) {
	all := []*scenarios.Scenario{{Name: "two-writers"}}
	session, err := Drive(context.Background(), strings.NewReader(""), io.Discard, &stage{trace: uitest.TwoWriters(t), fail: 3},
		Options{Scenarios: all, Initial: all[0], Now: func() time.Time { return now }})
	if err == nil || session.Runs["two-writers"].Step != 2 {
		t.Errorf("%v, %+v", err, session)
	}
}
