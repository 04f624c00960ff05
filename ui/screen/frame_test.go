package screen_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

var (
	dark  = theme.For(theme.Auto, colorprofile.TrueColor, true)
	sizes = []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 50, Height: 14}, {Width: 200, Height: 60}}
)

func TestFrameGoldens(t *testing.T) {
	full := uitest.TwoWriters(t)
	began := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
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
		"starting": {0, screen.State{Queued: 2, Starting: &screen.Starting{What: "starting the control plane",
			Phases: []string{"etcd", "kube-apiserver"}, Elapsed: 700 * time.Millisecond}}},
		"problem": {3, screen.State{Cursor: 3, Problem: &screen.Problem{
			Title: "The step could not be done.", Detail: "sending the request: connection refused", Hint: "→ tries again   r starts afresh   esc back to the list"}}},
		"unset": {0, screen.State{Problem: &screen.Problem{Unset: true,
			Title: "The scenario could not be set up.", Detail: "making the namespace: connection refused", Hint: "r tries again   esc back to the list   q quits"}}},
		"running":       {3, screen.State{Cursor: 3, Running: slow(began)}},
		"watching":      {3, screen.State{Cursor: 3, Queued: 1, Running: watching(began)}},
		"watching-zoom": {3, screen.State{Cursor: 3, View: screen.Zoomed, Running: watching(began)}},
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

func TestEveryThemeShowsTheSameWordsAndSigns(t *testing.T) {
	story := screen.NewStory(uitest.TwoWriters(t))
	story.Trace.Steps[1].Verdict = scenarios.Failed
	for what, state := range map[string]screen.State{
		"a conflict": {Cursor: 4, Focus: screen.PaneB},
		"the past":   {Cursor: 2, View: screen.Zoomed, Focus: screen.PaneEtcd},
		"the end":    {Cursor: 6},
	} {
		for _, lang := range words.Languages {
			for _, size := range viewtest.ScreenSizes {
				t.Run(fmt.Sprintf("%s-%s-%dx%d", what, lang, size.Width, size.Height), func(t *testing.T) {
					viewtest.EveryTheme(t, size, func(th *theme.Theme) string { return screen.Frame(story, state, size, th, lang) })
				})
			}
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

// watching is a streaming list that goes on while B writes.
func watching(began time.Time) *screen.Running {
	r := &screen.Running{Step: 4, Since: began, Now: began.Add(4200 * time.Millisecond)}
	request := func(actor scenarios.Actor, method, path string) {
		r.Exchanges = append(r.Exchanges, scenarios.Exchange{
			Actor: actor, Call: len(r.Exchanges) + 1, Attempt: 1, Method: method, Path: "/api/v1/namespaces/rvtui-7k2/configmaps" + path, Status: 200, DurationMs: 2,
		})
		r.Seen = append(r.Seen, began)
	}
	event := func(kind, name, rv, object string, after time.Duration) {
		r.Events = append(r.Events, scenarios.WatchEvent{Actor: scenarios.A, Type: kind, Name: name, ResourceVersion: rv, Exchange: new(int), Object: json.RawMessage(object)})
		r.Came = append(r.Came, began.Add(after))
	}
	request(scenarios.A, "GET", "?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true")
	for range 4 {
		request(scenarios.B, "PATCH", "/cm1")
	}
	event("ADDED", "cm1", "28", "{}", 10*time.Millisecond)
	event("ADDED", "cm2", "29", "{}", 11*time.Millisecond)
	event("BOOKMARK", "", "29", `{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}`, 12*time.Millisecond)
	for i := range 4 {
		event("MODIFIED", "cm1", strconv.Itoa(30+i), "{}", time.Duration(i+1)*time.Second)
	}
	event("ERROR", "", "", `{"code":410,"reason":"Expired","message":"too old resource version: 29 (33)"}`, 4200*time.Millisecond)
	return r
}

// How small the place for it may be, what happened last is there to see.
func TestTheNewestEventOfAWatchIsSeenOnAnyScreen(t *testing.T) {
	story := screen.NewStory(uitest.UpTo(uitest.TwoWriters(t), 3))
	began := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	for _, lang := range []string{scenarios.English, scenarios.Chinese} {
		for _, width := range []int{40, 60, 79, 80, 110, 120, 160} {
			for _, height := range []int{10, 13, 14, 15, 16, 20, 23, 24, 25, 36} {
				for _, view := range []screen.View{screen.Panes, screen.Zoomed} {
					for _, queued := range []int{0, 2} {
						size := cells.Size{Width: width, Height: height}
						frame := screen.Frame(story, screen.State{Cursor: 3, View: view, Queued: queued, Running: watching(began)}, size, dark, lang)
						if !strings.Contains(ansi.Strip(frame), "ERROR 410 Exp") {
							t.Fatalf("%dx%d, %s, %d waiting:\n%s", width, height, lang, queued, ansi.Strip(frame))
						}
					}
				}
			}
		}
	}
}

func TestHelpFitsAnyScreen(t *testing.T) {
	story := screen.NewStory(uitest.TwoWriters(t))
	for height := range 9 {
		size := cells.Size{Width: 80, Height: height + 1}
		behind := screen.BehindStory(story, screen.State{Cursor: 4}, size, dark, scenarios.Chinese)
		if limit := screen.HelpScroll(behind, size, dark, scenarios.Chinese); limit < 0 {
			t.Errorf("%v: scrolls by %d", size, limit)
		}
		check(t, screen.HelpFrame(behind, size, dark, scenarios.Chinese, 3), size)
	}
}
