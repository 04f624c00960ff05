package screen_test

import (
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/screen"
	"rvtui/ui/words"
)

// Where a step came out otherwise, or somebody else wrote, the screen tells what happened and
// not what the author meant to happen.
func TestGoldensOfStepsThatCameOutOtherwise(t *testing.T) {
	for _, c := range []struct {
		name  string
		step  int
		state screen.State
	}{
		{"failed", 3, screen.State{Focus: screen.PaneA}},
		{"failed-words", 3, screen.State{View: screen.Zoomed, Focus: screen.PaneWords}},
		{"failed-present", 3, screen.State{Presenting: true, Idea: 3}},
		{"failed-timeline", 3, screen.State{View: screen.Timeline}},
		{"failed-etcd", 3, screen.State{View: screen.Zoomed, Focus: screen.PaneEtcd}},
		{"failed-diff", 3, screen.State{View: screen.Diff}},
		{"not-done", 4, screen.State{Focus: screen.PaneB}},
		{"not-done-words", 4, screen.State{View: screen.Zoomed, Focus: screen.PaneWords}},
	} {
		story := screen.NewStory(uitest.Meddled(t))
		c.state.Cursor = c.step
		viewtest.Goldens(t, "otherwise/"+c.name, drawing(story, c.state))
	}
}

// Every screen that has a narration on it has what it is headed by as well.
func TestANarrationThatIsNotTrueIsHeadedEverywhere(t *testing.T) {
	trace := uitest.Meddled(t)
	if trace.Steps[2].Verdict != scenarios.Failed || trace.Steps[3].Verdict != scenarios.Failed {
		t.Fatal("the steps are as expected")
	}
	story := screen.NewStory(trace)
	for _, lang := range words.Languages {
		for step := 3; step <= 4; step++ {
			said := []rune(trace.Steps[step-1].Say.In(lang))
			beginning := string(said[:14]) // as much as stands in a line
			seen := 0
			for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 10}} {
				for _, state := range []screen.State{
					{}, {Focus: screen.PaneWords}, {View: screen.Zoomed, Focus: screen.PaneWords}, {Presenting: true, Idea: 3}, {Presenting: true, Idea: 2},
				} {
					state.Cursor = step
					text := uitest.Cells(t, screen.Frame(story, state, size, dark, lang), size.Width, size.Height)
					if !strings.Contains(text, beginning) {
						continue
					}
					seen++
					if step == 4 || !strings.Contains(text, words.In(lang, "This was meant to happen:")) {
						t.Errorf("step %d, %v, %s: it is told as what happened:\n%s", step, size, lang, text)
					}
				}
			}
			if step == 3 && seen == 0 {
				t.Errorf("%s: it is not told at all", lang)
			}
		}
	}
}

// What etcd is seen through stands in its pane: the header leaves it out before the title.
func TestTheTitleStandsBeforeWhatEtcdIsSeenThrough(t *testing.T) {
	trace := uitest.Less(t, "two-writers", scenarios.CapabilityEtcdRead)
	story := screen.NewStory(trace)
	for width, want := range map[int][]string{
		160: {"Whoever writes second conflicts", "kind-dev 1.35.4 · etcd 3.6.5 (read-only client)"},
		120: {"Whoever writes second conflicts", "kind-dev 1.35.4 · etcd 3.6.5 "},
		100: {"Whoever writes se", "kind-dev 1.35.4 · etcd 3.6.5 "},
	} {
		size := cells.Size{Width: width, Height: 36}
		text := uitest.Cells(t, screen.Frame(story, screen.State{}, size, dark, scenarios.English), width, 36)
		header, _, _ := strings.Cut(text, "\n")
		for _, said := range want {
			if !strings.Contains(header, said) {
				t.Errorf("%d cells: %q is not in %q", width, said, header)
			}
		}
		if width < 160 && strings.Contains(header, "client") {
			t.Errorf("%d cells: %q", width, header)
		}
	}
}

// Where etcd was not read, the diff names the object as the API does.
func TestTheDiffShowsNoKeyOfEtcdWhereItWasNotRead(t *testing.T) {
	for _, c := range []struct {
		can        []string
		want, none string
	}{
		{nil, "ConfigMap cm1   configmaps cm1", "/registry/"},
		{[]string{scenarios.CapabilityEtcdRead}, "ConfigMap cm1   /registry/configmaps/", "configmaps cm1"},
	} {
		story := screen.NewStory(uitest.Less(t, "two-writers", c.can...))
		text := uitest.Cells(t, screen.Frame(story, screen.State{View: screen.Diff, Cursor: 3}, cells.Size{Width: 120, Height: 36}, dark, scenarios.English), 120, 36)
		if !strings.Contains(text, c.want) || strings.Contains(text, c.none) {
			t.Errorf("can %v:\n%s", c.can, text)
		}
	}
}
