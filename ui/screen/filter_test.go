package screen

import (
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestTheFilterFindsAScenarioByTheErrorThatWasMet(t *testing.T) {
	en := func(s string) scenarios.Text { return scenarios.Text{scenarios.English: s} }
	all := []*scenarios.Scenario{
		{Name: "two-writers", Chapter: "conflicts", Title: en("Whoever writes second conflicts"), Summary: en("A and B read the same ConfigMap."),
			Met: []string{`Operation cannot be fulfilled on configmaps "cm1": the object has been modified; please apply your changes to the latest version and try again`}},
		{Name: "replace-without-rv", Title: en("A PUT without resourceVersion"), Met: []string{"metadata.resourceVersion: Invalid value: 0x0: must be specified for an update"}},
		{Name: "too-large", Title: en("A version from the future"), Met: []string{"Timeout: Too large resource version: 1000214, current: 214"}},
		{Name: "any", Title: en("任何版本都可以")},
	}
	for filter, want := range map[string]string{
		"":    "two-writers replace-without-rv too-large any",
		"   ": "two-writers replace-without-rv too-large any",
		`Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes`:                    "two-writers",
		"E1130 controller.go:341] \"Reconciler error\" err=\"the object has been modified; please apply your changes to the latest version\"": "two-writers",
		"must be specified for an update": "replace-without-rv",
		`The CronTab "my" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update`: "replace-without-rv",
		"Too large resource version: 99, current: 7":                                                                 "too-large",
		"TOO LARGE res":                 "too-large",
		"two-wr":                        "two-writers",
		"configmap second":              "two-writers",
		"版本":                            "any",
		"the object was never modified": "",
		"please apply now":              "",
		"!?":                            "",
	} {
		var got []string
		for _, s := range (Picker{Scenarios: all, Filter: filter}).Matching(scenarios.English) {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q finds %q, want %q", filter, got, want)
		}
	}
}
