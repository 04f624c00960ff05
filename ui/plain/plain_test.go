package plain

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui"
	"rvtui/ui/internal/uitest"
)

func TestTranscriptGolden(t *testing.T) {
	trace := uitest.TwoWriters(t)
	uitest.Golden(t, "transcript", transcript(&trace, scenarios.English))
	uitest.Golden(t, "transcript-zh", transcript(&trace, scenarios.Chinese))
}

func TestMarkdownGolden(t *testing.T) {
	trace := uitest.TwoWriters(t)
	var b strings.Builder
	if err := Markdown(&b, &trace, scenarios.English); err != nil {
		t.Fatal(err)
	}
	uitest.Golden(t, "markdown", b.String())
}

// transcript is a whole trace, told step by step as it comes.
func transcript(trace *scenarios.Trace, lang string) string {
	var parts []string
	for n := range len(trace.Steps) + 1 {
		parts = append(parts, Step(trace, n, lang))
	}
	return strings.Join(append(parts, End(trace, lang)), "\n")
}

func TestWhatAClusterSaysCannotControlTheTerminal(t *testing.T) {
	trace := uitest.TwoWriters(t)
	trace.Steps[3].Exchanges[0].ResponseBody = []byte(`{"kind":"Status","message":"\u001b[31mred\u001b[0m\n\ttab\u0007"}`)
	trace.Steps[3].Exchanges[0].Error = "\x1b]0;title\x07"
	trace.Steps[3].Objects = append(trace.Steps[3].Objects, scenarios.Object{Name: "\x1b[31m\u009b\u202e\x7fgone"})
	trace.Steps[3].RPCs[0].Key = "/registry/\x1b[31mred"
	var b strings.Builder
	b.WriteString(transcript(&trace, scenarios.English))
	if err := Markdown(&b, &trace, scenarios.English); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.String() {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u202e') {
			t.Fatalf("the control character %q came through", r)
		}
	}
}

// stage plays a recorded trace.
type stage struct {
	trace  scenarios.Trace
	fail   int  // this step cannot be done
	waits  bool // a step tells of its request before there is an answer
	steps  int
	closed int
}

