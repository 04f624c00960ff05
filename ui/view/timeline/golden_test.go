package timeline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/theme"
	"rvtui/ui/view"
)

var (
	dark  = theme.For(theme.Auto, colorprofile.TrueColor, true)
	sizes = []cells.Size{{Width: 200, Height: 58}, {Width: 120, Height: 34}, {Width: 80, Height: 22}, {Width: 60, Height: 18}}
)

// input is a trace with the cursor at a step.
func input(t *scenarios.Trace, cursor int, size cells.Size) view.Input {
	return view.Input{Trace: t, Cursor: cursor, Size: size, Theme: dark, Lang: scenarios.English}
}

func TestGoldens(t *testing.T) {
	for name, c := range map[string]struct {
		trace  string
		cursor int
		at     view.State
	}{
		"two-writers":  {"two-writers", 4, view.State{}},
		"at-once":      {"true-race", 2, view.State{}},
		"storm":        {"patch-storm", 1, view.State{}},
		"storm-open":   {"patch-storm", 1, view.State{Open: true, Down: 40}},
		"storm-puts":   {"patch-storm", 3, view.State{}},
		"attempts":     {"too-large", 2, view.State{}},
		"watch":        {"resume", 5, view.State{}},
		"scrolled-up":  {"resume", 6, view.State{Down: -6}},
		"scrolled-end": {"resume", 0, view.State{Down: 1000, Right: 4}},
	} {
		trace := uitest.Trace(t, c.trace)
		index := NewIndex(&trace)
		for _, lang := range []string{scenarios.English, scenarios.Chinese} {
			for _, size := range sizes {
				golden := fmt.Sprintf("%s-%dx%d", name, size.Width, size.Height)
				if lang == scenarios.Chinese {
					golden = "zh/" + golden
				}
				t.Run(golden, func(t *testing.T) {
					in := input(&trace, c.cursor, size)
					in.Lang, in.At = lang, c.at
					drawn := Draw(in, index)
					uitest.Golden(t, golden, uitest.Cells(t, cells.Render(drawn.Lines, size), size.Width, size.Height))
				})
			}
		}
	}
}

func TestWhatIsCopiedIsTheStepAsText(t *testing.T) {
	trace := uitest.TwoWriters(t)
	in := input(&trace, 4, cells.Size{Width: 60, Height: 18})
	in.At.Right = 10
	uitest.Golden(t, "copy", Draw(in, NewIndex(&trace)).Copy)
}

// text is a drawn view as plain text.
func text(lines []cells.Line) string {
	var b strings.Builder
	for _, l := range lines {
		for _, s := range l {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
