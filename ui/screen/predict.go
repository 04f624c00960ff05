package screen

import (
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/runs"
	"rvtui/ui/words"
)

// Asking is the question before a step, which is taken once one of its choices is chosen.
type Asking struct {
	Step int // its number, from 1
	At   int // the choice that enter takes, from 1; 0 while none is
}

// hushed reports whether title and summary wait: most of them tell what comes back, and
// the reader is to say so first.
func (f *frame) hushed() bool { return f.state.Predict && !f.story.Done() }

// about is the scenario's title and summary, or why they are not told yet.
func (f *frame) about() (title, summary string) {
	t := &f.story.Trace
	if f.hushed() {
		return t.Scenario, f.in("you are asked first: title and summary would give answers away, and wait until the end") + f.in(".")
	}
	return t.Title.In(f.lang), t.Summary.In(f.lang)
}

// question is what is asked before the next step, and the answers to choose from.
func (f *frame) question(width int) []cells.Line {
	ask := f.state.Asking
	plan := f.story.Trace.Plan
	if ask.Step < 1 || ask.Step > len(plan) {
		return nil
	}
	p := plan[ask.Step-1]
	out := []cells.Line{cells.TextLine(strconv.Itoa(ask.Step)+"  "+f.planned(p), &f.th.Strong)}
	out = append(out, cells.WrapLines(p.Ask.In(f.lang), width, &f.th.Text)...)
	for i, choice := range p.Choices {
		mark, style := "   ", &f.th.Text
		if ask.At == i+1 {
			mark, style = " ▸ ", &f.th.Strong
		}
		for j, l := range cells.Wrap(choice.In(f.lang), max(1, width-6)) {
			number := strconv.Itoa(i+1) + "  "
			if j > 0 {
				mark, number = "   ", "   "
			}
			out = append(out, cells.Line{{mark, style}, {number, &f.th.Key}, {l, style}})
		}
	}
	return out
}

func (f *frame) planned(p scenarios.PlannedStep) string {
	if title := p.Title.In(f.lang); title != "" {
		return title
	}
	return p.Operation
}

// foretold is what the reader predicted of the step under the cursor, and whether it came.
func (f *frame) foretold(width int) []cells.Line {
	said, ok := f.state.Predicted[f.state.Cursor]
	plan := f.story.Trace.Plan
	if !ok || f.step == nil || f.state.Cursor < 1 || f.state.Cursor > len(plan) {
		return nil
	}
	choices := plan[f.state.Cursor-1].Choices
	if said < 1 || said > len(choices) {
		return nil
	}
	theirs := choices[said-1].In(f.lang)
	short, rest, style := f.in("predicted"), theirs, &f.th.Good
	switch right := f.step.Right; {
	case right == 0 && words.Untold(f.step, f.lang) != "":
		short, style = f.in("not told"), &f.th.Strong
		rest = f.in("you said: %s · %s", theirs, words.Untold(f.step, f.lang))
	case right == 0:
		short, style = f.in("undecided"), &f.th.Strong
	case right != said:
		short, style = f.in("not so"), &f.th.Bad
		rest = f.in("you said: %s · it is: %s", theirs, choices[right-1].In(f.lang))
	}
	out := []cells.Line{}
	for i, l := range cells.Wrap(rest, max(1, width-cells.Width(short)-2)) {
		if i == 0 {
			out = append(out, cells.Line{{short, style}, {"  ", nil}, {l, &f.th.Text}})
			continue
		}
		out = append(out, cells.Line{{cells.Spaces(cells.Width(short) + 2), nil}, {l, &f.th.Text}})
	}
	return out
}

// score is how the reader's predictions came out, at the end of a scenario, and how the
// chapter stands with it.
func (f *frame) score(width int) []cells.Line {
	s := runs.ScoreOf(&f.story.Trace, f.state.Predicted)
	if s.Asked == 0 || f.state.Cursor < len(f.story.Trace.Plan) {
		return nil
	}
	l := cells.TextLine(f.in("predicted %d of %d", s.Right, s.Asked), &f.th.Strong)
	switch c := f.state.Chapter; {
	case c.Questions == 0:
	case c.Done():
		l = append(l, cells.Text("   "+f.in("chapter %s: %d of %d right", c.Name, c.Right, c.Asked), &f.th.Strong))
	default:
		l = append(l, cells.Text("   "+f.in("chapter %s: %d of %d scenarios answered, %d of %d right", c.Name, c.Answered, c.Questions, c.Right, c.Asked), &f.th.Text))
	}
	return []cells.Line{l.Fit(width)}
}
