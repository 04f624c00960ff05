package main

import (
	"context"
	"time"

	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/cluster/remote"
	"rvtui/cmd/rvtui/commands"
	"rvtui/scenarios"
)

// planOf says what is going to happen on the user's own cluster. It asks for what the built-in
// scenarios need; what a file of the user's needs beside that, is found out where it happens.
func planOf(ctx context.Context, there *remote.Remote, on *cluster.Cluster) (commands.Plan, error) {
	all, err := scenarios.Catalogue()
	if err != nil {
		return commands.Plan{}, err
	}
	p, err := on.Preflight(ctx, all)
	if err != nil {
		return commands.Plan{}, err
	}
	plan := commands.Plan{
		Context: there.Name(), Server: there.Server, User: p.User, Namespace: p.Namespace,
		Makes: p.Makes, Walks: len(p.Walks), Remarks: p.Remarks, Refused: p.Refused,
	}
	for _, skip := range p.Skips {
		plan.Skips = append(plan.Skips, commands.PlanSkip(skip))
	}
	return plan, nil
}

// clean removes what walks have left on the user's own cluster.
func clean(ctx context.Context, config *rest.Config, o commands.CleanOptions) (commands.Cleaned, error) {
	found, err := cluster.Clean(ctx, config, cluster.CleanOptions{All: o.All, DryRun: o.DryRun, Journal: o.Journal, Timeout: o.Timeout, Now: time.Now})
	cleaned := commands.Cleaned{Unlisted: found.Unlisted, Looked: found.Looked}
	for _, l := range found.Left {
		cleaned.Left = append(cleaned.Left, commands.Leftover{
			Kind: l.Kind, Namespace: l.Namespace, Name: l.Name, Scenario: l.Scenario, Age: l.Age,
			Fate: string(l.Fate), Why: l.Why, Stays: l.Fate == cluster.Stays || l.Fate == cluster.Unseen,
		})
	}
	return cleaned, err
}
