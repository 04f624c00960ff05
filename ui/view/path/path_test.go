package path_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/view"
	"rvtui/ui/view/path"
)

// What a path says of Txns is what the RPCs and the spans say, in every recorded request.
func TestEveryPathAgreesWithItsEvidence(t *testing.T) {
	paths := 0
	for _, name := range uitest.Traces(t) {
		trace := uitest.Trace(t, name)
		for n := 0; n <= len(trace.Steps); n++ {
			o := view.Observation(&trace, n)
			if o == nil {
				continue
			}
			for i := range o.Exchanges {
				p := path.Of(&trace, o, i)
				if !p.Known() {
					continue
				}
				paths++
				if err := agrees(p, evidenceOf(o, i)); err != nil {
					t.Errorf("%s, step %d, exchange %d, %s %s: %v\n%+v", name, n, i, o.Exchanges[i].Method, o.Exchanges[i].Path, err, p.Nodes)
				}
			}
		}
	}
	if paths < 100 {
		t.Errorf("only %d paths were looked at", paths)
	}
}

func agrees(p path.Path, e evidence) error {
	lost, held, failed, wrote, ends := 0, 0, 0, 0, 0
	for i, n := range p.Nodes {
		if ends > 0 && n.Reached != path.NotReached {
			return fmt.Errorf("%s comes after the end", n.Question)
		}
		if n.Ends {
			ends++
		}
		if n.Reached == path.NotObserved {
			return fmt.Errorf("%s was not observed", n.Question)
		}
		if n.Question == path.Finalizers && n.Answer == path.Yes && n.Revision > 0 {
			held++ // a deletion that only marks: its Txn is this node's
		}
		if n.Question != path.Txn || n.Reached == path.NotReached {
			continue
		}
		switch n.Answer {
		case path.Lost:
			lost++
			if i+1 == len(p.Nodes) && !n.Ends {
				return fmt.Errorf("nothing follows a lost Txn")
			}
		case path.Succeeded:
			held++
		}
	}
	for _, r := range e.rpcs {
		if r.Method == "Txn" && r.Writes != "" {
			if r.Wrote() {
				wrote++
			} else {
				failed++
			}
		}
	}
	prepared, retried := e.events(guaranteed, "Transaction prepared"), e.events(guaranteed, "Retry value restored")
	switch {
	case ends != 1:
		return fmt.Errorf("%d ends", ends)
	case lost != failed:
		return fmt.Errorf("%d Txns lost, and %d failed", lost, failed)
	case held != wrote:
		return fmt.Errorf("%d Txns held, and %d wrote", held, wrote)
	case e.has(guaranteed) && retried > failed:
		return fmt.Errorf("%d rounds again in the spans, and %d failed Txns", retried, failed)
	case e.has(guaranteed) && prepared > failed+wrote:
		return fmt.Errorf("%d Txns prepared in the spans, and %d sent", prepared, failed+wrote)
	}
	return nil
}

// Elsewhere there are neither spans nor RPCs: then nothing but the request itself is seen.
func TestWithoutSpansAndRPCsNothingIsClaimedToBeSeen(t *testing.T) {
	ofTheRequest := []path.Question{path.RVGiven, path.Which, path.RVOnCreate}
	for _, name := range uitest.Traces(t) {
		trace := uitest.Trace(t, name)
		trace.Can = []string{}
		for n := 0; n <= len(trace.Steps); n++ {
			o := view.Observation(&trace, n)
			if o == nil {
				continue
			}
			bare := *o
			bare.RPCs, bare.Spans, bare.Events = nil, nil, nil
			for i := range bare.Exchanges {
				p := path.Of(&trace, &bare, i)
				for _, node := range p.Nodes {
					if node.Reached == path.Seen && !slices.Contains(ofTheRequest, node.Question) {
						t.Errorf("%s, step %d, %s %s: %s is said to be seen: %+v", name, n, bare.Exchanges[i].Method, bare.Exchanges[i].Path, node.Question, node)
					}
				}
			}
		}
	}
}

// Each node names a function and its file: both must be there in the version built in.
func TestTheFunctionsAreInTheEmbeddedVersion(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/apiserver").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "pkg")
	for _, source := range path.Sources() {
		code, err := os.ReadFile(filepath.Join(root, source[1]))
		if err != nil {
			t.Errorf("%s: %v", source[0], err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + source[0] + `\(`).Match(code) {
			t.Errorf("%s has no function %s", source[1], source[0])
		}
	}
}

func FuzzDraw(f *testing.F) {
	traces := []scenarios.Trace{uitest.Trace(f, "two-writers"), uitest.Trace(f, "true-race"), uitest.Trace(f, "too-large"), uitest.Trace(f, "resume")}
	f.Add(uint8(0), 4, uint16(120), uint16(34), 0, 0, "")
	f.Add(uint8(1), 2, uint16(60), uint16(18), 2, 3, "名字")
	f.Fuzz(func(t *testing.T, which uint8, cursor int, w, h uint16, chosen, down int, said string) {
		trace := traces[int(which)%len(traces)]
		size := cells.Size{Width: int(w%300) + 1, Height: int(h % 100)}
		if said != "" {
			trace.Kubernetes = said
			trace.Steps = slices.Clone(trace.Steps)
			for i := range trace.Steps {
				trace.Steps[i].Exchanges = slices.Clone(trace.Steps[i].Exchanges)
				for j := range trace.Steps[i].Exchanges {
					e := &trace.Steps[i].Exchanges[j]
					e.Path, e.Status = said+e.Path, cursor
				}
			}
		}
		for _, lang := range []string{scenarios.English, scenarios.Chinese} {
			at := view.State{Chosen: chosen, Down: down, Open: down%2 == 0}
			viewtest.Drawn(t, path.Draw, viewtest.Input(&trace, cursor, size, lang, at))
		}
	})
}

func TestAStepWithNoRequestIsNotScrolled(t *testing.T) {
	trace := uitest.TwoWriters(t)
	for cursor := range len(trace.Steps) + 2 { // the beginning, and past the end
		viewtest.Drawn(t, path.Draw, viewtest.Input(&trace, cursor, cells.Size{Width: 80, Height: 22}, "en", view.State{}))
	}
}
