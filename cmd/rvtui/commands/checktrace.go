package commands

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// traceToCheck is a trace to judge again, and the scenario to judge it by.
type traceToCheck struct {
	file     string
	saved    *scenarios.SavedTrace
	scenario *scenarios.Scenario
}

// sortOut tells traces from scenarios among the arguments. given are those that --scenario
// names; without any, a trace is judged by the built-in scenario of its name.
func sortOut(ctx context.Context, args, given []string) (traces []traceToCheck, rest []string, err error) {
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		return nil, nil, err
	}
	by := catalogue
	if len(given) > 0 {
		by = nil
	}
	for _, arg := range given {
		scenario, err := find(ctx, catalogue, arg)
		if err != nil {
			return nil, nil, err
		}
		by = append(by, scenario)
	}
	for _, arg := range args {
		if info, err := os.Stat(arg); !isFile(arg) || err == nil && info.IsDir() {
			rest = append(rest, arg)
			continue
		}
		scenario, saved, err := readEither(ctx, arg)
		switch {
		case err != nil:
			return nil, nil, err
		case scenario != nil:
			rest = append(rest, arg)
			continue
		}
		name := saved.Head.Scenario
		at := slices.IndexFunc(by, func(s *scenarios.Scenario) bool { return s.Name == name })
		switch {
		case at >= 0:
			traces = append(traces, traceToCheck{arg, saved, by[at]})
		case len(given) > 0:
			return nil, nil, fmt.Errorf("%s is a trace of %s, and --scenario gives another one", arg, name)
		default:
			return nil, nil, fmt.Errorf("%s is a trace of %s, which is no built-in scenario; --scenario FILE gives its file", arg, name)
		}
	}
	if len(given) > 0 && len(traces) == 0 {
		return nil, nil, usage("--scenario is for traces, and none was named")
	}
	return traces, rest, nil
}

// recheck judges a trace by its scenario, with no cluster.
func (p *Program) recheck(ctx context.Context, r traceToCheck) (checked, error) {
	began := p.Now()
	trace, err := await(ctx, r.saved.All)
	if err != nil {
		return checked{}, fmt.Errorf("cannot read the trace %s: %w", r.file, err)
	}
	again := scenarios.Recheck(ctx, r.scenario, &trace)
	if ctx.Err() != nil {
		return checked{}, context.Cause(ctx)
	}
	row := checked{
		Name: r.scenario.Name, Chapter: r.scenario.Chapter, Verdict: scenarios.OK,
		Trace: &checkedTrace{File: r.file, Kubernetes: trace.Kubernetes, Etcd: trace.Etcd, Mode: trace.Mode},
	}
	var said []string
	for i := range again.Steps {
		step := &again.Steps[i]
		switch {
		case step.Unjudged != "":
			row.Unjudged = append(row.Unjudged, unjudgedStep{step.Step, step.Actor, step.Operation, step.Unjudged})
			said = append(said, fmt.Sprintf("step %d was not judged: %s", step.Step, step.Unjudged))
		case step.Verdict != step.Recorded:
			row.Differing = append(row.Differing, differingStep{step.Step, step.Actor, step.Operation, step.Recorded, step.Verdict})
		}
		switch {
		case step.Verdict == scenarios.Failed:
			row.Failed = append(row.Failed, failedOf(&step.Observation))
		case step.Verdict == scenarios.Skipped && step.Unjudged == "":
			said = append(said, fmt.Sprintf("step %d %s", step.Step, step.Reason))
		}
	}
	if again.Missing > 0 {
		said = append(said, fmt.Sprintf("the trace ends after %d of %d steps", len(again.Steps), len(r.scenario.Steps)))
	}
	row.Reason = strings.Join(said, "; ")
	if len(said) > 0 {
		row.Verdict = scenarios.Skipped
	}
	if len(row.Failed) > 0 {
		row.Verdict, row.Reason = scenarios.Failed, failedText(row.Failed)
	}
	row.DurationMs = p.Now().Sub(began).Milliseconds()
	return row, nil
}

// recheckAll judges traces one after the other; done is told each row.
func (p *Program) recheckAll(ctx context.Context, traces []traceToCheck, done func(checked) error) ([]checked, error) {
	var rows []checked
	for _, trace := range traces {
		row, err := p.recheck(ctx, trace)
		if err == nil {
			err = done(row)
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// recordedOn is what all of the traces were recorded on, as far as that is the same.
func recordedOn(rows []checked) scenarios.Info {
	same := func(of func(*checkedTrace) string) string {
		first := of(rows[0].Trace)
		for _, row := range rows {
			if of(row.Trace) != first {
				return ""
			}
		}
		return first
	}
	return scenarios.Info{
		Kubernetes: same(func(t *checkedTrace) string { return t.Kubernetes }),
		Etcd:       same(func(t *checkedTrace) string { return t.Etcd }),
		Mode:       same(func(t *checkedTrace) string { return t.Mode }),
	}
}

// writeRecordedTo writes what the table says of a trace alone: where it came to something
// else than when it was recorded, and what was not judged.
func (c checked) writeRecordedTo(w io.Writer) {
	for _, d := range c.Differing {
		fmt.Fprintf(w, "  step %d, %s: %s now, and was recorded as %s\n", d.Step, words.Clean(string(d.Actor)+" "+d.Operation), d.Verdict, words.Clean(string(d.Recorded)))
	}
	for _, u := range c.Unjudged {
		fmt.Fprintf(w, "  step %d, %s: not judged: %s\n", u.Step, words.Clean(string(u.Actor)+" "+u.Operation), words.Clean(u.Reason))
	}
}
