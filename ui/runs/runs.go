// Package runs is what a reader has run so far, as data: which scenarios, how they ended,
// and how often the reader's predictions came true. It may import scenarios alone, and must
// never do I/O: whoever starts the program keeps it from one session to the next.
package runs

import (
	"maps"
	"time"

	"rvtui/scenarios"
)

// Run is the last run of a scenario.
type Run struct {
	// Verdict is of the last run that came to its end, or that failed before; "" where none did.
	Verdict scenarios.Verdict
	// Step is how far that run came, or else the furthest of those that were left; of Steps.
	Step, Steps int
	At          time.Time // when the scenario was last walked
}

// Score is how many of a reader's predictions came true, of those that were asked for.
type Score struct{ Right, Asked int }

// ScoreOf counts the predictions of a trace's steps: by step, the choice that was made, from
// 1. What the evidence did not decide counts for nobody, nor does what was not taken.
func ScoreOf(walked *scenarios.Trace, predicted map[int]int) Score {
	var s Score
	for n, choice := range predicted {
		if n < 1 || n > len(walked.Steps) || walked.Steps[n-1].Right == 0 {
			continue
		}
		s.Asked++
		if choice == walked.Steps[n-1].Right {
			s.Right++
		}
	}
	return s
}

// Memory is what was run, by the scenario's name. Its zero value is that of a reader who
// has run nothing.
type Memory struct {
	Runs   map[string]Run
	Scores map[string]Score // of the last run in which predictions were asked for
}

// After is what there is to remember of a scenario after the walk that a trace tells of, in which
// choices were made. As for a Run, a walk that was left before its end takes nothing back of an
// earlier one in which more was asked.
func (m Memory) After(name string, walked *scenarios.Trace, predicted map[int]int, at time.Time) Memory {
	more := Memory{Runs: map[string]Run{name: m.Runs[name].After(walked, at)}}
	if score := ScoreOf(walked, predicted); score.Asked > 0 {
		if before := m.Scores[name]; score.Asked < before.Asked && len(walked.Steps) < len(walked.Plan) {
			score = before
		}
		more.Scores = map[string]Score{name: score}
	}
	return more
}

// Empty reports whether there is nothing in it.
func (m Memory) Empty() bool { return len(m.Runs) == 0 && len(m.Scores) == 0 }

// And is both memories in one; what is in later stands above what is in m.
func (m Memory) And(later Memory) Memory {
	both := Memory{Runs: map[string]Run{}, Scores: map[string]Score{}}
	for _, memory := range []Memory{m, later} {
		maps.Copy(both.Runs, memory.Runs)
		maps.Copy(both.Scores, memory.Scores)
	}
	return both
}

// After is r after the walk that a trace tells of. A walk that was left before its end
// takes nothing back of an earlier one.
func (r Run) After(walked *scenarios.Trace, at time.Time) Run {
	taken, steps := len(walked.Steps), len(walked.Plan)
	verdict := walked.Verdict()
	switch {
	case taken >= steps || verdict == scenarios.Failed:
		return Run{Verdict: verdict, Step: taken, Steps: steps, At: at}
	case r.Verdict != "":
		r.At = at
		return r
	}
	return Run{Step: max(r.Step, taken), Steps: steps, At: at}
}

// Last is the name of the scenario that was walked last; "" where none was.
func (m Memory) Last() string {
	last := ""
	for name, run := range m.Runs {
		if last == "" || run.At.After(m.Runs[last].At) || run.At.Equal(m.Runs[last].At) && name < last {
			last = name
		}
	}
	return last
}

// Next is the first scenario that was not run to its end, of those from number from on and
// then of those before; nil where all were.
func (m Memory) Next(all []*scenarios.Scenario, from int) *scenarios.Scenario {
	for i := range all {
		if s := all[(from+i)%len(all)]; m.Runs[s.Name].Verdict == "" {
			return s
		}
	}
	return nil
}

// Resume is the number of the scenario to go on with: the last one where it was left before
// its end, or else the next that was not run. Who has run them all goes on in order, and
// who has run none begins with the first.
func (m Memory) Resume(all []*scenarios.Scenario) int {
	last := m.Last()
	from := 0
	for i, s := range all {
		if s.Name == last {
			from = i
		}
	}
	next := m.Next(all, from)
	for i, s := range all {
		if s == next {
			return i
		}
	}
	if len(all) == 0 {
		return 0
	}
	return (from + 1) % len(all)
}
