package scenarios

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// recorded are the traces that ui's tests show.
func recorded(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "ui", "testdata", "*.json"))
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d traces: %v", len(paths), err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = content
	}
	return all
}

// readAll reads a trace with all of its steps.
func readAll(content string) (Trace, error) {
	trace, err := ReadTrace(strings.NewReader(content))
	if err != nil {
		return Trace{}, err
	}
	return trace.All()
}

func packed(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestASavedTraceIsReadAsItWasWritten(t *testing.T) {
	for name, content := range recorded(t) {
		var want Trace
		if err := json.Unmarshal(content, &want); err != nil {
			t.Fatal(err)
		}
		for form, content := range map[string]string{"plain": string(content), "gzipped": packed(t, string(content))} {
			got, err := readAll(content)
			if err != nil {
				t.Errorf("%s, %s: %v", name, form, err)
				continue
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: it is read as another trace", name, form)
			}
		}
	}
}

// aTrace is a small one; replacements are of its JSON.
func aTrace(replacements ...string) string {
	return strings.NewReplacer(replacements...).Replace(
		`{"version": 1, "scenario": "mine", "title": {"en": "a, \"b\" {c} \\"}, "plan": [{"actor": "A"}, {"actor": "B"}], "steps": [{"step": 1, "got": "]}"}, {"step": 2, "exchanges": [{"status": 409}]}]}`)
}

func TestWhatIsReadOfASmallTrace(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		steps   int
	}{
		"as it is":           {aTrace(), 2},
		"of no version":      {aTrace(`"version": 1, `, ""), 2},
		"saved midway":       {aTrace(`, {"step": 2, "exchanges": [{"status": 409}]}`, ""), 1},
		"with no step":       {aTrace(`[{"step": 1, "got": "]}"}, {"step": 2, "exchanges": [{"status": 409}]}]`, "[]"), 0},
		"steps of null":      {aTrace(`[{"step": 1, "got": "]}"}, {"step": 2, "exchanges": [{"status": 409}]}]`, "null"), 0},
		"numbered wrongly":   {aTrace(`"step": 2`, `"step": -99`), 2},
		"with a new field":   {aTrace(`"version"`, `"later": {"steps": [1]}, "version"`), 2},
		"with blanks behind": {aTrace() + "\n\n \t", 2},
	} {
		trace, err := readAll(test.content)
		if err != nil || len(trace.Steps) != test.steps || trace.Version != TraceVersion || len(trace.Plan) != 2 || trace.Title.In(English) != `a, "b" {c} \` {
			t.Errorf("%s: %+v, %v", name, trace, err)
		}
		for i, step := range trace.Steps {
			if step.Step != i+1 {
				t.Errorf("%s: step %d is numbered %d", name, i+1, step.Step)
			}
		}
	}
}

func TestWhatIsNoTraceIsRefusedInOneLine(t *testing.T) {
	for name, test := range map[string]struct{ content, says string }{
		"empty":                {"", "it is empty"},
		"blanks":               {" \n", "it is empty"},
		"text":                 {"scenario: mine\n", `'s' stands where '{' should`},
		"a list":               {"[1]", `'[' stands where '{' should`},
		"other JSON":           {`{"kind": "Pod"}`, "it names no scenario"},
		"an object of nothing": {"{}", "it names no scenario"},
		"no plan":              {`{"scenario": "mine"}`, "it has no plan"},
		"cut off":              {aTrace()[:100], "it is cut off"},
		"cut off in a step":    {aTrace()[:140], "it is cut off"},
		"cut off, gzipped":     {packed(t, aTrace())[:80], "it is cut off"},
		"only gzip's mark":     {"\x1f\x8b", "it is cut off"},
		"damaged, gzipped":     {strings.Replace(packed(t, aTrace()), packed(t, aTrace())[40:44], "....", 1), "it cannot be unpacked"},
		"a newer format":       {aTrace(`"version": 1`, `"version": 2, "setup": "elsewhere"`), "its format is version 2, and this rvtui reads version 1; a newer rvtui reads it"},
		"a version of no kind": {aTrace(`"version": 1`, `"version": "one"`), `"version" should be a whole number, and is the JSON string`},
		"a status in words":    {aTrace(`409`, `"Conflict"`), `step 2: "exchanges.status" should be a whole number, and is the JSON string`},
		"a status too large":   {aTrace(`409`, `1e400`), `step 2: "exchanges.status" should be a whole number, and is the JSON number 1e400`},
		"a damaged step":       {aTrace(`"status": 409`, `"status": 4o9`), "step 2: it is no JSON: invalid character 'o'"},
		"a damaged head":       {aTrace(`"scenario": "mine"`, `"scenario": mine`), "it is no JSON: invalid character"},
		"a control character":  {aTrace(`"mine"`, "\"mi\x1bne\""), "it is no JSON: invalid character"},
		"a step of null":       {aTrace(`{"step": 1, "got": "]}"}`, "null"), "one of its steps is no object"},
		"no list of steps":     {aTrace(`[{"step": 1, "got": "]}"}, {"step": 2, "exchanges": [{"status": 409}]}]`, "{}"), `"steps" should be a list, and is the JSON object`},
		"more steps than plan": {aTrace(`, {"actor": "B"}`, ""), "it has 2 steps, and its plan only 1"},
		"no such answer":       {aTrace(`"step": 2`, `"step": 2, "right": 1`), "step 2: its right answer is number 1, and there are 0"},
		"two in one file":      {aTrace() + "\n" + aTrace(), "a file holds one"},
		"a name of no kind":    {aTrace(`"mine"`, `"../\u001b[31m"`), "no scenario's name"},
		"too many values":      {`{"scenario": "mine", "steps": [{"rpcs": [` + strings.Repeat("1,", maxTraceValues+1), "more than 33554432 values"},
		"too deep":             {aTrace(`409`, strings.Repeat("[", 20000)+strings.Repeat("]", 20000)), "exceeded max depth"},
	} {
		_, err := ReadTrace(strings.NewReader(test.content))
		var wrong *TraceError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want an error that says %q", name, err, test.says)
		}
	}
}

func TestOfAMonstrousTraceADamagedStepIsFoundWhenItIsAskedFor(t *testing.T) {
	trace := Trace{Version: TraceVersion, Scenario: "mine"}
	for range 3 {
		trace.Plan = append(trace.Plan, PlannedStep{})
		trace.Steps = append(trace.Steps, Observation{Got: strings.Repeat("x", checkedBytes/2)})
	}
	var b strings.Builder
	if err := trace.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	at := strings.LastIndex(b.String(), `"durationMs": 0`)
	saved, err := ReadTrace(strings.NewReader(b.String()[:at] + `"durationMs": "0"` + b.String()[at+len(`"durationMs": 0`):]))
	if err != nil || saved.Len() != 3 {
		t.Fatal(err)
	}
	if _, err := saved.Step(2); err != nil {
		t.Error(err)
	}
	if _, err := saved.Step(3); err == nil || err.Error() != `step 3: "durationMs" should be a number, and is the JSON string` {
		t.Errorf("%v", err)
	}
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestAFileWithoutAnEndIsGivenUp(t *testing.T) {
	if _, err := ReadTrace(endless{}); err == nil || !strings.Contains(err.Error(), "larger than 1024 MiB") {
		t.Errorf("%v", err)
	}
}

func TestWhatTheSourceSaysIsReturned(t *testing.T) {
	if _, err := ReadTrace(io.MultiReader(strings.NewReader("{"), failing{})); !errors.Is(err, errFailing) {
		t.Errorf("%v", err)
	}
}

var errFailing = errors.New("input/output error")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errFailing }

// Whatever is read must be what encoding/json would have read.
func FuzzReadTrace(f *testing.F) {
	for _, content := range recorded(f) {
		f.Add(content)
		f.Add([]byte(packed(f, string(content))))
	}
	f.Add([]byte(aTrace()))
	f.Add([]byte(aTrace(`"steps"`, `"STEPS"`)))
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := readAll(string(content))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
			return
		}
		if bytes.HasPrefix(content, []byte("\x1f\x8b")) {
			return
		}
		var want Trace
		if err := json.Unmarshal(content, &want); err != nil {
			t.Fatalf("%s is read, and is no JSON: %v", content, err)
		}
		if bytes.Count(bytes.ToLower(content), []byte(`steps"`)) > 1 {
			return // of several fields of one name encoding/json takes the last
		}
		want.Version = TraceVersion
		for i := range want.Steps {
			want.Steps[i].Step = i + 1
		}
		if len(got.Steps) == 0 && len(want.Steps) == 0 {
			got.Steps, want.Steps = nil, nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is read as %+v, want %+v", content, got, want)
		}
	})
}

// BenchmarkReadTrace reads traces of which opening must take less than 2 s: one of 200 MB,
// and one of 100,000 short steps.
func BenchmarkReadTrace(b *testing.B) {
	content, err := os.ReadFile(filepath.Join("..", "ui", "testdata", "two-writers.json"))
	if err != nil {
		b.Fatal(err)
	}
	trace, err := readAll(string(content))
	if err != nil {
		b.Fatal(err)
	}
	short := trace
	short.Steps = nil
	for _, step := range trace.Steps {
		step.Spans, step.Log, step.Objects, step.Events, step.Revisions = nil, nil, nil, nil, nil
		short.Steps = append(short.Steps, step)
	}
	for name, long := range map[string]Trace{"200MB": repeated(trace, 23_500), "100000steps": repeated(short, 100_000)} {
		var content bytes.Buffer
		if err := long.WriteJSON(&content); err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), "trace.json")
		if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%s/%dMB", name, content.Len()>>20), func(b *testing.B) {
			b.SetBytes(int64(content.Len()))
			for b.Loop() {
				file, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := ReadTrace(file); err != nil {
					b.Fatal(err)
				}
				_ = file.Close()
			}
		})
	}
}

func repeated(trace Trace, n int) Trace {
	long := trace
	long.Steps, long.Plan = nil, nil
	for i := range n {
		long.Steps, long.Plan = append(long.Steps, trace.Steps[i%len(trace.Steps)]), append(long.Plan, trace.Plan[i%len(trace.Plan)])
	}
	return long
}

func TestATraceIsToldFromAScenarioByItsBeginning(t *testing.T) {
	for _, content := range recorded(t) {
		if !IsTrace(content) || !IsTrace(content[:500]) || !IsTrace([]byte(packed(t, string(content)))) {
			t.Errorf("%.40s… is not taken for a trace", content)
		}
	}
	for _, content := range []string{
		"", "scenario: mine\nversion: 1\n", `{"scenario": "mine", "steps": [{"version": 1}]}`, `{"scenario": "mine"`, "[1]", "{", `{"scenario":`, "\x1f",
	} {
		if IsTrace([]byte(content)) {
			t.Errorf("%q is taken for a trace", content)
		}
	}
	if !IsTrace([]byte(`{"scenario": "mine", "title": {}, "plan": [`)) {
		t.Error("the order of its fields decides")
	}
}
