package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
)

func TestAQuestionIsAskedBeforeItsStepAndAnsweredByNumber(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("p", "l")
	d.at(1, 1)
	d.press("l")
	d.at(2, 2)
	d.press("l") // A's PUT has a question
	d.shows("QUESTION 3/6", "What comes back?", "1  200 OK, and the resourceVersion stays")
	if d.m.story.Taken() != 2 {
		t.Fatal("the step was taken before it was answered")
	}
	d.press("l")
	d.shows("choose an answer")
	d.press("9")
	d.shows("there are 3 answers")
	d.press("2")
	d.at(3, 3)
	d.shows("predicted  200 OK, and a new resourceVersion")
	d.press("l", "j", "j", "enter")
	d.at(4, 4)
	d.shows("not so  you said: 200 OK: both changes are merged · it is: 409 Conflict: nothing is written")
	d.press("l")
	d.at(5, 5)
	d.press("l")
	d.at(6, 6)
	d.shows("predicted 1 of 2   chapter conflicts: 1 of 2 scenarios answered, 1 of 2 right")
	d.press("h", "h", "h")
	d.shows("predicted  200 OK")
}

func TestAQuestionCanBePutOff(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("p", ":", "4", "enter")
	d.until("the question", func() bool { return d.m.state.Asking != nil })
	if n := d.m.story.Taken(); n != 2 {
		t.Errorf("%d steps were taken before the question", n)
	}
	d.press("esc")
	if d.m.state.Asking != nil || d.m.open == nil || d.m.state.Queued != 0 {
		t.Error("esc does not put it off, or does more")
	}
	d.press("l", "h")
	if d.m.state.Asking != nil {
		t.Error("← does not put it off")
	}
	d.press("l", "p") // that takes no step: the next key does
	d.shows("no questions   → takes the step")
	d.at(2, 2)
	d.press("l")
	d.at(3, 3)
	d.press("r")
	d.at(0, 0)
	if len(d.m.state.Predicted) != 0 {
		t.Error("a fresh run remembers predictions")
	}
}

// Before the reader has chosen, no view and no pane shows what comes.
func TestTheAnswerIsNotShownBeforeTheChoice(t *testing.T) {
	for _, name := range []string{"", "x", "d", "t", "w", "L", "z", "5"} {
		for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 50, Height: 14}} {
			d := drive(t, newStage(t), 0)
			d.at(0, 0)
			d.m.size = size
			d.press("p", ":", "3", "enter")
			d.until("the first question", func() bool { return d.m.state.Asking != nil })
			d.press("2")
			d.at(3, 3)
			if name != "" {
				d.press(name)
			}
			d.press("l")
			d.until("the question", func() bool { return d.m.state.Asking != nil })
			frame := ansi.Strip(d.m.frame())
			for i, line := range strings.Split(frame, "\n") {
				elsewhere := strings.Contains(line, "→ 409") // the path says where another branch would have led
				if strings.Contains(line, "409") && !elsewhere && !strings.Contains(line, "409 Conflict: nothing is written") {
					t.Errorf("%q at %v: line %d tells it:\n%s", name, size, i+1, frame)
				}
			}
			if !strings.Contains(frame, "3  409 Conflict") {
				t.Errorf("%q at %v: the choices are not all to be seen:\n%s", name, size, frame)
			}
		}
	}
}

func TestAutoplayWaitsForAnAnswer(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.at(0, 0)
	d.press("p", ":", "2", "enter")
	d.at(2, 2)
	d.press("a")
	d.until("the question", func() bool { return d.m.state.Asking != nil })
	d.update(playMsg{d.m.round})
	if d.m.story.Taken() != 2 || d.m.state.Asking == nil {
		t.Error("it does not wait")
	}
	d.press("2")
	d.until("the step", func() bool { return d.m.story.Taken() == 3 })
}

func TestWhoLooksBackSendsNothingThatHasNotBegun(t *testing.T) {
	stage := newStage(t)
	stage.gate = make(chan struct{}, 6)
	d := drive(t, stage, 0)
	d.at(0, 0)
	stage.gate <- struct{}{}
	d.press("l")
	d.at(1, 1)
	d.press("l", "l", "l") // one begins, two wait
	if d.m.state.Queued != 2 {
		t.Fatalf("%d steps wait", d.m.state.Queued)
	}
	d.press("g")
	for range 3 {
		stage.gate <- struct{}{}
	}
	d.at(2, 0)
	if d.m.state.Queued != 0 {
		t.Errorf("%d steps wait", d.m.state.Queued)
	}
	d.press("p", "G", "l")
	d.until("the question", func() bool { return d.m.state.Asking != nil })
	d.press("g", "p") // no question, and no step either
	d.at(2, 0)
}

func TestAQuestionThatIsPutOffEndsAutoplay(t *testing.T) {
	for _, name := range []string{"esc", "h", "p"} {
		d := drive(t, newStage(t), 0)
		d.press(":", "2", "enter")
		d.at(2, 2)
		d.press("p", "a")
		d.until("the question", func() bool { return d.m.state.Asking != nil })
		d.shows("1 2 3 answer")
		d.press(name)
		if d.m.state.Autoplay != 0 {
			t.Errorf("after %s it is said to play", name)
		}
	}
}
