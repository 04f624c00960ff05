package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"rvtui/scenarios"
)

// tried is what became of the user's own cluster.
type tried struct {
	outcome
	started, connected, confirmed, closed bool
	options                               ConnectOptions
}

// tryOwn runs a command line where a cluster can be named by --context, with --yes beside
// it. Connecting to it and confirming end with these errors.
func tryOwn(t *testing.T, connecting, confirming error, args ...string) tried {
	t.Helper()
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var got tried
	var chosen string
	var yes bool
	program := &Program{
		In: in,
		Start: func(context.Context, StartOptions) (*ControlPlane, error) {
			got.started = true
			return nil, errNoStart
		},
		Own: OwnCluster{
			AddFlags: func(flags *pflag.FlagSet) {
				flags.StringVar(&chosen, "context", "", "the context")
				flags.StringVar(new(string), "token", "", "a token")
				flags.BoolVar(&yes, "yes", false, "do not ask")
			},
			Named: func(given *pflag.FlagSet) (bool, error) {
				if given.Changed("yes") && !given.Changed("context") {
					return false, errors.New("--yes does not say which cluster is meant")
				}
				return given.Changed("context"), nil
			},
			Connect: func(_ context.Context, options ConnectOptions) (*ControlPlane, error) {
				got.connected, got.options = true, options
				options.Report("connecting to " + chosen)
				fmt.Fprintln(options.Say, "open https://login.example")
				if connecting != nil {
					return nil, connecting
				}
				return &ControlPlane{
					Cluster: fakeCluster{},
					Close:   func() error { got.closed = true; return nil },
					Confirm: func(context.Context) error { got.confirmed = true; return confirming },
					Describe: func(context.Context) (ClusterFacts, error) {
						return ClusterFacts{
							Name: chosen, Server: "https://h:6443", Kubernetes: "1.35.4", User: "jane", Groups: []string{"devs", "all"}, EtcdSource: "the API alone",
							Capabilities: []CapabilityFacts{{scenarios.CapabilityEtcdRead, false, "the API does not show keys"}, {scenarios.CapabilityNoControllers, true, "nobody is there"}},
						}, nil
					},
				}, nil
			},
		},
		Versions: Versions{Rvtui: "v1", Kubernetes: "1.37.2", Etcd: "3.7.3", Go: "go1"},
	}
	got.outcome = tryProgram(t, program, nil, args...)
	return got
}

func TestEachCommandThatWalksDoesSoOnTheClusterThatIsNamed(t *testing.T) {
	file := scenarioFile(t, "cm1")
	for _, args := range [][]string{
		{"run", file, "--context", "kind-dev"},
		{"check", "--context", "kind-dev", file},
		{"record", file, "--context=kind-dev", "-o", "-", "--format", "txt"},
		{"--context", "kind-dev", file},
		{"--context", "kind-dev", "run", file}, // before the command's name too
		{"--plain", file, "--context", "kind-dev"},
	} {
		got := tryOwn(t, nil, nil, args...)
		if got.code != 0 || got.started || !got.connected || !got.confirmed || !got.closed || got.options.Screen {
			t.Errorf("%q: %+v", args, got)
		}
		if got.errors != "open https://login.example\n" {
			t.Errorf("%q: stderr is %q", args, got.errors)
		}
	}
}

func TestWithoutAFlagThatNamesAClusterTheControlPlaneIsRvtuisOwn(t *testing.T) {
	file := scenarioFile(t, "cm1")
	for _, args := range [][]string{{"run", file}, {"check", file}, {file}} {
		if got := tryOwn(t, nil, nil, args...); !got.started || got.connected {
			t.Errorf("%q: started %t, connected %t", args, got.started, got.connected)
		}
	}
}

