package commands

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rvtui/cmd/rvtui/internal/ptytest"
	"rvtui/scenarios"
)

func recordedTrace(t testing.TB, name string) scenarios.Trace {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "..", "ui", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	trace, err := scenarios.ReadTrace(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := trace.All()
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// traceFile writes a trace as it is saved.
func traceFile(t testing.TB, trace scenarios.Trace) string {
	t.Helper()
	var content bytes.Buffer
	if err := trace.WriteJSON(&content); err != nil {
		t.Fatal(err)
	}
	return written(t, "trace.json", content.String())
}

func written(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// longTrace writes a trace whose steps are repeated until there are n.
func longTrace(t testing.TB, name string, n int) string {
	t.Helper()
	trace := recordedTrace(t, name)
	steps, plan := trace.Steps, trace.Plan
	trace.Steps, trace.Plan = nil, nil
	for i := range n {
		trace.Steps, trace.Plan = append(trace.Steps, steps[i%len(steps)]), append(trace.Plan, plan[i%len(plan)])
	}
	return traceFile(t, trace)
}

// tryPlay runs rvtui play with no terminal. typed is what comes through stdin.
func tryPlay(t *testing.T, typed string, args ...string) outcome {
	t.Helper()
	return tryAlone(t, typed, append([]string{"play"}, args...)...)
}

// tryAlone runs a command line with no terminal, and fails where it starts a control plane
// or remembers something. typed is what comes through stdin.
func tryAlone(t *testing.T, typed string, args ...string) outcome {
	t.Helper()
	state := t.TempDir()
	in, err := os.Open(written(t, "stdin", typed))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	o := tryProgram(t, &Program{
		In: in,
		Start: func(context.Context, StartOptions) (*ControlPlane, error) {
			t.Error("a control plane was started")
			return nil, errNoStart
		},
	}, map[string]string{"XDG_STATE_HOME": state, "HOME": state}, args...)
	if entries, err := os.ReadDir(state); err != nil || len(entries) > 0 {
		t.Errorf("it is remembered: %v, %v", entries, err)
	}
	return o
}

func TestASavedTraceIsToldInLinesWithNoControlPlane(t *testing.T) {
	trace := recordedTrace(t, "two-writers")
	var content, packed bytes.Buffer
	if err := trace.WriteJSON(&content); err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(content.Bytes())
	_ = w.Close()
	says := []string{"rvtui. A saved trace: embedded, kube-apiserver 1.37.2, etcd 3.7.3.", "Step 4 of 6", "409 Conflict", "End: 6 steps"}
	for name, o := range map[string]outcome{
		"plain":    tryPlay(t, "", written(t, "t.json", content.String())),
		"gzipped":  tryPlay(t, "", written(t, "t.json.gz", packed.String())),
		"of stdin": tryPlay(t, content.String(), "-"),
		"typed":    tryPlay(t, "4\nlast\n6\n\nquit\n", written(t, "t", content.String())),
	} {
		if o.code != 0 || o.errors != "" || strings.Contains(o.out, "Starting") || strings.Contains(o.out, "next:") {
			t.Errorf("%s: exit %d, %q, %s", name, o.code, o.errors, o.out)
		}
		for _, text := range says {
			if !strings.Contains(o.out, text) {
				t.Errorf("%s: it does not say %q: %s", name, text, o.out)
			}
		}
	}
}

func TestATraceSavedMidwayEndsThereInLinesToo(t *testing.T) {
	trace := recordedTrace(t, "two-writers")
	trace.Steps = trace.Steps[:3]
	path := traceFile(t, trace)
	for typed, times := range map[string]int{"": 1, "6\n": 1, "3\n\n": 2, "predict\n3\n1\n\nnext\n": 3} {
		o := tryPlay(t, typed, path)
		if got := strings.Count(o.out, "The trace was saved here: what came of step 4 is not in it."); o.code != 0 || got != times || strings.Contains(o.out, "Next: step 4") || strings.Contains(o.out, "before step 4") {
			t.Errorf("%q: exit %d, said %d times, want %d: %s", typed, o.code, got, times, o.out)
		}
	}
}

func TestWhatIsNoTraceIsOneLineWithItsNameAndExit2(t *testing.T) {
	trace := recordedTrace(t, "two-writers")
	var content bytes.Buffer
	if err := trace.WriteJSON(&content); err != nil {
		t.Fatal(err)
	}
	newer := strings.Replace(content.String(), `"version": 1`, `"version": 7`, 1)
	for name, test := range map[string]struct {
		typed string
		args  []string
		says  string
	}{
		"none":          {"", nil, "takes one trace's file, but got 0"},
		"two":           {"", []string{"a", "b"}, "takes one trace's file, but got 2"},
		"no such file":  {"", []string{"two-writers"}, "cannot read the trace two-writers: no such file or directory"},
		"a directory":   {"", []string{t.TempDir()}, ": is a directory"},
		"empty":         {"", []string{written(t, "e.json", "")}, "e.json: it is empty"},
		"cut off":       {"", []string{written(t, "c.json", content.String()[:9000])}, "c.json: it is cut off"},
		"other JSON":    {"", []string{written(t, "o.json", `{"kind": "Pod"}`)}, "o.json: it is JSON, but no trace"},
		"newer":         {"", []string{written(t, "n.json", newer)}, "n.json: its format is version 7, and this rvtui reads version 1"},
		"a scenario":    {"", []string{scenarioFile(t, "cm1")}, "; a scenario's file is opened without play"},
		"of stdin":      {"hello", []string{"-"}, "cannot read the trace stdin: it is no JSON"},
		"its own words": {"", []string{written(t, "w.json", `{"scenario": "\u001b[31mred"}`)}, "no scenario's name"},
	} {
		o := tryPlay(t, test.typed, test.args...)
		if o.code != 2 || !strings.Contains(o.errors, test.says) || strings.Count(o.errors, "\n") != 1 || o.out != "" || strings.Contains(o.errors, "\x1b") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit 2 and one line with %q", name, o.code, o.out, o.errors, test.says)
		}
	}
}

// playing is rvtui play in a terminal, with no control plane to start.
func playing(t testing.TB, path string, args ...string) *ptytest.Session {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], append([]string{"play", path}, args...)...)
	command.Env = append(os.Environ(), onNoCluster+"=1", "TERM=xterm-256color", "ACCESSIBLE=", "NO_COLOR=", "XDG_STATE_HOME="+t.TempDir())
	return ptytest.Start(t, command, 120, 36)
}

