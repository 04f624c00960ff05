package words

import (
	"testing"

	"rvtui/scenarios"
)

func TestEveryCapabilityIsSaidInWordsInEachLanguage(t *testing.T) {
	for _, name := range scenarios.Capabilities {
		english, chinese := Capability(name, scenarios.English), Capability(name, scenarios.Chinese)
		if english == name || chinese == english {
			t.Errorf("%s is said as %q and %q", name, english, chinese)
		}
	}
}

// Sentences about RPCs are said to be known of Kubernetes where none was seen, and a number
// that is left out is said to be.
func TestTheNoteSaysHowTheWordsAreToBeTaken(t *testing.T) {
	en := func(s string) scenarios.Text { return scenarios.Text{scenarios.English: s} }
	api, all := &scenarios.Trace{Can: []string{}}, &scenarios.Trace{}
	for name, c := range map[string]struct {
		trace *scenarios.Trace
		o     scenarios.Observation
		want  string
	}{
		"all is seen":           {all, scenarios.Observation{Say: en("One Range of the key.")}, ""},
		"nothing of RPCs":       {api, scenarios.Observation{Say: en("cm1 says B, at 25.")}, ""},
		"of RPCs":               {api, scenarios.Observation{Say: en("One Range of the key.")}, "RPCs are not shown here (etcd.rpc): told as known of Kubernetes, not as seen."},
		"a number left out":     {api, scenarios.Observation{Say: en("It took … rounds."), Lack: []string{"etcd.rpc"}}, "“…” stands for what this cluster does not show (etcd.rpc); the rest is told as known of Kubernetes."},
		"a step not taken":      {api, scenarios.Observation{Say: en("One Range of …."), Lack: []string{"etcd.read"}, Verdict: scenarios.Skipped}, ""},
		"a call of rvtui's own": {api, scenarios.Observation{Say: en("etcd holds it."), RPCs: []scenarios.RPC{{Method: "Range"}}}, ""},
		"meant, of RPCs":        {api, scenarios.Observation{Say: en("One Range of the key."), Verdict: scenarios.Failed}, ""},
		"meant, left out":       {api, scenarios.Observation{Say: en("It took … rounds."), Verdict: scenarios.Failed, Lack: []string{"etcd.rpc"}}, "“…” stands for what this cluster does not show (etcd.rpc)."},
		"not done, left out":    {api, scenarios.Observation{Say: en("It took … rounds."), Error: "no answer", Verdict: scenarios.Failed, Lack: []string{"etcd.rpc"}}, ""},
		"an ellipsis of its":    {all, scenarios.Observation{Say: en("And so on …")}, ""},
	} {
		if got := Note(c.trace, &c.o, scenarios.English); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
