package words

import (
	"encoding/json"
	"slices"
	"testing"

	"rvtui/scenarios"
)

func TestSomeoneElsesWritesAreTold(t *testing.T) {
	stored := func(managers ...string) json.RawMessage {
		var fields []any
		for _, name := range managers {
			fields = append(fields, map[string]any{"manager": name})
		}
		raw, _ := json.Marshal(map[string]any{"metadata": map[string]any{"managedFields": fields}})
		return raw
	}
	theirs := func(name string, n int64, managers ...string) scenarios.Revision {
		return scenarios.Revision{Own: true, Op: "PUT", Name: name, Revision: n, By: scenarios.ByUnknown, Value: stored(managers...)}
	}
	exchange := 0
	ours := scenarios.Revision{Own: true, Op: "PUT", Name: "cm1", Revision: 5, By: "A", Exchange: &exchange, Value: stored("rvtui-A", "kubectl-edit")}
	deleted := theirs("cm2", 31)
	deleted.Op, deleted.Value = "DELETE", nil
	elsewhere := scenarios.Revision{Op: "PUT", Key: "/registry/leases/x", Revision: 6, By: scenarios.ByUnknown}
	for name, c := range map[string]struct {
		revisions []scenarios.Revision
		lang      string
		want      []string
	}{
		"nobody":        {[]scenarios.Revision{ours, elsewhere}, scenarios.English, nil},
		"kubectl":       {[]scenarios.Revision{ours, theirs("cm1", 30, "rvtui-A", "kubectl-edit", "kubectl-patch")}, scenarios.English, []string{"Someone else wrote cm1 at revision 30, since the step before (managedFields: kubectl-patch)."}},
		"no name known": {[]scenarios.Revision{theirs("cm1", 30, "rvtui-A")}, scenarios.English, []string{"Someone else wrote cm1 at revision 30, since the step before."}},
		"twice":         {[]scenarios.Revision{theirs("cm1", 30), theirs("cm1", 32)}, scenarios.English, []string{"Someone else wrote cm1 at revisions 30, 32, since the step before."}},
		"often":         {[]scenarios.Revision{theirs("cm1", 30), theirs("cm1", 31), theirs("cm1", 32), theirs("cm1", 40)}, scenarios.English, []string{"Someone else wrote cm1 at 4 revisions from 30 to 40, since the step before."}},
		"two objects":   {[]scenarios.Revision{theirs("cm1", 30), deleted}, scenarios.English, []string{"Someone else wrote cm1 at revision 30, since the step before.", "Someone else deleted cm2 at revision 31, since the step before."}},
		"in Chinese":    {[]scenarios.Revision{theirs("cm1", 30, "kubectl-patch")}, scenarios.Chinese, []string{"上一步之后，别人写了 cm1：修订版本 30（managedFields：kubectl-patch）。"}},
	} {
		trace := &scenarios.Trace{Namespace: "ns", Steps: []scenarios.Observation{{Step: 1, Revisions: c.revisions}}}
		if got := SomeoneElse(trace, &trace.Steps[0], c.lang); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// A write whose answer was lost is a revision of nobody's, too.
func TestAWriteThatWasNotAnsweredIsNotSaidToBeSomeoneElses(t *testing.T) {
	o := scenarios.Observation{
		Step: 1, Exchanges: []scenarios.Exchange{{Method: "PUT", Path: "/api/v1/namespaces/ns/configmaps/cm1", Status: 504}},
		Revisions: []scenarios.Revision{{Own: true, Op: "PUT", Name: "cm1", Revision: 30, By: scenarios.ByUnknown}},
	}
	const want = "Someone else, or a request that was not answered, wrote cm1 at revision 30, since the step before."
	if got := SomeoneElse(&scenarios.Trace{Can: []string{}}, &o, scenarios.English); !slices.Equal(got, []string{want}) {
		t.Errorf("got %q", got)
	}
}
