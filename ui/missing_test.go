package ui

import (
	"testing"

	"rvtui/scenarios"
)

func TestAScenarioThatTheClusterCannotShowIsSkippedAndSaysWhatItTakes(t *testing.T) {
	stage := newStage(t)
	stage.beginErr = &scenarios.MissingError{Scenario: "two-writers", Missing: []string{scenarios.CapabilityEtcdCompact}}
	d := drive(t, stage, 0)
	d.until("the refusal", func() bool { return d.m.state.Problem != nil })
	d.shows("This cluster cannot show two-writers.", "It needs etcd.compact: a compaction, of a store that is nobody else's.", "esc back to the list")
	if got := d.m.picker.Verdicts["two-writers"]; got != scenarios.Skipped {
		t.Errorf("the verdict is %q", got)
	}
	d.press("esc")
	d.shows("skipped")
}
