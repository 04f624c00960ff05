package commands

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func tryClean(t *testing.T, cleaned Cleaned, failed error, args ...string) (outcome, CleanOptions) {
	t.Helper()
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var got CleanOptions
	own := OwnCluster{
		AddFlags: func(flags *pflag.FlagSet) {
			flags.String("context", "", "the context")
			flags.StringP("namespace", "n", "", "the namespace")
			flags.String("etcd", "", "the source")
			flags.String("etcd-endpoints", "", "etcd")
			flags.Bool("yes", false, "do not ask")
		},
		Named: func(given *pflag.FlagSet) (bool, error) { return given.Changed("context"), nil },
		Connect: func(context.Context, ConnectOptions) (*ControlPlane, error) {
			return &ControlPlane{Close: func() error { return nil }, Clean: func(_ context.Context, options CleanOptions) (Cleaned, error) {
				got = options
				return cleaned, failed
			}}, nil
		},
	}
	o := tryProgram(t, &Program{In: in, Own: own}, map[string]string{"XDG_STATE_HOME": "/state"}, append([]string{"clean"}, args...)...)
	return o, got
}

func TestCleanTellsWhatBecameOfEach(t *testing.T) {
	left := []Leftover{
		{Kind: "Namespace", Name: "rvtui-abcdef", Scenario: "two-writers", Age: 3*time.Minute + time.Millisecond, Fate: "removed", Why: "its rvtui has ended"},
		{Kind: "ConfigMap", Namespace: "team-a", Name: "cm1", Fate: "would be removed", Why: "\x1b[31mred"},
	}
	o, options := tryClean(t, Cleaned{Left: left}, nil, "--context", "x", "--dry-run", "--all", "--timeout", "5s")
	want := "removed           namespace rvtui-abcdef   two-writers; made 3m0s ago; its rvtui has ended\n" +
		"would be removed  configmap cm1 in team-a  ?[31mred\n"
	if o.code != 0 || o.out != want || o.errors != "" {
		t.Errorf("%+v", o)
	}
	if want := (CleanOptions{All: true, DryRun: true, Journal: "/state/rvtui/walks", Timeout: 5 * time.Second}); options != want {
		t.Errorf("options %+v", options)
	}
	if o, _ := tryClean(t, Cleaned{}, nil, "--context", "x"); o.code != 0 || o.out != "rvtui has left nothing there\n" {
		t.Errorf("of nothing: %+v", o)
	}
	if o, _ := tryClean(t, Cleaned{}, nil, "--context", "x", "-o", "json"); o.out != "[]\n" {
		t.Errorf("of nothing, JSON: %+v", o)
	}
}

func TestCleanFailsWhereSomethingStays(t *testing.T) {
	o, _ := tryClean(t, Cleaned{Left: []Leftover{{Kind: "Namespace", Name: "rvtui-abcdef", Fate: "stays", Why: "a finalizer", Stays: true}}}, nil, "--context", "x", "-o", "json")
	if o.code != 1 || o.errors != "" {
		t.Errorf("%+v", o)
	}
	if o, _ = tryClean(t, Cleaned{}, nil); o.code != 2 || o.errors != "rvtui: rvtui clean does not know which cluster is meant; --context NAME says it; see rvtui help\n" {
		t.Errorf("of no cluster: %+v", o)
	}
	if o, _ = tryClean(t, Cleaned{}, errors.New("cannot reach it"), "--context", "x"); o.code != 2 || o.errors != "rvtui: cannot reach it\n" || o.out != "" {
		t.Errorf("%+v", o)
	}
}

func TestWhoMayNotListNamespacesIsToldWhatWasLookedFor(t *testing.T) {
	unseen := []Leftover{{Kind: "Namespace", Name: "rvtui-abcdef", Fate: "not seen", Why: "you may not look whether it is there", Stays: true}}
	const said = "rvtui: you may not list namespaces: only what this machine's journals name was looked for\n"
	for name, test := range map[string]struct {
		cleaned     Cleaned
		code        int
		out, errors string
	}{
		"nothing to look for": {Cleaned{Unlisted: true}, 2, "", "rvtui: you may not list namespaces, and no journal of this machine names anything there: nothing could be looked for\n"},
		"nothing is there":    {Cleaned{Unlisted: true, Looked: true}, 0, "nothing of what they name is there\n", said},
		"it is not seen":      {Cleaned{Unlisted: true, Looked: true, Left: unseen}, 1, "not seen          namespace rvtui-abcdef  you may not look whether it is there\n", said},
	} {
		if o, _ := tryClean(t, test.cleaned, nil, "--context", "x"); o.code != test.code || o.out != test.out || o.errors != test.errors {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestCleanRefusesFlagsThatMeanNothingToIt(t *testing.T) {
	for flag, args := range map[string][]string{
		"namespace": {"-n", "team-a"}, "etcd": {"--etcd", "exec"}, "etcd-endpoints": {"--etcd-endpoints", "https://x:2379"}, "yes": {"--yes"},
	} {
		o, options := tryClean(t, Cleaned{}, nil, append([]string{"--context", "x"}, args...)...)
		if o.code != 2 || !strings.HasPrefix(o.errors, "rvtui: rvtui clean: --"+flag+" means nothing to it") || options != (CleanOptions{}) {
			t.Errorf("%s: %+v", flag, o)
		}
	}
	o, _ := tryClean(t, Cleaned{}, nil, "--help")
	if !strings.Contains(o.out, "--context") || strings.Contains(o.out, "the namespace") || strings.Contains(o.out, "--etcd") || strings.Contains(o.out, "--yes") {
		t.Errorf("its help:\n%s", o.out)
	}
}

func TestTheCommandThatCleansNamesTheClusterAndNoCredential(t *testing.T) {
	for want, args := range map[string][]string{
		"rvtui clean --context kind-dev":                               {"--context", "kind-dev", "--token", "secret", "--yes"},
		"rvtui clean --kubeconfig '/home/a b/it'\\''s'":                {"--kubeconfig", "/home/a b/it's"},
		"rvtui clean --server https://user:xxxxx@10.0.0.1:1 --as jane": {"--server", "https://user:secret@10.0.0.1:1", "--as", "jane"},
	} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		for _, name := range []string{"kubeconfig", "context", "server", "as", "token"} {
			flags.String(name, "", "")
		}
		flags.Bool("yes", false, "")
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		if got := cleanCommand(flags, ""); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.String("kubeconfig", "", "")
	flags.String("context", "", "")
	if err := flags.Parse([]string{"--kubeconfig", "k", "--context", "x"}); err != nil {
		t.Fatal(err)
	}
	if got := cleanCommand(flags, "other"); got != "rvtui clean --kubeconfig k --context other" {
		t.Errorf("of another context: %s", got)
	}
}
