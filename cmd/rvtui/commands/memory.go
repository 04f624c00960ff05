package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"rvtui/cmd/rvtui/internal/memory"
	"rvtui/ui/runs"
	"rvtui/ui/words"
)

// How long the memory may take: no screen waits for a home directory that does not
// answer, and nor does the end.
const (
	recallWithin   = time.Second
	rememberWithin = 2 * time.Second
)

// memoryPath is where what was run is kept, by the XDG Base Directory Specification; ""
// where there is no home directory.
func (p *Program) memoryPath() string {
	state, _ := p.Lookup("XDG_STATE_HOME")
	if !filepath.IsAbs(state) { // the specification has relative ones ignored
		home, _ := p.Lookup("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "rvtui", "state.json")
}

// recall is what was run in earlier sessions. rvtui does as well without; only of a file
// that will be moved aside it says so.
func (p *Program) recall(ctx context.Context) runs.Memory {
	path := p.memoryPath()
	if path == "" {
		return runs.Memory{}
	}
	ctx, cancel := context.WithTimeout(ctx, recallWithin)
	defer cancel()
	before, err := await(ctx, func() (runs.Memory, error) { return memory.Load(path) })
	var damaged *memory.DamagedError
	if errors.As(err, &damaged) {
		p.warn("%s; the file will be kept, with a name that ends in .bad", err)
	}
	for name, run := range before.Runs { // shown by the reader's clock
		run.At = run.At.In(p.Now().Location())
		before.Runs[name] = run
	}
	return before
}

// remember keeps what was run, also where a signal has ended the session. That the
// directory cannot be written to is no news to its owner.
func (p *Program) remember(ctx context.Context, session runs.Memory) {
	path := p.memoryPath()
	if path == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rememberWithin)
	defer cancel()
	_, err := await(ctx, func() (struct{}, error) { return struct{}{}, memory.Save(path, session) })
	for _, expected := range []error{fs.ErrPermission, syscall.EROFS, syscall.ENOTDIR} {
		if errors.Is(err, expected) {
			return
		}
	}
	if err != nil {
		p.warn("%s", err)
	}
}

// warn is one line on stderr about something that stops nothing.
func (p *Program) warn(format string, values ...any) {
	fmt.Fprintf(p.Err, "rvtui: %s\n", words.Clean(fmt.Sprintf(format, values...)))
}
