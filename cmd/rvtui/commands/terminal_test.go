package commands

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"

	"rvtui/cmd/rvtui/internal/ptytest"
)

// What the test binary is, by the environment.
const (
	onFake      = "RVTUI_TEST_ON_FAKE"    // the program on the fake cluster
	onNoCluster = "RVTUI_TEST_ON_NOTHING" // the program, which must not start a control plane
	asMinimal   = "RVTUI_TEST_AS_MINIMAL" // the smallest Bubble Tea program
)

func TestMain(m *testing.M) {
	if os.Getenv(asMinimal) != "" {
		os.Exit(minimal())
	}
	if os.Getenv(onFake) != "" || os.Getenv(onNoCluster) != "" {
		program := &Program{
			In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
			Lookup:   os.LookupEnv,
			Terminal: func(file *os.File) bool { return term.IsTerminal(file.Fd()) },
			Now:      time.Now,
			Start: func(context.Context, StartOptions) (*ControlPlane, error) {
				if os.Getenv(onNoCluster) != "" {
					panic("a control plane was started")
				}
				return &ControlPlane{Cluster: fakeCluster{}, Failed: make(chan error), Close: func() error { return nil }}, nil
			},
		}
		os.Exit(program.Main(context.Background(), os.Args[1:]))
	}
	os.Exit(m.Run())
}

func TestPanicInAStepRestoresTheTerminalAndExits70(t *testing.T) {
	command := exec.CommandContext(t.Context(), os.Args[0], scenarioFile(t, "panic"))
	command.Env = append(os.Environ(), onFake+"=1", "XDG_STATE_HOME="+t.TempDir(), "TERM=xterm-256color", "ACCESSIBLE=", "NO_COLOR=")
	s := ptytest.Start(t, command, 120, 36)
	s.WaitFor("LIVE 0/1")
	s.Type("l")
	if code := s.Wait(); code != 70 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
	if screen := s.Screen(); !strings.Contains(s.Raw(), "internal error: out of order") {
		t.Errorf("the mistake is not named:\n%s", screen)
	}
}

func TestAThemesBackgroundIsTheTerminalsUntilTheEndAndNotAfterIt(t *testing.T) {
	command := exec.CommandContext(t.Context(), os.Args[0], "--theme", "light", "--color", "always", scenarioFile(t, "cm1"))
	command.Env = append(os.Environ(), onFake+"=1", "TERM=xterm-256color", "ACCESSIBLE=", "NO_COLOR=")
	s := ptytest.Start(t, command, 120, 36)
	s.WaitFor("LIVE 0/1")
	s.Type("\x1b]11;rgb:0000/0000/0000\x1b\\") // a terminal says that its background is black
	s.Type("l")
	s.WaitFor("LIVE 1/1")
	s.Type("q")
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
	_, after, set := strings.Cut(s.Raw(), "\x1b]11;#ffffff")
	if !set || !strings.Contains(after, "\x1b]111") {
		t.Errorf("the background is set: %t, and then given back: %t", set, strings.Contains(after, "\x1b]111"))
	}
}

func TestNoThemeIsAboveNoColour(t *testing.T) {
	command := exec.CommandContext(t.Context(), os.Args[0], "--theme", "high-contrast", scenarioFile(t, "cm1"))
	command.Env = append(os.Environ(), onFake+"=1", "TERM=xterm-256color", "ACCESSIBLE=", "NO_COLOR=1")
	s := ptytest.Start(t, command, 120, 36)
	s.WaitFor("LIVE 0/1")
	s.Type(":theme light\r")
	s.WaitFor("no theme shows without colours")
	s.Type("\x1b")
	s.WaitFor("q quit") // esc and q at once would be alt+q
	s.Type("q")
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if colour := regexp.MustCompile(`\x1b\[[0-9;]*\b(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m|\x1b\]11;#`).FindString(s.Raw()); colour != "" {
		t.Errorf("there is a colour: %q", colour)
	}
}
