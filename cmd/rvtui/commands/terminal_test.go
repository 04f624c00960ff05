package commands

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"

	"rvtui/cmd/rvtui/internal/ptytest"
)

// onFake, in the environment, makes the test binary be the program on the fake cluster.
const onFake = "RVTUI_TEST_ON_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(onFake) != "" {
		program := &Program{
			In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
			Lookup:   os.LookupEnv,
			Terminal: func(file *os.File) bool { return term.IsTerminal(file.Fd()) },
			Now:      time.Now,
			Start: func(context.Context, StartOptions) (*ControlPlane, error) {
				return &ControlPlane{Cluster: fakeCluster{}, Failed: make(chan error), Close: func() error { return nil }}, nil
			},
		}
		os.Exit(program.Main(context.Background(), os.Args[1:]))
	}
	os.Exit(m.Run())
}

func TestPanicInAStepRestoresTheTerminalAndExits70(t *testing.T) {
	command := exec.CommandContext(t.Context(), os.Args[0], scenarioFile(t, "panic"))
	command.Env = append(os.Environ(), onFake+"=1", "TERM=xterm-256color", "ACCESSIBLE=", "NO_COLOR=")
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