func (s *stage) Prepare(_ context.Context, report func(string)) (scenarios.Info, error) {
	for _, phase := range []string{"etcd", "kube-apiserver", "ready"} {
		report(phase)
	}
	return scenarios.Info{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3"}, nil
}

func (s *stage) Begin(_ context.Context, scenario *scenarios.Scenario) (ui.Play, error) {
	trace := uitest.UpTo(s.trace, 0)
	trace.Scenario = scenario.Name
	return &play{s, trace}, nil
}

type play struct {
	stage *stage
	trace scenarios.Trace
}

func (p *play) Trace() scenarios.Trace { return p.trace }

func (p *play) Step(_ context.Context, progress scenarios.Progress) (scenarios.Observation, error) {
	n := len(p.trace.Steps)
	if n == len(p.stage.trace.Steps) {
		return scenarios.Observation{}, io.EOF
	}
	if n+1 == p.stage.fail {
		return scenarios.Observation{}, errors.New("connection refused")
	}
	p.stage.steps++
	o := p.stage.trace.Steps[n]
	if progress != nil && p.stage.waits {
		waiting := []scenarios.Exchange{o.Exchanges[0]}
		waiting[0].InFlight = true
		progress(scenarios.Partial{Exchanges: waiting})
		progress(scenarios.Partial{Exchanges: waiting})
	}
	if progress != nil {
		so := scenarios.Partial{Exchanges: o.Exchanges, Events: o.Events}
		progress(so)
		progress(so)
	}
	p.trace.Steps = append(p.trace.Steps, o)
	return o, nil
}

func (p *play) Close(context.Context) error { p.stage.closed++; return nil }

func converse(t *testing.T, s *stage, typed string, open, prompt bool) (string, error) {
	t.Helper()
	all := []*scenarios.Scenario{
		{Name: "two-writers", Chapter: "conflicts", Title: s.trace.Title},
		{Name: "lost-update", Chapter: "conflicts", Title: scenarios.Text{scenarios.English: "No conflict"}},
	}
	o := Options{Scenarios: all, Lang: scenarios.English, Prompt: prompt, Now: time.Now}
	if open {
		o.Initial = all[0]
	}
	var out strings.Builder
	_, err := Drive(context.Background(), strings.NewReader(typed), &out, s, o)
	if strings.ContainsRune(out.String(), '\x1b') {
		t.Error("there is an escape code in the output")
	}
	return out.String(), err
}

func TestTypedLinesDriveTheWalk(t *testing.T) {
	for name, c := range map[string]struct {
		typed  string
		prompt bool
		steps  int
		want   []string
		not    []string
	}{
		"enter steps":                      {"\n\n", false, 2, []string{"Step 2 of 6."}, []string{"Step 3 of 6.", "> "}},
		"next steps":                       {"next\nn\n", false, 2, []string{"Step 2 of 6."}, nil},
		"back sends nothing":               {"n\nn\nback\nn\n", false, 2, []string{"Step 1 of 6."}, nil},
		"a number goes there":              {"4\nfirst\nlast\n", false, 4, []string{"Step 4 of 6.", "409 Conflict"}, []string{"Step 5 of 6."}},
		"goto goes there":                  {"goto 3\ngoto x\n", false, 3, []string{"Step 3 of 6.", "goto takes a step's number"}, nil},
		"restart begins afresh":            {"n\nrestart\nn\n", false, 2, nil, nil},
		"open opens":                       {"open lost-update\n", false, 0, []string{"lost-update: "}, nil},
		"help helps":                       {"help\n", false, 0, []string{"What can be typed:", "\nstate: how everything stands now", "\nsteps: all steps", "http all: with nothing folded"}, nil},
		"lang changes the language":        {"n\nlang zh\nn\n", false, 2, []string{"Step 1 of 6.", "第 1 步，共 6 步。", "第 2 步，共 6 步。"}, []string{"Step 2 of 6."}},
		"a language like no other":         {"lang xx\n", false, 0, []string{`rvtui does not speak "xx"; it speaks en, zh`}, nil},
		"list lists":                       {"list\n", false, 0, []string{"Chapter conflicts", "2 scenarios."}, nil},
		"nonsense is answered":             {"dance\n", false, 0, []string{`"dance" is nothing that can be typed here. Type help.`}, nil},
		"quit quits":                       {"quit\nn\n", false, 0, nil, []string{"Step 1"}},
		"no input plays to the end":        {"", false, 6, []string{"Step 6 of 6.", "End: 6 steps, all as expected."}, []string{"> "}},
		"no input from a person does not":  {"", true, 0, []string{"> "}, []string{"Step 1 of 6."}},
		"the end says so":                  {"6\n\n", false, 6, []string{"That was the last step. Type next for"}, nil},
		"next at the end opens the next":   {"6\nnext\n", false, 6, []string{"Not run yet, and next: lost-update. Type next to open it.", "lost-update: "}, []string{"That was the last step."}},
		"a person is asked for each line":  {"n\n", true, 1, []string{"> Step 1 of 6."}, nil},
		"an unknown name for a person":     {"open two-writer\n", true, 0, []string{"two-writers"}, nil},
		"an unknown name in a pipe":        {"open two-writer\nn\n", false, 1, []string{"No scenario is called \"two-writer\". The nearest: two-writers.", "Step 1 of 6."}, nil},
		"a name like no other":             {"open nope\nquit\n", false, 0, []string{"No scenario is called \"nope\". Type list to see all."}, nil},
		"a number above the steps":         {"7\ngoto 99\n-1\n", false, 0, []string{"There are 6 steps."}, []string{"Step 1"}},
		"the start is told as it comes":    {"help\n", false, 0, []string{"etcd is up.\nkube-apiserver is up.\nReady: embedded", "goto N"}, []string{"Starting ready", "ready is up"}},
		"a view is told in lines":          {"4\npath\n", false, 4, []string{"is it the stored one?", "──▶ 409 Conflict"}, []string{"│", "╭"}},
		"the requests are told in lines":   {"4\nhttp\n", false, 4, []string{"reason: Conflict", "no write reached etcd"}, []string{"│"}},
		"how everything stands":            {"4\nstate\n", false, 4, []string{"State of two-writers after step 4 of 6:\n", "B, step 4, sent, refused: data.owner: B; instead of data.owner: nobody.\n"}, nil},
		"the whole walk":                   {"4\nsteps\n", false, 4, []string{"step 4 is looked at, 4 of 6 are taken", "3, as expected: A replaces cm1", "5, to come: B reads cm1 again.\n"}, nil},
		"a view unfolded":                  {"4\nhttp\nhttp 1 all\n", false, 4, []string{"Date (http all unfolds)", "creationTimestamp"}, []string{"(o unfolds)"}},
		"a view needs no step":             {"timeline\nlog\netcd\ndiff\n", false, 0, []string{"setup"}, nil},
		"a question waits for its answer":  {"predict\n6\n", false, 2, []string{"Question before step 3:", "2: 200 OK, and a new resourceVersion", "Type the answer's number."}, []string{"Step 3 of 6."}},
		"a right answer":                   {"predict\n3\n2\n", false, 3, []string{"You were right: 200 OK, and a new resourceVersion."}, nil},
		"a wrong answer, and the score":    {"predict\n3\n2\nn\n1\n6\n", false, 6, []string{"You were wrong: you said 200 OK", "it is 409 Conflict: nothing is written.", "You predicted 1 of 2."}, nil},
		"an answer that is none":           {"predict\n3\n7\n", false, 2, []string{"there are 3 answers"}, []string{"Step 3 of 6."}},
		"questions can be turned off":      {"predict\n3\npredict\n3\n", false, 3, []string{"no questions", "Step 3 of 6."}, nil},
		"upper case and spaces are no sin": {"  NEXT  \n", false, 1, []string{"Step 1 of 6."}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stage{trace: uitest.TwoWriters(t)}
			out, err := converse(t, s, c.typed, true, c.prompt)
			if err != nil {
				t.Fatal(err)
			}
			if s.steps != c.steps {
				t.Errorf("%d steps were taken, want %d", s.steps, c.steps)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("%q is missing in\n%s", want, out)
				}
			}
			for _, not := range c.not {
				if strings.Contains(out, not) {
					t.Errorf("%q is in\n%s", not, out)
				}
			}
			if s.closed == 0 {
				t.Error("the walk was not closed")
			}
		})
	}
}

