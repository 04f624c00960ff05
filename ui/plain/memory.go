package plain

import (
	"slices"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// remember notes down how far the open scenario has come. A file of the reader's is not
// remembered, as in the terminal program.
func (d *driver) remember() {
	if !slices.Contains(d.Scenarios, d.scenario) {
		return
	}
	more := d.Memory.After(d.scenario.Name, d.teller.trace, d.foretell.said, d.Now())
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

// lastRun is how a scenario's last run ended, or how far it came, in a sentence behind its
// title; "" where there was none.
func (d *driver) lastRun(s *scenarios.Scenario) string {
	run, ok := d.Memory.Runs[s.Name]
	if !ok {
		return ""
	}
	var said string
	switch run.Verdict {
	case scenarios.OK:
		said = words.In(d.Lang, "as expected")
	case scenarios.Failed:
		said = words.In(d.Lang, "NOT as expected")
	case scenarios.Skipped:
		said = words.In(d.Lang, "skipped")
	default:
		said = words.In(d.Lang, "%d of %s taken", run.Step, words.CountIn(d.Lang, run.Steps, "step", "steps"))
	}
	if !run.At.IsZero() {
		said += words.In(d.Lang, ", ") + run.At.Format(time.DateOnly)
	}
	if score := d.Memory.Scores[s.Name]; score.Asked > 0 {
		said += words.In(d.Lang, ", ") + words.In(d.Lang, "predicted %d of %d", score.Right, score.Asked)
	}
	return words.In(d.Lang, ". Last run: %s.", said)
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
