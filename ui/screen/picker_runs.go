package screen

import (
	"slices"
	"strconv"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// last is the verdict of a scenario's last run, and whether it was in this session. A file
// of the reader's has no earlier runs: what was run under its name may have been another.
func (f *pickerFrame) last(s *scenarios.Scenario) (verdict scenarios.Verdict, now bool) {
	if verdict, now = f.Verdicts[s.Name]; now || s == f.File {
		return verdict, now
	}
	return f.Memory.Runs[s.Name].Verdict, false
}

// verdict is the column of the last run's. One of an earlier session is dim; when it was
// stands beside the list.
func (f *pickerFrame) verdict(s *scenarios.Scenario) cells.Span {
	said, style := " –", &f.th.Dim // as wide as ok, so that the scores stand below each other
	verdict, now := f.last(s)
	switch verdict {
	case scenarios.OK:
		said, style = "ok", &f.th.Good
	case scenarios.Failed:
		said, style = f.in("FAILED"), &f.th.Bad
	case scenarios.Skipped:
		said = f.in("skipped")
	}
	if !now {
		style = &f.th.Dim
	}
	return cells.Span{said, style}
}

// score is the column of predictions, "4/6"; nothing where none was asked for.
func (f *pickerFrame) score(s *scenarios.Scenario) cells.Line {
	score := f.Memory.Scores[s.Name]
	if score.Asked == 0 || s == f.File {
		return nil
	}
	return cells.Line{{" " + strconv.Itoa(score.Right) + "/" + strconv.Itoa(score.Asked), &f.th.Text}}
}

// chapterScore is how the reader's predictions stand in a chapter; nothing where none was
// asked for in it.
func (f *pickerFrame) chapterScore(chapter string) cells.Line {
	c := f.Memory.Chapter(f.catalogue(), chapter)
	said := f.in("%d of %d right", c.Right, c.Asked)
	switch {
	case c.Answered == 0:
		return nil
	case !c.Done():
		said = f.in("%d of %d answered, %s", c.Answered, c.Questions, said)
	}
	return cells.Line{cells.Text(said+" ", &f.th.Dim)}
}

// catalogue is the scenarios without the reader's own file, which is in no chapter.
func (f *pickerFrame) catalogue() []*scenarios.Scenario {
	if f.File == nil {
		return f.Scenarios
	}
	return slices.DeleteFunc(slices.Clone(f.Scenarios), func(s *scenarios.Scenario) bool { return s == f.File })
}

func (f *pickerFrame) scoreWidth() int {
	widest := 0
	for _, s := range f.Scenarios {
		widest = max(widest, f.score(s).Width())
	}
	return widest
}

// run counts the scenarios that were run, skipped ones apart, and those as expected.
func (f *pickerFrame) run() (ok, run int) {
	for _, s := range f.Scenarios {
		switch verdict, _ := f.last(s); verdict {
		case scenarios.OK:
			ok, run = ok+1, run+1
		case scenarios.Failed:
			run++
		}
	}
	return ok, run
}

// lastRun is how a scenario's last run ended, or how far it came, and when.
func (f *pickerFrame) lastRun(s *scenarios.Scenario) string {
	run, ok := f.Memory.Runs[s.Name]
	if !ok || s == f.File {
		return ""
	}
	var said string
	switch run.Verdict {
	case scenarios.OK:
		said = f.in("as expected")
	case scenarios.Failed:
		said = f.in("NOT as expected")
	case scenarios.Skipped:
		said = f.in("skipped")
	default:
		said = f.in("%d of %s taken", run.Step, f.count(run.Steps, "step", "steps"))
	}
	if !run.At.IsZero() {
		said += " · " + run.At.Format(time.DateOnly)
	}
	if score := f.Memory.Scores[s.Name]; score.Asked > 0 {
		said += " · " + f.in("predicted %d of %d", score.Right, score.Asked)
	}
	return said
}

// welcome says which keys to begin with, until a scenario has been opened for the first time.
func (f *pickerFrame) welcome(width int) cells.Line {
	if !f.Memory.Empty() || f.Problem != nil || len(f.matching) == 0 {
		return nil
	}
	return cells.TextLine(" "+words.In(f.lang, "enter opens the scenario; in it, → takes the next step"), &f.th.Strong).Fit(width)
}
