package uitest

import (
	"encoding/json"
	"testing"

	"rvtui/scenarios"
)

// Meddled is the scenario two-writers on a cluster that is seen through the API alone, up to
// its fourth step, where somebody else patched cm1 before the third one: A's write, which
// was meant to go through, is refused. The fourth step could not be done at all.
func Meddled(t testing.TB) scenarios.Trace {
	t.Helper()
	trace := UpTo(Less(t, "two-writers"), 4)
	third, fourth := &trace.Steps[2], &trace.Steps[3]

	theirs := third.Revisions[0]
	theirs.By, theirs.Exchange = scenarios.ByUnknown, nil
	var stored map[string]any
	if err := json.Unmarshal(theirs.Value, &stored); err != nil {
		t.Fatal(err)
	}
	stored["data"] = map[string]any{"owner": "nobody", "note": "patched"}
	metadata, _ := stored["metadata"].(map[string]any)
	fields, _ := metadata["managedFields"].([]any)
	fields[0].(map[string]any)["manager"] = "kubectl-patch"
	theirs.Value, _ = json.Marshal(stored) // it was JSON before
	third.Revisions = []scenarios.Revision{theirs}
	third.Objects[0].Object = theirs.Value

	refused := fourth.Exchanges[0]
	e := &third.Exchanges[0]
	e.Status, e.ResponseBody = refused.Status, refused.ResponseBody

	unsent := &fourth.Exchanges[0]
	unsent.Status, unsent.ResponseHeaders, unsent.ResponseBody, unsent.Error = 0, map[string]string{}, nil, "connection refused"
	fourth.Error = "replacing cm1: connection refused"
	fourth.Objects, fourth.Etcd = third.Objects, third.Etcd

	judge(t, named(t, "two-writers"), &trace)
	return trace
}
