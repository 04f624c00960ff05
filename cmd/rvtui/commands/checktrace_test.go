package commands

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestATraceIsCheckedAgainWithNoControlPlane(t *testing.T) {
	o := tryAlone(t, "", "check", fixturePath("two-writers.json"), fixturePath("patch-storm.json.gz"))
	if o.code != 0 || o.errors != "" {
		t.Fatalf("exit %d, %s%s", o.code, o.out, o.errors)
	}
	for _, says := range []string{"two-writers (", "patch-storm (", "2 ok, 0 failed, 0 skipped", "from recorded traces"} {
		if !strings.Contains(o.out, says) {
			t.Errorf("%q is not in %s", says, o.out)
		}
	}
}

func fixturePath(name string) string {
	return filepath.Join("..", "..", "..", "ui", "testdata", name)
}

func TestAVerdictThatIsNotTheRecordedOneIsShown(t *testing.T) {
	trace := recordedTrace(t, "two-writers")
	trace.Steps[3].Exchanges[0].Status = 200
	trace.Steps[0].Verdict = scenarios.Failed
	file := traceFile(t, trace)
	o := tryAlone(t, "", "check", file)
	if o.code != 1 {
		t.Errorf("exit %d, %s", o.code, o.errors)
	}
	for _, says := range []string{
		"  step 4, B replace cm1\n    expected  409 Conflict", "  step 1, A get cm1: ok now, and was recorded as failed\n",
		"  step 4, B replace cm1: failed now, and was recorded as ok\n", "0 ok, 1 failed",
	} {
		if !strings.Contains(o.out, says) {
			t.Errorf("%q is not in %s", says, o.out)
		}
	}
	var report struct {
		Kubernetes string
		Scenarios  []struct {
			Verdict   string
			Trace     struct{ File, Kubernetes string }
			Differing []struct {
				Step              int
				Recorded, Verdict string
			}
		}
	}
	if err := json.Unmarshal([]byte(tryAlone(t, "", "check", "-o", "json", file).out), &report); err != nil {
		t.Fatal(err)
	}
	row := report.Scenarios[0]
	if report.Kubernetes != "1.37.2" || row.Trace.File != file || row.Verdict != "failed" || len(row.Differing) != 2 || row.Differing[1].Recorded != "ok" {
		t.Errorf("%+v", report)
	}
	var suites junitSuites
	if err := xml.Unmarshal([]byte(tryAlone(t, "", "check", "-o", "junit", file).out), &suites); err != nil {
		t.Fatal(err)
	}
	if one := suites.Suite.Cases[0]; suites.Suite.Failures != 1 || !strings.Contains(one.Failure.Text, "was recorded as ok") {
		t.Errorf("%+v", suites)
	}
}

func TestATraceOfAnotherVersionOfAScenarioIsNotJudged(t *testing.T) {
	trace := recordedTrace(t, "two-writers")
	trace.Plan[2].Operation = "patch cm1 (merge)"
	o := tryAlone(t, "", "check", traceFile(t, trace))
	if o.code != 0 || !strings.Contains(o.out, "0 ok, 0 failed, 1 skipped") ||
		strings.Count(o.out, "not judged") != 4 || !strings.Contains(o.out, `step 3, A replace cm1: not judged: it was "A patch cm1 (merge)", and is "A replace cm1" today`) {
		t.Errorf("exit %d, %s", o.code, o.out)
	}
}

func TestATraceThatEndsEarlyIsNoSuccess(t *testing.T) {
	trace := recordedTrace(t, "two-writers")
	trace.Steps = trace.Steps[:4]
	o := tryAlone(t, "", "check", traceFile(t, trace))
	if o.code != 0 || !strings.Contains(o.out, "skipped") || !strings.Contains(o.out, "  the trace ends after 4 of 6 steps\n") {
		t.Errorf("exit %d, %s", o.code, o.out)
	}
}

