package commands

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"rvtui/scenarios"
)

// leaving is a cluster on which no walk's namespace can be removed.
type leaving struct {
	fakeCluster
	left *lefts
}

// lefts are what walks have left, which end side by side.
type lefts struct {
	mu  sync.Mutex
	all []error
}

func (l *lefts) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, err)
}

func (l *lefts) first() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[0]
}

func (l leaving) Open(context.Context, string) (scenarios.Session, error) { return l, nil }

func (l leaving) Close(context.Context) error {
	left := &scenarios.LeftError{Namespace: "rvtui-test", Clean: "rvtui clean", Why: errors.New("not today\nnor tomorrow")}
	l.left.add(left)
	return left
}

// What is left neither hides what the scenarios came to nor ends the check, and is told once.
func TestACheckGoesOnWhereACleanUpFails(t *testing.T) {
	file := scenarioFile(t, "cm1")
	failing := scenarioFile(t, "cm1", "code: 200", "code: 409")
	const told = "rvtui: namespace rvtui-test is left on the cluster; `rvtui clean` removes it: not today; nor tomorrow\n"
	for name, test := range map[string]struct {
		args []string
		code int
		out  []string
	}{
		"all ok":     {[]string{"check", file, file}, 2, []string{"2 ok, 0 failed"}},
		"one failed": {[]string{"check", file, failing}, 1, []string{"1 ok, 1 failed"}},
		"a run":      {[]string{"run", file}, 2, []string{"Step 1 of 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := os.Open(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			left := &lefts{}
			o := tryProgram(t, &Program{In: in, Start: func(context.Context, StartOptions) (*ControlPlane, error) {
				return &ControlPlane{Cluster: leaving{left: left}, Close: func() error { return nil }, Left: left.first}, nil
			}}, nil, test.args...)
			if o.code != test.code || o.errors != told {
				t.Errorf("exit code %d, stderr %q", o.code, o.errors)
			}
			for _, text := range test.out {
				if !strings.Contains(o.out, text) {
					t.Errorf("stdout lacks %q:\n%s", text, o.out)
				}
			}
		})
	}
}
