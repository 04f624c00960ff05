package scenarios

import (
	"context"
	"slices"
)

// judging gives steps their verdicts and their texts, one after the other: as they are taken,
// and again from a trace.
type judging struct {
	namespace string
	sight     sight
	server    string         // Kubernetes' version
	found     []string       // as in Trace
	admitted  []Admitted     // of the steps until now, and of the setup
	steps     map[string]any // the values of the steps with an id, of the setup's too
	probe     func(step *Step, judge func(*Expect) []Check)
}

func newJudging(t *Trace) judging {
	return judging{namespace: t.Namespace, sight: sight{t.Can}, server: t.Kubernetes, found: t.Found, steps: map[string]any{}}
}

// values are what the expressions of a step see; o is nil before it.
func (j *judging) values(ctx context.Context, o *Observation, before, after State) *values {
	return newValues(ctx, j, o, before, after)
}

// conclude gives the step its verdict and its texts.
func (j *judging) conclude(ctx context.Context, s *Step, o *Observation, before, after State) {
	values := j.values(ctx, o, before, after)
	var unfilled []error
	fill := func(t Text) Text {
		filled, lack, err := values.fillText(t)
		if err != nil {
			unfilled = append(unfilled, err)
		}
		o.lacks(lack)
		return filled
	}
	o.Title = fill(s.title())
	switch {
	case o.Verdict == Skipped:
		o.Got = "skipped: " + o.Reason
		if s.ID != "" && len(o.Lack) > 0 {
			j.steps[s.ID] = unseen(o.Lack[0])
		}
		return
	case o.Error != "":
		o.Verdict, o.Got = Failed, o.Error
	default:
		o.Verdict = OK
	}
	o.Say = fill(s.Say)
	o.Checks = judge(s.Expect, o, values)
	if j.probe != nil {
		j.probe(s, func(expect *Expect) []Check { return judge(expect, o, values) })
	}
	if len(s.Choices) > 0 && o.Error == "" {
		var check Check
		if o.Right, check = rightOf(s.Choices, values); check.Unseen {
			o.lacks(check.Lack)
		} else if !check.OK {
			o.Checks = append(o.Checks, check) // that there is one right answer is nothing to tell the reader
		}
	}
	if unfilled != nil && held(o.Checks) { // or else the step's own expectations say better what is wrong
		o.Checks = append(o.Checks, Check{Expected: both("a value for each text", "每段文字都有值"), Got: same(unfilled[0].Error())})
	}
	j.admitted = admitted(j.admitted, o)
	if !held(o.Checks) {
		explainBy(j.admitted, o.Checks)
	}
	expected, got := summary(o.Checks, English)
	o.Expected = expected
	if o.Error == "" {
		o.Got = got
		if got == "" {
			o.Got = answerOf(o).text()
		}
	}
	if !held(o.Checks) {
		o.Verdict = Failed
	}
	if s.ID != "" {
		j.steps[s.ID] = j.rememberedValues(o, after)
	}
}

// title is the step's own, or what it does.
func (s *Step) title() Text {
	if s.Title.Empty() {
		return same(string(s.Actor) + ": " + s.operationText())
	}
	return s.Title
}

func held(checks []Check) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool { return !c.OK && !c.Unseen })
}

// lacks notes capabilities that what is said of the step would need.
func (o *Observation) lacks(capabilities []string) {
	o.Lack = union(o.Lack, capabilities...)
	slices.Sort(o.Lack)
}