func TestAClusterThatCannotBeUsedIsOneLineAndExit2(t *testing.T) {
	file := scenarioFile(t, "cm1")
	for _, args := range [][]string{{"run", file, "--context", "x"}, {"check", file, "--context", "x"}, {file, "--context", "x"}, {"version", "--context", "x"}} {
		got := tryOwn(t, errors.New("nothing answers at https://h:6443"), nil, args...)
		if got.code != 2 || !strings.HasSuffix(got.errors, "\nrvtui: nothing answers at https://h:6443\n") || got.out != "" {
			t.Errorf("%q: %d, %q, %q", args, got.code, got.errors, got.out)
		}
		if args[0] == "version" {
			continue // it writes nothing that has to be confirmed
		}
		got = tryOwn(t, nil, errors.New("not without --yes"), args...)
		if got.code != 2 || !strings.HasSuffix(got.errors, "\nrvtui: not without --yes\n") || got.out != "" || !got.closed {
			t.Errorf("%q, which is not confirmed: %d, %q, %q, closed %t", args, got.code, got.errors, got.out, got.closed)
		}
	}
}

func TestAFlagThatNeedsAClusterIsAUsageErrorWithoutOne(t *testing.T) {
	file := scenarioFile(t, "cm1")
	for args, want := range map[string]string{
		"run " + file + " --yes": "rvtui: rvtui run: --yes does not say which cluster is meant; see rvtui help\n",
		file + " --yes":          "rvtui: rvtui: --yes does not say which cluster is meant; see rvtui help\n",
		"list --context x":       "rvtui: rvtui list: unknown flag: --context; see rvtui help\n",
		"play x.json --yes":      "rvtui: rvtui play: unknown flag: --yes; see rvtui help\n",
	} {
		if got := tryOwn(t, nil, nil, strings.Fields(args)...); got.code != 2 || got.errors != want || got.connected || got.started {
			t.Errorf("%q: %d, %q", args, got.code, got.errors)
		}
	}
}

func TestVersionSaysWhatAClusterCanShowAndWritesNothing(t *testing.T) {
	got := tryOwn(t, nil, nil, "version", "--context", "kind-dev")
	want := `rvtui v1
kube-apiserver 1.37.2 (embedded)
etcd 3.7.3 (embedded)
go1

cluster kind-dev
  server          https://h:6443
  kube-apiserver  1.35.4
  user            jane (devs, all)
  etcd            version not known; seen through: the API alone
what it can show
  etcd.read         no   the API does not show keys
  controllers.none  yes  nobody is there
`
	if got.code != 0 || got.out != want || got.confirmed || !got.closed {
		t.Errorf("%d, confirmed %t, closed %t:\n%s", got.code, got.confirmed, got.closed, got.out)
	}
	got = tryOwn(t, nil, nil, "version", "--context", "kind-dev", "-o", "json")
	var facts versionFacts
	if err := json.Unmarshal([]byte(got.out), &facts); err != nil || facts.Cluster == nil || facts.Cluster.Name != "kind-dev" || len(facts.Cluster.Capabilities) != 2 || facts.Rvtui != "v1" {
		t.Errorf("%v: %s", err, got.out)
	}
	if got := tryOwn(t, nil, nil, "version", "-o", "json"); strings.Contains(got.out, "cluster") || got.connected {
		t.Errorf("without a cluster: %s", got.out)
	}
}

func TestHelpShowsTheFlagsThatAreUsedOftenInAPartOfTheirOwn(t *testing.T) {
	const heading = "\n\nA cluster of your own (all of its flags: rvtui help cluster):\n      --context string   the context\n      --yes              do not ask\n"
	for _, args := range [][]string{{"--help"}, {"help", "run"}, {"check", "--help"}, {"record", "--help"}, {"version", "--help"}} {
		got := tryOwn(t, nil, nil, args...)
		if !strings.Contains(got.out, heading) || strings.Contains(got.out, "--token") {
			t.Errorf("%q:\n%s", args, got.out)
		}
	}
	if got := tryOwn(t, nil, nil, "list", "--help"); strings.Contains(got.out, "--context") {
		t.Errorf("list:\n%s", got.out)
	}
	if got := tryOwn(t, nil, nil, "help", "cluster"); !strings.Contains(got.out, "--token") || !strings.Contains(got.out, "--context") || !strings.Contains(got.out, "rvtui version --context") {
		t.Errorf("the topic:\n%s", got.out)
	}
}
