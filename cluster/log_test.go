package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rvtui/cluster/logs"
	"rvtui/scenarios"
)

func logging(t *testing.T) (*Session, *logs.Recorder) {
	s := newFakeAPI(t).open(t)
	recorder := &logs.Recorder{}
	s.cluster.config.Log = recorder
	return s, recorder
}

func create(name string) scenarios.Call {
	return scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: name, Object: configMap(nil)}
}

func TestAStepHasWhatWasLoggedSinceTheStepBefore(t *testing.T) {
	s, recorder := logging(t)
	recorder.Add(logs.Line{At: time.Now(), Source: "etcd", Level: logs.Warning, Text: "one with Bearer " + token})
	first := do(t, s, create("cm1")) // which looks for the token
	if len(first.Log) != 1 || first.Log[0].Source != "etcd" || first.Log[0].Level != logs.Warning || !strings.HasPrefix(first.Log[0].Text, "one with ") {
		t.Fatalf("the log: %+v", first.Log)
	}
	if at := first.Log[0].AtMs; at <= 0 || at > first.StartedMs {
		t.Errorf("logged at %v ms, before the step began at %v ms", at, first.StartedMs)
	}
	if second := do(t, s, create("cm2")); second.Log != nil {
		t.Errorf("logged again: %+v", second.Log)
	}
}

func TestAStepHasTheNewestLinesAndSaysHowManyAreLeftOut(t *testing.T) {
	s, recorder := logging(t)
	for i := range 5000 { // more than the recorder keeps
		recorder.Add(logs.Line{At: time.Now(), Text: fmt.Sprint(i)})
	}
	log := do(t, s, create("cm1")).Log
	if len(log) != maxLogLines+1 || log[0].Text != "4700 older lines are left out" || log[1].Text != "4700" || log[maxLogLines].Text != "4999" {
		t.Errorf("%d lines, from %+v to %+v", len(log), log[:2], log[len(log)-1])
	}
}

func TestNoLineOfTheLogQuotesASecret(t *testing.T) {
	s, recorder := logging(t)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Kind: "Secret", Name: "s1", Object: map[string]any{"data": map[string]any{"p": "c2VjcmV0"}}})
	recorder.Add(logs.Line{At: time.Now(), Text: `Unhandled Error, Invalid value: {"data":{"p":"c2VjcmV0"}}`})
	log := do(t, s, create("cm1")).Log // a line may come a step late
	if len(log) != 1 || log[0].Text != "Unhandled Error, Invalid value: "+hidden {
		t.Errorf("the log: %+v", log)
	}
}