func TestWithoutAScenarioTheListIsToldAndNothingIsPlayed(t *testing.T) {
	s := &stage{trace: uitest.TwoWriters(t)}
	out, err := converse(t, s, "", false, false)
	if err != nil || !strings.Contains(out, "two-writers: Whoever writes second conflicts") || s.steps != 0 {
		t.Errorf("%v, %d steps\n%s", err, s.steps, out)
	}
}

func TestAStepThatCannotBeDoneEndsAPipeAndNotAConversation(t *testing.T) {
	s := &stage{trace: uitest.TwoWriters(t), fail: 2}
	out, err := converse(t, s, "", true, false)
	if err == nil || !strings.Contains(err.Error(), "taking step 2 of two-writers: connection refused") {
		t.Errorf("the error is %v", err)
	}
	if !strings.Contains(out, "Step 2 could not be done: connection refused") {
		t.Error(out)
	}
	if _, err := converse(t, &stage{trace: uitest.TwoWriters(t), fail: 2}, "4\nquit\n", true, true); err != nil {
		t.Errorf("the conversation ended with %v", err)
	}
}

func TestASlowStepsAttemptsAreToldOnceEach(t *testing.T) {
	s := &stage{trace: uitest.TwoWriters(t)}
	s.trace.Plan[0].Slow = "about 43 s"
	out, err := converse(t, s, "n\n", true, false)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(out, "Attempt 1: 200 OK") != 1 || !strings.Contains(out, "It takes about 43 s.") {
		t.Error(out)
	}
}

func TestASlowStepsEventsAreToldAsTheyComeAndAgainInItsText(t *testing.T) {
	s := &stage{trace: uitest.TwoWriters(t)}
	s.trace.Steps[0].Events = []scenarios.WatchEvent{
		{Actor: scenarios.A, Type: "ADDED", Name: "cm1", ResourceVersion: "28", Exchange: new(int)},
		{Actor: scenarios.A, Type: "BOOKMARK", ResourceVersion: "29", Exchange: new(int)},
	}
	quick, err := converse(t, s, "n\n", true, false)
	if err != nil || strings.Count(quick, "Event: ") != 2 {
		t.Errorf("%v, a step that is not slow:\n%s", err, quick)
	}
	s.trace.Plan[0].Slow = "about 43 s"
	slow, err := converse(t, s, "n\n", true, false)
	if err != nil {
		t.Fatal(err)
	}
	before, text, _ := strings.Cut(slow, "Step 1 of 6.")
	if want := "Event: ADDED cm1 rv 28.\nEvent: BOOKMARK rv 29.\n"; strings.Count(before, want) != 1 || !strings.Contains(text, want) {
		t.Error(slow)
	}
}

func TestTheContextsEndEndsTheConversation(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("terminated")
	cancel(cause)
	in, _ := io.Pipe() // says nothing
	_, err := Drive(ctx, in, io.Discard, &stage{trace: uitest.TwoWriters(t)}, Options{Prompt: true})
	if !errors.Is(err, cause) {
		t.Errorf("the error is %v", err)
	}
}

