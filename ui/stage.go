package ui

import (
	"context"

	"rvtui/scenarios"
)

// Stage is where scenarios are played for the screen. Its calls block, so the program
// makes them in commands of their own, never in Update.
type Stage interface {
	// Prepare brings the cluster up, or waits until it is; report is called with each
	// phase that is reached ("etcd", "kube-apiserver", …).
	Prepare(ctx context.Context, report func(phase string)) (scenarios.Info, error)
	// Begin gives a scenario a namespace of its own and does its setup.
	Begin(ctx context.Context, scenario *scenarios.Scenario) (Play, error)
}

// Play is one walk through a scenario.
type Play interface {
	// Trace is what was seen so far. The slices in it are shared and read-only.
	Trace() scenarios.Trace
	// Step does the next step, tells progress of what is seen as it happens, and
	// returns what was seen. At the end it returns io.EOF.
	Step(ctx context.Context, progress scenarios.Progress) (scenarios.Observation, error)
	// Close removes what the walk made.
	Close(ctx context.Context) error
}
