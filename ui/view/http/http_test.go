package http_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/view"
	"rvtui/ui/view/http"
	"rvtui/ui/words"
)

func TestGoldens(t *testing.T) {
	for name, c := range map[string]struct {
		trace string
		step  int
		at    view.State
	}{
		"conflict": {"two-writers", 4, view.State{}},
		"unfolded": {"two-writers", 4, view.State{Open: true, Down: 3}},
		"etcd-get": {"two-writers", 6, view.State{}},
		"setup":    {"two-writers", 0, view.State{}},
		"retries":  {"too-large", 2, view.State{Chosen: 8}},
		"watch":    {"resume", 6, view.State{Chosen: 1}},
		"kubectl":  {"kubectl-apply", 3, view.State{}},
		"retry":    {"conflict-and-retry", 6, view.State{}},
	} {
		trace := uitest.Trace(t, c.trace)
		for _, size := range viewtest.Sizes {
			for _, lang := range words.Languages {
				golden := fmt.Sprintf("%s/%s-%dx%d", lang, name, size.Width, size.Height)
				t.Run(golden, func(t *testing.T) {
					d := viewtest.Drawn(t, http.Draw, viewtest.Input(&trace, c.step, size, lang, c.at))
					uitest.Golden(t, golden, uitest.Cells(t, cells.Render(d.Lines, size), size.Width, size.Height)+"\n"+d.Copy+"\n")
				})
			}
		}
	}
}

// shown is the view as text.
func shown(t *testing.T, in view.Input) string {
	t.Helper()
	var lines []string
	for _, l := range viewtest.Drawn(t, http.Draw, in).Lines {
		lines = append(lines, viewtest.Text(l))
	}
	return strings.Join(lines, "\n")
}

var large = cells.Size{Width: 200, Height: 60}

func TestOnlyWhatTheTraceHoldsIsSaidOfTheStore(t *testing.T) {
	recorded := uitest.TwoWriters(t)
	put := words.Read(&recorded.Steps[3].Exchanges[0])
	held := recorded.Steps[2].Objects[0].ResourceVersion
	for name, c := range map[string]struct {
		change       func(*scenarios.Trace)
		says, silent []string
	}{
		"etcd's own answer": {func(*scenarios.Trace) {}, []string{"stored: " + held, "reached etcd: Range cm1 → mod " + held, "no write reached etcd"}, nil},
		"another cluster, the object read before the step": {
			func(trace *scenarios.Trace) { trace.Can, trace.Steps[3].RPCs = []string{}, nil },
			[]string{"before the step: " + held, "RPCs are not recorded on this cluster", "no new revision of the scenario's objects"}, []string{"stored:", "reached etcd"},
		},
		"another cluster, someone else writing in the step": {
			func(trace *scenarios.Trace) {
				trace.Can, trace.Steps[3].RPCs = []string{}, nil
				trace.Steps[3].Exchanges = append([]scenarios.Exchange{trace.Steps[2].Exchanges[0]}, trace.Steps[3].Exchanges...)
			},
			nil, []string{"stored:", "before the step", "reached etcd"},
		},
		"an object that is not known": {
			func(trace *scenarios.Trace) {
				trace.Can, trace.Steps[3].RPCs = []string{}, nil
				for i := range trace.Steps {
					trace.Steps[i].Objects = nil
				}
				trace.Setup.Objects = nil
			},
			nil, []string{"stored:", "before the step"},
		},
		"held at another version than is sent": {
			func(trace *scenarios.Trace) {
				e := &trace.Steps[3].Exchanges[0]
				e.RequestBody = []byte(strings.Replace(string(e.RequestBody), `"`+put.RV+`"`, `"7"`, 1))
			},
			[]string{"stored: " + held}, []string{"against what B held"},
		},
		"a watch whose events were not recorded": {
			func(trace *scenarios.Trace) {
				e := &trace.Steps[3].Exchanges[0]
				e.Method, e.Status, e.RequestBody, e.ResponseBody = "GET", 200, nil, nil
				e.Path = "/api/v1/namespaces/n/configmaps?watch=true"
			},
			[]string{"the trace holds no event of it"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			trace := uitest.TwoWriters(t)
			trace.Steps[3].RPCs = append([]scenarios.RPC(nil), trace.Steps[3].RPCs...)
			c.change(&trace)
			text := shown(t, viewtest.Input(&trace, 4, large, scenarios.English, view.State{}))
			for _, s := range c.says {
				if !strings.Contains(text, s) {
					t.Errorf("%q is not said:\n%s", s, text)
				}
			}
			for _, s := range c.silent {
				if strings.Contains(text, s) {
					t.Errorf("%q is said:\n%s", s, text)
				}
			}
		})
	}
}

