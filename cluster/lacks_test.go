package cluster

import (
	"errors"
	"slices"
	"testing"
	"time"

	"rvtui/scenarios"
)

// A cluster that others use too is spared compactions, restarts, storms, reads of the far
// future, and objects that everybody sees: nothing of it is sent.
func TestWhatIsOnlyForTheEmbeddedControlPlaneIsNotSentToOthers(t *testing.T) {
	api := newFakeAPI(t)
	s := api.openOn(t, api.cluster(t, func(c *Config) {
		c.Can = []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityNoControllers}
		c.Compact = nil
	}))
	storm := func(n int) []scenarios.Call {
		return slices.Repeat([]scenarios.Call{{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1"}}, n)
	}
	nested := func(n, each int) scenarios.Call {
		return scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbTogether, Together: slices.Repeat([]scenarios.Call{{Actor: scenarios.A, Verb: scenarios.VerbTogether, Together: storm(each)}}, n)}
	}
	const path = "/api/v1/namespaces/rvtui-test/configmaps"
	for what, test := range map[string]struct {
		call scenarios.Call
		lack string
	}{
		"compaction":      {scenarios.Call{Verb: scenarios.VerbEtcdCompact, Revision: 5}, scenarios.CapabilityEtcdCompact},
		"restart":         {scenarios.Call{Verb: scenarios.VerbAPIServerRestart}, scenarios.CapabilityAPIServerRestart},
		"storm":           {scenarios.Call{Verb: scenarios.VerbTogether, Together: storm(9)}, scenarios.CapabilityAPIServerLoad},
		"storm meanwhile": {scenarios.Call{Verb: scenarios.VerbWatch, Within: time.Second, Meanwhile: []scenarios.Call{{Verb: scenarios.VerbTogether, Together: storm(9)}}}, scenarios.CapabilityAPIServerLoad},
		"storms at once":  {nested(8, 8), scenarios.CapabilityAPIServerLoad},
		"three of three":  {nested(3, 3), scenarios.CapabilityAPIServerLoad},
		"get":             {scenarios.Call{Verb: scenarios.VerbGet, Name: "cm1", ResourceVersion: "1000000"}, scenarios.CapabilityAPIServerLoad},
		"list":            {scenarios.Call{Verb: scenarios.VerbList, ResourceVersion: "18446744073709551615"}, scenarios.CapabilityAPIServerLoad},
		"watch":           {scenarios.Call{Verb: scenarios.VerbWatch, ResourceVersion: "10100", Within: time.Second}, scenarios.CapabilityAPIServerLoad},
		"raw":             {scenarios.Call{Verb: scenarios.VerbRaw, Path: path + "/cm1?resourceVersion=1000000"}, scenarios.CapabilityAPIServerLoad},
		"raw, escaped":    {scenarios.Call{Verb: scenarios.VerbRaw, Path: path + "?resource%56ersion=1&resourceVersion=1000000"}, scenarios.CapabilityAPIServerLoad},
		"another's kind":  {scenarios.Call{Verb: scenarios.VerbCreate, Kind: "Namespace", Name: "n1", Object: map[string]any{}}, scenarios.CapabilityAPIServerKinds},
		"apply of a kind": {scenarios.Call{Verb: scenarios.VerbApply, Kind: "Namespace", Name: "n1", Object: map[string]any{}}, scenarios.CapabilityAPIServerKinds},
	} {
		test.call.Actor = scenarios.A
		seen, err := s.Do(t.Context(), test.call, nil)
		if lack := (*scenarios.LackError)(nil); !errors.As(err, &lack) || !slices.Equal(lack.Lack, []string{test.lack}) || len(seen.Exchanges)+len(seen.RPCs) > 0 {
			t.Errorf("%s: error %v, %+v", what, err, seen)
		}
	}
	for what, call := range map[string]scenarios.Call{
		"a few at once":             {Verb: scenarios.VerbTogether, Together: storm(8)},
		"a few of a few":            nested(4, 2),
		"a little ahead":            {Verb: scenarios.VerbGet, Name: "cm1", ResourceVersion: "10000"},
		"what is no number":         {Verb: scenarios.VerbGet, Name: "cm1", ResourceVersion: "abc"},
		"a write may say any":       {Verb: scenarios.VerbReplace, Name: "cm1", Object: map[string]any{"metadata": map[string]any{"resourceVersion": "99999999"}}},
		"somebody's object, a read": {Verb: scenarios.VerbGet, Kind: "Namespace", Name: "kube-system"},
	} {
		call.Actor = scenarios.A
		if _, err := s.Do(t.Context(), call, nil); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
