package scenarios

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fixture is a recorded trace, and its scenario.
type fixture struct {
	scenario *Scenario
	trace    Trace
	content  []byte
}

// again is a copy of the trace that can be changed.
func (f fixture) again(t *testing.T) Trace {
	t.Helper()
	saved, err := ReadTrace(bytes.NewReader(f.content))
	if err != nil {
		t.Fatal(err)
	}
	trace, err := saved.All()
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// everyFixture is each of the recorded traces, the packed ones too. They are shared: copy
// what is to be changed.
func everyFixture(t *testing.T) []fixture {
	t.Helper()
	reading.Do(func() {
		paths, err := filepath.Glob(filepath.Join("..", "ui", "testdata", "*.json*"))
		if err != nil {
			t.Fatal(err)
		}
		catalogue := mustCatalogue(t)
		for _, path := range paths {
			f := fixture{}
			if f.content, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			f.trace = f.again(t)
			if f.scenario, err = Find(catalogue, f.trace.Scenario); err != nil {
				t.Fatal(err)
			}
			fixtures = append(fixtures, f)
		}
	})
	if len(fixtures) < 10 {
		t.Fatalf("only %d traces were read", len(fixtures))
	}
	return fixtures
}

var (
	reading  sync.Once
	fixtures []fixture
)

func TestARecordedTraceIsJudgedAsItWasRecorded(t *testing.T) {
	for _, f := range everyFixture(t) {
		again := Recheck(t.Context(), f.scenario, &f.trace)
		if again.Missing != 0 || len(again.Steps) != len(f.trace.Steps) {
			t.Errorf("%s: %d steps, %d missing", f.scenario.Name, len(again.Steps), again.Missing)
		}
		for i, step := range again.Steps {
			was := f.trace.Steps[i]
			if step.Unjudged != "" || step.Verdict != OK || step.Recorded != was.Verdict || step.Right != was.Right || !reflect.DeepEqual(step.Say, was.Say) {
				t.Errorf("%s, step %d: %s (%s) %s, right %d, want %s, %d\n%s\n%s", f.scenario.Name, i+1, step.Verdict, step.Got, step.Unjudged,
					step.Right, was.Verdict, was.Right, step.Say.In(English), was.Say.In(English))
			}
		}
		if !reflect.DeepEqual(f.trace, f.again(t)) {
			t.Errorf("%s: the trace was changed", f.scenario.Name)
		}
	}
}

// lies change what a step recorded, where an expectation speaks of that; they report whether
// one does.
var lies = map[string]func(*Expect, *Observation) bool{
	"another status": func(expect *Expect, o *Observation) bool {
		for i := range o.Exchanges {
			o.Exchanges[i].Status = 299
		}
		return expect.Code != 0
	},
	"another reason": func(expect *Expect, o *Observation) bool {
		for i := range o.Exchanges {
			o.Exchanges[i].ResponseBody = replaced(o.Exchanges[i].ResponseBody, `"reason":"`, `"reason":"Not`)
		}
		return expect.Reason != ""
	},
	"another message": func(expect *Expect, o *Observation) bool {
		for i := range o.Exchanges {
			o.Exchanges[i].ResponseBody = replaced(o.Exchanges[i].ResponseBody, `"message":"`, `"message":"no","was":"`)
		}
		return expect.Message != ""
	},
	"another resourceVersion": func(expect *Expect, o *Observation) bool {
		for i := range o.Exchanges {
			o.Exchanges[i].ResponseBody = replaced(o.Exchanges[i].ResponseBody, `"resourceVersion":"`, `"resourceVersion":"9`)
		}
		return says(expect, "rv(answer) ==", "== rv(answer)")
	},
	"no write": func(expect *Expect, o *Observation) bool {
		o.Revisions = nil
		return expect.Writes != nil && *expect.Writes > 0
	},
	"a write": func(expect *Expect, o *Observation) bool {
		o.Revisions = append(slices.Clone(o.Revisions), Revision{Revision: 1 << 40, Op: "PUT", Key: "/registry/x", By: "A", Own: true})
		return expect.Writes != nil
	},
	"another mod_revision": func(expect *Expect, o *Observation) bool {
		o.Objects = slices.Clone(o.Objects)
		for i := range o.Objects {
			o.Objects[i].ModRevision += 1000
		}
		return says(expect, "== keys.cm1.modRevision", "keys.cm1.modRevision ==")
	},
	"a request less": func(expect *Expect, o *Observation) bool {
		if expect.Exchanges == nil || len(o.Exchanges) < 2 {
			return false
		}
		o.Exchanges = slices.Clone(o.Exchanges[1:])
		return true
	},
	"no RPCs": func(expect *Expect, o *Observation) bool {
		o.RPCs = nil
		return says(expect, "rpcs.exists", "rpcs.filter", "rpcs[0]") && !says(expect, "!rpcs.exists", "size() == 0")
	},
}

func says(expect *Expect, words ...string) bool {
	return slices.ContainsFunc(expect.That, func(that That) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(that.CEL, word) })
	})
}

func replaced(raw json.RawMessage, old, new string) json.RawMessage {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return raw
	}
	return bytes.ReplaceAll(compact.Bytes(), []byte(old), []byte(new))
}

func TestATraceThatWasTamperedWithFailsWhereAnExpectationSpeaksOfIt(t *testing.T) {
	told := map[string]int{}
	for _, f := range everyFixture(t) {
		for name, lie := range lies {
			for i := range f.scenario.Steps {
				s := &f.scenario.Steps[i]
				trace := f.trace
				trace.Steps = slices.Clone(trace.Steps[:i+1])
				trace.Steps[i].Exchanges = slices.Clone(trace.Steps[i].Exchanges)
				if s.Expect == nil || !lie(s.Expect, &trace.Steps[i]) {
					continue
				}
				told[name]++
				if step := Recheck(t.Context(), f.scenario, &trace).Steps[i]; step.Verdict != Failed || step.Recorded != OK {
					t.Errorf("%s, step %d with %s: %s, recorded %s: expected %s; got %s", f.scenario.Name, i+1, name, step.Verdict, step.Recorded, step.Expected, step.Got)
				}
			}
		}
	}
	for name := range lies {
		if told[name] == 0 {
			t.Errorf("no expectation speaks of it: %s", name)
		}
	}
}
