package runs

import "rvtui/scenarios"

// Chapter is how a reader's predictions stand in a chapter.
type Chapter struct {
	Name      string
	Score         // of all its scenarios together
	Answered  int // its scenarios in which predictions were asked for
	Questions int // its scenarios that have questions
}

// Done reports whether every scenario that has questions was answered.
func (c Chapter) Done() bool { return c.Answered == c.Questions }

// Chapter counts the scores of those scenarios of all that are in a chapter.
func (m Memory) Chapter(all []*scenarios.Scenario, name string) Chapter {
	c := Chapter{Name: name}
	for _, s := range all {
		if s.Chapter != name || !asks(s) {
			continue
		}
		c.Questions++
		if score := m.Scores[s.Name]; score.Asked > 0 {
			c.Answered++
			c.Right += score.Right
			c.Asked += score.Asked
		}
	}
	return c
}

// asks reports whether a scenario has a question to predict the answer of.
func asks(s *scenarios.Scenario) bool {
	for i := range s.Steps {
		if len(s.Steps[i].Choices) > 0 {
			return true
		}
	}
	return false
}
