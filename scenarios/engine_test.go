package scenarios

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

const conflict = `
scenario: test
chapter: conflicts
title: A test
setup:
  - id: made
    create: {name: cm1, data: {owner: nobody}}
steps:
  - actor: A
    get: {name: cm1}
    expect: {code: 200}
  - id: put
    actor: A
    title: 'A replaces cm1 (${before.held.A.cm1.metadata.resourceVersion})'
    replace: {name: cm1, set: {data.owner: A}}
    expect:
      code: 409
      reason: Conflict
      writes: 0
      that:
        - cel: objects.cm1.data.owner == 'B'
          means: cm1 says ${objects.cm1.data.owner}
    say: A sent ${before.held.A.cm1.metadata.resourceVersion}; ${code} came back.
`

const refusal = `{"kind":"Status","status":"Failure","message":"the object has been modified","reason":"Conflict","details":{"name":"cm1"},"code":409}`

func conflictScript() *scripted {
	return &scripted{answers: []scriptedAnswer{
		{seen: answered(Admin, "POST", 201, configMap(10, "nobody"), 10, "nobody")},
		{seen: answered(A, "GET", 200, configMap(10, "nobody"), 10, "nobody")},
		{seen: answered(A, "PUT", 409, json.RawMessage(refusal), 11, "B")},
	}}
}

