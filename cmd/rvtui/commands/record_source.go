package commands

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/theme"
)

// source is what a recording is made of.
type source struct {
	trace   *scenarios.Trace
	ran     bool   // it was run just now
	command string // what a shell is told to see the same on the screen; "" where there is no way
}

// source reads a trace, or runs a scenario once.
func (p *Program) source(ctx context.Context, s *settings, f *recordFlags, arg string) (source, error) {
	if isTrace(arg) {
		saved, err := p.readTrace(ctx, arg)
		if err != nil {
			return source{}, err
		}
		trace, err := saved.All()
		if err != nil {
			return source{}, err
		}
		if arg == stdin {
			return source{trace: &trace}, nil
		}
		return source{trace: &trace, command: f.command("play", arg)}, nil
	}
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		return source{}, err
	}
	scenario, err := find(ctx, catalogue, arg)
	if err != nil {
		return source{}, err
	}
	for _, n := range f.Steps { // before the control plane is started
		if n < 0 || n > len(scenario.Steps) {
			return source{}, usage("--step is %d; %s has steps 1 to %d, and 0 is its setup", n, arg, len(scenario.Steps))
		}
	}
	var trace scenarios.Trace
	err = p.withControlPlane(ctx, place{own: s.own}, true, func(ctx context.Context, cluster scenarios.Cluster, line *statusLine) error {
		defer line.clear()
		trace, err = walk(ctx, cluster, scenario, line, func(*scenarios.Trace) error { return nil })
		return err
	})
	if s.own {
		return source{trace: &trace, ran: true}, err // what its flags say, such as a token, is not for a script
	}
	return source{trace: &trace, ran: true, command: f.command(arg)}, err
}

// isTrace tells a trace's file from a scenario's name, which has neither slash nor dot, and
// from a scenario's file, which is YAML.
func isTrace(arg string) bool {
	return arg == stdin || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(arg)) && strings.ContainsAny(arg, `./\`)
}

// command opens the same on the screen.
func (f *recordFlags) command(words ...string) string {
	look := f.Theme
	if look == theme.Auto {
		look = theme.Dark // as a recording is
	}
	if last := &words[len(words)-1]; strings.HasPrefix(*last, "-") {
		*last = "./" + *last // or else it would be a flag
	}
	words = append(append([]string{"rvtui"}, words...), "--size", f.size.String(), "--theme", look, "--lang", f.Lang)
	for i, word := range words {
		if strings.ContainsFunc(word, func(r rune) bool {
			return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("-_./", r)
		}) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
