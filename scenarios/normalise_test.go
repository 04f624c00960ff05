package scenarios

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// asWritten is a trace as its file has it.
func asWritten(t *testing.T, trace Trace) string {
	t.Helper()
	var b bytes.Buffer
	if err := trace.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fixtureOf is the recorded trace of a scenario.
func fixtureOf(t *testing.T, name string) fixture {
	t.Helper()
	for _, f := range everyFixture(t) {
		if f.scenario.Name == name {
			return f
		}
	}
	t.Fatalf("there is no trace of %s", name)
	return fixture{}
}

// anotherRun is the trace's file as another run would have left it: by its text alone, with
// each revision farther on, and other names for what has other ones each time.
func anotherRun(t *testing.T, content string, farther int) Trace {
	t.Helper()
	content = regexp.MustCompile(`\b17\d\b`).ReplaceAllStringFunc(content, func(s string) string {
		n, _ := strconv.Atoi(s)
		return strconv.Itoa(n + farther)
	})
	content = strings.ReplaceAll(content, "rvtui-cq3uh4", "rvtui-xyz123")
	content = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-`).ReplaceAllStringFunc(content, func(s string) string { return reversed(s[:8]) + s[8:] })
	content = regexp.MustCompile(`\b[0-9a-f]{32}\b`).ReplaceAllStringFunc(content, reversed)
	content = strings.NewReplacer("2026-11-30T14:07", "2027-01-02T03:04", "Mon, 30 Nov 2026 14:07", "Sat, 02 Jan 2027 03:04").Replace(content)
	trace, err := readAll(content)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func reversed(s string) string {
	var b strings.Builder
	for i := len(s) - 1; i >= 0; i-- {
		b.WriteByte(s[i])
	}
	return b.String()
}

func TestTwoRunsOfAScenarioNormaliseToTheSame(t *testing.T) {
	f := fixtureOf(t, "two-writers")
	content := asWritten(t, f.trace)
	want := asWritten(t, Normalise(f.trace))
	for _, farther := range []int{1, 1000} {
		if got := asWritten(t, Normalise(anotherRun(t, content, farther))); got != want {
			t.Errorf("%d farther on: %s", farther, firstDifference(got, want))
		}
	}
	for _, old := range []string{"173", "174", "175", "cq3uh4", "2026"} {
		if strings.Contains(want, `"`+old+`"`) || strings.Contains(want, " "+old) {
			t.Errorf("%s is still in it", old)
		}
	}
	if !strings.Contains(want, "The answer carries metadata.resourceVersion 1. That is") {
		t.Error("the narration does not follow")
	}
}

// What is a code in one place and a revision in another is told apart in every field; a text
// that does not say which it means is left alone.
func TestARevisionThatIsACodeAsWellIsNotMixedUpWithIt(t *testing.T) {
	f := fixtureOf(t, "two-writers")
	content := asWritten(t, f.trace)
	want := strings.Split(asWritten(t, Normalise(f.trace)), "\n")
	texts := []string{`"en"`, `"zh"`, `"expected"`, `"got"`}
	for _, farther := range []int{27, 235} { // 173 is 200 then, and 174 is 409
		for i, line := range strings.Split(asWritten(t, Normalise(anotherRun(t, content, farther))), "\n") {
			if line == want[i] {
				continue
			}
			if name, _, _ := strings.Cut(strings.TrimSpace(line), ": "); !slices.Contains(texts, name) {
				t.Errorf("%d farther on: line %d is %s, want %s", farther, i+1, line, want[i])
			}
		}
	}
}

// firstDifference is the first line that two texts do not share.
func firstDifference(got, want string) string {
	wanted := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wanted) || line != wanted[i] {
			return fmt.Sprintf("line %d: %s, want %s", i+1, line, wanted[min(i, len(wanted)-1)])
		}
	}
	return "one is longer"
}

func TestNormalisingAgainChangesNothingAndLeavesWhatWasGiven(t *testing.T) {
	for _, f := range everyFixture(t) {
		once := Normalise(f.trace)
		if got, want := asWritten(t, Normalise(once)), asWritten(t, once); got != want {
			t.Errorf("%s: %s", f.scenario.Name, firstDifference(got, want))
		}
		if !reflect.DeepEqual(f.trace, f.again(t)) {
			t.Errorf("%s: the trace was changed", f.scenario.Name)
		}
	}
}

// What the evidence proves it must still prove: every expectation that does no arithmetic
// over what others wrote.
func TestANormalisedTraceIsJudgedAsBefore(t *testing.T) {
	for _, f := range everyFixture(t) {
		trace := Normalise(f.trace)
		for _, step := range Recheck(t.Context(), f.scenario, &trace).Steps {
			if step.Verdict != OK {
				t.Errorf("%s, step %d: expected %s; got %s", f.scenario.Name, step.Step, step.Expected, step.Got)
			}
			if was := trace.Steps[step.Step-1].Say; !reflect.DeepEqual(step.Say, was) {
				t.Errorf("%s, step %d says\n%s, and would say\n%s", f.scenario.Name, step.Step, was.In(English), step.Say.In(English))
			}
		}
	}
}

func TestACompactionBeforeAllThatATraceNamesIsNone(t *testing.T) {
	trace := fixtureOf(t, "two-writers").trace
	want := asWritten(t, Normalise(trace))
	compacted := func(at int64) Trace {
		changed := trace
		changed.Steps = slices.Clone(trace.Steps)
		for i := range changed.Steps {
			changed.Steps[i].Etcd.Compacted = at
		}
		return changed
	}
	if got := asWritten(t, Normalise(compacted(50))); got != want {
		t.Error(firstDifference(got, want))
	}
	if got := Normalise(compacted(trace.Steps[2].Revisions[0].Revision)).Steps[0].Etcd.Compacted; got != 2 {
		t.Errorf("one among them is at %d", got)
	}
}

// kept is what no normalising may change, by step.
func kept(trace Trace) []any {
	var all []any
	for _, o := range trace.Steps {
		all = append(all, o.Verdict, o.StartedMs, o.DurationMs, o.Right)
		for _, e := range o.Exchanges {
			all = append(all, e.Actor, e.Method, e.Status, e.Call, e.Attempt, e.StartedMs, e.DurationMs, readAnswer(e).items, readAnswer(e).reason)
		}
		for _, r := range o.RPCs {
			all = append(all, r.Method, r.Count, r.Limit, r.Writes, r.Wrote())
		}
		for _, r := range o.Revisions {
			all = append(all, r.Op, r.Version, r.By, r.Own)
		}
		for _, object := range o.Objects {
			served, _ := DecodeJSON(object.Object).(map[string]any)
			metadata, _ := served["metadata"].(map[string]any)
			all = append(all, object.Name, object.Exists, object.KeyVersion, metadata["generation"], metadata["labels"])
		}
	}
	return all
}

func TestCodesVersionsGenerationsAndCountsAreKept(t *testing.T) {
	for _, f := range everyFixture(t) {
		if got, want := kept(Normalise(f.trace)), kept(f.trace); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", f.scenario.Name, got, want)
		}
	}
}

func TestNumbersAreToldFromWhatOnlyLooksLikeThem(t *testing.T) {
	n := newNumbering("rvtui-abc")
	for _, revision := range []int64{173, 180, 200, 1173} {
		n.revision(revision)
	}
	n.other(200)
	for _, at := range []string{"2026-11-30T14:07:11Z", "2026-11-30T14:07:11.250000Z"} {
		n.instant(at)
	}
	n.order()
	for said, want := range map[string]string{
		"from 173 to 180.":                        "from 1 to 2.",
		"cm173, 173.5, v1.173, 17/3, 173%, 173ms": "cm173, 173.5, v1.173, 17/3, 173%, 173ms",
		"is 173, and 1173: more":                  "is 1, and 4: more",
		"版本173。":                                  "版本1。",
		"0173 is it with a zero":                  "01 is it with a zero",
		"200 OK":                                  "200 OK",
		"resourceVersion 200, revision 200":       "resourceVersion 3, revision 3",
		"resourceVersion 是 200，回 200":             "resourceVersion 是 3，回 200",
		"174 is nobody's":                         "174 is nobody's",
		"?resourceVersion=180&limit=180":          "?resourceVersion=2&limit=180",
		`{"metadata":{"resourceVersion":"180"}}`:  `{"metadata":{"resourceVersion":"2"}}`,
		"/registry/configmaps/rvtui-abc/cm1":      "/registry/configmaps/rvtui-demo/cm1",
		"dial 127.0.0.1:43567: refused":           "dial 127.0.0.1:6443: refused",
		"8bfe180b-8a0d-4ee1-bc0d-988e3999e0ba":    "00000000-0000-4000-8000-000000000001",
		"at 2026-11-30T14:07:11Z":                 "at 2000-01-01T00:00:00Z",
		"at 2026-11-30T14:07:11.250000Z":          "at 2000-01-01T00:00:01.000000Z",
	} {
		if got := n.narration(said); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
	for said, want := range map[string]string{
		"too old resource version: 173 (180)": "too old resource version: 1 (2)",
		"the server is at 173":                "the server is at 173",
	} {
		if got := n.message(said); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
	for rv, want := range map[string]string{"173": "1", "00173": "001", "": "", "0": "0", "+173": "+173", "-173": "-173", "x": "x"} {
		if got := n.version(rv); got != want {
			t.Errorf("the resourceVersion %q becomes %q, want %q", rv, got, want)
		}
	}
	token := base64.RawURLEncoding.EncodeToString([]byte(`{"v":"meta.k8s.io/v1","rv":180,"start":"/cm1\u0000"}`))
	if got, err := base64.RawURLEncoding.DecodeString(n.token(token)); err != nil || string(got) != `{"v":"meta.k8s.io/v1","rv":2,"start":"/cm1\u0000"}` {
		t.Errorf("the continue token holds %s, %v", got, err)
	}
	body := json.RawMessage(`{ "data": {"n": "180", "resourceVersion": "x"}, "n": 180, "patch": [{"op":"test","path":"/metadata/resourceVersion","value":"180"},{"path":"/data/n","value":"180"}], "metadata": {"resourceVersion": "180"} }`)
	want := `{ "data": {"n": "180", "resourceVersion": "x"}, "n": 180, "patch": [{"op":"test","path":"/metadata/resourceVersion","value":"2"},{"path":"/data/n","value":"180"}], "metadata": {"resourceVersion": "2"} }`
	if got := string(n.body(body)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, odd := range []string{"", "null", `"173"`, `{"a":`, "[1,", `{"resourceVersion":{"resourceVersion":["180"]}}`} {
		if got := string(n.body(json.RawMessage(odd))); got != odd {
			t.Errorf("%s becomes %s", odd, got)
		}
	}
}

// A rewritten body is the same JSON but for its strings.
func FuzzRewriteStrings(f *testing.F) {
	f.Add(`{"a": ["b", {"c": "d\n<é"}], "e": 1.0}`)
	f.Fuzz(func(t *testing.T, content string) {
		if got := string(rewriteStrings(json.RawMessage(content), func(_ place, s string) string { return s })); got != content {
			t.Fatalf("%q becomes %q", content, got)
		}
		got := rewriteStrings(json.RawMessage(content), func(_ place, s string) string { return s + "!" })
		if json.Valid([]byte(content)) != json.Valid(got) {
			t.Fatalf("%q becomes %q", content, got)
		}
	})
}