func TestATraceOfAnOwnScenarioIsJudgedByItsFile(t *testing.T) {
	file := scenarioFile(t, "cm1")
	trace := written(t, "mine.json", try(t, "run", file, "-o", "json").out)
	if o := tryAlone(t, "", "check", trace, "--scenario", file); o.code != 0 || !strings.Contains(o.out, "1 ok") {
		t.Errorf("exit %d, %s%s", o.code, o.out, o.errors)
	}
	if o := tryAlone(t, "", "check", trace, "--scenario", scenarioFile(t, "cm1", "200", "404")); o.code != 1 || !strings.Contains(o.out, "expected  404 Not Found") {
		t.Errorf("exit %d, %s%s", o.code, o.out, o.errors)
	}
	for says, args := range map[string][]string{
		"mine.json is a trace of mine, which is no built-in scenario; --scenario FILE gives its file": {"check", trace},
		"mine.json is a trace of mine, and --scenario gives another one":                              {"check", trace, "--scenario", "two-writers"},
		"--scenario is for traces, and none was named":                                                {"check", "two-writers", "--scenario", file},
		"is a saved trace, and no scenario":                                                           {"check", trace, "--scenario", trace},
	} {
		if o := tryAlone(t, "", args...); o.code != 2 || !strings.Contains(o.errors, says) || strings.Count(o.errors, "\n") != 1 {
			t.Errorf("%q: exit %d, %s", says, o.code, o.errors)
		}
	}
}

func TestTracesAreCheckedBesideScenarios(t *testing.T) {
	file := scenarioFile(t, "cm1")
	o := try(t, "check", file, fixturePath("no-op.json"))
	if o.code != 0 || !o.closed || !strings.Contains(o.out, "no-op (") || !strings.Contains(o.out, "\nmine ") ||
		!strings.Contains(o.out, "2 ok, 0 failed, 0 skipped") || !strings.Contains(o.out, "on kube-apiserver 1.37.2") {
		t.Errorf("exit %d, %s%s", o.code, o.out, o.errors)
	}
	trace := recordedTrace(t, "no-op")
	trace.Steps[0].Exchanges[0].Status = 500
	if o := tryAlone(t, "", "check", "--fail-fast", file, traceFile(t, trace)); o.code != 1 || !strings.Contains(o.out, "1 failed, 1 skipped") {
		t.Errorf("exit %d, %s%s", o.code, o.out, o.errors)
	}
}

func TestADamagedTraceIsOneLine(t *testing.T) {
	content, err := os.ReadFile(fixturePath("no-op.json"))
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, "damaged.json", string(content[:len(content)/2]))
	o := tryAlone(t, "", "check", file)
	if want := "rvtui: cannot read the trace " + file + ": it is cut off: its JSON has no end\n"; o.code != 2 || o.errors != want {
		t.Errorf("exit %d, %q", o.code, o.errors)
	}
}

func TestATraceOpenedAsAScenarioSaysWhatToType(t *testing.T) {
	trace := traceFile(t, recordedTrace(t, "no-op"))
	content, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	my, zipped := written(t, "my trace.json", string(content)), written(t, "t.json.gz", "\x1f\x8b")
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"opened":        {[]string{trace}, trace + " is a saved trace, and no scenario; `rvtui play " + trace + "` opens it, and `rvtui check " + trace + "` judges it again"},
		"run":           {[]string{"run", trace}, "is a saved trace, and no scenario; `rvtui play"},
		"with a space":  {[]string{my}, "`rvtui play '" + my + "'` opens it"},
		"a damaged one": {[]string{zipped}, "cannot read the trace"},
	} {
		if o := tryAlone(t, "", test.args...); o.code != 2 || !strings.Contains(o.errors, test.says) || strings.Count(o.errors, "\n") != 1 {
			t.Errorf("%s: exit %d, %s", name, o.code, o.errors)
		}
	}
	// A scenario may be written in JSON.
	scenario := written(t, "mine.json", `{"scenario": "mine", "chapter": "conflicts", "title": "Mine", "steps": [{"actor": "A", "get": {"name": "cm1"}}]}`)
	if o := try(t, "run", scenario); o.code != 0 {
		t.Errorf("exit %d, %s", o.code, o.errors)
	}
}
