package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"rvtui/scenarios"
)

// closeTimeout bounds how long a walk may take to remove what it made. An apiserver may be
// slow, and far away.
const closeTimeout = 10 * time.Second

// place is where a walk takes place: on a control plane of rvtui's own, or on a cluster of the
// user's own.
type place struct {
	own     bool
	context string // of the kubeconfig; "" is what the flags say
}

// withControlPlane starts the control plane, or connects to the user's own cluster, does
// something on it, and stops it again whatever comes. What is being done ends where the
// control plane fails. inside is as in StartOptions.
func (p *Program) withControlPlane(ctx context.Context, on place, inside bool, do func(context.Context, scenarios.Cluster, *statusLine) error) (err error) {
	line := p.statusLine()
	defer line.clear()
	var plane *ControlPlane
	if on.own {
		plane, err = p.connect(ctx, line, ConnectOptions{Inside: inside, Context: on.context, Journal: p.journal()})
	} else {
		line.set("starting the control plane")
		plane, err = p.Start(ctx, StartOptions{
			Report: func(phase string) { line.set("starting the control plane: %s", phase) },
			Inside: inside,
		})
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plane.Close()) }()
	defer func() {
		if p.tellLeft(plane) && err == nil {
			err = errLeft
		}
	}()
	line.clear()
	if err := plane.confirm(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watch(ctx, plane, cancel)
	if err := do(ctx, plane.Cluster, line); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	return nil
}

// watch tells fail where the control plane ends of its own accord before ctx does.
func watch(ctx context.Context, plane *ControlPlane, fail func(error)) {
	select {
	case err := <-plane.Failed:
		fail(fmt.Errorf("the control plane has ended: %w", err))
	case <-ctx.Done():
	}
}

// walk takes every step of a scenario; seen is called after the setup and after each step.
func walk(ctx context.Context, cluster scenarios.Cluster, scenario *scenarios.Scenario, line *statusLine, seen func(*scenarios.Trace) error) (_ scenarios.Trace, err error) {
	run, err := scenarios.Begin(ctx, cluster, scenario)
	if err != nil {
		return scenarios.Trace{}, withoutLeft(err)
	}
	defer func() {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		err = errors.Join(err, withoutLeft(run.Close(clean)))
	}()
	for {
		trace := run.Trace()
		if err := seen(&trace); err != nil {
			return trace, err
		}
		n := len(trace.Steps)
		if n == len(trace.Plan) {
			return trace, nil
		}
		step := trace.Plan[n]
		line.set("%s", progressText(scenario.Name, n+1, len(trace.Plan), step, scenarios.Partial{}))
		_, err := run.Step(ctx, func(so scenarios.Partial) {
			line.set("%s", progressText(scenario.Name, n+1, len(trace.Plan), step, so))
		})
		if err != nil && !errors.Is(err, io.EOF) {
			return trace, err
		}
	}
}

// withoutLeft is an error without what is left on the cluster: that is told at the end, once, and
// neither ends a check nor hides what a scenario has come to.
func withoutLeft(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var rest []error
		for _, one := range joined.Unwrap() {
			rest = append(rest, withoutLeft(one))
		}
		return errors.Join(rest...)
	}
	if _, ok := err.(*scenarios.LeftError); ok { //nolint:errorlint // around another error it must not hide that one
		return nil
	}
	return err
}

// progressText says where a walk is: the step, how long it is known to take, and how far
// it has come.
func progressText(name string, n, of int, step scenarios.PlannedStep, so scenarios.Partial) string {
	text := fmt.Sprintf("%s  step %d/%d  %s %s", name, n, of, step.Actor, step.Operation)
	if step.Slow != "" {
		text += "  takes " + step.Slow
	}
	if count := len(so.Exchanges); count > 1 {
		text += fmt.Sprintf("  exchange %d", count)
	}
	if count := len(so.Events); count > 0 {
		text += fmt.Sprintf("  event %d", count)
	}
	return text
}
