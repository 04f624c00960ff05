package commands

import (
	"fmt"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// notSeen is what a cluster did not show of a scenario.
type notSeen struct {
	Steps        []int    `json:"steps,omitempty"`        // that could not be done, from 1
	Expectations int      `json:"expectations,omitempty"` // that could not be judged
	Of           int      `json:"of"`                     // expectations in all
	Lack         []string `json:"lack,omitempty"`         // the capabilities that these would need
	Since        []string `json:"since,omitempty"`        // the versions of Kubernetes from which on they hold
}

// notSeenOf is nil where everything was seen.
func notSeenOf(trace *scenarios.Trace) *notSeen {
	left := trace.Left()
	if len(left.Steps) == 0 && left.Checks == 0 {
		return nil
	}
	n := &notSeen{Steps: left.Steps, Expectations: left.Checks, Lack: left.Lack, Since: left.Since}
	for i := range trace.Steps {
		n.Of += len(trace.Steps[i].Checks)
	}
	return n
}

// text is it in a line: "not judged here: step 6, 4 of 18 expectations (needs etcd.read, etcd.rpc)".
func (n *notSeen) text() string {
	var what []string
	if len(n.Steps) > 0 {
		steps := make([]string, len(n.Steps))
		for i, step := range n.Steps {
			steps[i] = fmt.Sprint(step)
		}
		word := "step "
		if len(steps) > 1 {
			word = "steps "
		}
		what = append(what, word+strings.Join(steps, ", "))
	}
	if n.Expectations > 0 {
		what = append(what, fmt.Sprintf("%d of %d expectations", n.Expectations, n.Of))
	}
	var why []string
	if len(n.Lack) > 0 {
		why = append(why, "needs "+strings.Join(n.Lack, ", "))
	}
	if len(n.Since) > 0 {
		why = append(why, "so since Kubernetes "+strings.Join(n.Since, ", "))
	}
	return fmt.Sprintf("not judged here: %s (%s)", strings.Join(what, ", "), strings.Join(why, "; "))
}

// lacking lists, for the summary, which capabilities were missing, and for how many scenarios.
func (r report) lacking() string {
	count := map[string]int{}
	for _, s := range r.Scenarios {
		lack := s.lack
		if s.NotSeen != nil {
			lack = s.NotSeen.Lack
		}
		for _, capability := range lack {
			count[capability]++
		}
	}
	var b strings.Builder
	for _, capability := range scenarios.Capabilities {
		if count[capability] > 0 {
			fmt.Fprintf(&b, "  %-18s %s: in %s\n", capability, words.Capability(capability, scenarios.English), scenariosText(count[capability]))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "not given by this cluster:\n" + b.String()
}

// remarks lists, for the summary, what the cluster made of what was written.
func (r report) remarks() string {
	count, all := map[string]int{}, []string(nil)
	for _, s := range r.Scenarios {
		for _, remark := range s.Remarks {
			if count[remark]++; count[remark] == 1 {
				all = append(all, remark)
			}
		}
	}
	if all == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("on this cluster objects are not quite what was sent:\n")
	for _, remark := range all {
		fmt.Fprintf(&b, "  %s: in %s\n", words.Clean(remark), scenariosText(count[remark]))
	}
	return b.String()
}

func scenariosText(n int) string {
	if n == 1 {
		return "1 scenario"
	}
	return fmt.Sprintf("%d scenarios", n)
}

// checkedStep is what became of one step.
type checkedStep struct {
	Step      int               `json:"step"`
	Actor     scenarios.Actor   `json:"actor"`
	Operation string            `json:"operation"`
	Verdict   scenarios.Verdict `json:"verdict"`
	Expected  string            `json:"expected"`
	Got       string            `json:"got"`

	checks []scenarios.Check
}

func stepsOf(trace *scenarios.Trace) []checkedStep {
	steps := make([]checkedStep, 0, len(trace.Steps))
	for i := range trace.Steps {
		o := &trace.Steps[i]
		steps = append(steps, checkedStep{o.Step, o.Actor, o.Operation, o.Verdict, o.Expected, o.Got, slices.Clone(o.Checks)})
	}
	return steps
}
