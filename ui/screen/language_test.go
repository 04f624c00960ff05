package screen_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
)

func TestFrameGoldensInChinese(t *testing.T) {
	full := uitest.TwoWriters(t)
	for name, c := range map[string]struct {
		taken int
		state screen.State
	}{
		"beginning": {0, screen.State{}},
		"conflict":  {4, screen.State{Cursor: 4, Focus: screen.PaneB}},
		"end":       {6, screen.State{Cursor: 6, Focus: screen.PaneEtcd}},
		"watching":  {3, screen.State{Cursor: 3, Queued: 1, Running: watching(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC))}},
	} {
		story := screen.NewStory(uitest.UpTo(full, c.taken))
		sizes := []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}}
		if name == "watching" {
			sizes = append(sizes, cells.Size{Width: 60, Height: 20})
		}
		for _, size := range sizes {
			golden := fmt.Sprintf("zh/%s-%dx%d", name, size.Width, size.Height)
			t.Run(golden, func(t *testing.T) {
				frame := screen.Frame(story, c.state, size, dark, scenarios.Chinese)
				uitest.Golden(t, golden, uitest.Cells(t, frame, size.Width, size.Height))
			})
		}
	}
}

// Borders stand where they should only if each line takes exactly the screen's cells,
// and each corner stands below a side.
func TestNoBorderIsOutOfPlaceInChinese(t *testing.T) {
	full := uitest.TwoWriters(t)
	began := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	palette := &screen.Palette{Typed: "lang zh", Command: "lang 语言", Does: "换语言", Chosen: 2, Wrong: "rvtui 不会说 \"zh\"",
		Candidates: []screen.Candidate{{Name: "en", About: "English"}, {Name: "zh", About: "中文"}}}
	for _, size := range []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 200, Height: 60}} {
		for cursor := range len(full.Steps) + 1 {
			story := screen.NewStory(uitest.UpTo(full, cursor))
			for focus := range screen.Pane(5) {
				for _, view := range []screen.View{screen.Panes, screen.Zoomed} {
					state := screen.State{Cursor: cursor, Focus: focus, View: view}
					exact(t, screen.Frame(story, state, size, dark, scenarios.Chinese), size)
				}
			}
			for _, state := range []screen.State{
				{Cursor: cursor, Palette: palette}, {Cursor: cursor, Note: "这是最后一步"}, {Cursor: cursor, Running: slow(began)}, {Cursor: cursor, Running: watching(began)},
				{Cursor: cursor, Autoplay: time.Second}, {Queued: 2, Starting: &screen.Starting{What: "正在启动控制面", Phases: []string{"etcd"}}},
			} {
				exact(t, screen.Frame(story, state, size, dark, scenarios.Chinese), size)
			}
		}
	}
}

func exact(t *testing.T, frame string, size cells.Size) {
	t.Helper()
	check(t, frame, size)
	lines := strings.Split(ansi.Strip(frame), "\n")
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != size.Width {
			t.Fatalf("line %d has %d cells on a screen of %d:\n%s", i+1, n, size.Width, strings.Join(lines, "\n"))
		}
		if i == 0 {
			continue
		}
		above, here := cellsOf(lines[i-1]), cellsOf(l)
		for x, c := range here {
			if c != "╰" && c != "╯" {
				continue
			}
			if a := above[x]; a != "│" && a != "╭" && a != "╮" {
				t.Fatalf("%q in line %d, cell %d, stands below %q:\n%s", c, i+1, x+1, a, strings.Join(lines, "\n"))
			}
		}
	}
}

// cellsOf is what stands in each of a line's cells; the second of a wide character is "".
func cellsOf(l string) []string {
	var out []string
	for l != "" {
		cluster, width := ansi.FirstGraphemeCluster(l, ansi.GraphemeWidth)
		if cluster == "" {
			break
		}
		l = l[len(cluster):]
		out = append(out, cluster)
		for range width - 1 {
			out = append(out, "")
		}
	}
	return out
}
