package commands

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rvtui/scenarios"
)

func TestBadInputIsOneLineAndExit2(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"unknown scenario":        {[]string{"check", "two-writerz"}, "did you mean two-writers?"},
		"unknown scenario opened": {[]string{"two-writerz"}, "did you mean two-writers?"},
		"no such file":            {[]string{"run", "nowhere.yaml"}, "nowhere.yaml: no such file or directory"},
		"a directory with none":   {[]string{"run", t.TempDir()}, "there is no scenario file"},
		"labels that none has":    {[]string{"check", "--label", "nothing"}, "no scenario has these labels"},
		"misspelt field":          {[]string{"check", scenarioFile(t, "cm1", "get:", "gett:")}, "mine.yaml:6: steps[0].gett: unknown field; did you mean get?"},
		"a file without an end":   {[]string{"check", "/dev/zero"}, "larger than 1024 KiB"},
		"a file's own words":      {[]string{"check", scenarioFile(t, "cm1", "get:", "\"\\e[31mgett\":")}, "?[31mgett: unknown field"},
		"unknown format":          {[]string{"check", "-o", "xml"}, "it takes table, json, junit"},
		"unknown flag":            {[]string{"--colour", "never"}, "unknown flag: --colour"},
		"bad colour":              {[]string{"list", "--color", "sometimes"}, "--color is \"sometimes\""},
		"bad theme":               {[]string{"list", "--theme", "blue"}, "--theme is \"blue\"; it takes auto, dark, light, high-contrast, ansi"},
		"bad language":            {[]string{"list", "--lang", "fr"}, "--lang is \"fr\""},
		"run without a name":      {[]string{"run"}, "takes a scenario's name or file"},
		"two scenarios to open":   {[]string{"two-writers", "no-op"}, "one scenario can be opened at a time"},
		"arguments to version":    {[]string{"version", "more"}, "takes no arguments"},
		"unknown scenario listed": {[]string{"list", "-o", "yaml", "two-writerz"}, "did you mean two-writers?"},
	} {
		o := try(t, test.args...)
		if o.code != 2 || !strings.Contains(o.errors, test.says) || strings.Count(o.errors, "\n") != 1 || o.out != "" {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit 2 and one line with %q", name, o.code, o.out, o.errors, test.says)
		}
	}
}

func TestControlPlaneThatCannotStartIsOneLineAndExit2(t *testing.T) {
	o := tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return nil, errNoStart }, "check", "no-op")
	if o.code != 2 || o.errors != "rvtui: "+errNoStart.Error()+"\n" {
		t.Errorf("exit %d, stderr %q", o.code, o.errors)
	}
}

func TestWhatTheServersDoInsideIsRecordedWhereItIsTold(t *testing.T) {
	file := scenarioFile(t, "cm1")
	for _, test := range []struct {
		inside bool
		args   []string
	}{
		{true, []string{"run", file, "-o", "json"}},
		{false, []string{"run", file}},
		{false, []string{"run", file, "-o", "markdown"}},
		{false, []string{"check", file, "-o", "json"}},
		{true, []string{file}}, // in lines, for there is no terminal
	} {
		o := try(t, test.args...)
		if !o.closed || o.inside != test.inside {
			t.Errorf("%v: started: %t, inside: %t; %s", test.args, o.closed, o.inside, o.errors)
		}
	}
}

func TestCheckExits1AndSaysWhichStepWhatWasExpectedAndWhatCame(t *testing.T) {
	o := try(t, "check", scenarioFile(t, "cm1", "200", "409, reason: Conflict"))
	if o.code != 1 || !o.closed {
		t.Fatalf("exit %d, control plane stopped: %t; %s", o.code, o.closed, o.errors)
	}
	for _, says := range []string{"mine  failed", "step 1, A get cm1", "expected  409 Conflict", "got       200 OK", "0 ok, 1 failed"} {
		if !strings.Contains(o.out, says) {
			t.Errorf("%q does not say %q", o.out, says)
		}
	}
}

