package http_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/view"
)

// Both what its writer held and what is stored can be compared with; the reader of a write's
// answer wants to know what it overwrote.
func TestAWritesAnswerIsComparedWithWhatItMet(t *testing.T) {
	trace := uitest.Trace(t, "merge-patch")
	step := slices.IndexFunc(trace.Steps, func(o scenarios.Observation) bool {
		return len(o.Exchanges) == 1 && o.Exchanges[0].Method == "PATCH" && o.Exchanges[0].Status == 200
	}) + 1
	if step == 0 {
		t.Fatal("no PATCH in the trace")
	}
	o := &trace.Steps[step-1]
	met := int64(0)
	for _, r := range o.RPCs {
		if r.Wrote() {
			met = *r.CompareModRevision
		}
	}
	want := fmt.Sprintf("against what was stored before, rv %d:", met)
	text := shown(t, viewtest.Input(&trace, step, large, scenarios.English, view.State{}))
	if !strings.Contains(text, want) || !strings.Contains(text, fmt.Sprintf(`-   resourceVersion: "%d"`, met)) {
		t.Errorf("no %q:\n%s", want, text)
	}

	// The same where the object that it met is known from a revision of the same step alone.
	before := uitest.UpTo(trace, step-1)
	o.RPCs = slices.Clone(o.RPCs)
	for i := range o.RPCs {
		if r := &o.RPCs[i]; r.Wrote() {
			other := int64(7)
			r.CompareModRevision = &other
		}
	}
	if text := shown(t, viewtest.Input(&trace, step, large, scenarios.English, view.State{})); strings.Contains(text, "stored before") {
		t.Errorf("compared with what it did not meet:\n%s", text)
	}
	o.Revisions = append([]scenarios.Revision{{
		Revision: 7, ModRevision: 7, Op: "PUT", Name: "cm1", Key: "/registry/configmaps/n/cm1", Own: true,
		Value: json.RawMessage(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm1"},"data":{"who":"came between"}}`),
	}}, o.Revisions...)
	text = shown(t, viewtest.Input(&trace, step, large, scenarios.English, view.State{}))
	if !strings.Contains(text, "stored before, rv 7:") || !strings.Contains(text, "-   who: came between") {
		t.Errorf("not compared with the step's own revision 7:\n%s", text)
	}
	if len(before.Steps) != step-1 {
		t.Fatal("the walk before the step has changed")
	}
}

func TestWhatDoesNotChangeInALargeObjectIsFolded(t *testing.T) {
	trace := uitest.TwoWriters(t)
	e := &trace.Steps[3].Exchanges[0]
	var body map[string]any
	if err := json.Unmarshal(e.RequestBody, &body); err != nil {
		t.Fatal(err)
	}
	held := &trace.Steps[1].Exchanges[0]
	var read map[string]any
	if err := json.Unmarshal(held.ResponseBody, &read); err != nil {
		t.Fatal(err)
	}
	data, before := map[string]any{"owner": "B"}, map[string]any{"owner": "nobody"}
	for i := range 40 {
		key := fmt.Sprintf("k%02d", i)
		data[key], before[key] = "same", "same"
	}
	body["data"], read["data"] = data, before
	e.RequestBody, _ = json.Marshal(body)
	held.ResponseBody, _ = json.Marshal(read)
	text := shown(t, viewtest.Input(&trace, 4, large, scenarios.English, view.State{}))
	for _, want := range []string{"  … 39 lines unchanged (o unfolds)", "+   owner: B", "stored: ", "    k39: same"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "k20: same") {
		t.Errorf("not folded:\n%s", text)
	}
	if text := shown(t, viewtest.Input(&trace, 4, cells.Size{Width: 200, Height: 200}, scenarios.English, view.State{Open: true})); !strings.Contains(text, "k20: same") {
		t.Errorf("not unfolded:\n%s", text)
	}
}

func TestALongPathIsBrokenBehindItsSlashes(t *testing.T) {
	trace := uitest.TwoWriters(t)
	trace.Steps[3].Exchanges[0].Path = "/apis/a-rather-long-group.rvtui.dev/v1/namespaces/rvtui-abcdef/widgets/widget1?fieldManager=rvtui-B"
	text := shown(t, viewtest.Input(&trace, 4, cells.Size{Width: 120, Height: 34}, scenarios.English, view.State{}))
	for _, want := range []string{"│ PUT /apis/a-rather-long-group.rvtui.dev/v1/namespaces/ ", "│   rvtui-abcdef/widgets/widget1 ", "│   ?fieldManager=rvtui-B "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
}
