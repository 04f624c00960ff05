package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rvtui/cmd/rvtui/internal/ptytest"
)

// asProgram, in the environment, makes the test binary be the program.
const asProgram = "RVTUI_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is a command that runs rvtui with tmp as its temporary directory, and no memory
// of earlier sessions.
func program(t testing.TB, tmp string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(context.Background(), os.Args[0], args...)
	command.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+tmp, "XDG_STATE_HOME="+t.TempDir(), "TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8",
		"NO_COLOR=", "CLICOLOR=", "CLICOLOR_FORCE=", "ACCESSIBLE=")
	return command
}

// temporary is a directory with a path short enough for a unix socket in it.
func temporary(t testing.TB) string {
	t.Helper()
	directory, err := os.MkdirTemp("", "t")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	return directory
}

func wantEmpty(t *testing.T, directory string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

const right, left = "\x1b[C", "\x1b[D"

func TestStepsThroughAConflictAndBackAndQuits(t *testing.T) {
	tmp := temporary(t)
	s := ptytest.Start(t, program(t, tmp, "two-writers"), 120, 36)
	s.WaitFor("LIVE 0/6")
	frames := []string{s.Screen()}
	for i, live := range []string{"LIVE 1/6", "LIVE 2/6", "LIVE 3/6", "LIVE 4/6", "LIVE 5/6", "LIVE 6/6"} {
		s.Type(right)
		// A frame may be read in pieces: its first row is not all of it.
		frames = append(frames, s.WaitUntil("step "+live, func(screen string) bool {
			return strings.Contains(screen, live) && strings.Contains(screen, fmt.Sprintf("\n %d  ", i+1)) &&
				(i != 3 || strings.Contains(screen, "409 Conflict") && strings.Contains(screen, "no RPC changed the store"))
		}))
	}

	// Back to the beginning and forward again, twice: nothing changes, and nothing is sent.
	for range 2 {
		for n := 5; n >= 0; n-- {
			s.Type(left)
			s.WaitFor("/6")
			s.WaitUntil("an earlier step", func(screen string) bool { return strings.Contains(screen, past(n)) })
		}
		for n := 1; n <= 6; n++ {
			s.Type(right)
			s.WaitUntil("the step again", func(screen string) bool {
				return n < 6 && strings.Contains(screen, past(n)) || n == 6 && screen == frames[6]
			})
		}
	}
	s.Type("q")
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
	wantEmpty(t, tmp)
}

func TestEveryViewOfTheConflictIsReachedAndLeft(t *testing.T) {
	tmp := temporary(t)
	s := ptytest.Start(t, program(t, tmp, "two-writers"), 120, 36)
	s.WaitFor("LIVE 0/6")
	for _, live := range []string{"LIVE 1/6", "LIVE 2/6", "LIVE 3/6", "LIVE 4/6"} {
		s.Type(right)
		s.WaitFor(live)
	}
	s.WaitFor("●─●─●─◉─○─○") // the last line: a frame is read in pieces
	panes := s.Screen()
	for _, view := range []struct {
		key   string
		shows []string
	}{
		{"x", []string{"› http", "PUT /api/v1/namespaces/", "reason: Conflict", "no write reached etcd"}},
		{"d", []string{"› diff", "-   owner: nobody", "+   owner: A"}},
		{"t", []string{"› timeline", "├─ Txn if mod=", "409 Conflict", "no write"}},
		// The spans of the apiserver built in are what says that it looked into its cache first.
		{"w", []string{"› path", "from the watch cache, no RPC", "──▶ 409 Conflict", "GuaranteedUpdate etcd3"}},
		// Whether a server logs something in these steps is its own affair.
		{"L", []string{"› log", "/ filter"}},
	} {
		s.Type(view.key)
		for _, text := range view.shows {
			s.WaitFor(text)
		}
	}
	s.Type("\x1b")
	s.WaitUntil("the panes", func(screen string) bool { return screen == panes })
	s.Type("4")
	s.Type("z")
	s.WaitFor("create_revision")
	s.WaitFor("read through: etcd client")
	s.Type("\x1b")
	s.WaitFor("x http")
	s.Type("h")
	s.WaitFor(past(3))
	s.Type("?")
	s.WaitFor("On the screen now")
	s.Type("?")
	s.WaitFor(past(3))
	s.Type("q")
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
	wantEmpty(t, tmp)
}

// past is what the header says of a step that is looked back at.
func past(n int) string { return "PAST " + string(rune('0'+n)) + "/6" }

func TestSignalInALongStepRestoresTheTerminalAndLeavesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		send func(*ptytest.Session)
		code int
	}{
		"ctrl+c":  {func(s *ptytest.Session) { s.Type("\x03") }, 130},
		"SIGINT":  {func(s *ptytest.Session) { s.Signal(syscall.SIGINT) }, 130},
		"SIGTERM": {func(s *ptytest.Session) { s.Signal(syscall.SIGTERM) }, 143},
		"SIGHUP":  {func(s *ptytest.Session) { s.Signal(syscall.SIGHUP) }, 129},
		"SIGQUIT": {func(s *ptytest.Session) { s.Signal(syscall.SIGQUIT) }, 131},
		// A closed terminal sends two, one from the shell and one from the kernel.
		"twice": {func(s *ptytest.Session) {
			s.Signal(syscall.SIGHUP)
			s.Signal(syscall.SIGHUP)
			s.Signal(syscall.SIGTERM)
		}, 129},
	} {
		t.Run(name, func(t *testing.T) {
			tmp := temporary(t)
			s := ptytest.Start(t, program(t, tmp, "too-large"), 120, 36)
			s.WaitFor("LIVE 0/4")
			s.Type(right)
			s.WaitFor("LIVE 1/4")
			s.Type(right)
			s.WaitFor("attempt 2") // of 11: in the middle of the 43 s
			test.send(s)
			if code := s.Wait(); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			s.WantRestored()
			wantEmpty(t, tmp)
		})
	}
}