func TestTheEndCountsWhatWasExpected(t *testing.T) {
	check := []scenarios.Check{{OK: true}}
	for want, steps := range map[string][]scenarios.Observation{
		"End: 2 steps, all as expected.":                             {{Verdict: scenarios.OK, Checks: check}, {Verdict: scenarios.OK, Checks: check}},
		"End: 3 steps; 2 as expected, 1 with nothing expected.":      {{Verdict: scenarios.OK, Checks: check}, {Verdict: scenarios.OK}, {Verdict: scenarios.OK, Checks: check}},
		"End: 1 step; 1 with nothing expected.":                      {{Verdict: scenarios.OK}},
		"End: 3 steps; 1 NOT as expected, 1 as expected, 1 skipped.": {{Verdict: scenarios.Skipped}, {Verdict: scenarios.Failed}, {Verdict: scenarios.OK, Checks: check}},
		"End: 0 steps.": nil,
	} {
		if got := strings.TrimSpace(End(&scenarios.Trace{Steps: steps}, scenarios.English)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAnErrorEventThatIsASentenceHasOneFullStop(t *testing.T) {
	trace := uitest.UpTo(uitest.TwoWriters(t), 1)
	trace.Steps[0].Events = []scenarios.WatchEvent{{Actor: scenarios.A, Type: "ERROR", Exchange: new(int),
		Object: []byte(`{"code": 410, "reason": "Expired", "message": "The resourceVersion is too old."}`)}}
	if got := Step(&trace, 1, scenarios.English); !strings.Contains(got, "\nEvent: ERROR 410 Expired: The resourceVersion is too old.\n") {
		t.Error(got)
	}
}

func TestAWarningIsTold(t *testing.T) {
	trace := uitest.UpTo(uitest.TwoWriters(t), 3)
	trace.Steps[2].Exchanges[0].ResponseHeaders = map[string]string{"Warning": `299 - "unknown field \"owner\""`}
	if got := Step(&trace, 3, scenarios.English); !strings.Contains(got, "\nWarning: unknown field \"owner\"\n") {
		t.Error(got)
	}
	var b strings.Builder
	if err := Markdown(&b, &trace, scenarios.English); err != nil || !strings.Contains(b.String(), "> Warning: unknown field \"owner\"\n") {
		t.Error(err, b.String())
	}
}

func TestARestartOfTheAPIServerIsTold(t *testing.T) {
	trace := uitest.UpTo(uitest.TwoWriters(t), 3)
	trace.Steps[2] = scenarios.Observation{Step: 3, Actor: scenarios.Admin, Operation: "apiserverRestart", DurationMs: 868, Verdict: scenarios.OK}
	const want = "The apiserver is another one now: restarted in 868ms."
	told := func() (lines, markdown string) {
		var b strings.Builder
		if err := Markdown(&b, &trace, scenarios.English); err != nil {
			t.Fatal(err)
		}
		return Step(&trace, 3, scenarios.English), b.String()
	}
	if lines, markdown := told(); !strings.Contains(lines, "\n"+want+"\n") || !strings.Contains(markdown, "- "+want+"\n") {
		t.Error(lines, markdown)
	}
	trace.Steps[2].Error = "it does not stop"
	if lines, markdown := told(); strings.Contains(lines+markdown, want) {
		t.Error("it was not restarted:", lines, markdown)
	}
}

func TestTheStateAndTheStepsAreToldInWords(t *testing.T) {
	trace := uitest.TwoWriters(t)
	for _, lang := range []string{scenarios.English, scenarios.Chinese} {
		told := teller{&trace, scenarios.NewHistory(&trace), lang}
		var b strings.Builder
		for _, n := range []int{0, 2, 4} {
			b.WriteString(told.state(n) + "\n" + told.steps(n) + "\n")
		}
		uitest.Golden(t, "state-"+lang, b.String())
	}
	storm := uitest.Trace(t, "patch-storm")
	told := teller{&storm, scenarios.NewHistory(&storm), scenarios.English}
	uitest.Golden(t, "state-storm", told.state(1)+"\n"+told.steps(3))
}

func TestWhatASlowStepWaitsForIsToldOnce(t *testing.T) {
	s := &stage{trace: uitest.TwoWriters(t)}
	s.trace.Plan[0].Slow = "about 43 s"
	s.waits = true
	out, err := converse(t, s, "n\n", true, false)
	if err != nil {
		t.Fatal(err)
	}
	head := strconv.FormatInt(s.trace.Setup.Etcd.Head, 10)
	if said := "Waiting for the answer: A sends GET configmaps/cm1. etcd's head is " + head + ".\n"; strings.Count(out, said) != 1 || !strings.Contains(out, "Next: step 1. A reads cm1. It takes about 43 s.") {
		t.Error(out)
	}
}

func TestMarkdownTakesNoTextForMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"# no heading": "\\# no heading", "1. no list": "1\\. no list", "- no list": "\\- no list", "> no quotation": "\\> no quotation",
		"a <b>&lt;b ~~c~~": "a \\<b>\\&lt;b \\~\\~c\\~\\~", "C# 1.": "C# 1.", "10 of 12": "10 of 12",
	} {
		if got := escape(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := code("GET `<b>|x"); got != "`GET '<b>\\|x`" {
		t.Errorf("code becomes %q", got)
	}
}
