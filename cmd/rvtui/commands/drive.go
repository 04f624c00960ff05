package commands

import (
	"context"
	"io"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/plain"
	"rvtui/ui/runs"
	"rvtui/ui/tracefile"
)

// drive plays in lines: for a pipe, a screen reader, a terminal that can do no more. auto
// says that nothing is going to be typed.
func (p *Program) drive(ctx context.Context, stage *stage, catalogue []*scenarios.Scenario, initial *scenarios.Scenario, save *tracefile.File, lang string, before runs.Memory, auto bool) (runs.Memory, error) {
	var in io.Reader = p.In
	if auto {
		in = strings.NewReader("") // then it is played to its end
	}
	return plain.Drive(ctx, in, p.Out, stage, plain.Options{
		Scenarios: catalogue, Initial: initial, Save: save, Lang: lang, Prompt: !auto && p.Terminal(p.In), Memory: before, Now: p.Now, Context: stage.context(),
	})
}
