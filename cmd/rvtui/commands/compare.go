package commands

import (
	"fmt"
	"io"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// comparison is how the scenarios came out on another cluster.
type comparison struct {
	Kubernetes string      `json:"kubernetes"`
	Etcd       string      `json:"etcd"`
	Mode       string      `json:"mode"`
	Same       int         `json:"same"` // scenarios that came out alike, as far as both clusters show them
	Differing  []differing `json:"differing"`
	NotSeen    []string    `json:"notSeen"` // scenarios that one of them cannot show at all
}

// differing is a scenario that came out otherwise.
type differing struct {
	Name  string          `json:"name"`
	Here  string          `json:"here"`  // in a line, where no step tells it
	There string          `json:"there"` // the same
	Steps []differingPair `json:"steps,omitempty"`

	unseen bool // a step failed by what the other side does not show
}

// differingPair is a step that came out otherwise.
type differingPair struct {
	Step      int             `json:"step"`
	Actor     scenarios.Actor `json:"actor"`
	Operation string          `json:"operation"`
	Here      string          `json:"here"`
	There     string          `json:"there"`
}

// compareWith holds a report's scenarios against the same ones on another cluster. What one of the two
// does not show is no difference.
func (r report) compareWith(other report) *comparison {
	c := &comparison{Kubernetes: other.Kubernetes, Etcd: other.Etcd, Mode: other.Mode, Differing: []differing{}, NotSeen: []string{}}
	there := other.Scenarios
	for i := range r.Scenarios {
		a := &r.Scenarios[i]
		if a.Trace != nil {
			continue // it is of neither
		}
		if a.Verdict == scenarios.Skipped {
			c.NotSeen = append(c.NotSeen, a.Name)
			continue // it was not walked through there
		}
		b := &there[0]
		there = there[1:]
		if b.Verdict == scenarios.Skipped {
			c.NotSeen = append(c.NotSeen, a.Name)
		} else if d := differenceOf(a, b); d != nil {
			c.Differing = append(c.Differing, *d)
		} else {
			c.Same++
		}
	}
	return c
}

func differenceOf(a, b *checked) *differing {
	d := &differing{Name: a.Name}
	for i := range min(len(a.Steps), len(b.Steps)) {
		here, there := a.Steps[i], b.Steps[i]
		var fromHere, fromThere []string
		unseen := false // what failed on one side is not seen on the other
		for k := range min(len(here.checks), len(there.checks)) {
			x, y := here.checks[k], there.checks[k]
			// What is so only since another version was looked at all the same.
			if x.Lack == nil && y.Lack == nil && x.OK != y.OK {
				fromHere = append(fromHere, cameTo(x))
				fromThere = append(fromThere, cameTo(y))
			} else {
				unseen = unseen || !x.OK && !y.OK && x.Unseen != y.Unseen
			}
		}
		if fromHere == nil && !unseen && here.Verdict != there.Verdict && (here.Verdict == scenarios.Failed || there.Verdict == scenarios.Failed) {
			fromHere, fromThere = []string{inALine(here.Verdict, here.Got)}, []string{inALine(there.Verdict, there.Got)}
		}
		d.unseen = d.unseen || unseen
		if fromHere != nil {
			d.Steps = append(d.Steps, differingPair{here.Step, here.Actor, here.Operation, strings.Join(fromHere, "; "), strings.Join(fromThere, "; ")})
		}
	}
	if d.Steps == nil && (a.Verdict == b.Verdict || d.unseen) {
		return nil
	}
	if d.Steps == nil { // the setup, for one
		d.Here, d.There = inALine(a.Verdict, a.Reason), inALine(b.Verdict, b.Reason)
	}
	return d
}

func inALine(verdict scenarios.Verdict, reason string) string {
	if reason == "" {
		return string(verdict)
	}
	return string(verdict) + ": " + reason
}

// cameTo is what came of a check: what was expected, or what came instead.
func cameTo(c scenarios.Check) string {
	if c.OK {
		return c.Expected.In(scenarios.English)
	}
	if c.Since != "" {
		return "not " + c.Expected.In(scenarios.English) + " (" + c.Got.In(scenarios.English) + ")"
	}
	return "not " + c.Expected.In(scenarios.English) + ", but " + c.Got.In(scenarios.English)
}

// writeTo writes the comparison below the table.
func (c *comparison) writeTo(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\ncompared with %s:\n", onText(c.Mode, c.Kubernetes, c.Etcd))
	for _, d := range c.Differing {
		fmt.Fprintf(&b, "%s\n", words.Clean(d.Name))
		if d.Steps == nil {
			fmt.Fprintf(&b, "    here   %s\n    there  %s\n", words.Clean(d.Here), words.Clean(d.There))
		}
		for _, s := range d.Steps {
			fmt.Fprintf(&b, "  step %d, %s\n    here   %s\n    there  %s\n", s.Step, words.Clean(string(s.Actor)+" "+s.Operation), words.Clean(s.Here), words.Clean(s.There))
		}
	}
	fmt.Fprintf(&b, "%d alike, %d different", c.Same, len(c.Differing))
	if n := len(c.NotSeen); n > 0 {
		fmt.Fprintf(&b, ", %d that one of the two cannot show", n)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
