package commands

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rvtui/scenarios"
)

// fakeCluster answers every call with 200 and one object. A call about an object named
// panic panics, and one named block waits until its context ends.
type fakeCluster struct {
	blocked chan struct{}
	failed  chan error            // what the control plane ends with
	walks   *walks                // may be nil
	before  func(context.Context) // is called before each call; may be nil
}

// walks is what a restart of the apiserver would have met.
type walks struct {
	mu           sync.Mutex
	begun, ended int
	atRestart    [][2]int // begun and ended
}

func (fakeCluster) Info() scenarios.Info {
	return scenarios.Info{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3"}
}
func (fakeCluster) Can() []string {
	return []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityEtcdRPC, scenarios.CapabilityAPIServerRestart}
}
func (f fakeCluster) Open(context.Context, string) (scenarios.Session, error) {
	f.count(func(w *walks) { w.begun++ })
	return f, nil
}
func (fakeCluster) Found() []string { return nil }

func (fakeCluster) Namespace() string { return "rvtui-test" }
func (f fakeCluster) Close(context.Context) error {
	f.count(func(w *walks) { w.ended++ })
	return nil
}

func (f fakeCluster) count(count func(*walks)) {
	if f.walks != nil {
		f.walks.mu.Lock()
		defer f.walks.mu.Unlock()
		count(f.walks)
	}
}

func (f fakeCluster) Do(ctx context.Context, call scenarios.Call, _ scenarios.Progress) (scenarios.Observation, error) {
	if call.Verb == scenarios.VerbAPIServerRestart {
		f.count(func(w *walks) { w.atRestart = append(w.atRestart, [2]int{w.begun, w.ended}) })
	}
	if f.before != nil {
		f.before(ctx)
	}
	if err := ctx.Err(); err != nil {
		return scenarios.Observation{}, err
	}
	switch call.Name {
	case "panic":
		panic("out of order")
	case "block":
		close(f.blocked)
		<-ctx.Done()
		return scenarios.Observation{}, ctx.Err()
	}
	return scenarios.Observation{
		Exchanges: []scenarios.Exchange{{
			Actor: call.Actor, Call: 1, Attempt: 1, Method: "GET", Path: "/api/v1/namespaces/rvtui-test/configmaps/cm1", Status: 200,
			ResponseBody: []byte(`{"kind":"ConfigMap","metadata":{"name":"cm1","resourceVersion":"7"}}`),
		}},
		Etcd: scenarios.EtcdState{Head: 7},
	}, nil
}

// outcome is what a command line came to.
type outcome struct {
	code        int
	out, errors string
	closed      bool // the control plane was stopped
	inside      bool // what the servers do inside was to be recorded
}

// try runs a command line on the fake cluster, with no terminal.
func try(t *testing.T, args ...string) outcome {
	t.Helper()
	return tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return fakeCluster{}, nil }, args...)
}

func tryOn(t *testing.T, start func(context.Context, func(string)) (scenarios.Cluster, error), args ...string) outcome {
	t.Helper()
	return tryIn(t, nil, start, args...)
}

// tryIn runs a command line in an environment; without one there is no home directory, and
// nothing is remembered.
func tryIn(t *testing.T, environment map[string]string, start func(context.Context, func(string)) (scenarios.Cluster, error), args ...string) outcome {
	t.Helper()
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	inside, closed := false, false
	o := tryProgram(t, &Program{
		In: in,
		Start: func(ctx context.Context, options StartOptions) (*ControlPlane, error) {
			inside = options.Inside
			cluster, err := start(ctx, options.Report)
			if err != nil {
				return nil, err
			}
			return &ControlPlane{Cluster: cluster, Failed: cluster.(fakeCluster).failed, Close: func() error { closed = true; return nil }}, nil
		},
		Versions: Versions{Rvtui: "v1", Kubernetes: "1.37.2", Etcd: "3.7.3", Go: "go1"},
	}, environment, args...)
	o.inside, o.closed = inside, closed
	return o
}

// tryProgram runs a command line on a program that has its input and its control plane, with
// no terminal.
func tryProgram(t *testing.T, program *Program, environment map[string]string, args ...string) outcome {
	t.Helper()
	outFile, out := capture(t)
	errFile, errs := capture(t)
	program.Out, program.Err = outFile, errFile
	program.Lookup = func(name string) (string, bool) { value, ok := environment[name]; return value, ok }
	program.Terminal = func(*os.File) bool { return false }
	program.Now = time.Now
	o := outcome{code: program.Main(context.Background(), args)}
	o.out, o.errors = out(), errs()
	return o
}

// capture is a file to write to, and what was written.
func capture(t *testing.T) (*os.File, func() string) {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	return file, func() string {
		defer file.Close()
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
}

// scenarioFile writes a scenario of one step, about the object of that name.
func scenarioFile(t *testing.T, object string, replacements ...string) string {
	t.Helper()
	content := `scenario: mine
chapter: conflicts
title: Mine
steps:
  - actor: A
    get: {name: ` + object + `}
    expect: {code: 200}
`
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(strings.NewReplacer(replacements...).Replace(content)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

var errNoStart = errors.New("cannot make a temporary directory in /nowhere: no such file or directory; set TMPDIR")
