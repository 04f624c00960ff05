package embedded

import (
	"strings"
	"testing"

	"rvtui/scenarios"
)

func scenarioNamed(t *testing.T, name string) *scenarios.Scenario {
	t.Helper()
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range all {
		if scenario.Name == name {
			return scenario
		}
	}
	t.Fatalf("there is no scenario %s", name)
	return nil
}

// happened counts the events of a name in an exchange's spans of a name, or with no event's
// name the spans.
func happened(spans []scenarios.Span, exchange int, span, event string) int {
	n := 0
	for _, s := range spans {
		if s.Exchange != exchange || s.Name != span {
			continue
		}
		if event == "" {
			n++
		}
		for _, e := range s.Events {
			if e.Name == event {
				n++
			}
		}
	}
	return n
}

const guaranteedUpdate = "GuaranteedUpdate etcd3"

func TestTheSpansOfAStalePUTPrepareNoTransaction(t *testing.T) {
	trace := walk(t, onInside(t), scenarioNamed(t, "two-writers"))
	for _, test := range []struct {
		step     int
		stored   string
		prepared int
	}{
		{3, "Write to database call succeeded", 1},
		{4, "Write to database call failed", 0},
	} {
		seen := trace.Steps[test.step-1]
		for name, want := range map[[2]string]int{
			{"Update", ""}:                                                 1,
			{"Update", test.stored}:                                        1,
			{guaranteedUpdate, "initial value restored"}:                   1,
			{guaranteedUpdate, "Transaction prepared"}:                     test.prepared,
			{guaranteedUpdate, "Retry value restored"}:                     0,
			{"PUT /api/v1/namespaces/{:namespace}/configmaps/{:name}", ""}: 1,
		} {
			if got := happened(seen.Spans, 0, name[0], name[1]); got != want {
				t.Errorf("step %d: %q, %q: %d times, want %d", test.step, name[0], name[1], got, want)
			}
		}
		root := 0
		for i, span := range seen.Spans {
			switch {
			case span.Parent == nil:
				root++
			case *span.Parent >= i:
				t.Errorf("step %d: %s comes before what it is part of", test.step, span.Name)
			}
			if span.DurationMs < 0 || span.StartedMs < seen.StartedMs || len(span.Attributes["audit-id"]) > 0 {
				t.Errorf("step %d: %+v", test.step, span)
			}
		}
		if root != 1 {
			t.Errorf("step %d has %d outermost spans", test.step, root)
		}
	}
}

// TestTheSpansAndTheRPCsTellTheSameStory holds what the kube-apiserver says of its writes
// against what reached etcd, whoever won.
func TestTheSpansAndTheRPCsTellTheSameStory(t *testing.T) {
	lost := 0
	for _, name := range []string{"true-race", "patch-storm", "no-op", "field-conflict"} {
		trace := walk(t, onInside(t), scenarioNamed(t, name))
		wantNoToken(t, &trace)
		for _, step := range trace.Steps {
			for i, exchange := range step.Exchanges {
				if exchange.Method != "PUT" && exchange.Method != "PATCH" {
					continue
				}
				updates := happened(step.Spans, i, guaranteedUpdate, "")
				if updates == 0 {
					continue // a PATCH that creates
				}
				txns, refused := 0, 0
				for _, rpc := range step.RPCs {
					if rpc.Exchange != nil && *rpc.Exchange == i && rpc.Method == "Txn" {
						txns++
						if !*rpc.Succeeded {
							refused++
						}
					}
				}
				lost += refused
				prepared := happened(step.Spans, i, guaranteedUpdate, "Transaction prepared")
				retried := happened(step.Spans, i, guaranteedUpdate, "Retry value restored")
				if prepared != txns || retried != refused {
					t.Errorf("%s, step %d, exchange %d: %d transactions prepared, %d Txns; %d retries, %d Txns not succeeded",
						name, step.Step, i, prepared, txns, retried, refused)
				}
			}
		}
	}
	t.Logf("%d Txns did not succeed", lost)
}

func TestALineOfTheLogIsInTheStepThatItWasLoggedIn(t *testing.T) {
	for _, test := range []struct {
		scenario     string
		step         int
		source, text string
	}{
		// The kube-apiserver's client of etcd reads what is compacted.
		{"exact-compacted", 5, "etcd-client", "required revision has been compacted"},
		{"bad-rv", 1, "kube-apiserver", "Unhandled Error"},
		{"leader-election", 1, "client-go", "Attempting to acquire leader lease..."},
	} {
		trace := walk(t, onInside(t), scenarioNamed(t, test.scenario))
		wantNoToken(t, &trace)
		for _, step := range trace.Steps[:test.step] {
			found := false
			for _, line := range step.Log {
				found = found || line.Source == test.source && strings.Contains(line.Text, test.text)
				if strings.Contains(line.Text, "rvtui-") && strings.Contains(line.Text, "etcd.sock") {
					t.Errorf("a line says where the control plane has its directory: %s", line.Text)
				}
			}
			if found != (step.Step == test.step) {
				t.Errorf("%s, step %d: %q of %s is logged: %t; the log: %+v", test.scenario, step.Step, test.text, test.source, found, step.Log)
			}
		}
	}
}
