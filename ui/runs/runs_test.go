package runs

import (
	"testing"
	"time"

	"rvtui/scenarios"
)

var (
	noon  = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	later = noon.Add(time.Hour)
)

// walked is a trace of four planned steps, and these taken.
func walked(taken ...scenarios.Verdict) *scenarios.Trace {
	t := &scenarios.Trace{Plan: make([]scenarios.PlannedStep, 4)}
	for _, verdict := range taken {
		t.Steps = append(t.Steps, scenarios.Observation{Verdict: verdict})
	}
	return t
}

func TestARunIsTheLastThatCameToAnEnd(t *testing.T) {
	const ok, failed, skipped = scenarios.OK, scenarios.Failed, scenarios.Skipped
	for name, test := range map[string]struct {
		before Run
		walked *scenarios.Trace
		want   Run
	}{
		"opened and left":         {Run{}, walked(), Run{"", 0, 4, later}},
		"left in the middle":      {Run{}, walked(ok, ok), Run{"", 2, 4, later}},
		"left earlier than then":  {Run{"", 3, 4, noon}, walked(ok), Run{"", 3, 4, later}},
		"to the end":              {Run{"", 3, 4, noon}, walked(ok, ok, ok, ok), Run{ok, 4, 4, later}},
		"failed in the middle":    {Run{ok, 4, 4, noon}, walked(ok, failed), Run{failed, 2, 4, later}},
		"a step was skipped":      {Run{}, walked(ok, skipped, ok, ok), Run{ok, 4, 4, later}},
		"all steps were skipped":  {Run{}, walked(skipped, skipped, skipped, skipped), Run{skipped, 4, 4, later}},
		"looked at again, left":   {Run{ok, 4, 4, noon}, walked(ok), Run{ok, 4, 4, later}},
		"failed once, then ended": {Run{failed, 2, 4, noon}, walked(ok, ok, ok, ok), Run{ok, 4, 4, later}},
	} {
		if got := test.before.After(test.walked, later); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestItGoesOnWithTheNextThatWasNotRun(t *testing.T) {
	all := []*scenarios.Scenario{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}
	ended := func(at time.Time) Run { return Run{scenarios.OK, 4, 4, at} }
	for name, test := range map[string]struct {
		runs map[string]Run
		want int
	}{
		"none was run":               {nil, 0},
		"the first was":              {map[string]Run{"a": ended(noon)}, 1},
		"the third was":              {map[string]Run{"c": ended(noon)}, 3},
		"the last was":               {map[string]Run{"a": ended(noon), "d": ended(later)}, 1},
		"a later one before it":      {map[string]Run{"b": ended(noon), "a": ended(later)}, 2},
		"the last was left":          {map[string]Run{"a": ended(noon), "c": {"", 1, 4, later}}, 2},
		"one that is there no more":  {map[string]Run{"a": ended(noon), "z": ended(later)}, 1},
		"all, and the second was it": {map[string]Run{"a": ended(noon), "b": ended(later), "c": ended(noon), "d": ended(noon)}, 2},
	} {
		if got := (Memory{Runs: test.runs}).Resume(all); got != test.want {
			t.Errorf("%s: number %d, want %d", name, got, test.want)
		}
	}
	if got := (Memory{}).Resume(nil); got != 0 {
		t.Errorf("of none it is number %d", got)
	}
}

func TestTheLaterMemoryStandsAboveAndChangesNeither(t *testing.T) {
	a := Memory{Runs: map[string]Run{"x": {Step: 1}, "y": {Step: 2}}, Scores: map[string]Score{"x": {1, 2}}}
	b := Memory{Runs: map[string]Run{"x": {Step: 3}}, Scores: map[string]Score{"z": {0, 1}}}
	both := a.And(b)
	if both.Runs["x"].Step != 3 || both.Runs["y"].Step != 2 || both.Scores["x"] != (Score{1, 2}) || both.Scores["z"] != (Score{0, 1}) {
		t.Errorf("%+v", both)
	}
	if a.Runs["x"].Step != 1 || len(b.Runs) != 1 {
		t.Error("one of them has changed")
	}
}

func TestAWalkThatIsLeftTakesNoScoreBack(t *testing.T) {
	walked := func(taken int) *scenarios.Trace {
		trace := &scenarios.Trace{Plan: make([]scenarios.PlannedStep, 2)}
		for range taken {
			trace.Steps = append(trace.Steps, scenarios.Observation{Right: 1})
		}
		return trace
	}
	before := Score{Right: 1, Asked: 2}
	after := func(s Score, walked *scenarios.Trace, predicted map[int]int) Score {
		m := Memory{Scores: map[string]Score{"a": s}}
		return m.And(m.After("a", walked, predicted, time.Time{})).Scores["a"]
	}
	for name, c := range map[string]struct {
		taken     int
		predicted map[int]int
		want      Score
	}{
		"left half way":      {1, map[int]int{1: 1}, before},
		"nothing predicted":  {2, nil, before},
		"walked to its end":  {2, map[int]int{1: 1, 2: 1}, Score{2, 2}},
		"to its end, by one": {2, map[int]int{1: 2}, Score{0, 1}},
	} {
		if got := after(before, walked(c.taken), c.predicted); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := after(Score{}, walked(1), map[int]int{1: 1}); got != (Score{1, 1}) {
		t.Errorf("the first time: %+v", got)
	}
}
