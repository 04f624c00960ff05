package plain

import (
	"context"
	"slices"
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/runs"
	"rvtui/ui/words"
)

// predicting is what a reader foretold.
type predicting struct {
	goal   int // the step to go on to, once the question is answered; 0 is none
	on     bool
	asking int         // the step whose question is asked now; 0 where none is
	said   map[int]int // by step, the choice, from 1
}

// togglePredict turns the questions on and off.
func (d *driver) togglePredict() {
	d.foretell.on = !d.foretell.on
	d.foretell.asking = 0
	if d.foretell.on {
		d.say("predict: each question is asked before its step")
	} else {
		d.say("no questions")
	}
}

// ask tells the next step's question and its answers, where it has one that is still to be
// answered; false where it has none.
func (d *driver) ask() bool {
	t := d.teller.trace
	n := len(t.Steps)
	_, answered := d.foretell.said[n+1]
	if !d.foretell.on || answered || n >= len(t.Plan) || len(t.Plan[n].Choices) == 0 {
		return false
	}
	p := t.Plan[n]
	d.foretell.asking = n + 1
	d.say("Question before step %d: %s", n+1, oneLine(p.Ask.In(d.Lang)))
	for i, choice := range p.Choices {
		d.printf("%d: %s\n", i+1, oneLine(choice.In(d.Lang)))
	}
	d.say("Type the answer's number.")
	return true
}

// hushed is the teller; where answers are still to be foretold, without title and summary,
// most of which tell them.
func (d *driver) hushed() teller {
	t := d.teller
	if d.foretell.on && len(t.trace.Steps) < len(t.trace.Plan) {
		trace := *t.trace
		trace.Title = scenarios.Text{d.Lang: t.in("you are asked first: title and summary would give answers away, and wait until the end")}
		trace.Summary = nil
		t.trace = &trace
	}
	return t
}

// answer takes a number as the answer to the question that is asked, and does its step.
func (d *driver) answer(ctx context.Context, n int) error {
	choices := len(d.teller.trace.Plan[d.foretell.asking-1].Choices)
	if n < 1 || n > choices {
		d.say("there are %d answers", choices)
		return nil
	}
	if d.foretell.said == nil {
		d.foretell.said = map[int]int{}
	}
	d.foretell.said[d.foretell.asking] = n
	d.foretell.asking = 0
	d.cursor = len(d.teller.trace.Steps)
	goal := d.foretell.goal
	d.foretell.goal = 0
	if err := d.next(ctx); err != nil || d.cursor >= goal {
		return err
	}
	return d.goTo(ctx, goal)
}

// number is a line that can be an answer.
func number(word string) (int, bool) {
	n, err := strconv.Atoi(word)
	return n, err == nil
}

// foretold says whether a step came as the reader had said.
func (d *driver) foretold(n int) {
	t := d.teller.trace
	said, ok := d.foretell.said[n]
	if !ok || n > len(t.Plan) || n > len(t.Steps) {
		return
	}
	choice := func(i int) string { return oneLine(t.Plan[n-1].Choices[i-1].In(d.Lang)) }
	if untold := words.Untold(&t.Steps[n-1], d.Lang); untold != "" {
		d.say("You said %s; %s.", choice(said), untold)
		return
	}
	switch right := t.Steps[n-1].Right; right {
	case 0:
		d.say("Your answer is undecided: %s.", choice(said))
	case said:
		d.say("You were right: %s.", choice(said))
	default:
		d.say("You were wrong: you said %s; it is %s.", choice(said), choice(right))
	}
}

// score counts what was foretold, at a scenario's end.
func (d *driver) score() {
	if s := runs.ScoreOf(d.teller.trace, d.foretell.said); s.Asked > 0 {
		d.say("You predicted %d of %d.", s.Right, s.Asked)
		if slices.Contains(d.Scenarios, d.scenario) {
			d.chapterScore(d.scenario.Chapter)
		}
	}
}

// chapterScore says how the reader's predictions stand in a chapter; false where none were
// asked for in it.
func (d *driver) chapterScore(chapter string) bool {
	c := d.Memory.Chapter(d.Scenarios, chapter)
	switch {
	case c.Answered == 0:
		return false
	case c.Done():
		d.say("Chapter %s: %d of %d right.", c.Name, c.Right, c.Asked)
	default:
		d.say("Chapter %s: %d of %d scenarios answered, %d of %d right.", c.Name, c.Answered, c.Questions, c.Right, c.Asked)
	}
	return true
}
