package cluster

import (
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestOfTwoCandidatesOneLeadsAndTheOthersWriteIsRefused(t *testing.T) {
	lease := scenarios.Call{Actor: scenarios.A, APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Name: "l1"}
	for name, test := range map[string]struct {
		made          bool
		write, refuse string
	}{
		"on a Lease that is there": {true, "Update", "Update conflict"},
		"on one that is not":       {false, "Create", "Create exists"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFakeAPI(t).open(t)
			if test.made {
				create := lease
				create.Verb, create.Object = scenarios.VerbCreate, map[string]any{"spec": map[string]any{}}
				do(t, s, create)
			}
			elect := lease
			elect.Verb = scenarios.VerbLeaderElection
			seen := do(t, s, elect)
			calls := strings.Split(calledOf(seen), ", ")
			refused := 0
			for _, call := range calls {
				if strings.HasSuffix(call, test.refuse) {
					refused++
				}
			}
			if refused != 1 || !strings.Contains(calledOf(seen), test.write+",") {
				t.Errorf("client calls: %v", calls)
			}
			for _, e := range seen.Exchanges {
				if e.Status == 0 {
					t.Errorf("unanswered: %+v", e)
				}
			}
			if object := string(seen.Objects[0].Object); !strings.Contains(object, `"holderIdentity":"`) {
				t.Errorf("nobody leads: %s", object)
			}
		})
	}
}
