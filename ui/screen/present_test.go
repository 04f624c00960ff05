package screen_test

import (
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

func TestPresenterGoldens(t *testing.T) {
	full := uitest.TwoWriters(t)
	story, asked := screen.NewStory(full), screen.NewStory(uitest.UpTo(full, 3))
	storm := screen.NewStory(uitest.Trace(t, "patch-storm"))
	for _, slide := range []struct {
		name  string
		story *screen.Story
		state screen.State
		key   string
	}{
		{"beginning", story, screen.State{}, "P  presenter's mode"},
		{"asked", story, screen.State{Cursor: 4, Idea: 0}, "→  one step on"},
		{"answered", story, screen.State{Cursor: 4, Idea: 1}, "→ ×2"},
		{"so", story, screen.State{Cursor: 4, Idea: 3}, ""},
		{"instead", story, screen.State{Cursor: 6, Idea: 4, Predicted: map[int]int{4: 3}}, ""},
		{"question", asked, screen.State{Cursor: 3, Idea: 9, Predict: true, Asking: &screen.Asking{Step: 4}}, ""},
		{"storm", storm, screen.State{Cursor: 1, Idea: 2}, ""},
	} {
		slide.state.Presenting = true
		viewtest.Goldens(t, "present/"+slide.name, func(size cells.Size, th *theme.Theme, lang string) string {
			return screen.Pressed(screen.Frame(slide.story, slide.state, size, th, lang), slide.key, size, th)
		})
	}
}

// Each idea can be scrolled to its beginning, and none is wider or higher than the screen.
func TestEveryIdeaOfEveryTraceFitsItsSlide(t *testing.T) {
	for _, name := range uitest.Traces(t) {
		story := screen.NewStory(uitest.Trace(t, name))
		for cursor := range story.Taken() + 1 {
			for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 80, Height: 24}, {Width: 40, Height: 10}} {
				state := screen.State{Cursor: cursor, Presenting: true}
				ideas := screen.Ideas(story, state, size, dark, scenarios.Chinese)
				if ideas < 1 {
					t.Fatalf("%s, step %d: no idea", name, cursor)
				}
				for state.Idea = range ideas + 1 {
					up, down := screen.SlideScroll(story, state, size, dark, scenarios.Chinese)
					for _, back := range []int{0, up, -down} {
						state.Scroll[screen.PaneWords] = back
						uitest.Cells(t, screen.Frame(story, state, size, dark, scenarios.Chinese), size.Width, size.Height)
					}
				}
			}
		}
	}
}
