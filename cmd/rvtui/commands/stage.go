package commands

import (
	"context"
	"sync"

	"rvtui/scenarios"
	"rvtui/ui"
)

// stage is a control plane that is started when the screen first asks for it, or a cluster
// that was there before.
type stage struct {
	start  Start
	inside bool        // as in StartOptions
	own    bool        // the user's own cluster was connected to already
	fail   func(error) // told where the control plane ends of its own accord

	mu    sync.Mutex
	plane *ControlPlane
}

var _ ui.Stage = (*stage)(nil)

// Prepare starts the control plane, or returns at once where it runs already.
func (s *stage) Prepare(ctx context.Context, report func(phase string)) (scenarios.Info, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plane == nil {
		plane, err := s.start(ctx, StartOptions{Report: report, Inside: s.inside})
		if err != nil {
			return scenarios.Info{}, err
		}
		s.plane = plane
		go watch(ctx, plane, s.fail)
	}
	return s.plane.Cluster.Info(), nil
}

// Begin walks into a scenario. The control plane must have been prepared.
func (s *stage) Begin(ctx context.Context, scenario *scenarios.Scenario) (ui.Play, error) {
	s.mu.Lock()
	plane := s.plane
	s.mu.Unlock()
	run, err := scenarios.Begin(ctx, plane.Cluster, scenario)
	if err != nil {
		return nil, err // a typed nil in the interface would look like a walk
	}
	return run, nil
}

// context is the name of the user's own cluster; "" where the control plane is rvtui's own.
func (s *stage) context() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.own || s.plane == nil {
		return ""
	}
	return s.plane.Cluster.Info().Mode
}

// close stops the control plane, also one that is being started: ctx has ended by then.
func (s *stage) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plane == nil {
		return nil
	}
	return s.plane.Close()
}