func TestCheckSkipsWithAReasonWhatTheClusterCannotShow(t *testing.T) {
	o := try(t, "check", scenarioFile(t, "cm1", "title: Mine", "title: Mine\nneeds: [etcd.compact]"))
	if o.code != 2 || !strings.Contains(o.errors, "nothing was checked") || !strings.Contains(o.out, "skipped") || !strings.Contains(o.out, "needs etcd.compact") {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
}

func TestCheckJSONHasItsShape(t *testing.T) {
	o := try(t, "check", "-o", "json", scenarioFile(t, "cm1"), scenarioFile(t, "cm1", "200", "201"))
	var got map[string]any
	if err := json.Unmarshal([]byte(o.out), &got); err != nil {
		t.Fatalf("%v in %q", err, o.out)
	}
	if got["kubernetes"] != "1.37.2" || got["etcd"] != "3.7.3" || got["mode"] != "embedded" {
		t.Errorf("%v", got)
	}
	rows := got["scenarios"].([]any)
	for i, verdict := range []string{"ok", "failed"} {
		row := rows[i].(map[string]any)
		if row["name"] != "mine" || row["verdict"] != verdict {
			t.Errorf("row %d: %v", i, row)
		}
		for _, field := range []string{"reason", "durationMs"} {
			if _, ok := row[field]; !ok {
				t.Errorf("row %d has no %s", i, field)
			}
		}
	}
	if o.code != 1 {
		t.Errorf("exit %d", o.code)
	}
}

func TestCheckTakesADirectoryAndKeepsTheOrder(t *testing.T) {
	directory := t.TempDir()
	for i := range 9 {
		content, err := os.ReadFile(scenarioFile(t, "cm1", "scenario: mine", fmt.Sprintf("scenario: mine-%d", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(directory, fmt.Sprintf("%d.yaml", i)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := try(t, "check", directory)
	if o.code != 0 || !strings.Contains(o.out, "9 ok, 0 failed") {
		t.Fatalf("exit %d, %q, %q", o.code, o.out, o.errors)
	}
	for i, line := range strings.Split(o.out, "\n")[:9] {
		if !strings.HasPrefix(line, fmt.Sprintf("mine-%d  ok", i)) {
			t.Errorf("row %d is %q", i, line)
		}
	}
}

func TestCheckRestartsTheAPIServerWhenNobodyElseIsThere(t *testing.T) {
	restart := func(name string) string {
		return scenarioFile(t, "cm1", "scenario: mine", "scenario: "+name, "get: {name: cm1}", "apiserverRestart: {}")
	}
	args := []string{"check", restart("restart-1"), scenarioFile(t, "cm1"), restart("restart-2")}
	for range 5 {
		args = append(args, scenarioFile(t, "cm1"))
	}
	seen := &walks{}
	o := tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return fakeCluster{walks: seen}, nil }, args...)
	if want := [][2]int{{7, 6}, {8, 7}}; !slices.Equal(seen.atRestart, want) {
		t.Errorf("walks begun and ended at the restarts: %v, want %v", seen.atRestart, want)
	}
	for i, name := range []string{"restart-1", "mine", "restart-2", "mine"} {
		if line := strings.Split(o.out, "\n")[i]; !strings.HasPrefix(line, name+" ") {
			t.Errorf("row %d is %q, want %s", i, line, name)
		}
	}
}

// A program that reads the report gets those that came to an end, and the exit code says that
// it is not all.
func TestCheckReportsWhatCameToAnEndBeforeTheControlPlaneWent(t *testing.T) {
	last := scenarioFile(t, "block", "scenario: mine", "scenario: last", "steps:", "steps:\n  - {actor: admin, apiserverRestart: {}}") // after all others
	for format, want := range map[string]string{"json": `"name": "mine"`, "junit": `tests="1"`} {
		cluster := fakeCluster{blocked: make(chan struct{}), failed: make(chan error, 1)}
		go func() {
			<-cluster.blocked
			cluster.failed <- errors.New("etcd has gone")
		}()
		o := tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return cluster, nil }, "check", "-o", format, last, scenarioFile(t, "cm1"))
		if o.code != 2 || !strings.Contains(o.errors, "etcd has gone") || !strings.Contains(o.out, want) || strings.Contains(o.out, "last") {
			t.Errorf("%s: exit %d, %q, %q", format, o.code, o.errors, o.out)
		}
	}
}

func TestCheckFailFastBeginsNoOther(t *testing.T) {
	o := try(t, "check", "--fail-fast", scenarioFile(t, "cm1", "200", "201", "title: Mine", "title: Mine\nneeds: [etcd.read]"), scenarioFile(t, "cm1"))
	if o.code != 1 || !strings.Contains(o.out, "1 failed") {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
}

func TestCheckJUnitIsXMLThatCountsAndNamesTheFailures(t *testing.T) {
	o := try(t, "check", "-o", "junit", scenarioFile(t, "cm1"), scenarioFile(t, "cm1", "200", "409"))
	var got junitSuites
	if err := xml.Unmarshal([]byte(o.out), &got); err != nil {
		t.Fatalf("%v in %q", err, o.out)
	}
	if o.code != 1 || got.Suite.Tests != 2 || got.Suite.Failures != 1 || len(got.Suite.Cases) != 2 ||
		got.Suite.Cases[0].Failure != nil || got.Suite.Cases[1].Failure == nil ||
		!strings.Contains(got.Suite.Cases[1].Failure.Text, "expected  409 Conflict") {
		t.Errorf("exit %d, %+v", o.code, got)
	}
}

func TestLabelsChooseScenarios(t *testing.T) {
	slow := &scenarios.Scenario{Labels: []string{"slow"}}
	quick := &scenarios.Scenario{}
	for name, test := range map[string]struct {
		options     checkOptions
		slow, quick bool
	}{
		"all":       {checkOptions{}, true, true},
		"only slow": {checkOptions{labels: []string{"slow"}}, true, false},
		"no slow":   {checkOptions{skipLabels: []string{"slow"}}, false, true},
		"none":      {checkOptions{labels: []string{"slow"}, skipLabels: []string{"slow"}}, false, false},
	} {
		if got := test.options.wants(slow); got != test.slow {
			t.Errorf("%s: slow %t", name, got)
		}
		if got := test.options.wants(quick); got != test.quick {
			t.Errorf("%s: quick %t", name, got)
		}
	}
}

func TestListYAMLPrintsAFileThatCanBeRun(t *testing.T) {
	o := try(t, "list", "-o", "yaml", "two-writers")
	if _, err := scenarios.Decode("printed.yaml", []byte(o.out)); o.code != 0 || err != nil {
		t.Errorf("exit %d, %v", o.code, err)
	}
}

func TestListJSONHasItsShape(t *testing.T) {
	o := try(t, "list", "-o", "json")
	var rows []map[string]any
	if err := json.Unmarshal([]byte(o.out), &rows); err != nil {
		t.Fatalf("%v in %q", err, o.out)
	}
	if len(rows) < 13 {
		t.Errorf("%d scenarios, want at least 13", len(rows))
	}
	for _, row := range rows {
		title, _ := row["title"].(map[string]any)
		_, labels := row["labels"].([]any)
		_, needs := row["needs"].([]any)
		if row["name"] == "" || row["chapter"] == "" || title["en"] == "" || !labels || !needs {
			t.Errorf("%v", row)
		}
	}
}

func TestRunJSONHoldsTheEvidence(t *testing.T) {
	o := try(t, "run", "-o", "json", scenarioFile(t, "cm1"))
	var trace scenarios.Trace
	if err := json.Unmarshal([]byte(o.out), &trace); err != nil || o.code != 0 {
		t.Fatalf("exit %d, %v in %q", o.code, err, o.out)
	}
	if trace.Scenario != "mine" || len(trace.Steps) != 1 || trace.Steps[0].Exchanges[0].Status != 200 {
		t.Errorf("%+v", trace)
	}
}

func TestRunTextAndMarkdownTellTheSteps(t *testing.T) {
	for _, format := range []string{"text", "markdown"} {
		o := try(t, "run", "-o", format, scenarioFile(t, "cm1"))
		if o.code != 0 || !strings.Contains(o.out, "Mine") || !strings.Contains(o.out, "200 OK") {
			t.Errorf("%s: exit %d, %q", format, o.code, o.out)
		}
	}
}

func TestPanicInAStepStopsTheControlPlaneAndExits70(t *testing.T) {
	for _, args := range [][]string{{"check"}, {"run"}, {}} {
		o := try(t, append(args, scenarioFile(t, "panic"))...)
		if o.code != 70 || !o.closed || !strings.Contains(o.errors, "internal error: out of order") {
			t.Errorf("%v: exit %d, control plane stopped: %t, stderr %q", args, o.code, o.closed, o.errors)
		}
	}
}

func TestSignalInAStepStopsTheControlPlaneAndExitsAsAShellWould(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, args := range [][]string{{"check"}, {"run"}, {}} {
			cluster := fakeCluster{blocked: make(chan struct{})}
			go func() {
				<-cluster.blocked
				_ = syscall.Kill(syscall.Getpid(), signal)
			}()
			o := tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return cluster, nil },
				append(args, scenarioFile(t, "block"))...)
			if o.code != 128+int(signal) || !o.closed || o.errors != "" {
				t.Errorf("%v, %v: exit %d, control plane stopped: %t, stderr %q", signal, args, o.code, o.closed, o.errors)
			}
		}
	}
}

