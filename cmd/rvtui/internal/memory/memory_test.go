package memory

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/runs"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func session(name string) runs.Memory {
	return runs.Memory{
		Runs:   map[string]runs.Run{name: {Verdict: scenarios.OK, Step: 6, Steps: 6, At: noon}},
		Scores: map[string]runs.Score{name: {Right: 4, Asked: 6}},
	}
}

func names(t *testing.T, directory string) []string {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

func TestWhatIsSavedIsLoadedAndForTheReaderAlone(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "state", "rvtui")
	path := filepath.Join(directory, "state.json")
	if m, err := Load(path); err != nil || !m.Empty() {
		t.Fatalf("before there is a file: %v, %v", m, err)
	}
	want := session("two-writers")
	want.Runs["no-op"] = runs.Run{Step: 1, Steps: 4, At: noon}
	if err := Save(path, want); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %+v, want %+v", err, got, want)
	}
	for name, mode := range map[string]os.FileMode{path: 0o600, directory: 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v, %s has the mode %v, want %v", err, filepath.Base(name), info.Mode().Perm(), mode)
		}
	}
	if all := names(t, directory); len(all) != 1 {
		t.Errorf("there are %v", all)
	}
}

func TestAnotherSessionsRunsStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	for _, name := range []string{"two-writers", "no-op"} {
		if err := Save(path, session(name)); err != nil {
			t.Fatal(err)
		}
	}
	if m, err := Load(path); err != nil || len(m.Runs) != 2 || len(m.Scores) != 2 {
		t.Errorf("%v, %+v", err, m)
	}
}

func TestASessionThatRanNothingWritesNothing(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "rvtui")
	if err := Save(filepath.Join(directory, "state.json"), runs.Memory{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(directory); !os.IsNotExist(err) {
		t.Errorf("there is a directory: %v", err)
	}
}

func TestAFileThatCannotBeUsedIsSaidAndKept(t *testing.T) {
	for name, test := range map[string]struct{ content, says string }{
		"empty":         {"", "it is no JSON"},
		"cut off":       {`{"version":1,"scena`, "it is no JSON"},
		"newer":         {`{"version":2,"runs":[]}`, "its version is 2, and this rvtui knows 1"},
		"other types":   {`{"version":1,"scenarios":[]}`, "it is no JSON as rvtui writes it"},
		"odd verdict":   {`{"version":1,"scenarios":{"x":{"verdict":"great"}}}`, `"x" has the verdict "great"`},
		"too far":       {`{"version":1,"scenarios":{"x":{"step":7,"steps":6}}}`, `step 7 of 6`},
		"too much luck": {`{"version":1,"scenarios":{"x":{"predicted":{"right":7,"asked":6}}}}`, `7 of 6 predictions`},
		"too large":     {strings.Repeat(" ", maxBytes+1), "larger than 1024 KiB"},
	} {
		directory := t.TempDir()
		path := filepath.Join(directory, "state.json")
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := Load(path)
		var damaged *DamagedError
		if !errors.As(err, &damaged) || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") || !m.Empty() {
			t.Errorf("%s: %v, %+v", name, err, m)
		}
		if content, err := os.ReadFile(path); err != nil || string(content) != test.content {
			t.Errorf("%s: loading has changed the file: %v", name, err)
		}
		// Twice: what was kept first must not be overwritten by what is kept then.
		for _, kept := range []string{"state.json.bad", "state.json.2.bad"} {
			if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := Save(path, session("two-writers")); err != nil {
				t.Fatal(err)
			}
			if content, err := os.ReadFile(filepath.Join(directory, kept)); err != nil || string(content) != test.content {
				t.Errorf("%s: it was not kept as %s: %v", name, kept, err)
			}
			if m, err := Load(path); err != nil || len(m.Runs) != 1 {
				t.Errorf("%s: %v, %+v", name, err, m)
			}
		}
	}
}

func TestWhatIsNoFileIsNeitherWaitedForNorOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	var damaged *DamagedError
	if _, err := Load(path); !errors.As(err, &damaged) {
		t.Error(err)
	}
	if err := Save(path, session("two-writers")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path + ".bad"); err != nil || !info.IsDir() {
		t.Errorf("%v", err)
	}
}

func TestWhereNothingCanBeWrittenTheErrorSaysSo(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := Save(filepath.Join(blocked, "rvtui", "state.json"), session("two-writers"))
	if err == nil || !strings.HasPrefix(err.Error(), "saving what was run: ") {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"scenarios":{"two-writers":{"verdict":"ok","step":6,"steps":6,"at":"2026-11-30T12:00:00Z","predicted":{"right":4,"asked":6}}}}`))
	f.Add([]byte(`{"version":1,"scenarios":null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := decode(content)
		if err != nil {
			return
		}
		again, err := encode(m)
		if err != nil {
			return // a year that JSON has no form for
		}
		if _, err := decode(again); err != nil {
			t.Errorf("%q was read and written as %q: %v", content, again, err)
		}
	})
}
