package plain

import (
	"slices"

	"rvtui/scenarios"
	"rvtui/ui/runs"
)

// remember notes down how far the open scenario has come. A file of the reader's is not
// remembered, as in the terminal program.
func (d *driver) remember() {
	if !slices.Contains(d.Scenarios, d.scenario) {
		return
	}
	name := d.scenario.Name
	run := d.Memory.Runs[name].After(d.teller.trace, d.Now())
	more := runs.Memory{Runs: map[string]runs.Run{name: run}}
	d.session, d.Memory = d.session.And(more), d.Memory.And(more)
}

// nextScenario is the one to go on with after the open one; nil where all others were run.
func (d *driver) nextScenario() *scenarios.Scenario {
	next := d.Memory.Next(d.Scenarios, slices.Index(d.Scenarios, d.scenario)+1)
	if next == d.scenario {
		return nil
	}
	return next
}

// resume says, below the list, what to go on with, or what to begin with.
func (d *driver) resume() {
	if len(d.Scenarios) == 0 {
		return
	}
	at := d.Scenarios[d.Memory.Resume(d.Scenarios)]
	switch {
	case d.Memory.Empty():
		d.say("To begin: open %s. Then enter takes each step, and help says what else there is.", at.Name)
	case d.Memory.Runs[at.Name].Verdict == "":
		d.say("Not run yet, and next: %s.", at.Name)
	}
}

// offer says, at the end of a scenario, which one comes next.
func (d *driver) offer() {
	if next := d.nextScenario(); next != nil && !d.alone {
		d.say("Not run yet, and next: %s. Type next to open it.", next.Name)
	}
}
