package scenarios

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// Rechecked is what a trace's steps come to by a scenario's expectations.
type Rechecked struct {
	Steps   []RecheckedStep // as long as the trace's
	Missing int             // steps that the scenario has and the trace does not
}

// RecheckedStep is a recorded step, judged anew.
type RecheckedStep struct {
	Observation         // with the verdict, the checks and the texts of now
	Recorded    Verdict // as it was recorded
	// Unjudged says why the step could not be judged; its verdict is Skipped then.
	Unjudged string
}

// Recheck judges what a trace recorded by the expectations of its scenario, as they were
// judged when the steps were taken: the values are rebuilt from the trace alone. What the
// scenario does otherwise today is not judged, nor what came after it: the recorded evidence
// is of another walk. The trace is left as it is.
func Recheck(ctx context.Context, scenario *Scenario, trace *Trace) Rechecked {
	result := Rechecked{Missing: max(0, len(scenario.Steps)-len(trace.Steps))}
	judging := newJudging(trace)
	j := &judging
	setup := trace.Setup
	if setup == nil {
		setup = &Observation{}
	}
	unknown, differs := j.rememberSetup(scenario.Setup, setup)
	j.admitted = admitted(nil, setup)
	history := NewHistory(trace)
	plan := Preview(scenario).Plan
	for i := range trace.Steps {
		o := trace.Steps[i]
		step := RecheckedStep{Recorded: o.Verdict}
		now := difference(plan, trace.Plan, i)
		switch {
		case now != "":
			step.Unjudged = now
			if differs == "" {
				differs = fmt.Sprintf("step %d before it is another one today", i+1)
			}
		case differs != "":
			step.Unjudged = differs
		default:
			if id := scenario.Steps[i].names(unknown); id != "" {
				step.Unjudged = fmt.Sprintf("it looks at steps.%s of the setup, which the trace does not tell from the rest of it", id)
			}
		}
		if step.Unjudged != "" {
			o.Verdict = Skipped
		} else {
			o.ID = scenario.Steps[i].ID
			o.Checks, o.Expected, o.Right = nil, "", 0
			if o.Verdict != Skipped {
				o.Lack = nil
			}
			j.conclude(ctx, &scenario.Steps[i], &o, history.At(i), history.At(i+1))
		}
		step.Observation = o
		result.Steps = append(result.Steps, step)
	}
	return result
}

// rememberSetup keeps the values of the setup's steps. Those of the unknown ids the trace
// does not tell; differs says how the setup is another one today.
func (j *judging) rememberSetup(steps []Step, recorded *Observation) (unknown []string, differs string) {
	parts, told := partsOf(recorded, steps)
	if !told {
		for i := range steps {
			if steps[i].ID != "" {
				unknown = append(unknown, steps[i].ID)
			}
		}
		if n := len(recorded.Parts); n != 0 && n != len(steps) {
			differs = fmt.Sprintf("the setup has %d steps today, and had %d", len(steps), n)
		}
		return unknown, differs
	}
	whole := *recorded
	whole.Parts = parts
	for i := range steps {
		s := &steps[i]
		if was, is := parts[i].text(), string(s.Actor)+" "+s.operationText(); was != is {
			return nil, fmt.Sprintf("step %d of the setup was %q, and is %q today", i+1, was, is)
		}
		j.rememberPart(s, &whole, i)
	}
	return nil, ""
}

func (p Part) text() string { return string(p.Actor) + " " + p.Operation }

func (p PlannedStep) text() string { return string(p.Actor) + " " + p.Operation }

// difference says how a recorded step is another one today; "" where it is the same. Words
// may be others.
func difference(today, recorded []PlannedStep, i int) string {
	switch {
	case i >= len(today):
		return "the scenario has no such step today"
	case i >= len(recorded):
		return "the trace's plan does not tell what it was"
	}
	is, was := today[i], recorded[i]
	switch {
	case is.text() != was.text():
		return fmt.Sprintf("it was %q, and is %q today", was.text(), is.text())
	case !maps.Equal(setOf(is.Others), setOf(was.Others)):
		return fmt.Sprintf("others act in it today than %v", was.Others)
	}
	return ""
}

func setOf(actors []Actor) map[Actor]bool {
	set := map[Actor]bool{}
	for _, actor := range actors {
		set[actor] = true
	}
	return set
}

// names is the first of the ids that the step's expressions name, or "".
func (s *Step) names(ids []string) string {
	texts := []string{}
	for _, t := range []Text{s.Title, s.Say} {
		texts = slices.AppendSeq(texts, maps.Values(t))
	}
	if s.Expect != nil {
		for _, that := range s.Expect.That {
			texts = slices.AppendSeq(append(texts, that.CEL), maps.Values(that.Means))
		}
	}
	for _, choice := range s.Choices {
		texts = append(texts, choice.If)
	}
	for _, id := range ids {
		named := regexp.MustCompile(`\bsteps\s*(\.\s*|\[\s*['"])` + regexp.QuoteMeta(id) + `\b`)
		if slices.ContainsFunc(texts, named.MatchString) {
			return id
		}
	}
	return ""
}
