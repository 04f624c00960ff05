package scenarios

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Run is one walk through a scenario on a cluster. Its calls must not overlap.
type Run struct {
	scenario *Scenario
	session  Session
	can      []string
	trace    Trace
	history  *History
	judging  judging
	taken    error // a *LackError: a step's object is somebody else's, so that no later step can come out

	// Probe, where it is set, is given each step's expectations, and a way to judge others
	// by the same evidence. It is for the test that every expectation can fail.
	Probe func(step *Step, judge func(*Expect) []Check)
}

// MissingError says that a cluster cannot show a scenario at all.
type MissingError struct {
	Scenario string
	Missing  []string // capabilities
	Why      string   // in a few words, or ""
}

func (e *MissingError) Error() string {
	if only := len(e.Missing) == 1 && e.Why != ""; only && (e.Missing[0] == LackRights || e.Missing[0] == LackNamespace) {
		return fmt.Sprintf("%s: %s", e.Scenario, e.Why) // it is no fault of the cluster's
	}
	text := fmt.Sprintf("%s needs %s, which this cluster does not give", e.Scenario, strings.Join(e.Missing, " and "))
	if e.Why != "" {
		text += ": " + e.Why
	}
	return text
}

// SetupError says that what a scenario starts from could not be made.
type SetupError struct {
	Scenario, Operation, Text string
	// Denied says that somebody's rule was what refused it: an authorizer, a quota, a policy, an
	// admission webhook.
	Denied bool
}

func (e *SetupError) Error() string {
	return fmt.Sprintf("setting up %s: %s: %s", e.Scenario, e.Operation, e.Text)
}

// TakenError says that a call was not made, because the object that it would write to is
// somebody else's.
type TakenError struct {
	Kind, Name, Namespace string
	By                    string // who wrote it, as far as it says: field managers; or ""
	Advice                string // what to do about it, where that is known; or ""
}

func (e *TakenError) Error() string {
	by := ""
	if e.By != "" {
		by = ", written by " + e.By
	}
	advice := e.Advice
	if advice == "" {
		advice = "name another namespace, or delete it yourself"
	}
	return fmt.Sprintf("%s %s is in namespace %s already%s, and rvtui writes only to what it made: %s", e.Kind, e.Name, e.Namespace, by, advice)
}

// Begin opens a session for the scenario and does its setup. It returns a *MissingError
// where the cluster lacks what the scenario needs as a whole, and a *SetupError where
// the setup was refused.
func Begin(ctx context.Context, cluster Cluster, scenario *Scenario) (*Run, error) {
	can := listOf(cluster.Can())
	if missing := scenario.Lacks(can); missing != nil {
		return nil, &MissingError{Scenario: scenario.Name, Missing: missing}
	}
	session, err := cluster.Open(ctx, scenario.Name)
	if err != nil {
		return nil, err
	}
	info := cluster.Info()
	trace := Preview(scenario)
	trace.Kubernetes, trace.Etcd, trace.Mode, trace.Namespace = info.Kubernetes, info.Etcd, info.Mode, session.Namespace()
	trace.Can, trace.Found = can, session.Found()
	r := &Run{scenario: scenario, session: session, can: can, trace: trace, judging: newJudging(&trace)}
	if err := r.setUp(ctx); err != nil {
		// The caller's context may be what ended the setup; what was made must go all the same.
		return nil, errors.Join(err, session.Close(context.WithoutCancel(ctx)))
	}
	return r, nil
}

// Preview is the trace of a scenario as far as its file tells it: what is going to be
// done, and nothing of what comes of it.
func Preview(scenario *Scenario) Trace {
	trace := Trace{
		Version: TraceVersion, Scenario: scenario.Name, Chapter: scenario.Chapter, Title: scenario.Title,
		Summary: scenario.Summary, Fix: scenario.Fix, Sources: scenario.Sources, Steps: []Observation{},
	}
	for i := range scenario.Steps {
		s := &scenario.Steps[i]
		trace.Plan = append(trace.Plan, PlannedStep{
			Actor: s.Actor, Others: s.others(), Operation: s.operationText(), Title: planned(s.title()), Ask: s.Ask, Choices: s.choiceTexts(), Slow: s.Slow,
		})
	}
	return trace
}

