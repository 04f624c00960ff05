package ui

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// auto is a program that plays by itself. What it waits for, it waits for in no time.
func auto(t *testing.T, stage *fakeStage) *driver {
	usual := speeds[autoSpeed]
	speeds[autoSpeed] = 10 * time.Millisecond
	t.Cleanup(func() { speeds[autoSpeed] = usual })
	return driveWith(t, stage, func(o *Options) { o.Initial, o.Auto = o.Scenarios[0], true })
}

func TestAProgramThatPlaysByItselfEndsAfterTheLastStep(t *testing.T) {
	d := auto(t, newStage(t))
	d.until("the beginning", func() bool { return d.m.begun })
	d.shows("LIVE 0/6")
	d.at(6, 6)
	if d.quit {
		t.Error("it ends before its last step is seen")
	}
	d.until("the end", func() bool { return d.quit })
	if d.m.failed != nil {
		t.Error(d.m.failed)
	}
}

func TestAReaderWhoTakesOverIsNotLeft(t *testing.T) {
	d := auto(t, newStage(t))
	d.at(2, 2)
	d.press("a")
	d.press("l", "l", "l", "l")
	d.at(6, 6)
	d.until("autoplay's end", func() bool { return d.m.state.Autoplay == 0 })
	if d.quit {
		t.Error("the program has ended")
	}
}

func TestWhatAProgramThatPlaysByItselfCannotDoEndsIt(t *testing.T) {
	stage := newStage(t)
	stage.stepErr[3] = errors.New("no such luck")
	d := auto(t, stage)
	d.until("the end", func() bool { return d.quit })
	if d.m.failed == nil || !strings.Contains(d.m.failed.Error(), "taking step 3 of two-writers: no such luck") {
		t.Errorf("it ends with %v", d.m.failed)
	}
}
