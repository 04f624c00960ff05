// Package ptytest drives a program in a pseudo-terminal, for tests: it types, and waits
// for what the screen shows. It may import terminal libraries alone, and knows nothing of
// rvtui.
package ptytest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Patience is how long a test waits for what must come.
const Patience = 60 * time.Second

// Session is a program in a terminal of its own.
type Session struct {
	Started time.Time

	t       testing.TB
	command *exec.Cmd
	master  *os.File
	tty     *os.File
	before  unix.Termios

	mu      sync.Mutex
	screen  *vt.Emulator
	raw     bytes.Buffer
	changed chan struct{} // closed at the next write, and made anew
	timed   *timed        // what Answer waits for; nil where it does not

	exited chan struct{}
	err    error
	read   chan struct{} // closed when all output is read
}

// Start starts a command in a terminal of that size. It is killed at the test's end if it
// still runs.
func Start(t testing.TB, command *exec.Cmd, width, height int) *Session {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		t.Fatal(err)
	}
	// Fd, which the size was set through, has made reads block; then Close would wait for one.
	if err := unix.SetNonblock(int(master.Fd()), true); err != nil {
		t.Fatal(err)
	}
	before, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	command.Stdin, command.Stdout, command.Stderr = tty, tty, tty
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	s := &Session{
		t: t, command: command, master: master, tty: tty, before: *before,
		screen: vt.NewEmulator(width, height), changed: make(chan struct{}),
		exited: make(chan struct{}), read: make(chan struct{}),
		Started: time.Now(),
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	go s.follow()
	answered := make(chan struct{})
	go func() {
		s.answer()
		close(answered)
	}()
	go func() {
		s.err = command.Wait()
		close(s.exited)
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-s.exited
		_ = tty.Close()
		<-s.read
		_ = master.Close()
		// The emulator's own Close races with its Read; an end of what is read does not.
		if answers, ok := s.screen.InputPipe().(io.Closer); ok {
			_ = answers.Close()
		}
		<-answered
	})
	return s
}

// follow puts what the program writes onto the screen.
func (s *Session) follow() {
	defer close(s.read)
	buffer := make([]byte, 64<<10)
	for {
		n, err := s.master.Read(buffer)
		if n > 0 {
			came := time.Now()
			s.mu.Lock()
			s.raw.Write(buffer[:n])
			_, _ = s.screen.Write(buffer[:n])
			if s.timed != nil && s.timed.wanted(s.rows()) {
				s.timed.came <- came
				s.timed = nil
			}
			close(s.changed)
			s.changed = make(chan struct{})
			s.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// answer gives the terminal's answers to the program: the emulator waits until each is read.
func (s *Session) answer() {
	buffer := make([]byte, 1024)
	for {
		n, err := s.screen.Read(buffer)
		if err != nil {
			return
		}
		_, _ = s.master.Write(buffer[:n])
	}
}

// Type types text.
func (s *Session) Type(text string) {
	s.t.Helper()
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// Signal sends the program a signal.
func (s *Session) Signal(signal syscall.Signal) {
	s.t.Helper()
	if err := s.command.Process.Signal(signal); err != nil {
		s.t.Fatal(err)
	}
}

// HangUp closes the terminal, as a window does.
func (s *Session) HangUp() {
	_ = s.tty.Close()
	_ = s.master.Close()
}

// Screen is what is on the screen, row by row, with blanks at the ends of rows cut.
func (s *Session) Screen() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows()
}

func (s *Session) rows() string {
	var rows []string
	for y := range s.screen.Height() {
		var row strings.Builder
		for x := 0; x < s.screen.Width(); {
			cell := s.screen.CellAt(x, y)
			if cell == nil || cell.Content == "" {
				row.WriteByte(' ')
				x++
				continue
			}
			row.WriteString(cell.Content)
			x += max(1, cell.Width)
		}
		rows = append(rows, strings.TrimRight(row.String(), " "))
	}
	return strings.Join(rows, "\n")
}

// Raw is all that was written so far.
func (s *Session) Raw() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// WaitFor waits until the screen holds a text, and returns the screen.
func (s *Session) WaitFor(text string) string {
	s.t.Helper()
	return s.WaitUntil(fmt.Sprintf("%q", text), func(screen string) bool { return strings.Contains(screen, text) })
}

// WaitUntil waits until the screen is as wanted, and returns it.
func (s *Session) WaitUntil(what string, wanted func(screen string) bool) string {
	s.t.Helper()
	deadline := time.After(Patience)
	for {
		s.mu.Lock()
		screen, changed := s.rows(), s.changed
		s.mu.Unlock()
		if wanted(screen) {
			return screen
		}
		select {
		case <-changed:
		case <-s.read:
			s.t.Fatalf("the program ended before the screen held %s; last:\n%s", what, screen)
		case <-deadline:
			s.t.Fatalf("waited %s in vain for %s; the screen:\n%s", Patience, what, screen)
		}
	}
}

// timed is a screen that is waited for, to know when it came.
type timed struct {
	wanted func(screen string) bool
	came   chan time.Time
}

// Answer types text and returns how long it took until the bytes had come that make the
// screen as wanted. What the emulator takes to show them does not count.
func (s *Session) Answer(text string, wanted func(screen string) bool) time.Duration {
	s.t.Helper()
	waiting := &timed{wanted, make(chan time.Time, 1)}
	s.mu.Lock()
	s.timed = waiting
	s.mu.Unlock()
	typed := time.Now()
	s.Type(text)
	select {
	case came := <-waiting.came:
		return came.Sub(typed)
	case <-time.After(Patience):
		s.t.Fatalf("waited %s in vain for what %q does; the screen:\n%s", Patience, text, s.Screen())
		return 0
	}
}

// Wait waits for the program's end and returns its exit code, or -1 and the signal that
// killed it.
func (s *Session) Wait() int {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(Patience):
		s.t.Fatalf("the program did not end; the screen:\n%s", s.Screen())
	}
	var exit *exec.ExitError
	if errors.As(s.err, &exit) {
		return exit.ExitCode()
	}
	if s.err != nil {
		s.t.Fatal(s.err)
	}
	return 0
}

// WantRestored fails unless the terminal is as it was before the program: its modes, the
// main screen, a cursor. The program must have ended.
func (s *Session) WantRestored() {
	s.t.Helper()
	after, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	if *after != s.before {
		s.t.Errorf("the terminal's modes are %+v, and were %+v", *after, s.before)
	}
	_ = s.tty.Close()
	<-s.read // all that was written is on the screen now
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen.IsAltScreen() {
		s.t.Error("the alternate screen is still there")
	}
	if s.screen.CursorHidden() {
		s.t.Error("the cursor is hidden")
	}
	for _, mode := range []string{"1000", "1002", "1003", "1006", "2004", "1004"} {
		on, off := strings.LastIndex(s.raw.String(), "\x1b[?"+mode+"h"), strings.LastIndex(s.raw.String(), "\x1b[?"+mode+"l")
		if on > off {
			s.t.Errorf("terminal mode %s is still on", mode)
		}
	}
}
