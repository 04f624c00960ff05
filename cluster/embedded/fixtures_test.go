package embedded

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

// record writes the traces anew that the tests of the screen use:
//
//	go test ./cluster/embedded -run Fixtures -record
var record = flag.Bool("record", false, "record the traces in ui/testdata again")

const fixtures = "../../ui/testdata"

// large is the size from which a recorded trace is compressed, in bytes.
const large = 150_000

// The traces that the screens are tested with must be such as the servers of the version
// built in give: each is recorded once more, and has to be alike in what does not depend
// on chance.
func TestTheFixturesAreWhatTheServersDo(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(fixtures, "*.json*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixture was found: %v", err)
	}
	named := func(file string) *scenarios.Scenario {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		return scenarioNamed(t, name)
	}
	// What compacts the store comes last: the others' traces would show it.
	slices.SortStableFunc(files, func(a, b string) int {
		compacts := func(file string) int {
			if slices.Contains(named(file).Requires(), scenarios.CapabilityEtcdCompact) {
				return 1
			}
			return 0
		}
		return compacts(a) - compacts(b)
	})
	for _, file := range files {
		scenario := named(file)
		name := scenario.Name
		if slices.Contains(scenario.Labels, "slow") && !*record {
			continue // its expectations are held against the servers by TestEveryScenario
		}
		t.Run(name, func(t *testing.T) {
			trace := quietly(t, scenario)
			if *record {
				write(t, name, trace)
			}
			if got, want := shape(trace), shape(read(t, file)); got != want {
				t.Errorf("the recorded trace (-record makes it again) is not what the servers do:\n%s\n--- and now\n%s", want, got)
			}
		})
	}
}

// quietly records a scenario's trace, if it can be had with no revision of others in it:
// the apiserver renews leases of its own now and then.
func quietly(t *testing.T, scenario *scenarios.Scenario) scenarios.Trace {
	tries := 1
	if *record && !slices.Contains(scenario.Labels, "slow") {
		tries = 8
	}
	var trace scenarios.Trace
	for range tries {
		trace = walk(t, onInside(t), scenario)
		others := 0
		for i := range trace.Steps {
			for _, r := range trace.Steps[i].Revisions {
				if !r.Own {
					others++
				}
			}
		}
		if others == 0 {
			break
		}
	}
	return trace
}

// shape is what a trace of a scenario has in common with every other one: the steps, their
// verdicts, and their answers; of a race, how many of which.
func shape(trace scenarios.Trace) string {
	var b strings.Builder
	for _, o := range trace.Steps {
		answers := map[string]int{}
		for _, e := range o.Exchanges {
			answers[fmt.Sprintf("%s %s %d", e.Actor, e.Method, e.Status)]++
		}
		fmt.Fprintf(&b, "%d %s %s", o.Step, o.Operation, o.Verdict)
		if _, storm := answers["A PATCH 200"]; len(o.Exchanges) < 10 || storm {
			byCode := map[string]int{}
			for answer, n := range answers {
				byCode[answer[strings.Index(answer, " ")+1:]] += n
			}
			fmt.Fprintf(&b, " %v", byCode)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func read(t *testing.T, file string) scenarios.Trace {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err == nil && strings.HasSuffix(file, ".gz") {
		var from *gzip.Reader
		if from, err = gzip.NewReader(bytes.NewReader(raw)); err == nil {
			raw, err = io.ReadAll(from)
		}
	}
	var trace scenarios.Trace
	if err == nil {
		err = json.Unmarshal(raw, &trace)
	}
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func write(t *testing.T, name string, trace scenarios.Trace) {
	t.Helper()
	raw, err := json.MarshalIndent(trace, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(fixtures, name+".json")
	for _, old := range []string{file, file + ".gz"} {
		_ = os.Remove(old)
	}
	if len(raw) > large {
		var packed bytes.Buffer
		to, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if _, err := to.Write(raw); err != nil {
			t.Fatal(err)
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		file, raw = file+".gz", packed.Bytes()
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}