func TestAnotherObjectOfTheSameNameIsNotCompared(t *testing.T) {
	trace := uitest.TwoWriters(t)
	e := &trace.Steps[4].Exchanges[0]
	if text := shown(t, viewtest.Input(&trace, 5, large, scenarios.English, view.State{})); !strings.Contains(text, "against what B held before, rv "+words.ReadAnswer(&trace.Steps[1].Exchanges[0]).RV) {
		t.Fatalf("the object that was read again is not compared:\n%s", text)
	}
	for _, change := range []string{`"kind":"Secret"`, `"uid":"another"`} {
		var body map[string]any
		if err := json.Unmarshal(e.ResponseBody, &body); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(change, "kind") {
			body["kind"] = "Secret"
		} else {
			body["metadata"].(map[string]any)["uid"] = "another"
		}
		e.ResponseBody, _ = json.Marshal(body)
		if text := shown(t, viewtest.Input(&trace, 5, large, scenarios.English, view.State{})); strings.Contains(text, "against") {
			t.Errorf("%s, and it is compared:\n%s", change, text)
		}
	}
}

func TestRetryAfterAndWarningsAreNeverFolded(t *testing.T) {
	trace := uitest.TwoWriters(t)
	e := &trace.Steps[3].Exchanges[0]
	e.ResponseHeaders = map[string]string{"Retry-After": "1", "Warning": `299 - "unknown field \"owner\""`, "Date": "today"}
	for _, size := range viewtest.Sizes {
		text := shown(t, viewtest.Input(&trace, 4, size, scenarios.English, view.State{}))
		for _, s := range []string{"Retry-After: 1", `Warning: unknown field "owner"`} {
			if !strings.Contains(text, s) {
				t.Errorf("%v: no %q in\n%s", size, s, text)
			}
		}
	}
}

func TestAContinueTokenIsReadOut(t *testing.T) {
	const token = "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MjYsInN0YXJ0IjoiL2NtMlx1MDAwMCJ9" // of rv 26, after cm2
	trace := uitest.TwoWriters(t)
	e := &trace.Steps[3].Exchanges[0]
	e.Method, e.Path, e.Status, e.RequestBody = "GET", "/api/v1/namespaces/n/configmaps?limit=2&continue="+token, 200, nil
	e.ResponseBody = json.RawMessage(`{"kind":"ConfigMapList","metadata":{"resourceVersion":"26","continue":"` + token + `"},"items":[{},{}]}`)
	text := shown(t, viewtest.Input(&trace, 4, large, scenarios.English, view.State{}))
	if strings.Count(text, "continue holds: rv 26, after cm2") != 2 || !strings.Contains(text, "200 OK   list rv 26 · 2 items") {
		t.Errorf("not read out:\n%s", text)
	}
}

func TestTheLastRefusalIsChosenUntilAnotherExchangeIs(t *testing.T) {
	trace := uitest.Trace(t, "too-large")
	for chosen, want := range map[int]string{0: "exchange 11 of 11", 10: "exchange 10 of 11", 1: "exchange 1 of 11", -99: "exchange 11 of 11", 12: "exchange 11 of 11"} {
		in := viewtest.Input(&trace, 2, large, scenarios.English, view.State{Chosen: chosen})
		if text := shown(t, in); !strings.Contains(text, want) {
			t.Errorf("chosen %d: no %q in\n%s", chosen, want, text)
		}
		if d := http.Draw(in); d.Choices != 11 {
			t.Errorf("%d choices", d.Choices)
		}
	}
}

// Each size up to a large one, on steps of one, of many and of no exchange.
func TestNoLineIsWiderThanTheViewAtAnySize(t *testing.T) {
	for name, step := range map[string]int{"two-writers": 4, "too-large": 2, "kubectl-apply": 3} {
		trace := uitest.Trace(t, name)
		for w := 0; w <= 210; w += 7 {
			for h := 0; h <= 60; h += 5 {
				for _, lang := range words.Languages {
					viewtest.Drawn(t, http.Draw, viewtest.Input(&trace, step, cells.Size{Width: w, Height: h}, lang, view.State{Down: h, Chosen: w % 13}))
				}
			}
		}
	}
}

func FuzzDraw(f *testing.F) {
	raw, err := json.Marshal(uitest.Trace(f, "conflict-and-retry"))
	if err != nil {
		f.Fatal(err)
	}
	seed := func(trace string) {
		for i, size := range [][2]uint16{{1, 1}, {19, 9}, {60, 18}, {80, 22}, {120, 34}, {200, 58}} {
			f.Add([]byte(trace), size[0], size[1], 6-i, i, -i, i&1 == 1)
		}
	}
	seed(string(raw))
	seed(strings.ReplaceAll(string(raw), "cm1", "名字\\u001b[31m\\t名字名字名字名字名字"))
	seed(strings.ReplaceAll(string(raw), `"exchange":0`, `"exchange":9`))
	seed(strings.ReplaceAll(string(raw), `"attempt":1`, `"attempt":2`))
	seed(strings.ReplaceAll(string(raw), "lhgjam", strings.Repeat("a-very-long-name-", 9)))
	seed(`{}`)
	seed(`{"setup":{"rpcs":[{}]},"steps":[{},{"exchanges":[{}],"rpcs":[{}],"revisions":[{}],"objects":[{}]}]}`)
	seed(`{"steps":[{"exchanges":[{"method":"PUT","path":"/?a=%zz&b","requestBody":[1,"\u0000",{"metadata":[]}],"responseBody":"a\nb","status":-1}]}]}`)
	seed(`{"steps":[{"exchanges":[{"method":"GET","path":"/api/v1/configmaps?watch=1","status":200,"error":"cut\u202eoff"}],"events":[{"exchange":0,"type":"ADDED"},{"exchange":0,"type":"ERROR","object":{"kind":"Status"}}]}]}`)
	f.Fuzz(func(t *testing.T, raw []byte, w, h uint16, cursor, down, chosen int, open bool) {
		var trace scenarios.Trace
		if json.Unmarshal(raw, &trace) != nil {
			t.Skip("no trace")
		}
		size := cells.Size{Width: int(w % 300), Height: int(h % 100)}
		for _, lang := range words.Languages {
			viewtest.Drawn(t, http.Draw, viewtest.Input(&trace, cursor, size, lang, view.State{Down: down, Chosen: chosen, Open: open}))
		}
	})
}

