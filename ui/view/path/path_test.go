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

// evidence is what a test holds a path against: the RPCs and the spans, not a text.
type evidence struct {
	rpcs  []scenarios.RPC
	spans []scenarios.Span
}

func evidenceOf(o *scenarios.Observation, exchange int) evidence {
	var e evidence
	for _, r := range o.RPCs {
		if r.Exchange != nil && *r.Exchange == exchange {
			e.rpcs = append(e.rpcs, r)
		}
	}
	for _, s := range o.Spans {
		if s.Exchange == exchange {
			e.spans = append(e.spans, s)
		}
	}
	return e
}

func (e evidence) events(span, event string) int {
	n := 0
	for _, s := range e.spans {
		if s.Name != span {
			continue
		}
		for _, happened := range s.Events {
			if happened.Name == event {
				n++
			}
		}
	}
	return n
}

func (e evidence) has(span string) bool {
	return slices.ContainsFunc(e.spans, func(s scenarios.Span) bool { return s.Name == span })
}

func (e evidence) methods() string {
	var names []string
	for _, r := range e.rpcs {
		names = append(names, r.Method)
	}
	return strings.Join(names, " ")
}

const guaranteed = "GuaranteedUpdate etcd3"

func TestThePathTakesTheBranchThatRPCsAndSpansShow(t *testing.T) {
	refused := func(e *scenarios.Exchange) bool { return e.Status == 409 }
	any := func(*scenarios.Exchange) bool { return true }
	for _, c := range []struct {
		scenario string
		step     int
		exchange func(*scenarios.Exchange) bool
		question path.Question
		answer   path.Answer
		proven   func(evidence) bool
	}{
		{"two-writers", 4, refused, path.RVEqual, path.No, func(e evidence) bool {
			return e.methods() == "Range" && e.events(guaranteed, "initial value restored") == 1 && e.events(guaranteed, "Transaction prepared") == 0
		}},
		{"two-writers", 3, any, path.Txn, path.Succeeded, func(e evidence) bool {
			return e.methods() == "Txn" && *e.rpcs[0].Succeeded && e.events(guaranteed, "Transaction prepared") == 1
		}},
		{"no-op", 2, any, path.Change, path.No, func(e evidence) bool {
			return e.methods() == "Range" && e.events(guaranteed, "Encode succeeded") == 1 && e.events(guaranteed, "Transaction prepared") == 0
		}},
		{"merge-patch", 2, any, path.Txn, path.Succeeded, func(e evidence) bool {
			return e.methods() == "Txn" && e.events("Patch", "About to apply patch") == 1
		}},
		{"merge-patch", 3, refused, path.RVEqual, path.No, func(e evidence) bool {
			return e.methods() == "Range" && e.has("Patch") && e.events(guaranteed, "Transaction prepared") == 0
		}},
		{"exact-compacted", 4, any, path.Cache, path.Yes, func(e evidence) bool {
			return len(e.rpcs) == 0 && e.events("cacher.GetList", "GetExactSnapshotLocked success") == 1
		}},
		{"exact-compacted", 5, any, path.Etcd, path.Compacted, func(e evidence) bool {
			return e.methods() == "Range" && strings.Contains(e.rpcs[0].Error, "compacted") && e.has("List(recursive=false) etcd3")
		}},
		{"too-large", 1, any, path.Fresh, path.TimedOut, func(e evidence) bool {
			return len(e.rpcs) == 0 && e.events("cacher.Get", "watchCache locked acquired") == 1 && e.events("cacher.Get", "watchCache fresh enough") == 0
		}},
		{"any-version", 1, any, path.Cache, path.Yes, func(e evidence) bool {
			return e.methods() == "Range" && e.rpcs[0].Count == 0 && e.events("cacher.GetList", "getCurrentRV success") == 1
		}},
		{"any-version", 2, any, path.Cache, path.Yes, func(e evidence) bool {
			return len(e.rpcs) == 0 && e.has("cacher.GetList") && e.events("cacher.GetList", "getCurrentRV success") == 0
		}},
	} {
		t.Run(fmt.Sprintf("%s-%d", c.scenario, c.step), func(t *testing.T) {
			trace := uitest.Trace(t, c.scenario)
			o := view.Observation(&trace, c.step)
			i := slices.IndexFunc(o.Exchanges, func(e scenarios.Exchange) bool { return c.exchange(&e) })
			if i < 0 {
				t.Fatal("the trace has no such exchange")
			}
			p := path.Of(&trace, o, i)
			end, ok := p.End()
			if !ok || end.Question != c.question || end.Answer != c.answer || end.Reached != path.Seen {
				t.Errorf("it ends at %+v, want %s %s, seen", end, c.question, c.answer)
			}
			if e := evidenceOf(o, i); !c.proven(e) {
				t.Errorf("the trace does not show that: RPCs %s, spans %+v", e.methods(), e.spans)
			}
		})
	}
}

func TestTheLoserOfARaceIsSeenToLoseItsTxnAndToGoRoundAgain(t *testing.T) {
	trace := uitest.Trace(t, "true-race")
	losers := 0
	for n := range trace.Steps {
		o := &trace.Steps[n]
		for i := range o.Exchanges {
			e := evidenceOf(o, i)
			if o.Exchanges[i].Status != 409 || e.methods() != "Txn" || *e.rpcs[0].Succeeded {
				continue
			}
			losers++
			p := path.Of(&trace, o, i)
			txn := p.Nodes[slices.IndexFunc(p.Nodes, func(n path.Node) bool { return n.Question == path.Txn })]
			if txn.Answer != path.Lost || txn.Round != 1 || txn.Revision != e.rpcs[0].ModRevision {
				t.Errorf("step %d: the Txn is %+v, and the RPC %+v", o.Step, txn, e.rpcs[0])
			}
			if end, _ := p.End(); end.Question != path.RVEqual || end.Answer != path.No || end.Round != 2 || end.Revision != e.rpcs[0].ModRevision {
				t.Errorf("step %d: it ends at %+v, want the second round's comparison", o.Step, end)
			}
			if len(e.spans) > 0 && e.events(guaranteed, "Retry value restored") != 1 {
				t.Errorf("step %d: no span shows a second round", o.Step)
			}
		}
	}
	if losers == 0 {
		t.Error("nobody lost in a Txn: the fixture shows no race")
	}
}

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
