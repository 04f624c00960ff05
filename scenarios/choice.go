package scenarios

import (
	"fmt"
	"strings"
)

// The least and the most answers that a question can have.
const (
	minChoices = 2
	maxChoices = 5
)

// choiceTexts are the answers as they can be read before the step.
func (s *Step) choiceTexts() []Text {
	var texts []Text
	for _, choice := range s.Choices {
		texts = append(texts, choice.Says)
	}
	return texts
}

// rightOf is which choice the evidence shows to be right, from 1, and 0 where it is not
// exactly one; the check fails then, and says which ones hold.
func rightOf(choices []Choice, values *values) (right int, check Check) {
	check = Check{Expected: both("one right answer to the question", "问题只有一个正确答案"), OK: true}
	var holding, lacks []string
	for i, choice := range choices {
		ok, _, lack, err := values.holds(choice.If)
		if err != nil {
			check.OK, check.Got = false, same(err.Error())
			return 0, check
		}
		lacks = append(lacks, lack...)
		if ok {
			right = i + 1
			holding = append(holding, choice.Says.In(English))
		}
	}
	if len(holding) == 0 && lacks != nil {
		return 0, Check{Expected: check.Expected, Got: both("not seen here", "这里看不到"), Unseen: true, Lack: lacks}
	}
	if len(holding) != 1 {
		right, check.OK = 0, false
		check.Got = both("none of them", "一个也不对")
		if len(holding) > 1 {
			check.Got = same(strings.Join(holding, " · "))
		}
	}
	return right, check
}

// choices checks what types alone cannot of a question's answers.
func (d *decoding) choices(path string, s *Step, setup bool) error {
	at := join(path, "choices")
	switch {
	case len(s.Choices) == 0:
		return nil
	case setup:
		return d.wrong(at, "cannot be: nobody is asked about the setup")
	case s.Ask.Empty():
		return d.wrong(at, "answers no question: ask is missing")
	case len(s.Choices) < minChoices || len(s.Choices) > maxChoices:
		return d.wrong(at, "%d are out of range: %d to %d", len(s.Choices), minChoices, maxChoices)
	}
	for i, choice := range s.Choices {
		if choice.Says.Empty() {
			return d.wrong(fmt.Sprintf("%s[%d]", at, i), "says nothing: says is missing")
		}
		for _, sentence := range choice.Says {
			if placeholder.MatchString(sentence) {
				return d.wrong(fmt.Sprintf("%s[%d]", at, i), "cannot hold ${…}: it is shown before there are values")
			}
		}
		if choice.If == "" {
			return d.wrong(fmt.Sprintf("%s[%d]", at, i), "never holds: if is missing, an expression")
		}
		if !d.expressions {
			continue
		}
		if _, _, err := compileExpression(choice.If, true); err != nil {
			return d.wrong(fmt.Sprintf("%s[%d]", at, i), "%v", err)
		}
	}
	return nil
}
