package commands

import (
	"context"

	"rvtui/scenarios"
	"rvtui/ui/plain"
	"rvtui/ui/runs"
	"rvtui/ui/tracefile"
)

// drive plays in lines: for a pipe, a screen reader, a terminal that can do no more.
func (p *Program) drive(ctx context.Context, stage *stage, catalogue []*scenarios.Scenario, initial *scenarios.Scenario, save *tracefile.File, lang string, before runs.Memory) (runs.Memory, error) {
	return plain.Drive(ctx, p.In, p.Out, stage, plain.Options{
		Scenarios: catalogue, Initial: initial, Save: save, Lang: lang, Prompt: p.Terminal(p.In), Memory: before, Now: p.Now,
	})
}
