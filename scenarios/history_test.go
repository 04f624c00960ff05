package scenarios

import (
	"encoding/json"
	"fmt"
	"testing"
)

// twoWriters is a trace of A and B who read at 10, and A who writes 11.
func twoWriters() *Trace {
	setup := answered(Admin, "POST", 201, configMap(10, "nobody"), 10, "nobody")
	setup.Revisions = []Revision{{Revision: 10, Op: "PUT", Own: true}}
	steps := []Observation{
		answered(A, "GET", 200, configMap(10, "nobody"), 10, "nobody"),
		answered(B, "GET", 200, configMap(10, "nobody"), 10, "nobody"),
		answered(A, "PUT", 200, configMap(11, "A"), 11, "A"),
		answered(B, "PUT", 409, json.RawMessage(refusal), 11, "A"),
	}
	steps[2].Revisions = []Revision{{Revision: 11, Op: "PUT", Own: true}}
	for i := range steps {
		steps[i].Step = i + 1
	}
	return &Trace{Setup: &setup, Steps: steps}
}

func TestHistoryKnowsWhoHoldsWhatAfterEachStep(t *testing.T) {
	h := NewHistory(twoWriters())
	if h.Len() != 5 {
		t.Fatalf("%d states, want one for the setup and one a step", h.Len())
	}
	for _, test := range []struct {
		after          int
		a, b           string
		staleA, staleB bool
	}{
		{0, "", "", false, false},
		{1, "10", "", false, false},
		{2, "10", "10", false, false},
		{3, "11", "10", false, true},
		{4, "11", "10", false, true}, // a refusal gives B nothing to hold
	} {
		state := h.At(test.after)
		a, b := state.Held[A]["cm1"].ResourceVersion, state.Held[B]["cm1"].ResourceVersion
		if a != test.a || b != test.b || state.Stale(A, "cm1") != test.staleA || state.Stale(B, "cm1") != test.staleB {
			t.Errorf("after step %d: A holds %q (stale %t), B holds %q (stale %t); want %+v",
				test.after, a, state.Stale(A, "cm1"), b, state.Stale(B, "cm1"), test)
		}
	}
}

func TestHistoryCountsWhatBelongsToTheStepsSoFar(t *testing.T) {
	h := NewHistory(twoWriters())
	for after, want := range []struct{ exchanges, revisions int }{{1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 2}} {
		if e, r := h.At(after).Exchanges, h.At(after).Revisions; e != want.exchanges || r != want.revisions {
			t.Errorf("after step %d: %d exchanges and %d revisions, want %+v", after, e, r, want)
		}
	}
	if ref := h.At(4).Last[B]; ref != (ExchangeRef{Step: 4, Index: 0}) {
		t.Errorf("B's last exchange is %+v", ref)
	}
}

func TestAListPutsEachItemIntoTheReadersHands(t *testing.T) {
	list := fmt.Sprintf(`{"kind":"ConfigMapList","metadata":{"resourceVersion":"12"},"items":[%s]}`, configMap(10, "nobody"))
	o := answered(A, "GET", 200, json.RawMessage(list), 11, "A")
	state := NewHistory(&Trace{Steps: []Observation{o}}).At(1)
	if held := state.Held[A]["cm1"]; held.ResourceVersion != "10" {
		t.Errorf("A holds %q, want the item's version", held.ResourceVersion)
	}
	if !state.Stale(A, "cm1") {
		t.Error("an item from the past is stale")
	}
}

func TestWhatIsGoneIsStale(t *testing.T) {
	trace := twoWriters()
	gone := Observation{Step: 5, Objects: []Object{{Name: "cm1"}}}
	trace.Steps = append(trace.Steps, gone)
	if state := NewHistory(trace).At(5); !state.Stale(A, "cm1") {
		t.Error("A's copy of a deleted object is stale")
	}
}

func TestAnInformersActorHoldsWhatItsCacheWasFilledWith(t *testing.T) {
	put := Exchange{Actor: B, Method: "PUT", Status: 409, StartedMs: 20}
	early := Exchange{Actor: B, Method: "PUT", Status: 409, StartedMs: 1}
	event := WatchEvent{Actor: B, Type: "ADDED", Name: "cm1", ResourceVersion: "7", AtMs: 10, Object: []byte(`{"metadata":{"name":"cm1","resourceVersion":"7"}}`)}
	for operation, holds := range map[string]bool{"informer cm1": true, "watch cm1": false} {
		step := Observation{Step: 1, Operation: operation, Exchanges: []Exchange{early, put}, Events: []WatchEvent{event}}
		before := NewHistory(&Trace{}).At(0)
		after := NewHistory(&Trace{Steps: []Observation{step}}).At(1)
		if held := after.Held[B]["cm1"]; (held.ResourceVersion == "7") != holds {
			t.Errorf("%s: B holds %+v", operation, held)
		}
		if held, ok := before.HeldBefore(&step, 1, "cm1", "7"); ok != holds || holds && held.ResourceVersion != "7" {
			t.Errorf("%s: B sent %+v, %t", operation, held, ok)
		}
		if held, ok := before.HeldBefore(&step, 0, "cm1", ""); ok {
			t.Errorf("%s: before the event B held %+v", operation, held)
		}
	}
}

