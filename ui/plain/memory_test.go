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

// asking is a catalogue in which two scenarios of a chapter have questions, and one has none.
func asking() []*scenarios.Scenario {
	steps := []scenarios.Step{{Choices: make([]scenarios.Choice, 3)}}
	return []*scenarios.Scenario{
		{Name: "two-writers", Chapter: "conflicts", Steps: steps},
		{Name: "lost-update", Chapter: "conflicts", Steps: steps},
		{Name: "no-op", Chapter: "conflicts"},
	}
}

func TestPredictionsAreScoredAndRememberedAndTheChapterCounted(t *testing.T) {
	const right, wrong = "predict\n6\n2\n6\n3\n6\n", "predict\n6\n2\n6\n1\n6\n"
	for name, test := range map[string]struct {
		before map[string]runs.Score
		typed  string
		score  runs.Score
		says   []string
	}{
		"the first of the chapter": {nil, wrong, runs.Score{Right: 1, Asked: 2},
			[]string{"You predicted 1 of 2.", "Chapter conflicts: 1 of 2 scenarios answered, 1 of 2 right."}},
		"the last of the chapter": {map[string]runs.Score{"lost-update": {Right: 3, Asked: 4}}, right, runs.Score{Right: 2, Asked: 2},
			[]string{"You predicted 2 of 2.", "Chapter conflicts: 5 of 6 right."}},
		"again": {map[string]runs.Score{"two-writers": {Right: 2, Asked: 2}}, wrong, runs.Score{Right: 1, Asked: 2},
			[]string{"You predicted 1 of 2.", "Chapter conflicts: 1 of 2 scenarios answered, 1 of 2 right."}},
		"without questions": {map[string]runs.Score{"two-writers": {Right: 2, Asked: 2}}, "6\n", runs.Score{}, nil},
	} {
		all := asking()
		o := Options{Scenarios: all, Initial: all[0], Lang: scenarios.English, Memory: runs.Memory{Scores: test.before}, Now: func() time.Time { return now }}
		var out strings.Builder
		session, err := Drive(context.Background(), strings.NewReader(test.typed), &out, &stage{trace: uitest.TwoWriters(t)}, o)
		if err != nil || session.Scores["two-writers"] != test.score {
			t.Errorf("%s: %v, %+v is remembered", name, err, session.Scores)
		}
		for _, says := range test.says {
			if !strings.Contains(out.String(), says+"\n") {
				t.Errorf("%s: it does not say %q:\n%s", name, says, out.String())
			}
		}
		if test.says == nil && strings.Contains(out.String(), "Chapter conflicts:") {
			t.Errorf("%s:\n%s", name, out.String())
		}
	}
}

func TestTheListSaysHowEachLastRunEndedAndTheChaptersScore(t *testing.T) {
	all := asking()
	o := Options{Scenarios: all, Lang: scenarios.English, Now: func() time.Time { return now }, Memory: runs.Memory{
		Runs: map[string]runs.Run{
			"two-writers": {Verdict: scenarios.OK, Step: 6, Steps: 6, At: now}, "lost-update": {Step: 2, Steps: 6, At: now},
		},
		Scores: map[string]runs.Score{"two-writers": {Right: 1, Asked: 2}},
	}}
	var out strings.Builder
	if _, err := Drive(context.Background(), strings.NewReader("quit\n"), &out, &stage{trace: uitest.TwoWriters(t)}, o); err != nil {
		t.Fatal(err)
	}
	const want = "Chapter conflicts: 1 of 2 scenarios answered, 1 of 2 right.\n" +
		"two-writers: . Last run: as expected, 2026-11-30, predicted 1 of 2.\n" +
		"lost-update: . Last run: 2 of 6 steps taken, 2026-11-30.\n" +
		"no-op: \n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("got\n%s", out.String())
	}
}
