package ui

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
)

func itoa(n int) string { return strconv.Itoa(n) }

// terminal is what a program writes to: it can be waited on.
type terminal struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
}

func newTerminal() *terminal { return &terminal{more: make(chan struct{}, 1)} }

func (w *terminal) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	select {
	case w.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (w *terminal) wait(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		w.mu.Lock()
		found := strings.Contains(w.text.String(), want)
		w.mu.Unlock()
		if found {
			return
		}
		select {
		case <-w.more:
		case <-deadline:
			t.Fatalf("%q was not written within 10 s", want)
		}
	}
}

// begin runs the program on pipes.
func begin(ctx context.Context, t *testing.T, stage *fakeStage) (keyboard io.Writer, out *terminal, end <-chan error, result *Result) {
	t.Helper()
	in, keyboard := io.Pipe()
	t.Cleanup(func() { in.Close() })
	out = newTerminal()
	all := catalogue(stage.trace)
	ended := make(chan error, 1)
	result = new(Result)
	go func() {
		r, err := Run(ctx, Options{
			Stage: stage, Scenarios: all, Initial: all[0], Lang: scenarios.English, Profile: colorprofile.ASCII,
			In: in, Out: out, Env: []string{"TERM=xterm-256color"}, Size: cells.Size{Width: 120, Height: 36},
		})
		*result = r
		ended <- err
	}()
	return keyboard, out, ended, result
}

func wait(t *testing.T, end <-chan error) error {
	t.Helper()
	select {
	case err := <-end:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("the program did not end within 10 s")
		return nil
	}
}

const leavesAltScreen = "\x1b[?1049l"

func TestQuitEndsTheProgramAndClosesTheWalk(t *testing.T) {
	stage := newStage(t)
	keyboard, out, end, _ := begin(context.Background(), t, stage)
	out.wait(t, "LIVE 0/6")
	io.WriteString(keyboard, "q")
	if err := wait(t, end); err != nil {
		t.Fatal(err)
	}
	out.wait(t, leavesAltScreen)
	if stage.closed != 1 {
		t.Errorf("%d walks were closed, want 1", stage.closed)
	}
}

func TestCtrlCInTheMiddleOfAStepEndsAtOnce(t *testing.T) {
	stage := newStage(t)
	stage.gate = make(chan struct{}, 10)
	stage.progress = []scenarios.Partial{{Exchanges: []scenarios.Exchange{{Actor: scenarios.A, Method: "GET", Path: "/version", InFlight: true}}}}
	keyboard, out, end, result := begin(context.Background(), t, stage)
	out.wait(t, "LIVE 0/6")
	io.WriteString(keyboard, "l")
	out.wait(t, "waiting for the answer")
	io.WriteString(keyboard, "\x03")
	if err := wait(t, end); err != nil {
		t.Fatal(err)
	}
	if !result.Interrupted {
		t.Error("the result does not say that it was interrupted")
	}
	if stage.closed != 1 {
		t.Errorf("%d walks were closed, want 1", stage.closed)
	}
}

func TestTheContextsEndEndsTheProgramWithItsCause(t *testing.T) {
	stage := newStage(t)
	cause := errors.New("terminated")
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	_, out, end, _ := begin(ctx, t, stage)
	out.wait(t, "LIVE 0/6")
	cancel(cause)
	if err := wait(t, end); !errors.Is(err, cause) {
		t.Errorf("the error is %v", err)
	}
	out.wait(t, leavesAltScreen)
}

func TestAPanicInAStepRestoresTheTerminalAndIsReturned(t *testing.T) {
	stage := newStage(t)
	stage.panicAt = 1
	keyboard, out, end, _ := begin(context.Background(), t, stage)
	out.wait(t, "LIVE 0/6")
	io.WriteString(keyboard, "l")
	err := wait(t, end)
	var panicked *PanicError
	if !errors.As(err, &panicked) || panicked.Value != "a step that panics" || !strings.Contains(string(panicked.Stack), "fakePlay") {
		t.Fatalf("the error is %v", err)
	}
	out.wait(t, leavesAltScreen)
}

func TestAPanicWhileDrawingRestoresTheTerminalAndIsReturned(t *testing.T) {
	stage := newStage(t)
	stage.trace.Steps[0].Exchanges = nil
	work := newWork(context.Background(), stage)
	work.send = func(tea.Msg) {}
	m := newModel(Options{Stage: stage, Now: time.Now, Size: cells.Size{Width: 80, Height: 24}}, work)
	m.open = &scenarios.Scenario{} // with no story: a mistake of the program's own
	m.View()
	if m.panicked == nil {
		t.Fatal("the panic was not caught")
	}
}
