package scenarios

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestATraceIsWrittenAsItIsReadAgain(t *testing.T) {
	trace := Trace{Version: TraceVersion, Scenario: "mine", Title: Text{English: "a < b & c"}, Steps: []Observation{{Step: 1, Got: "200 OK → rv 7"}}}
	var b strings.Builder
	if err := trace.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "a < b & c") || !strings.HasSuffix(b.String(), "}\n") {
		t.Errorf("it is written as %s", b.String())
	}
	var again Trace
	if err := json.Unmarshal([]byte(b.String()), &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again, trace) {
		t.Errorf("it is read as %+v", again)
	}
}

func TestATraceWithNoStepTakenHasAListOfNone(t *testing.T) {
	var b strings.Builder
	if err := (Trace{}).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"steps": []`) {
		t.Errorf("it is written as %s", b.String())
	}
}