func TestControlPlaneThatEndsEndsTheProgramAndSaysWhy(t *testing.T) {
	for _, args := range [][]string{{"check"}, {"run"}, {}} {
		cluster := fakeCluster{blocked: make(chan struct{}), failed: make(chan error, 1)}
		go func() {
			<-cluster.blocked
			cluster.failed <- errors.New("etcd ended: no space left on device")
		}()
		o := tryOn(t, func(context.Context, func(string)) (scenarios.Cluster, error) { return cluster, nil },
			append(args, scenarioFile(t, "block"))...)
		if o.code != 2 || !o.closed || o.errors != "rvtui: the control plane has ended: etcd ended: no space left on device\n" {
			t.Errorf("%v: exit %d, control plane stopped: %t, stderr %q", args, o.code, o.closed, o.errors)
		}
	}
}

func TestPipeThatNobodyWritesToEndsWithASignal(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo.yaml")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	opened := make(chan *os.File, 1)
	go func() {
		// This succeeds once the program has opened the pipe to read.
		writer, err := os.OpenFile(fifo, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
		}
		opened <- writer
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
	}()
	defer func() { _ = (<-opened).Close() }()
	if o := try(t, "check", fifo); o.code != 143 || o.errors != "" {
		t.Errorf("exit %d, stderr %q", o.code, o.errors)
	}
}

