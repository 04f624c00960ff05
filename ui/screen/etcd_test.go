package screen

import (
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
)

// compactedAt is a trace of a key that is written three times, and of one written once and
// one deleted, with the store compacted at a revision in its second step.
func compactedAt(compacted int64) scenarios.Trace {
	own := func(name string, rev int64, op string) scenarios.Revision {
		return scenarios.Revision{Revision: rev, Op: op, Name: name, Key: "/registry/configmaps/ns1/" + name, ModRevision: rev, By: "A", Own: true}
	}
	return scenarios.Trace{
		Mode: "embedded", Namespace: "ns1", Plan: make([]scenarios.PlannedStep, 2),
		Steps: []scenarios.Observation{
			{Actor: scenarios.A, Etcd: scenarios.EtcdState{Head: 25}, Revisions: []scenarios.Revision{
				own("cm1", 21, "PUT"), own("cm2", 22, "PUT"), own("cm1", 23, "PUT"), own("cm2", 24, "DELETE"), own("cm1", 25, "PUT"),
			}},
			{Actor: scenarios.Admin, Etcd: scenarios.EtcdState{Head: 25, Compacted: compacted}},
		},
	}
}

func TestRevisionsThatACompactionTookAreMarkedInWords(t *testing.T) {
	for compacted, want := range map[int64]string{
		0:  "",
		22: "",      // 21 is what cm1 held at 22
		23: "21",    // 23 is kept
		24: "21 22", // the deletion took the key's past with it
		25: "21 22 23 24",
	} {
		for _, width := range []int{26, 100} {
			f := at(compactedAt(compacted), Panes, cells.Size{Width: 120, Height: 36})
			var gone []string
			for _, l := range f.etcd(width, 20).Lines {
				if said := cellsOf([]cells.Line{l}); strings.Contains(said, "gone") {
					gone = append(gone, strings.Fields(said)[0])
				}
			}
			if got := strings.Join(gone, " "); got != want {
				t.Errorf("compacted at %d, %d cells: %q are gone, want %q", compacted, width, got, want)
			}
		}
	}
}

func TestWhatIsGoneAtTheEndWasThereBefore(t *testing.T) {
	story := NewStory(compactedAt(25))
	f := newFrame(story, State{Cursor: 1}, cells.Size{Width: 120, Height: 36}, at(compactedAt(25), Panes, cells.Size{Width: 120, Height: 36}).th, scenarios.English)
	if got := cellsOf(f.etcd(26, 20).Lines); strings.Contains(got, "gone") {
		t.Errorf("before the compaction:\n%s", got)
	}
}

func TestAKeyIsNeverBrokenInTwo(t *testing.T) {
	trace := compactedAt(0)
	index := 0
	trace.Steps[1].Exchanges = []scenarios.Exchange{{Actor: scenarios.A, Method: "GET", Path: "/api/v1/namespaces/rvtui-6f2soq", Status: 200}}
	trace.Steps[1].RPCs = []scenarios.RPC{
		{Exchange: &index, Method: "Range", Key: "/registry/namespaces/rvtui-6f2soq", ModRevision: 20},
		{Exchange: &index, Method: "Range", Key: "/registry/customresourcedefinitions/widgets.example.com", ModRevision: 20},
	}
	got := cellsOf(at(trace, Panes, cells.Size{Width: 120, Height: 36}).etcd(26, 20).Lines)
	for _, want := range []string{"namespaces/rvtui-6f2soq", "customresourcedefinitio…"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
