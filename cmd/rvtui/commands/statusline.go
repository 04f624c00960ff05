package commands

import (
	"fmt"
	"io"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// statusLine is one line on stderr that says what is going on and is gone afterwards. It
// writes nothing where stderr is no terminal that can take a line back.
type statusLine struct {
	mu    sync.Mutex
	out   io.Writer // nil where there is nothing to write to
	shown bool
}

func (p *Program) statusLine() *statusLine {
	if term, _ := p.Lookup("TERM"); term == "dumb" || term == "" || !p.Terminal(p.Err) {
		return &statusLine{}
	}
	return &statusLine{out: p.Err}
}

// set replaces the line.
func (l *statusLine) set(format string, values ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil {
		return
	}
	const widest = 79 // a longer line would wrap where the terminal is narrow, and stay
	fmt.Fprint(l.out, "\r\x1b[K"+ansi.Truncate(fmt.Sprintf(format, values...), widest, "…"))
	l.shown = true
}

// above takes the line away while something else is written, which nobody writes over.
func (l *statusLine) above(write func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
	return write()
}

// clear takes the line away.
func (l *statusLine) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
}

func (l *statusLine) wipe() {
	if l.shown {
		fmt.Fprint(l.out, "\r\x1b[K")
		l.shown = false
	}
}
