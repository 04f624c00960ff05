package commands

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
)

var somewhere = Plan{
	Context: "team-prod", Server: "https://10.1.2.3:6443", User: "jane", Makes: []string{"configmaps", "leases"}, Walks: 41,
	Skips:   []PlanSkip{{"patch-storm", "needs apiserver.load"}, {"too-large", "needs apiserver.load"}, {"pod-put-needs-no-rv", "not allowed to create pods"}},
	Remarks: []string{"ResourceQuota q, count/configmaps: 3 of 5 used"},
}

// asked is what is said to a user who answers, and what comes of it.
func asked(t *testing.T, plan Plan, answer string, terminal, yes bool) (string, error) {
	t.Helper()
	in, typed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := typed.WriteString(answer); err != nil {
		t.Fatal(err)
	}
	typed.Close()
	errFile, errs := capture(t)
	program := &Program{In: in, Err: errFile, Terminal: func(*os.File) bool { return terminal }}
	err = program.Confirm(context.Background(), plan, yes)
	return errs(), err
}

func TestAClusterElsewhereIsAskedForBeforeTheFirstWrite(t *testing.T) {
	said, err := asked(t, somewhere, "y\n", true, false)
	const want = "This is team-prod, at https://10.1.2.3:6443, as jane.\n" +
		"rvtui makes a namespace rvtui-… for each scenario, and in it: configmaps, leases.\n" +
		"At the end, also after ctrl+c, each namespace is deleted with all that is in it; after a crash, `rvtui clean` does that.\n" +
		"41 scenarios can be walked through.\n" +
		"  not patch-storm, too-large: needs apiserver.load\n" +
		"  not pod-put-needs-no-rv: not allowed to create pods\n" +
		"  ResourceQuota q, count/configmaps: 3 of 5 used\n\nGo ahead? [y/N] "
	if said != want || err != nil {
		t.Errorf("error %v, said\n%s", err, said)
	}
	for _, no := range []string{"n\n", "\n", "", "yesterday\n"} {
		if _, err := asked(t, somewhere, no, true, false); !errors.Is(err, errDeclined) {
			t.Errorf("%q: %v", no, err)
		}
	}
	given := somewhere
	given.Namespace = "team-a"
	if said, _ := asked(t, given, "YES\n", true, false); !strings.Contains(said, "rvtui makes objects in namespace team-a: configmaps, leases.\n") ||
		!strings.Contains(said, "the namespace, and what others have in it, stays as it is.") {
		t.Errorf("of a given namespace:\n%s", said)
	}
}

func TestNobodyIsAskedWithoutNeed(t *testing.T) {
	here := somewhere
	refused := somewhere
	refused.Refused = "not allowed to create namespaces"
	for name, test := range map[string]struct {
		server        string
		plan          Plan
		terminal, yes bool
		want          string
	}{
		"yes":                {"", somewhere, false, true, ""},
		"an address here":    {"https://127.0.0.1:6443", here, false, false, ""},
		"an address here, 6": {"https://[::1]:6443", here, false, false, ""},
		"a name here":        {"https://localhost:6443", here, false, false, ""},
		"a name like it":     {"https://localhost.example.com", here, false, false, "team-prod is not on this machine (https://localhost.example.com), and there is no terminal to ask at; --yes goes ahead without asking"},
		"no terminal":        {"", somewhere, false, false, "team-prod is not on this machine (https://10.1.2.3:6443), and there is no terminal to ask at; --yes goes ahead without asking"},
		"refused, with yes":  {"", refused, true, true, "nothing can be written to team-prod: not allowed to create namespaces"},
	} {
		plan := test.plan
		if test.server != "" {
			plan.Server = test.server
		}
		said, err := asked(t, plan, "", test.terminal, test.yes)
		if text := ""; said != "" || test.want != text && (err == nil || err.Error() != test.want) || test.want == "" && err != nil {
			t.Errorf("%s: error %v, said %q", name, err, said)
		}
	}
}
