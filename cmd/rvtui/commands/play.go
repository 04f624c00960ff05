package commands

import (
	"context"
	"errors"
	"os"
	"syscall"

	"rvtui/scenarios"
	"rvtui/ui"
	"rvtui/ui/theme"
)

// play opens the terminal program, or the plain one where there is no terminal for it.
func (p *Program) play(ctx context.Context, s *settings, screen *screenFlags, save saveFlag, args []string) (err error) {
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		return err
	}
	var initial *scenarios.Scenario
	if len(args) == 1 {
		if initial, err = find(ctx, catalogue, args[0]); err != nil {
			return err
		}
	}
	if save.path != "" && initial == nil {
		return usage("--save keeps one scenario's walk, and none was named")
	}
	file, err := save.file()
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	decision := theme.Decide(theme.Facts{
		Lookup: p.Lookup, Color: s.color, Plain: s.plain, Stdin: p.Terminal(p.In), Stdout: p.Terminal(p.Out),
	})
	// The views of path and log tell what the servers do inside, in lines as well.
	stage := &stage{start: p.Start, inside: true, own: s.own, fail: fail}
	if s.own { // before there is a screen: a login or a question may need the terminal
		line := p.statusLine()
		stage.plane, err = p.connect(ctx, line, ConnectOptions{Inside: true, Screen: !decision.Plain, Journal: p.journal()})
		line.clear()
		if err == nil {
			err = stage.plane.confirm(ctx)
		}
	}
	defer func() {
		p.tellLeft(stage.plane)
		err = errors.Join(err, stage.close())
	}()
	if err != nil {
		return err
	}
	before := p.recall(ctx)
	if decision.Plain {
		session, err := p.drive(ctx, stage, catalogue, initial, file, s.language(p.Lookup), before, screen.auto)
		p.remember(ctx, session)
		if cause := context.Cause(ctx); err != nil && cause != nil {
			return cause
		}
		return err
	}
	result, err := ui.Run(ctx, ui.Options{
		Stage: stage, Scenarios: catalogue, Initial: initial, Save: file, Lang: s.language(p.Lookup),
		Theme: s.theme, Memory: before, Profile: decision.Profile, In: p.In, Out: p.Out, Env: os.Environ(), Now: p.Now,
		Size: screen.size.Size, Auto: screen.auto, Context: stage.context(),
	})
	p.remember(ctx, result.Memory)
	if err == nil && result.Interrupted {
		return &InterruptError{Signal: syscall.SIGINT}
	}
	return err
}
