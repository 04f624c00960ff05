package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/runs"
	"rvtui/ui/tracefile"
)

// Options are what the terminal program runs on.
type Options struct {
	Stage     Stage
	Scenarios []*scenarios.Scenario // chapter by chapter, in the order of the list
	Initial   *scenarios.Scenario   // opened at once; nil opens the list
	// Saved is the trace that Stage plays, where it is a saved one. Then there are no
	// Scenarios, and Initial is what the trace is of.
	Saved *Saved
	// Context is the name of the cluster that Stage connects to; "" where it brings its own.
	Context string
	// Save is the file that the first walk is kept in; nil where it is in none.
	Save    *tracefile.File
	Lang    string
	Memory  runs.Memory          // of earlier sessions
	Theme   string               // of theme.Names; "" is theme.Auto
	Profile colorprofile.Profile // the colours that there are; without any, the theme has none

	In  io.Reader // the keyboard
	Out io.Writer // the terminal
	Env []string  // os.Environ(), for what the terminal is called
	// Size is the screen's; the terminal's own where it is zero.
	Size cells.Size
	// Auto plays Initial by itself, from when it is set up, and ends once its last step has
	// been seen; for those who record the screen. What cannot be done ends it with an error.
	Auto bool
	Now  func() time.Time
}

// Saved is what is known of a saved trace before it is played.
type Saved struct {
	Head  scenarios.Trace // all but the steps
	Steps int             // how many were saved
}

// Result is what came of a session.
type Result struct {
	Verdicts    map[string]scenarios.Verdict // of each scenario's last run, by its name
	Memory      runs.Memory                  // of this session alone, without the reader's own file
	Interrupted bool                         // ended by ctrl+c
}

// PanicError is a panic, caught so that the terminal could be restored first.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// How long the end may take: for what is under way to stop, and for what the walks
// made to be removed.
const (
	stopWithin  = 2 * time.Second
	closeWithin = 10 * time.Second // an apiserver may be slow, and far away
)

// Run shows the program until the reader quits or ctx ends; then the terminal is as it
// was, whatever was under way has been cancelled, and what the walks made is removed.
// Signals are the caller's business: they end ctx, whose cause is returned.
func Run(ctx context.Context, o Options) (Result, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	work := newWork(ctx, o.Stage)
	work.first = o.Save
	m := newModel(o, work)
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithFPS(60), tea.WithColorProfile(o.Profile), tea.WithoutSignalHandler(),
		tea.WithInput(o.In), tea.WithOutput(o.Out),
	}
	if o.Env != nil {
		options = append(options, tea.WithEnvironment(o.Env))
	}
	if m.size == (cells.Size{}) {
		m.size = terminalSize(o.Out)
	} else {
		m.fixed = true
		options = append(options, tea.WithWindowSize(m.size.Width, m.size.Height))
	}
	program := tea.NewProgram(m, options...)
	work.send = program.Send

	_, err := program.Run()
	work.end(stopWithin, closeWithin)

	result := Result{Verdicts: m.picker.Verdicts, Memory: m.session, Interrupted: m.interrupted}
	switch {
	case m.panicked != nil:
		return result, m.panicked
	case m.failed != nil:
		return result, m.failed
	case ctx.Err() != nil:
		return result, context.Cause(ctx)
	case err != nil && !errors.Is(err, tea.ErrInterrupted):
		return result, fmt.Errorf("running the terminal program: %w", err)
	}
	return result, nil
}

// terminalSize is the size for the first frame, which is drawn before the terminal
// library says how large the screen is.
func terminalSize(out io.Writer) cells.Size {
	if f, ok := out.(*os.File); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil && w > 0 && h > 0 {
			return cells.Size{Width: w, Height: h}
		}
	}
	return cells.Size{Width: 80, Height: 24}
}