func TestASavedTraceIsPlayedOnTheScreen(t *testing.T) {
	s := playing(t, traceFile(t, recordedTrace(t, "two-writers")))
	s.WaitFor("SAVED 0/6")
	s.WaitFor("embedded 1.37.2 · etcd 3.7.3")
	s.Type("llll")
	s.WaitFor("SAVED 4/6")
	s.WaitFor("409 Conflict")
	s.Type("h")
	s.WaitFor("PAST 3/6")
	s.Type("G")
	s.WaitFor("SAVED 6/6")
	s.Type("\x1b")
	s.WaitFor("a saved trace is played alone")
	s.Type("r")
	s.WaitFor("SAVED 0/6")
	s.Type("q")
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
	if !strings.Contains(s.Raw(), "rvtui two-writers (saved)") {
		t.Error("the terminal has no title of it")
	}
}

func TestWhatATraceSaysCannotControlTheTerminal(t *testing.T) {
	const evil = "\x1b]0;evil\x07\x1b[2J\u009b31m\u202e"
	trace := recordedTrace(t, "two-writers")
	trace.Kubernetes, trace.Etcd, trace.Mode, trace.Chapter, trace.Namespace = evil, evil, evil, evil, evil
	said := scenarios.Text{scenarios.English: evil}
	trace.Title, trace.Summary, trace.Fix, trace.Sources = said, said, said, []string{evil}
	body, err := json.Marshal(map[string]any{"kind": evil, "metadata": map[string]any{"name": evil, "resourceVersion": evil}, "data": map[string]any{evil: evil}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range trace.Plan {
		p := &trace.Plan[i]
		p.Actor, p.Operation, p.Title, p.Ask, p.Slow = evil, evil, said, said, evil
		for j := range p.Choices {
			p.Choices[j] = said
		}
	}
	for i := range trace.Steps {
		o := &trace.Steps[i]
		o.Title, o.Say, o.Operation, o.Got, o.Expected, o.Reason, o.Error = said, said, evil, evil, evil, evil, evil
		o.Log = []scenarios.LogLine{{Source: evil, Level: evil, Text: evil}}
		o.Etcd.Source = evil
		for j := range o.Exchanges {
			e := &o.Exchanges[j]
			e.Method, e.Path, e.RequestBody, e.ResponseBody, e.TraceID, e.Error = evil, "/"+evil, body, body, evil, evil
			e.RequestHeaders, e.ResponseHeaders = map[string]string{evil: evil}, map[string]string{evil: evil}
		}
		for j := range o.RPCs {
			o.RPCs[j].Method, o.RPCs[j].Key, o.RPCs[j].Error = evil, evil, evil
		}
		for j := range o.Revisions {
			o.Revisions[j].Key, o.Revisions[j].By, o.Revisions[j].Op, o.Revisions[j].Value = evil, evil, evil, body
		}
		for j := range o.Objects {
			o.Objects[j].Name, o.Objects[j].Kind, o.Objects[j].Object, o.Objects[j].Key = evil, evil, body, evil
		}
		for j := range o.Spans {
			o.Spans[j].Name, o.Spans[j].Attributes = evil, map[string]string{evil: evil}
		}
	}
	path := traceFile(t, trace)
	s := playing(t, path)
	s.WaitFor("SAVED 0/6")
	s.Type("p")
	for n := range 6 {
		s.Type("l")
		s.WaitUntil("a step or its question", func(screen string) bool {
			return strings.Contains(screen, fmt.Sprintf("QUESTION %d/6", n+1)) || strings.Contains(screen, fmt.Sprintf("SAVED %d/6", n+1))
		})
		if len(trace.Plan[n].Choices) > 0 {
			s.Type("1")
		}
		s.WaitFor(fmt.Sprintf("SAVED %d/6", n+1))
	}
	for _, key := range []string{"x", "y", "d", "t", "w", "L", "?"} {
		before := s.Screen()
		s.Type(key)
		s.WaitUntil("the view of "+key, func(screen string) bool { return screen != before })
	}
	s.Type("q")
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
	for _, bad := range []string{"\x1b]0;evil", "\x1b[2J?", "\u009b", "\u202e"} {
		if strings.Contains(s.Raw(), bad) {
			t.Errorf("%q came through", bad)
		}
	}
	for _, r := range tryPlay(t, "", path).out {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u202e') {
			t.Fatalf("the control character %q came through in lines", r)
		}
	}
}