func TestVersionNamesWhatIsBuiltIn(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		o := try(t, args...)
		if o.code != 0 || !strings.Contains(o.out, "kube-apiserver 1.37.2") || !strings.Contains(o.out, "etcd 3.7.3") {
			t.Errorf("%v: exit %d, %q", args, o.code, o.out)
		}
	}
}

func TestExplainAnswersOrSaysThatItCannot(t *testing.T) {
	o := try(t, "explain", `Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`)
	if o.code != 0 || !strings.Contains(o.out, "rvtui two-writers") || !strings.Contains(o.out, "Fix:") {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
	o = try(t, "explain", "connection refused")
	if o.code != 1 || o.out != "" || strings.Count(o.errors, "\n") != 1 {
		t.Errorf("exit %d, stdout %q, stderr %q", o.code, o.out, o.errors)
	}
	o = try(t, "explain", "-") // stdin is empty
	if o.code != 1 || o.out != "" {
		t.Errorf("exit %d, stdout %q", o.code, o.out)
	}
}

func TestHelpHasExamples(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"run", "--help"}, {"check", "--help"}, {"list", "--help"}} {
		if o := try(t, args...); o.code != 0 || !strings.Contains(o.out, "Examples:") || !strings.Contains(o.out, "rvtui") {
			t.Errorf("%v: exit %d, %q", args, o.code, o.out)
		}
	}
}

func TestLanguageComesFromTheFlagThenTheEnvironment(t *testing.T) {
	for name, test := range map[string]struct {
		flag string
		env  map[string]string
		want string
	}{
		"nothing":          {"", nil, "en"},
		"LANG":             {"", map[string]string{"LANG": "zh_CN.UTF-8"}, "zh"},
		"LC_ALL over LANG": {"", map[string]string{"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"},
		"the flag":         {"zh", map[string]string{"LC_ALL": "en_US.UTF-8"}, "zh"},
		"not spoken":       {"", map[string]string{"LANG": "de_DE.UTF-8"}, "en"},
	} {
		s := settings{lang: test.flag}
		got := s.language(func(name string) (string, bool) { value, ok := test.env[name]; return value, ok })
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestCheckSaysOfAStepThatNothingWasExpectedOfThatItCouldNotBeDone(t *testing.T) {
	file := scenarioFile(t, "cm1", "get: {name: cm1}", "replace: {name: nosuch}", "    expect: {code: 200}\n", "", "chapter: conflicts\n", "")
	o := try(t, "check", file)
	if o.code != 1 || strings.Contains(o.out, "expected") || strings.Count(o.out, "could not be done: A holds no nosuch") != 2 {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
	var got junitSuites
	if err := xml.Unmarshal([]byte(try(t, "check", "-o", "junit", file).out), &got); err != nil {
		t.Fatal(err)
	}
	if one := got.Suite.Cases[0]; one.Class != "rvtui" || one.Failure == nil || !strings.Contains(one.Failure.Text, "could not be done: A holds no nosuch") {
		t.Errorf("%+v", got)
	}
}