// FuzzTexts puts any text where a cluster's own would be.
func FuzzTexts(f *testing.F) {
	f.Add("cm1", "B writes", int64(214), uint16(120), uint16(34))
	f.Add("名字名字", "谁后写谁冲突。\n\n\t句子", int64(-1), uint16(80), uint16(22))
	f.Add("a\x1b[31mb\x00\u200d\u202e👩‍👩‍👧 é\u0301", strings.Repeat("x", 300), int64(1)<<62, uint16(60), uint16(18))
	f.Fuzz(func(t *testing.T, name, said string, number int64, w, h uint16) {
		body, err := json.Marshal(map[string]any{
			"kind": name, "message": said, "reason": name, "code": number, "details": map[string]any{name: said, "causes": []any{said}},
			"data":     map[string]any{name: said, "n": number, "list": []any{said, number}},
			"metadata": map[string]any{"name": name, "resourceVersion": said, "labels": map[string]any{said: name}, "managedFields": []any{said}},
		})
		if err != nil {
			t.Skip("no JSON of it")
		}
		exchange := 1
		e := scenarios.Exchange{
			Actor: scenarios.Actor(name), Call: 1, Attempt: 2, Method: said, Path: "/" + said + "?" + name, Status: int(number), RequestBody: body, ResponseBody: body,
			RequestHeaders: map[string]string{name: said}, ResponseHeaders: map[string]string{said: name, "Warning": said, "Retry-After": name}, DurationMs: float64(number), TraceID: said, Error: name,
		}
		put := e
		put.Method, put.Path, put.Attempt = "PUT", "/api/v1/namespaces/n/configmaps/"+name, 3
		put.ResponseBody, _ = json.Marshal(map[string]any{"kind": "Status", "message": said, "reason": name, "details": map[string]any{name: said}, said: name})
		trace := scenarios.Trace{Mode: "embedded", Namespace: name, Steps: []scenarios.Observation{{
			Step: 1, Actor: scenarios.Actor(said), Operation: name,
			Exchanges: []scenarios.Exchange{e, put, e},
			RPCs:      []scenarios.RPC{{Exchange: &exchange, Method: name, Key: said, Error: said}, {Exchange: &exchange, Method: "Range", Key: "/" + name, ModRevision: number}},
			Events:    []scenarios.WatchEvent{{Exchange: &exchange, Type: said, Name: name}},
		}}}
		size := cells.Size{Width: int(w % 300), Height: int(h % 100)}
		for chosen := range 3 {
			for _, open := range []bool{false, true} {
				for _, lang := range words.Languages {
					viewtest.Drawn(t, http.Draw, viewtest.Input(&trace, 1, size, lang, view.State{Chosen: chosen, Open: open}))
				}
			}
		}
	})
}

// BenchmarkDraw: a frame at 200×60 must not show how long the trace is, nor, by much, how
// many exchanges its step has.
func BenchmarkDraw(b *testing.B) {
	size := cells.Size{Width: 200, Height: 58}
	run := func(name string, trace scenarios.Trace, step int) {
		b.Run(name, func(b *testing.B) {
			in := viewtest.Input(&trace, step, size, scenarios.English, view.State{})
			b.ReportAllocs()
			for b.Loop() {
				http.Draw(in)
			}
		})
	}
	run("1-step", uitest.TwoWriters(b), 4)
	run("1000-steps", uitest.Long(uitest.TwoWriters(b), 1000), 1000-2)
	run("retries", uitest.Trace(b, "too-large"), 2)
	for _, n := range []int{50, 10_000} {
		run(fmt.Sprintf("storm-%d", n), storm(b, n), 4)
	}
}

// storm is two-writers with B's write sent n times at once, each with RPCs of its own.
func storm(t testing.TB, n int) scenarios.Trace {
	trace := uitest.TwoWriters(t)
	o := &trace.Steps[3]
	e, r := o.Exchanges[0], o.RPCs[0]
	o.Exchanges, o.RPCs = nil, nil
	for i := range n {
		e.Call = i + 1
		o.Exchanges = append(o.Exchanges, e)
		for range 17 {
			r.Exchange = &i
			o.RPCs = append(o.RPCs, r)
		}
	}
	return trace
}