// setUp does the setup's steps and joins what was seen into one observation.
func (r *Run) setUp(ctx context.Context) error {
	whole := Observation{Actor: Admin, Operation: "setup", Verdict: OK}
	r.history = &History{}
	state := NewHistory(&Trace{}).At(0)
	for i := range r.scenario.Setup {
		s := &r.scenario.Setup[i]
		call, err := resolve(s, state, r.judging.values(ctx, nil, state, state))
		if err != nil {
			return &SetupError{Scenario: r.scenario.Name, Operation: s.operationText(), Text: err.Error()}
		}
		call.Setup = true
		o, err := r.session.Do(ctx, call, nil)
		if lack := (*LackError)(nil); errors.As(err, &lack) {
			return &MissingError{Scenario: r.scenario.Name, Missing: lack.Lack, Why: lack.Why}
		}
		if taken := (*TakenError)(nil); errors.As(err, &taken) {
			return &MissingError{Scenario: r.scenario.Name, Missing: []string{LackNamespace}, Why: taken.Error()}
		}
		r.seeFound()
		if err != nil {
			return fmt.Errorf("setting up %s: %s: %w", r.scenario.Name, s.operationText(), err)
		}
		o.Actor = s.Actor
		if a := answerOf(&o); a.code >= 300 {
			return &SetupError{Scenario: r.scenario.Name, Operation: s.operationText(), Text: a.text() + ": " + a.message, Denied: a.denied()}
		}
		whole.merge(o)
		whole.Parts = append(whole.Parts, whole.partNow(s, o.DurationMs))
		state = NewHistory(&Trace{Setup: &whole}).At(0)
		r.judging.rememberPart(s, &whole, i)
	}
	whole.complete(State{})
	r.judging.admitted = admitted(nil, &whole)
	if !partsTell(r.scenario.Setup) {
		whole.Parts = nil
	}
	r.trace.Setup = &whole
	r.history = NewHistory(&r.trace)
	return nil
}

// seeFound takes over what is known by now of what was there before.
func (r *Run) seeFound() {
	r.trace.Found = r.session.Found()
	r.judging.found = r.trace.Found
}

// complete puts an empty list, and the store as it was, where a step brought nothing.
func (o *Observation) complete(before State) {
	o.Exchanges, o.RPCs, o.Revisions = listOf(o.Exchanges), listOf(o.RPCs), listOf(o.Revisions)
	o.Events, o.Objects = listOf(o.Events), listOf(o.Objects)
	if o.Etcd.Head == 0 {
		o.Etcd = before.Etcd
	}
}