// A paste whose end is lost takes every key in, and ctrl+c ends the program all the same.
func TestCtrlCEndsTheProgramWithinAPasteThatNeverEnds(t *testing.T) {
	tmp := temporary(t)
	s := ptytest.Start(t, program(t, tmp, "two-writers"), 120, 36)
	s.WaitFor("LIVE 0/6")
	s.Type("\x1b[200~abc")
	s.Type("\x03")
	if code := s.Wait(); code != 130 {
		t.Errorf("it ends with %d", code)
	}
	s.WantRestored()
	wantEmpty(t, tmp)
}

func TestClosedTerminalLeavesNothing(t *testing.T) {
	tmp := temporary(t)
	s := ptytest.Start(t, program(t, tmp, "two-writers"), 120, 36)
	s.WaitFor("LIVE 0/6")
	s.HangUp()
	if code := s.Wait(); code != 129 {
		t.Errorf("exit code %d", code)
	}
	wantEmpty(t, tmp)
}

func TestNextStartRemovesWhatAKilledOneLeftAndNoOther(t *testing.T) {
	tmp := temporary(t)
	killed := ptytest.Start(t, program(t, tmp, "two-writers"), 120, 36)
	killed.WaitFor("LIVE 0/6")
	killed.Signal(syscall.SIGKILL)
	killed.Wait()
	left, err := filepath.Glob(filepath.Join(tmp, "rvtui-*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("the killed one left %v, %v", left, err)
	}

	first := ptytest.Start(t, program(t, tmp, "two-writers"), 120, 36)
	first.WaitFor("LIVE 0/6")
	if _, err := os.Stat(left[0]); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", left[0], err)
	}

	// A second one beside it: neither minds the other.
	second := ptytest.Start(t, program(t, tmp, "no-op"), 80, 24)
	second.WaitFor("LIVE 0/4")
	first.Type(right)
	first.WaitFor("LIVE 1/6")
	second.Type("q")
	second.Wait()
	first.Type(right)
	first.WaitFor("LIVE 2/6")
	first.Type("q")
	if code := first.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	wantEmpty(t, tmp)
}

func TestWithoutATerminalItTellsTheWholeScenarioInLines(t *testing.T) {
	tmp := temporary(t)
	output, err := program(t, tmp, "two-writers").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"Step 4 of 6", "409 Conflict", "no RPC changed the store", "Step 6 of 6"} {
		if !strings.Contains(string(output), says) {
			t.Errorf("the output does not say %q:\n%s", says, output)
		}
	}
	if strings.Contains(string(output), "\x1b") {
		t.Error("there are escape codes in it")
	}
	wantEmpty(t, tmp)
}

func TestVersionAndHelpAreRvtuisOwn(t *testing.T) {
	tmp := temporary(t)
	version, err := program(t, tmp, "--version").Output()
	if err != nil || !strings.Contains(string(version), "kube-apiserver 1.37.2 (embedded)\netcd 3.7.3 (embedded)") {
		t.Errorf("%v, %q", err, version)
	}
	help, err := program(t, tmp, "--help").Output()
	if err != nil || strings.Contains(string(help), "--version=raw") || !strings.Contains(string(help), "--plain") {
		t.Errorf("%v, %s", err, help)
	}
}

// BenchmarkFirstFrame measures from the process's start until the first frame is on the
// screen of a 120×36 terminal, and until the first step can be taken.
func BenchmarkFirstFrame(b *testing.B) {
	var frame, ready time.Duration
	for b.Loop() {
		s := ptytest.Start(b, program(b, temporary(b), "two-writers"), 120, 36)
		s.WaitFor("two-writers")
		frame += time.Since(s.Started)
		s.WaitFor("LIVE 0/6")
		ready += time.Since(s.Started)
		s.Type("q")
		s.Wait()
	}
	b.ReportMetric(float64(frame.Milliseconds())/float64(b.N), "frame-ms")
	b.ReportMetric(float64(ready.Milliseconds())/float64(b.N), "ready-ms")
	b.ReportMetric(0, "ns/op")
}
