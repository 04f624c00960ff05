package scenarios

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

const setUpInParts = `
scenario: test
chapter: conflicts
title: A test
setup:
  - id: made
    create: {name: cm1, data: {owner: nobody}}
  - id: changed
    actor: B
    patch: {name: cm1, set: {data.owner: B}}
steps:
  - actor: A
    get: {name: cm1}
    expect:
      code: 200
      that:
        - steps.made.objects.cm1.data.owner == 'nobody' && steps.made.code == 201 && steps.made.keys.cm1.modRevision == 10
        - steps.changed.objects.cm1.data.owner == 'B' && steps.changed.code == 200 && steps.changed.exchanges.size() == 1
        - steps.changed.rpcs[0].exchange == 0 && steps.changed.held.B.cm1.data.owner == 'B' && !('B' in steps.made.held)
        - steps.made.client[0].call == 'Create' && steps.changed.client[0].call == 'Patch' && steps.changed.client.size() == 1
        - steps.made.durationMs == 2.0 && steps.changed.durationMs == 3.0
  - actor: A
    get: {name: cm1}
    expect: {code: 200}
`

// walkedInParts is a trace of it, as it is written and read again.
func walkedInParts(t *testing.T) Trace {
	t.Helper()
	first, second := answered(Admin, "POST", 201, configMap(10, "nobody"), 10, "nobody"), answered(B, "PATCH", 200, configMap(11, "B"), 11, "B")
	first.DurationMs, second.DurationMs = 2, 3
	first.Client, second.Client = []ClientCall{{Call: "Create"}}, []ClientCall{{Call: "Patch"}}
	second.RPCs = []RPC{{Exchange: new(0), Method: "Txn"}}
	run := begin(t, &scripted{answers: []scriptedAnswer{
		{seen: first}, {seen: second},
		{seen: answered(A, "GET", 200, configMap(11, "B"), 11, "B")}, {seen: answered(A, "GET", 200, configMap(11, "B"), 11, "B")},
	}}, setUpInParts)
	for {
		o, err := run.Step(t.Context(), nil)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || o.Verdict != OK {
			t.Fatalf("%v; expected %s; got %s", err, o.Expected, o.Got)
		}
	}
	var content bytes.Buffer
	if err := run.Trace().WriteJSON(&content); err != nil {
		t.Fatal(err)
	}
	trace, err := readAll(content.String())
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func TestTheStepsOfASetupAreToldApartInATrace(t *testing.T) {
	trace := walkedInParts(t)
	for i, step := range Recheck(t.Context(), mustDecode(t, setUpInParts), &trace).Steps {
		if step.Verdict != OK {
			t.Errorf("step %d: %s %s", i+1, step.Got, step.Unjudged)
		}
	}
}

func TestWhatATraceDoesNotTellIsNotJudged(t *testing.T) {
	const get = "  - actor: A\n    get: {name: cm1}\n    expect: {code: 200}\n"
	for name, test := range map[string]struct {
		scenario string
		change   func(*Trace)
		says     [2]string // of step 1 and of step 2; "" where it is judged
	}{
		"the same":             {setUpInParts, func(*Trace) {}, [2]string{}},
		"other words":          {strings.ReplaceAll(setUpInParts, "expect: {code: 200}\n", "expect: {code: 200}\n    title: Again\n"), func(*Trace) {}, [2]string{}},
		"no parts":             {setUpInParts, func(t *Trace) { t.Setup.Parts = nil }, [2]string{"it looks at steps.made of the setup"}},
		"no setup":             {setUpInParts, func(t *Trace) { t.Setup = nil }, [2]string{"it looks at steps.made of the setup"}},
		"another setup":        {strings.Replace(setUpInParts, "    actor: B\n    patch", "    patch", 1), func(*Trace) {}, [2]string{`step 2 of the setup was "B patch cm1 (merge)", and is "admin patch cm1 (merge)" today`, "step 2 of the setup was"}},
		"a setup more":         {strings.Replace(setUpInParts, "steps:\n", "  - create: {name: cm2}\nsteps:\n", 1), func(*Trace) {}, [2]string{"the setup has 3 steps today, and had 2", "the setup has 3"}},
		"another step":         {strings.Replace(setUpInParts, "  - actor: A\n    get: {name: cm1}", "  - actor: B\n    get: {name: cm1}", 1), func(*Trace) {}, [2]string{`it was "A get cm1", and is "B get cm1" today`, "step 1 before it is another one today"}},
		"another second":       {strings.Replace(setUpInParts, get, strings.Replace(get, "get", "delete", 1), 1), func(*Trace) {}, [2]string{"", `it was "A get cm1", and is "A delete cm1" today`}},
		"a step less":          {strings.Replace(setUpInParts, get, "", 1), func(*Trace) {}, [2]string{"", "the scenario has no such step today"}},
		"parts that cannot be": {setUpInParts, func(t *Trace) { t.Setup.Parts[0].Exchanges = 9 }, [2]string{"it looks at steps.made", ""}},
	} {
		trace := walkedInParts(t)
		test.change(&trace)
		for i, step := range Recheck(t.Context(), mustDecode(t, test.scenario), &trace).Steps {
			want := OK
			if test.says[i] != "" {
				want = Skipped
			}
			if step.Verdict != want || !strings.HasPrefix(step.Unjudged, test.says[i]) || (step.Unjudged == "") != (test.says[i] == "") {
				t.Errorf("%s, step %d: %s (%s), %q", name, i+1, step.Verdict, step.Got, step.Unjudged)
			}
		}
	}
}

func TestATraceThatEndsEarlySaysHowMuchIsMissing(t *testing.T) {
	trace := walkedInParts(t)
	trace.Steps = trace.Steps[:1]
	if again := Recheck(t.Context(), mustDecode(t, setUpInParts), &trace); len(again.Steps) != 1 || again.Missing != 1 {
		t.Errorf("%d steps, %d missing", len(again.Steps), again.Missing)
	}
}

func TestASkippedStepStaysSkippedAndAnUndoneOneFailed(t *testing.T) {
	trace := walkedInParts(t)
	trace.Steps[0].Verdict, trace.Steps[0].Reason = Skipped, "needs etcd.read"
	trace.Steps[1].Verdict, trace.Steps[1].Error = Failed, "connection refused"
	again := Recheck(t.Context(), mustDecode(t, setUpInParts), &trace)
	if first := again.Steps[0]; first.Verdict != Skipped || first.Unjudged != "" || first.Got != "skipped: needs etcd.read" {
		t.Errorf("%s, %s", first.Verdict, first.Got)
	}
	if second := again.Steps[1]; second.Verdict != Failed || second.Got != "connection refused" {
		t.Errorf("%s, %s", second.Verdict, second.Got)
	}
}

func TestASetupOfOneStepHasNoParts(t *testing.T) {
	run := begin(t, conflictScript(), conflict)
	content, err := json.Marshal(run.Trace().Setup)
	if err != nil || bytes.Contains(content, []byte("parts")) {
		t.Errorf("%v, %s", err, content)
	}
}
