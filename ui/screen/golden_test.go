package screen_test

import (
	"slices"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/runs"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

// chapters are the catalogue's first ones: more than a screen is high, and the same ones
// when others join the catalogue behind them.
func chapters(t *testing.T) []*scenarios.Scenario {
	t.Helper()
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	end := slices.IndexFunc(all, func(s *scenarios.Scenario) bool { return s.Chapter == "reads" })
	if end < 10 {
		t.Fatalf("the reads begin with scenario %d", end+1)
	}
	return all[:end]
}

// lists are the list of scenarios as different readers have it.
func lists(t *testing.T) map[string]screen.Picker {
	all := chapters(t)
	yesterday := time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC)
	info := scenarios.Info{Mode: "embedded", Kubernetes: "1.37.2", Etcd: "3.7.3"}
	remembered := screen.Picker{
		Scenarios: all, Info: info, Ready: "ready in 1.3 s",
		Verdicts: map[string]scenarios.Verdict{all[1].Name: scenarios.OK, all[2].Name: scenarios.Failed},
		Memory: runs.Memory{
			Runs: map[string]runs.Run{
				all[0].Name: {Verdict: scenarios.OK, Step: 6, Steps: 6, At: yesterday},
				all[1].Name: {Verdict: scenarios.OK, Step: 5, Steps: 5, At: yesterday},
				all[2].Name: {Verdict: scenarios.Failed, Step: 3, Steps: 6, At: yesterday},
				all[3].Name: {Step: 2, Steps: len(all[3].Steps), At: yesterday},
				all[4].Name: {Verdict: scenarios.Skipped, Step: 4, Steps: 4, At: yesterday},
			},
			Scores: map[string]runs.Score{all[0].Name: {Right: 2, Asked: 2}, all[1].Name: {Right: 1, Asked: 3}, all[3].Name: {Right: 0, Asked: 1}},
		},
		Selected: 3,
	}
	filtered, nothing, last := remembered, remembered, remembered
	filtered.Filter, filtered.Filtering, filtered.Selected = "object has been modified", true, 0
	nothing.Filter, nothing.Selected = "quorum", 0
	last.Selected = len(all) - 1
	return map[string]screen.Picker{
		"new":        {Scenarios: all, Info: info, Ready: "ready in 1.3 s"},
		"starting":   {Scenarios: all, Starting: &screen.Starting{What: "starting the control plane", Phases: []string{"etcd", "kube-apiserver"}, Elapsed: 700 * time.Millisecond}},
		"problem":    {Scenarios: all, Problem: &screen.Problem{Title: "The control plane did not start.", Detail: "starting etcd: listen unix: address already in use", Hint: "r tries again   q quits"}},
		"remembered": remembered,
		"filtered":   filtered,
		"nothing":    nothing,
		"last":       last,
	}
}

func TestPickerGoldens(t *testing.T) {
	for name, list := range lists(t) {
		viewtest.Goldens(t, "picker/"+name, func(size cells.Size, th *theme.Theme, lang string) string {
			return screen.PickerFrame(list, size, th, lang)
		})
	}
}

func TestHelpGoldens(t *testing.T) {
	story := screen.NewStory(uitest.TwoWriters(t))
	for name, view := range map[string]screen.View{"panes": screen.Panes, "http": screen.HTTP, "path": screen.Path} {
		viewtest.Goldens(t, "help/"+name, func(size cells.Size, th *theme.Theme, lang string) string {
			behind := screen.BehindStory(story, screen.State{Cursor: 4, View: view}, size, th, lang)
			return screen.HelpFrame(behind, size, th, lang, 0)
		})
	}
	list := lists(t)["remembered"]
	viewtest.Goldens(t, "help/picker", func(size cells.Size, th *theme.Theme, lang string) string {
		return screen.HelpFrame(screen.BehindPicker(list, size, th, lang), size, th, lang, 0)
	})
	viewtest.Goldens(t, "help/end", func(size cells.Size, th *theme.Theme, lang string) string {
		behind := screen.BehindPicker(list, size, th, lang)
		return screen.HelpFrame(behind, size, th, lang, screen.HelpScroll(behind, size, th, lang))
	})
}
