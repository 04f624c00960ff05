package screen_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

var (
	dark  = theme.For(colorprofile.TrueColor, true)
	sizes = []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 50, Height: 14}, {Width: 200, Height: 60}}
)

func TestFrameGoldens(t *testing.T) {
	full := uitest.TwoWriters(t)
	began := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	typed := "12"
	for name, c := range map[string]struct {
		taken int
		state screen.State
	}{
		"beginning": {0, screen.State{}},
		"conflict":  {4, screen.State{Cursor: 4, Focus: screen.PaneB}},
		"past":      {5, screen.State{Cursor: 2, Focus: screen.PaneB}},
		"end":       {6, screen.State{Cursor: 6, Focus: screen.PaneEtcd}},
		"zoom":      {6, screen.State{Cursor: 4, Focus: screen.PaneEtcd, View: screen.Zoomed}},
		"zoom-b":    {6, screen.State{Cursor: 4, Focus: screen.PaneB, View: screen.Zoomed}},
		"words":     {4, screen.State{Cursor: 4, Focus: screen.PaneWords, View: screen.Zoomed}},
		"prompt":    {6, screen.State{Cursor: 6, Prompt: &typed}},
		"starting": {0, screen.State{Queued: 2, Starting: &screen.Starting{What: "starting the control plane",
			Phases: []string{"etcd", "kube-apiserver"}, Elapsed: 700 * time.Millisecond}}},
		"problem": {3, screen.State{Cursor: 3, Problem: &screen.Problem{
			Title: "The step could not be done.", Detail: "sending the request: connection refused", Hint: "→ tries again   r starts afresh   esc back to the list"}}},
		"running": {3, screen.State{Cursor: 3, Running: slow(began)}},
	} {
		story := screen.NewStory(uitest.UpTo(full, c.taken))
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size.Width, size.Height), func(t *testing.T) {
				frame := screen.Frame(story, c.state, size, dark, scenarios.English)
				uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size.Width, size.Height), uitest.Cells(t, frame, size.Width, size.Height))
			})
		}
	}
}

func TestAThousandStepsAreCountedAndNotDrawn(t *testing.T) {
	story := screen.NewStory(uitest.Long(uitest.TwoWriters(t), 1000))
	size := cells.Size{Width: 120, Height: 36}
	frame := screen.Frame(story, screen.State{Cursor: 412, Focus: screen.PaneEtcd}, size, dark, scenarios.English)
	uitest.Golden(t, "thousand-120x36", uitest.Cells(t, frame, size.Width, size.Height))
}

// slow is a step that client-go repeats, 17 s after its beginning.
func slow(began time.Time) *screen.Running {
	r := &screen.Running{Step: 4, Since: began, Now: began.Add(17200 * time.Millisecond)}
	for i := range 5 {
		e := scenarios.Exchange{
			Actor: scenarios.B, Call: 1, Attempt: i + 1, Method: "GET", Status: 504,
			Path:            "/api/v1/namespaces/rvtui-7k2/configmaps/cm1?resourceVersion=1000214",
			ResponseHeaders: map[string]string{"Retry-After": "1"}, StartedMs: float64(i) * 4000, DurationMs: 3008,
		}
		if i == 4 {
			e.Status, e.InFlight, e.DurationMs = 0, true, 0
		}
		r.Exchanges = append(r.Exchanges, e)
		r.Seen = append(r.Seen, began.Add(time.Duration(i)*4*time.Second))
	}
	return r
}

func TestHelpFitsAnyScreen(t *testing.T) {
	for height := range 9 {
		size := cells.Size{Width: 80, Height: height + 1}
		if limit := screen.HelpScroll(size, dark, scenarios.Chinese); limit < 0 {
			t.Errorf("%v: scrolls by %d", size, limit)
		}
		check(t, screen.HelpFrame(size, dark, scenarios.Chinese, 3), size)
	}
}
