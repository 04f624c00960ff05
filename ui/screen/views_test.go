package screen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/view"
	"rvtui/ui/words"
)

// views are the views on recorded steps that they are there for.
var views = []struct {
	name, trace string
	step        int
	state       screen.State
}{
	{"http", "two-writers", 4, screen.State{View: screen.HTTP}},
	{"http-attempts", "too-large", 2, screen.State{View: screen.HTTP}},
	{"diff", "two-writers", 3, screen.State{View: screen.Diff}},
	{"timeline", "two-writers", 4, screen.State{View: screen.Timeline}},
	{"timeline-storm", "patch-storm", 1, screen.State{View: screen.Timeline}},
	{"timeline-attempts", "too-large", 2, screen.State{View: screen.Timeline}},
	{"path", "two-writers", 4, screen.State{View: screen.Path}},
	{"path-compacted", "exact-compacted", 5, screen.State{View: screen.Path}},
	{"etcd", "exact-compacted", 5, screen.State{View: screen.Zoomed, Focus: screen.PaneEtcd}},
	{"log", "two-writers", 6, screen.State{View: screen.Log}},
}

func TestViewGoldens(t *testing.T) {
	for _, c := range views {
		story := screen.NewStory(uitest.Trace(t, c.trace))
		state := c.state
		state.Cursor = c.step
		viewtest.Goldens(t, "views/"+c.name, drawing(story, state))
	}
}

// drawing draws a story in a state.
func drawing(story *screen.Story, state screen.State) func(cells.Size, *theme.Theme, string) string {
	return func(size cells.Size, th *theme.Theme, lang string) string {
		return screen.Frame(story, state, size, th, lang)
	}
}

func TestAViewSaysWhichItIsAndOfWhichStep(t *testing.T) {
	story := screen.NewStory(uitest.TwoWriters(t))
	for v := screen.HTTP; v <= screen.Log; v++ {
		frame := uitest.Cells(t, screen.Frame(story, screen.State{View: v, Cursor: 4}, cells.Size{Width: 120, Height: 36}, dark, scenarios.English), 120, 36)
		if !strings.Contains(frame, "two-writers › "+v.Name()) || !strings.Contains(frame, "4  B replaces cm1") || !strings.Contains(frame, "esc close") {
			t.Errorf("%s:\n%s", v.Name(), frame)
		}
	}
}

// Any view of any recorded trace, at any size and cursor, looked at in any way.
func FuzzViews(f *testing.F) {
	var stories []*screen.Story
	for _, name := range uitest.Traces(f) {
		stories = append(stories, screen.NewStory(uitest.Trace(f, name)))
	}
	for _, name := range []string{"two-writers", "true-race", "consistent-from-cache"} {
		stories = append(stories, screen.NewStory(uitest.Less(f, name)))
	}
	f.Add(uint8(0), uint8(2), 4, uint16(120), uint16(36), 0, 0, 0, 0, uint8(0), "")
	f.Add(uint8(9), uint8(4), 1, uint16(60), uint16(20), 3, 9, 2, 1, uint8(3), "etcd")
	f.Add(uint8(13), uint8(6), 2, uint16(1), uint16(1), -5, 1<<40, -1, 7, uint8(1), "名字")
	f.Fuzz(func(t *testing.T, which, open uint8, cursor int, w, h uint16, down, right, chosen, back int, flags uint8, filter string) {
		size := cells.Size{Width: int(w%300) + 1, Height: int(h%100) + 1}
		state := screen.State{
			View: screen.View(open % 7), Focus: screen.Pane(open % 5), Cursor: cursor, Filtering: flags&2 != 0,
			Look: view.State{Down: down, Right: right, Chosen: chosen, Open: flags&1 != 0, Object: back, Older: chosen, Newer: back, Filter: filter},
		}
		lang := words.Languages[int(flags>>2)%len(words.Languages)]
		story := stories[int(which)%len(stories)]
		frame := screen.Frame(story, state, size, dark, lang)
		check(t, frame, size)
		state.Look = screen.Look(story, state, size, dark, lang).At
		if again := screen.Frame(story, state, size, dark, lang); again != frame && !state.Filtering && slices.Contains([]string{filter, ""}, state.Look.Filter) {
			t.Errorf("with the state within its limits it is another frame:\n%s\n---\n%s", frame, again)
		}
	})
}

// A frame of any view within 5 ms, whatever the length of the trace.
func BenchmarkViews(b *testing.B) {
	size := cells.Size{Width: 200, Height: 60}
	for _, steps := range []int{6, 1000} {
		story := screen.NewStory(uitest.Long(uitest.TwoWriters(b), steps))
		for v := screen.HTTP; v <= screen.Log; v++ {
			b.Run(fmt.Sprintf("%s-%d-steps", v.Name(), steps), func(b *testing.B) {
				state := screen.State{View: v, Cursor: steps - 2}
				for b.Loop() {
					screen.Frame(story, state, size, dark, scenarios.English)
				}
			})
		}
		b.Run(fmt.Sprintf("etcd-%d-steps", steps), func(b *testing.B) {
			state := screen.State{View: screen.Zoomed, Focus: screen.PaneEtcd, Cursor: steps - 2}
			for b.Loop() {
				screen.Frame(story, state, size, dark, scenarios.English)
			}
		})
	}
	storm := screen.NewStory(uitest.Trace(b, "patch-storm"))
	for v := screen.HTTP; v <= screen.Log; v++ {
		for _, open := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s-storm-open-%v", v.Name(), open), func(b *testing.B) {
				state := screen.State{View: v, Cursor: 1, Look: view.State{Open: open}}
				for b.Loop() {
					screen.Frame(storm, state, size, dark, scenarios.English)
				}
			})
		}
	}
}

// A question, and what became of the answer to it.
func TestPredictGoldens(t *testing.T) {
	full := uitest.TwoWriters(t)
	asked := screen.NewStory(uitest.UpTo(full, 3))
	answered := screen.NewStory(full)
	for name, c := range map[string]struct {
		story *screen.Story
		state screen.State
	}{
		"question":      {asked, screen.State{Cursor: 3, Focus: screen.PaneB, Predict: true, Asking: &screen.Asking{Step: 4, At: 3}}},
		"question-view": {asked, screen.State{Cursor: 3, View: screen.Timeline, Predict: true, Asking: &screen.Asking{Step: 4}}},
		"wrong":         {answered, screen.State{Cursor: 4, Focus: screen.PaneB, Predict: true, Predicted: map[int]int{4: 2}}},
		"score":         {answered, screen.State{Cursor: 6, Predict: true, Predicted: map[int]int{3: 2, 4: 2}}},
	} {
		viewtest.Goldens(t, "predict/"+name, drawing(c.story, c.state))
	}
}
