package commands

import (
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestAComparisonTellsStepsThatCameOutOtherwise(t *testing.T) {
	text := func(s string) scenarios.Text { return scenarios.Text{scenarios.English: s} }
	held := scenarios.Check{Expected: text("409 Conflict"), Got: text("409 Conflict"), OK: true}
	failed := scenarios.Check{Expected: text("409 Conflict"), Got: text("200 OK")}
	unseen := scenarios.Check{Expected: text("409 Conflict"), Unseen: true, Lack: []string{scenarios.CapabilityEtcdRPC}}
	row := func(name string, verdict scenarios.Verdict, checks ...scenarios.Check) checked {
		return checked{Name: name, Verdict: verdict, Steps: []checkedStep{{Step: 1, Actor: scenarios.B, Operation: "replace cm1", Verdict: verdict, checks: checks}}}
	}
	here := report{Scenarios: []checked{
		{Name: "alike", Trace: &checkedTrace{}}, row("alike", scenarios.OK, held), row("unlike", scenarios.Failed, held, failed), row("unseen", scenarios.OK, unseen),
		{Name: "skipped", Verdict: scenarios.Skipped}, {Name: "setup", Verdict: scenarios.Failed, Reason: "setting up setup: 403"},
		row("also failed", scenarios.Failed, failed), row("error", scenarios.Failed),
	}}
	there := report{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3", Scenarios: []checked{
		row("alike", scenarios.OK, held), row("unlike", scenarios.OK, held, held), row("unseen", scenarios.Failed, failed),
		row("setup", scenarios.OK, held), row("also failed", scenarios.Failed, failed), row("error", scenarios.OK),
	}}
	c := here.compareWith(there)
	var b strings.Builder
	if err := c.writeTo(&b); err != nil {
		t.Fatal(err)
	}
	want := `
compared with kube-apiserver 1.37.2 and etcd 3.7.3 (embedded):
unlike
  step 1, B replace cm1
    here   not 409 Conflict, but 200 OK
    there  409 Conflict
setup
    here   failed: setting up setup: 403
    there  ok
error
  step 1, B replace cm1
    here   failed
    there  ok
3 alike, 3 different, 1 that one of the two cannot show
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestCheckComparesWithASecondCluster(t *testing.T) {
	if o := try(t, "check", "--compare", "embedded", scenarioFile(t, "cm1")); o.code != 2 || !strings.Contains(o.errors, "--context says which") {
		t.Errorf("exit %d, %q", o.code, o.errors)
	}
}

func TestCheckIsComparedOnAnotherContext(t *testing.T) {
	o := tryOwn(t, nil, nil, "check", "--context", "a", "--compare", "b", scenarioFile(t, "cm1"))
	if o.code != 0 || o.options.Context != "b" || o.started || !strings.Contains(o.out, "compared with kube-apiserver 1.37.2 and etcd 3.7.3 (embedded):\n1 alike, 0 different\n") {
		t.Errorf("exit %d, options %+v, %q, %q", o.code, o.options, o.out, o.errors)
	}
	if o := tryOwn(t, nil, nil, "check", "--context", "a", "--compare", "embedded", scenarioFile(t, "cm1")); !o.started || !strings.Contains(o.errors, errNoStart.Error()) {
		t.Errorf("%q", o.errors)
	}
}
