package commands

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// served is what a fake control plane for other programs was asked, and what came of it.
type served struct {
	ServeOptions
	outcome
}

// tryServe runs a command line; ready is called with the control plane's failure once it serves.
func tryServe(t *testing.T, ready func(failed chan<- error), args ...string) served {
	t.Helper()
	var s served
	closed := false
	failed := make(chan error, 1)
	s.outcome = tryProgram(t, &Program{
		Serve: func(_ context.Context, options ServeOptions) (*Served, error) {
			s.ServeOptions = options
			options.Report("etcd")
			path := options.Kubeconfig
			if path == "" {
				path = "/tmp/it's here/kubeconfig"
			}
			go ready(failed)
			return &Served{
				URL: "https://127.0.0.1:40123", Kubeconfig: path, EtcdEndpoint: "unix:///tmp/rvtui-1/etcd.sock",
				Failed: failed, Close: func() error { closed = true; return nil },
			}, nil
		},
		Versions: Versions{Kubernetes: "1.37.2", Etcd: "3.7.3"},
	}, nil, args...)
	s.closed = closed
	return s
}

func kill(t *testing.T, signals ...syscall.Signal) func(chan<- error) {
	return func(chan<- error) {
		for _, s := range signals {
			if err := syscall.Kill(syscall.Getpid(), s); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestServeSaysInOneLineHowItIsReachedAndToAPersonHowItIsUsed(t *testing.T) {
	s := tryServe(t, kill(t, syscall.SIGINT), "serve", "--kubeconfig-out", "/tmp/config")
	const line = "ready url=https://127.0.0.1:40123 kubeconfig=/tmp/config etcd-endpoints=unix:///tmp/rvtui-1/etcd.sock kubernetes=1.37.2 etcd=3.7.3\n"
	if s.out != line || s.Kubeconfig != "/tmp/config" {
		t.Errorf("it was to write %q, and says %q", s.Kubeconfig, s.out)
	}
	for _, says := range []string{
		"kubectl --kubeconfig /tmp/config get namespaces\n",
		"rvtui --kubeconfig /tmp/config --etcd-endpoints unix:///tmp/rvtui-1/etcd.sock\n",
		"ctrl+c ends it",
	} {
		if !strings.Contains(s.errors, says) {
			t.Errorf("stderr does not say %q:\n%s", says, s.errors)
		}
	}
}

func TestServeQuotesAPathAsAShellTakesIt(t *testing.T) {
	s := tryServe(t, kill(t, syscall.SIGINT), "serve")
	const quoted = `'/tmp/it'\''s here/kubeconfig'`
	if s.Kubeconfig != "" || !strings.Contains(s.out, " kubeconfig="+quoted+" ") || !strings.Contains(s.errors, "kubectl --kubeconfig "+quoted+" ") {
		t.Errorf("it was to write %q, and says %q, %q", s.Kubeconfig, s.out, s.errors)
	}
}

func TestServeEndsWithASignalAsAShellWould(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		got := tryServe(t, kill(t, s), "serve")
		if got.code != 128+int(s) || !got.closed || strings.Contains(got.errors, "rvtui: ") {
			t.Errorf("%v: exit %d, control plane stopped: %t, stderr %q", s, got.code, got.closed, got.errors)
		}
	}
}

func TestServeGoesOnWithoutItsTerminalWhereNohupSaysSo(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	if s := tryServe(t, kill(t, syscall.SIGHUP, syscall.SIGTERM), "serve"); s.code != 143 || !s.closed {
		t.Errorf("exit %d, control plane stopped: %t", s.code, s.closed)
	}
}

func TestServeEndsWhereTheControlPlaneDoesAndSaysWhy(t *testing.T) {
	s := tryServe(t, func(failed chan<- error) { failed <- errors.New("etcd ended: no space left on device") }, "serve")
	if s.code != 2 || !s.closed || !strings.HasSuffix(s.errors, "\nrvtui: the control plane has ended: etcd ended: no space left on device\n") {
		t.Errorf("exit %d, control plane stopped: %t, stderr %q", s.code, s.closed, s.errors)
	}
}

func TestServeThatCannotStartIsOneLineAndExit2(t *testing.T) {
	o := tryProgram(t, &Program{Serve: func(context.Context, ServeOptions) (*Served, error) { return nil, errNoStart }}, nil, "serve")
	if o.code != 2 || o.out != "" || o.errors != "rvtui: "+errNoStart.Error()+"\n" {
		t.Errorf("exit %d, stdout %q, stderr %q", o.code, o.out, o.errors)
	}
}

func TestServeStopsTheControlPlaneWhereNobodyReadsThatItIsReady(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = reader.Close()
	defer writer.Close()
	errFile, errs := capture(t)
	closed := false
	program := &Program{
		Out: writer, Err: errFile,
		Lookup:   func(string) (string, bool) { return "", false },
		Terminal: func(*os.File) bool { return false },
		Serve: func(context.Context, ServeOptions) (*Served, error) {
			return &Served{Close: func() error { closed = true; return nil }}, nil
		},
	}
	if code := program.Main(t.Context(), []string{"serve"}); code != 141 || !closed || errs() != "" {
		t.Errorf("exit %d, control plane stopped: %t", code, closed)
	}
}

func TestServeRefusesWhatItDoesNotTake(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"serve", "more"}, `takes no arguments, but got "more"`},
		{[]string{"serve", "--kubeconfig-out", ""}, "--kubeconfig-out takes the file to write"},
		{[]string{"serve", "--port", "1"}, "unknown flag: --port"},
	} {
		o := tryProgram(t, &Program{}, nil, test.args...)
		if o.code != 2 || !strings.Contains(o.errors, test.says) || strings.Count(o.errors, "\n") != 1 || o.out != "" {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", test.args, o.code, o.out, o.errors)
		}
	}
}
