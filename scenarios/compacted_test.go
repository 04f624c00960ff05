package scenarios

import (
	"slices"
	"testing"

	"github.com/google/cel-go/common/types/ref"
)

func TestWhatNobodyFoundOutIsUnknownToExpressions(t *testing.T) {
	j := &judging{}
	compacted, ok := j.compacted(EtcdState{Head: 7, CompactedUnknown: true}).(ref.Val)
	if !ok || !slices.Equal(lackOf(compacted), []string{CapabilityEtcdRead}) {
		t.Errorf("what is compacted is %v", compacted)
	}
	if got := j.compacted(EtcdState{Head: 7}); got != int64(0) {
		t.Errorf("nothing is compacted: %v", got)
	}
	own := j.stepValues(&Observation{Revisions: []Revision{{Revision: 7, Op: "PUT", Own: true}}})["revisions"].([]any)
	by, ok := own[0].(map[string]any)["by"].(ref.Val)
	if !ok || !slices.Equal(lackOf(by), []string{CapabilityEtcdRPC}) {
		t.Errorf("whose revision nobody knows is %v", by)
	}
	trace := &Trace{}
	if trace.KnowsCompacted(EtcdState{CompactedUnknown: true}) || !trace.KnowsCompacted(EtcdState{}) {
		t.Error("a state says what it does not know, or does not say what it does")
	}
}

func TestOnlyANumberFromZeroOnIsARevision(t *testing.T) {
	for text, want := range map[string]int64{"7": 7, "0": 0, "-5": 0, "+5": 0, "": 0, "x": 0} {
		if got := ParseRevision(text); got != want {
			t.Errorf("%q is %d", text, got)
		}
	}
}