func begin(t *testing.T, cluster Cluster, content string) *Run {
	t.Helper()
	run, err := Begin(context.Background(), cluster, mustDecode(t, content))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func step(t *testing.T, run *Run) Observation {
	t.Helper()
	o, err := run.Step(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestReplaceSendsWhatTheActorHolds(t *testing.T) {
	cluster := conflictScript()
	run := begin(t, cluster, conflict)
	step(t, run)
	step(t, run)

	sent := cluster.calls[2]
	if sent.Verb != VerbReplace || sent.Actor != A {
		t.Fatalf("sent %s by %s", sent.Verb, sent.Actor)
	}
	metadata := sent.Object["metadata"].(map[string]any)
	if metadata["resourceVersion"] != "10" {
		t.Errorf("sent resourceVersion %v, want the held one, 10", metadata["resourceVersion"])
	}
	if owner := sent.Object["data"].(map[string]any)["owner"]; owner != "A" {
		t.Errorf("sent owner %v", owner)
	}
}

func TestStepGetsVerdictAndTextsWithTheTracesOwnNumbers(t *testing.T) {
	run := begin(t, conflictScript(), conflict)
	step(t, run)
	o := step(t, run)

	for what, pair := range map[string][2]string{
		"verdict":  {string(o.Verdict), "ok"},
		"expected": {o.Expected, "409 Conflict, nothing written, cm1 says B"},
		"got":      {o.Got, "409 Conflict, nothing written, cm1 says B"},
		"say":      {o.Say.In(English), "A sent 10; 409 came back."},
		"title":    {o.Title.In(English), "A replaces cm1 (10)"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", what, pair[0], pair[1])
		}
	}
	trace := run.Trace()
	if planned := trace.Plan[1].Title.In(English); planned != "A replaces cm1" {
		t.Errorf("before the step its title is %q: it must hold no value and no bracket for one", planned)
	}
	if trace.Verdict() != OK {
		t.Errorf("the trace's verdict is %s", trace.Verdict())
	}
	if _, err := run.Step(context.Background(), nil); !errors.Is(err, io.EOF) {
		t.Errorf("after the last step: %v, want io.EOF", err)
	}
}

func TestFalseExpectationFailsAndNamesBothSides(t *testing.T) {
	content := strings.ReplaceAll(conflict, "objects.cm1.data.owner == 'B'", "rv(objects.cm1) == 99")
	content = strings.ReplaceAll(content, "code: 409", "code: 200")
	run := begin(t, conflictScript(), content)
	step(t, run)
	o := step(t, run)
	if o.Verdict != Failed {
		t.Fatalf("verdict %s", o.Verdict)
	}
	if !strings.Contains(o.Got, "409 Conflict") || !strings.Contains(o.Got, "11 == 99") {
		t.Errorf("got %q must name what came", o.Got)
	}
	trace := run.Trace()
	if trace.Verdict() != Failed {
		t.Errorf("the trace's verdict is %s", trace.Verdict())
	}
}

func TestExpressionThatCannotBeEvaluatedFails(t *testing.T) {
	content := strings.ReplaceAll(conflict, "objects.cm1.data.owner == 'B'", "objects.cm2.data.owner == 'B'")
	run := begin(t, conflictScript(), content)
	step(t, run)
	if o := step(t, run); o.Verdict != Failed || !strings.Contains(o.Got, "no such key: cm2") {
		t.Errorf("verdict %s, got %q", o.Verdict, o.Got)
	}
}

func TestExpressionThatTakesTooLongEndsWithItsStep(t *testing.T) {
	endless := "objects.cm1.data.owner == 'B'"
	for range 8 {
		endless = "[1,2,3,4,5,6,7,8,9,10].all(x, " + endless + ")"
	}
	run := begin(t, conflictScript(), strings.Replace(conflict, "objects.cm1.data.owner == 'B'", "true && "+endless, 1))
	step(t, run)
	if o := step(t, run); o.Verdict != Failed || !strings.Contains(o.Got, "stopped after") {
		t.Errorf("verdict %s, got %q", o.Verdict, o.Got)
	}
}

func TestStepThatCannotBeDoneHasListsAllTheSame(t *testing.T) {
	cluster := conflictScript()
	cluster.answers[1] = scriptedAnswer{err: errors.New("connection refused")}
	run := begin(t, cluster, conflict)
	step(t, run)
	encoded, err := json.Marshal(step(t, run)) // a replace of what was never read
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"exchanges", "rpcs", "revisions", "events", "objects"} {
		if !strings.Contains(string(encoded), `"`+list+`":[]`) {
			t.Errorf("%s is no empty list in %s", list, encoded)
		}
	}
	if !strings.Contains(string(encoded), `"head":10`) {
		t.Errorf("the store's state is lost: %s", encoded)
	}
}

func TestTextWithoutItsValueFails(t *testing.T) {
	run := begin(t, conflictScript(), strings.Replace(conflict, "${code} came back", "${held.C.cm1.data.owner} came back", 1))
	step(t, run)
	o := step(t, run)
	if o.Verdict != Failed || !strings.Contains(o.Got, "no such key: C") || strings.Contains(o.Say.In(English), "${") {
		t.Errorf("verdict %s, got %q, say %q", o.Verdict, o.Got, o.Say.In(English))
	}
}

func TestEndedContextLeavesTheStepToBeTakenAgain(t *testing.T) {
	cluster := conflictScript()
	run := begin(t, cluster, conflict)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cluster.answers[1].err = context.Canceled
	if _, err := run.Step(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("err %v", err)
	}
	if n := len(run.Trace().Steps); n != 0 {
		t.Errorf("%d steps in the trace, want none", n)
	}
	cluster.answers = append(cluster.answers, cluster.answers[2])
	cluster.answers[2] = scriptedAnswer{seen: answered(A, "GET", 200, configMap(10, "nobody"), 10, "nobody")}
	if o := step(t, run); o.Step != 1 || o.Verdict != OK {
		t.Errorf("taken again: step %d, %s", o.Step, o.Verdict)
	}
}

func TestCallThatCannotBeMadeIsAFailedStep(t *testing.T) {
	cluster := conflictScript()
	cluster.answers[1] = scriptedAnswer{err: errors.New("connection refused")}
	run := begin(t, cluster, conflict)
	if o := step(t, run); o.Verdict != Failed || o.Error != "connection refused" {
		t.Errorf("verdict %s, error %q", o.Verdict, o.Error)
	}
	if o := step(t, run); o.Verdict != Failed || !strings.Contains(o.Error, "A holds no cm1") {
		t.Errorf("a replace of what was never read: verdict %s, error %q", o.Verdict, o.Error)
	}
}

func TestRefusedSetupClosesTheSession(t *testing.T) {
	cluster := conflictScript()
	cluster.answers[0].seen = answered(Admin, "POST", 409, json.RawMessage(refusal), 10, "nobody")
	_, err := Begin(context.Background(), cluster, mustDecode(t, conflict))
	var setup *SetupError
	if !errors.As(err, &setup) {
		t.Fatalf("err %v, want a SetupError", err)
	}
	if cluster.closed != 1 {
		t.Errorf("the session was closed %d times", cluster.closed)
	}
}

func TestMissingCapabilitySkips(t *testing.T) {
	_, err := Begin(context.Background(), &scripted{}, mustDecode(t, strings.Replace(conflict, "title: A test", "title: A test\nneeds: [etcd.rpc]", 1)))
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Missing[0] != "etcd.rpc" {
		t.Errorf("err %v, want a MissingError of etcd.rpc", err)
	}

	run := begin(t, conflictScript(), strings.Replace(conflict, "  - actor: A\n    get:", "  - actor: A\n    needs: [etcd.compact]\n    get:", 1))
	if o := step(t, run); o.Verdict != Skipped || o.Reason != "needs etcd.compact" {
		t.Errorf("verdict %s, reason %q", o.Verdict, o.Reason)
	}
	trace := run.Trace()
	if trace.Verdict() != Skipped {
		t.Errorf("the trace's verdict is %s", trace.Verdict())
	}

	cluster := conflictScript()
	cluster.answers[1].err = &LackError{Lack: []string{CapabilityAPIServerLoad}, Why: "it is shared"}
	run = begin(t, cluster, conflict)
	if o := step(t, run); o.Verdict != Skipped || o.Reason != "needs apiserver.load: it is shared" {
		t.Errorf("verdict %s, reason %q", o.Verdict, o.Reason)
	}
}

// What follows a step whose object is somebody else's cannot come out either.
func TestATakenNameSkipsTheRest(t *testing.T) {
	taken := &TakenError{Kind: "ConfigMap", Name: "cm1", Namespace: "team-a", By: "helm", Advice: "wait"}
	const why = "ConfigMap cm1 is in namespace team-a already, written by helm, and rvtui writes only to what it made: wait"
	cluster := conflictScript()
	cluster.answers[0].err = taken
	_, err := Begin(context.Background(), cluster, mustDecode(t, conflict))
	if missing := (*MissingError)(nil); !errors.As(err, &missing) || err.Error() != "test: "+why {
		t.Errorf("in the setup: %v", err)
	}
	cluster = conflictScript()
	cluster.answers[1].err = taken
	run := begin(t, cluster, conflict)
	for i := range 2 {
		if o := step(t, run); o.Verdict != Skipped || o.Reason != why {
			t.Errorf("step %d: %s, %q", i+1, o.Verdict, o.Reason)
		}
	}
	if trace := run.Trace(); trace.Verdict() != Skipped {
		t.Errorf("the trace's verdict is %s", trace.Verdict())
	}
}

func TestPlanNamesWhoActsWithinAStep(t *testing.T) {
	preview := Preview(mustDecode(t, `
scenario: test
chapter: conflicts
title: A test
steps:
  - actor: observer
    together:
      - {actor: A, get: {name: cm1}}
      - {actor: B, get: {name: cm1}}
  - actor: observer
    storm: {times: 4, do: {patch: {name: cm1, set: {data.a: b}}}}
  - actor: B
    retryOnConflict: {name: cm1, meanwhile: {actor: A, patch: {name: cm1, set: {data.a: b}}}}
  - actor: A
    get: {name: cm1}
`))
	for i, want := range [][]Actor{{A, B}, {A, B}, {A}, nil} {
		if got := preview.Plan[i].Others; !slices.Equal(got, want) {
			t.Errorf("step %d: within it act %v, want %v", i+1, got, want)
		}
	}
}

func TestSetupIsSentAsTheAdminsAndMarked(t *testing.T) {
	cluster := conflictScript()
	begin(t, cluster, conflict)
	if call := cluster.calls[0]; call.Actor != Admin || !call.Setup || call.Verb != VerbCreate {
		t.Errorf("the setup was sent as %+v", call)
	}
}

func TestLaterStepsSeeEarlierOnesById(t *testing.T) {
	content := strings.Replace(conflict, "objects.cm1.data.owner == 'B'", "steps.made.objects.cm1.data.owner == 'nobody' && rv(steps.made.answer) == 10", 1)
	run := begin(t, conflictScript(), content)
	step(t, run)
	if o := step(t, run); o.Verdict != OK {
		t.Errorf("got %q", o.Got)
	}
}
