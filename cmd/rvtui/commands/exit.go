package commands

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"rvtui/scenarios"
	"rvtui/ui"
	"rvtui/ui/words"
)

// The exit codes. A signal's is 128 and its number, as a shell's.
const (
	exitOK       = 0
	exitFailed   = 1 // an expectation failed
	exitUsage    = 2 // it could not be done: usage, a bad file, no control plane
	exitInternal = 70
	exitSignal   = 128
)

// InterruptError says that a signal ended the program.
type InterruptError struct{ Signal syscall.Signal }

func (e *InterruptError) Error() string { return "interrupted: " + e.Signal.String() }

// errFailed says that an expectation failed. What failed is on stdout already.
var errFailed = errors.New("an expectation failed")

// errLeft says that a walk has left something on the cluster. What it is was told already.
var errLeft = errors.New("something is left on the cluster")

// panicError is a mistake of rvtui's own.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("internal error: %v", e.value) }

// conclude says what went wrong, in one line where a person can do something about it,
// and returns the exit code.
func (p *Program) conclude(ctx context.Context, err error) int {
	var interrupt *InterruptError
	if err != nil && errors.As(context.Cause(ctx), &interrupt) {
		return exitSignal + int(interrupt.Signal)
	}
	var panicked *panicError
	var inScreen *ui.PanicError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &interrupt):
		return exitSignal + int(interrupt.Signal)
	case errors.Is(err, errFailed), errors.Is(err, errStays):
		return exitFailed
	case errors.Is(err, errLeft):
		return exitUsage
	case errors.Is(err, syscall.EPIPE):
		return exitSignal + int(syscall.SIGPIPE)
	case errors.As(err, &inScreen):
		return p.internal(inScreen.Value, inScreen.Stack)
	case errors.As(err, &panicked):
		return p.internal(panicked.value, panicked.stack)
	}
	// What a file or a server says must not control the terminal.
	fmt.Fprintf(p.Err, "rvtui: %s\n", words.Clean(err.Error()))
	return exitUsage
}

func (p *Program) internal(value any, stack []byte) int {
	fmt.Fprintf(p.Err, "rvtui: internal error: %s\n\n%s\nThis is a mistake in rvtui; please report it with the lines above.\n",
		words.Clean(fmt.Sprint(value)), stack)
	return exitInternal
}

// usage marks an error as one about how rvtui was called.
func usage(format string, values ...any) error {
	return fmt.Errorf(format+"; see rvtui help", values...)
}

// verdictError is nil unless something failed.
func verdictError(verdict scenarios.Verdict) error {
	if verdict == scenarios.Failed {
		return errFailed
	}
	return nil
}
