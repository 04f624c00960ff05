// Package saved plays a saved trace as if it came from a cluster: each step reveals what was
// recorded of it. It may import ui and scenarios alone, and does no I/O.
package saved

import (
	"context"
	"io"

	"rvtui/scenarios"
	"rvtui/ui"
)

// Stage plays one trace.
type Stage struct{ trace *scenarios.SavedTrace }

var _ ui.Stage = Stage{}

// New is a stage for a trace.
func New(trace *scenarios.SavedTrace) Stage { return Stage{trace} }

// Saved is what is known of the trace before it is played.
func (s Stage) Saved() *ui.Saved { return &ui.Saved{Head: s.trace.Head, Steps: s.trace.Len()} }

// Scenario is what the trace is of, as far as a trace tells it: what can be opened on the stage.
func (s Stage) Scenario() *scenarios.Scenario {
	t := &s.trace.Head
	return &scenarios.Scenario{Name: t.Scenario, Chapter: t.Chapter, Title: t.Title, Summary: t.Summary, Fix: t.Fix, Sources: t.Sources}
}

// Prepare has nothing to bring up: it tells what the trace was recorded on.
func (s Stage) Prepare(context.Context, func(phase string)) (scenarios.Info, error) {
	t := &s.trace.Head
	return scenarios.Info{Mode: t.Mode, Kubernetes: t.Kubernetes, Etcd: t.Etcd}, nil
}

// Begin plays the trace, whichever scenario is asked for, from its setup on.
func (s Stage) Begin(context.Context, *scenarios.Scenario) (ui.Play, error) {
	return &play{saved: s.trace, revealed: s.trace.Head}, nil
}

// play is one walk through the trace.
type play struct {
	saved    *scenarios.SavedTrace
	revealed scenarios.Trace
}

// Trace is what was revealed so far.
func (p *play) Trace() scenarios.Trace { return p.revealed }

// Step reveals the next step, at once; io.EOF where no other was saved.
func (p *play) Step(ctx context.Context, _ scenarios.Progress) (scenarios.Observation, error) {
	if err := ctx.Err(); err != nil {
		return scenarios.Observation{}, err
	}
	n := len(p.revealed.Steps) + 1
	if n > p.saved.Len() {
		return scenarios.Observation{}, io.EOF
	}
	o, err := p.saved.Step(n)
	if err != nil {
		return scenarios.Observation{}, err
	}
	p.revealed.Steps = append(p.revealed.Steps, o)
	return o, nil
}

// Close has nothing to remove.
func (*play) Close(context.Context) error { return nil }
