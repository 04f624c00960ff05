package embedded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"rvtui/cluster/logs"
	"rvtui/cluster/rpcs"
	"rvtui/cluster/spans"
)

// helperVariable names, in the environment of a second process of the test binary, what
// that process is to do instead of the tests.
const helperVariable = "RVTUI_TEST_HELPER"

// What the shared control plane records.
var (
	recorder = &rpcs.Recorder{}
	inside   = &spans.Recorder{}
	lines    = &logs.Recorder{}
)

// shared starts the control plane that most tests use together.
var shared = sync.OnceValues(func() (*ControlPlane, error) {
	return Start(context.Background(), Options{Recorder: recorder, Spans: inside, Log: lines, KeepPast: true}) // as for a walk
})

var sharedUsed bool

func TestMain(m *testing.M) {
	if name := os.Getenv(helperVariable); name != "" {
		if err := helpers[name](context.Background()); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if sharedUsed {
		if c, err := shared(); err == nil {
			if err := c.Close(); err != nil {
				fmt.Println(err)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// controlPlane returns the control plane that the tests share.
func controlPlane(t *testing.T) *ControlPlane {
	t.Helper()
	sharedUsed = true
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// runHelper runs a helper in a process of its own, with tmp for its temporary directory,
// and returns all that it printed.
func runHelper(t testing.TB, name, tmp string) (string, error) {
	t.Helper()
	return output(helper(t.Context(), name, tmp))
}

func helper(ctx context.Context, name, tmp string) *exec.Cmd {
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env = append(os.Environ(), helperVariable+"="+name, "TMPDIR="+tmp)
	return command
}

func output(command *exec.Cmd) (string, error) {
	printed, err := command.CombinedOutput()
	return strings.TrimSpace(string(printed)), err
}

// wantEmpty fails unless nothing is left in a directory.
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