func TestOnlyWhatHasBeenThereIsDeleted(t *testing.T) {
	trace := twoWriters()
	trace.Steps = append(trace.Steps,
		Observation{Step: 5, Objects: []Object{{Name: "cm1"}, {Name: "never"}, {Name: "brief"}}, Revisions: []Revision{
			{Name: "brief", Op: "PUT", Own: true}, {Name: "brief", Op: "DELETE", Own: true}, {Name: "never", Op: "PUT"}, // in another namespace
		}})
	before, after := NewHistory(trace).At(4), NewHistory(trace).At(5)
	if before.Deleted("cm1") || before.Deleted("never") {
		t.Error("what is there, or was never named, is not deleted")
	}
	if !after.Deleted("cm1") || !after.Deleted("brief") || after.Deleted("never") {
		t.Errorf("cm1 %t, brief %t, never %t", after.Deleted("cm1"), after.Deleted("brief"), after.Deleted("never"))
	}
}

func TestHeldBeforeIsWhatHadComeWhenTheRequestWasSent(t *testing.T) {
	answer := func(rv string) json.RawMessage {
		return json.RawMessage(`{"kind":"ConfigMap","metadata":{"name":"cm1","resourceVersion":"` + rv + `"},"n":9007199254740993}`)
	}
	before := State{Held: map[Actor]map[string]Held{B: {"cm1": {Name: "cm1", ResourceVersion: "1"}}}}
	o := &Observation{Step: 3, Exchanges: []Exchange{
		{Actor: B, Status: 200, ResponseBody: answer("2"), StartedMs: 0, DurationMs: 10},
		{Actor: A, Status: 200, ResponseBody: answer("3"), StartedMs: 0, DurationMs: 10},
		{Actor: B, Status: 200, ResponseBody: answer("4"), StartedMs: 10, DurationMs: 90}, // still on its way
		{Actor: B, Status: 409, ResponseBody: answer("5"), StartedMs: 11, DurationMs: 1},
		{Actor: B, StartedMs: 20},
		{Actor: Observer, StartedMs: 200},
		{Actor: B, StartedMs: 200},
	}}
	for _, c := range []struct {
		exchange int
		name, rv string
		want     string // the version held; "" for none
	}{
		{0, "cm1", "", "1"},
		{4, "cm1", "", "2"},
		{4, "cm1", "2", "2"},
		{4, "cm1", "1", "1"}, // made of what was held before the step
		{4, "cm2", "", ""},
		{5, "cm1", "", ""},
		{6, "cm1", "", "4"},
		{6, "cm1", "2", "2"},
		{9, "cm1", "", ""},
		{-1, "cm1", "", ""},
	} {
		held, ok := before.HeldBefore(o, c.exchange, c.name, c.rv)
		if ok != (c.want != "") || held.ResourceVersion != c.want {
			t.Errorf("before exchange %d, %s at %q: held %q (%v), want %q", c.exchange, c.name, c.rv, held.ResourceVersion, ok, c.want)
		}
	}
	if held, _ := before.HeldBefore(o, 4, "cm1", ""); held.Object["n"] != int64(9007199254740993) {
		t.Errorf("a large number became %v", held.Object["n"])
	}
	if _, ok := before.HeldBefore(nil, 0, "cm1", ""); ok {
		t.Error("something was held before nothing")
	}
}

func TestHeldBeforeGivesUpWhereItWouldBeLongWork(t *testing.T) {
	o := &Observation{}
	for range lookBack + 2 {
		o.Exchanges = append(o.Exchanges, Exchange{Actor: B, Status: 200, ResponseBody: json.RawMessage(`{}`)})
	}
	before := State{Held: map[Actor]map[string]Held{B: {"cm1": {Name: "cm1", ResourceVersion: "1"}}}}
	if _, ok := before.HeldBefore(o, lookBack, "cm1", ""); !ok {
		t.Error("what was held before the step is not found")
	}
	if held, ok := before.HeldBefore(o, lookBack+1, "cm1", ""); ok {
		t.Errorf("%+v is said to be held, and not all was read", held)
	}
}