// listOf is never nil: readers of the JSON get a list.
func listOf[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// merge adds what a later call brought.
func (o *Observation) merge(later Observation) {
	offset := len(o.Exchanges)
	shift := func(index *int) *int {
		if index == nil {
			return nil
		}
		shifted := *index + offset
		return &shifted
	}
	for _, rpc := range later.RPCs {
		rpc.Exchange = shift(rpc.Exchange)
		o.RPCs = append(o.RPCs, rpc)
	}
	for _, revision := range later.Revisions {
		revision.Exchange = shift(revision.Exchange)
		o.Revisions = append(o.Revisions, revision)
	}
	base := len(o.Spans)
	for _, span := range later.Spans {
		span.Exchange += offset
		if span.Parent != nil {
			span.Parent = new(*span.Parent + base)
		}
		o.Spans = append(o.Spans, span)
	}
	o.Client = append(o.Client, later.Client...)
	o.Log = append(o.Log, later.Log...)
	o.Exchanges = append(o.Exchanges, later.Exchanges...)
	o.Events = append(o.Events, later.Events...)
	o.Objects, o.Etcd = later.Objects, later.Etcd
	o.DurationMs = later.StartedMs + later.DurationMs - o.StartedMs
}

// Trace is what was seen so far. Its slices are shared: read them only.
func (r *Run) Trace() Trace { return r.trace }

// Step does the next step and adds what was seen to the trace; progress, which may be
// nil, is told of each exchange and each event of a watch as they happen. At the end it returns io.EOF. When ctx
// ends the step is not added, and can be taken again.
func (r *Run) Step(ctx context.Context, progress Progress) (Observation, error) {
	n := len(r.trace.Steps)
	if n == len(r.scenario.Steps) {
		return Observation{}, io.EOF
	}
	s := &r.scenario.Steps[n]
	o, err := r.take(ctx, s, progress)
	if err != nil {
		return Observation{}, err
	}
	o.Step, o.ID, o.Actor, o.Operation = n+1, s.ID, s.Actor, s.operationText()
	before := r.history.At(n)
	o.complete(before)
	r.history.Append(&o)
	r.judging.probe = r.Probe
	r.judging.conclude(ctx, s, &o, before, r.history.At(n+1))
	r.trace.Steps = append(r.trace.Steps, o)
	return o, nil
}

// take does a step's operation. An error means that ctx ended; whatever else goes wrong
// is part of what was seen.
func (r *Run) take(ctx context.Context, s *Step, progress Progress) (Observation, error) {
	if r.taken != nil {
		return undone(r.taken), nil
	}
	if missing := missingOf(s.requires(), r.can); missing != nil {
		return undone(&LackError{Lack: missing}), nil
	}
	before := r.history.At(r.history.Len() - 1)
	call, err := resolve(s, before, r.judging.values(ctx, nil, before, before))
	if err != nil {
		return undone(err), nil
	}
	o, err := r.session.Do(ctx, call, progress)
	r.seeFound()
	if err != nil {
		if ctx.Err() != nil {
			return Observation{}, fmt.Errorf("step %d, %s: %w", len(r.trace.Steps)+1, s.operationText(), ctx.Err())
		}
		if lack := (*LackError)(nil); errors.As(err, &lack) {
			return undone(err), nil
		}
		if taken := (*TakenError)(nil); errors.As(err, &taken) {
			r.taken = &LackError{Lack: []string{LackNamespace}, Why: taken.Error()}
			return undone(r.taken), nil
		}
		o.Error = err.Error()
	}
	return o, nil
}

// undone is a step that was not taken.
func undone(err error) Observation {
	if lack := (*LackError)(nil); errors.As(err, &lack) {
		return Observation{Verdict: Skipped, Reason: lack.Error(), Lack: lack.Lack}
	}
	return Observation{Verdict: Failed, Error: err.Error()}
}

// Close removes what the walk made on the cluster.
func (r *Run) Close(ctx context.Context) error { return r.session.Close(ctx) }

// Verdict is what became of the steps that were taken: failed where one failed, skipped
// where all of them were, or else ok. Left tells what an ok leaves out.
func (t *Trace) Verdict() Verdict {
	skipped := 0
	for i := range t.Steps {
		switch t.Steps[i].Verdict {
		case Failed:
			return Failed
		case Skipped:
			skipped++
		}
	}
	if skipped > 0 && skipped == len(t.Steps) {
		return Skipped
	}
	return OK
}

// LeftOut is what of a trace's steps could not be seen.
type LeftOut struct {
	Steps  []int    // that were skipped, from 1
	Checks int      // expectations that could not be judged
	Lack   []string // the capabilities that all of these would need, sorted
	Since  []string // the versions of Kubernetes from which on they hold, sorted
}

// Left tells what could not be seen.
func (t *Trace) Left() LeftOut {
	var left LeftOut
	for i := range t.Steps {
		o := &t.Steps[i]
		if o.Verdict == Skipped {
			left.Steps = append(left.Steps, i+1)
			left.Lack = union(left.Lack, o.Lack...)
		}
		for _, check := range o.Checks {
			if check.Unseen {
				left.Checks++
				left.Lack = union(left.Lack, check.Lack...)
			}
			if check.Unseen && check.Since != "" {
				left.Since = union(left.Since, check.Since)
			}
		}
	}
	slices.Sort(left.Lack)
	slices.Sort(left.Since)
	return left
}
