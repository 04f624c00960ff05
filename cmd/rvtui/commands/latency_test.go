package commands

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"rvtui/cmd/rvtui/internal/ptytest"
)

// counter is the smallest Bubble Tea program: what any other is compared with.
type counter int

func (c counter) Init() tea.Cmd { return nil }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		if key.String() == "q" {
			return c, tea.Quit
		}
		c++
	}
	return c, nil
}

func (c counter) View() tea.View {
	view := tea.NewView(fmt.Sprintf("count %d.", int(c)))
	view.AltScreen = true
	return view
}

// minimal runs it, at as many frames a second as rvtui.
func minimal() int {
	if _, err := tea.NewProgram(counter(0), tea.WithFPS(60)).Run(); err != nil {
		return 1
	}
	return 0
}

// pressed is how long each of n key presses takes until its frame has come: what is typed,
// and what the screen holds then that it did not hold before.
func pressed(s *ptytest.Session, n int, next func(i int) (text, shows string)) []time.Duration {
	var all []time.Duration
	for i := range n {
		text, shows := next(i)
		before := s.Screen()
		all = append(all, s.Answer(text, func(screen string) bool {
			return screen != before && strings.Contains(screen, shows)
		}))
	}
	slices.Sort(all)
	return all
}

// BenchmarkLatency measures from a key press until its frame has come out of the program, in
// a terminal of 120×36, on a saved trace of 1,000 steps: forward and back, and up and down
// among all requests. The budget is 20 ms.
func BenchmarkLatency(b *testing.B) {
	path := longTrace(b, "two-writers", 1000)
	const presses = 200
	in := func(environment string, args ...string) *ptytest.Session {
		command := exec.CommandContext(b.Context(), os.Args[0], args...)
		command.Env = append(os.Environ(), environment+"=1", "XDG_STATE_HOME="+b.TempDir(), "TERM=xterm-256color", "COLORTERM=truecolor", "ACCESSIBLE=", "NO_COLOR=")
		return ptytest.Start(b, command, 120, 36)
	}
	var steps, scrolls, least []time.Duration
	for b.Loop() {
		s := in(asMinimal)
		s.WaitFor("count 0.")
		least = append(least, pressed(s, presses, func(i int) (string, string) { return "l", fmt.Sprintf("count %d.", i+1) })...)
		s.Type("q")
		s.Wait()

		s = in(onNoCluster, "play", path)
		s.WaitFor("SAVED 0/1000")
		s.Type("G")
		s.WaitFor("SAVED 1000/1000")
		steps = append(steps, pressed(s, presses, func(i int) (string, string) {
			if i%2 == 0 {
				return "h", "PAST 999/1000"
			}
			return "l", "SAVED 1000/1000"
		})...)
		s.Type("3z") // the apiserver's pane, with all requests
		s.WaitFor("close")
		scrolls = append(scrolls, pressed(s, presses, func(i int) (string, string) { return string("jk"[i%2]), "1000/1000" })...)
		s.Type("q")
		s.Wait()
	}
	ms := func(all []time.Duration, part float64) float64 {
		slices.Sort(all)
		return float64(all[int(part*float64(len(all)-1))].Microseconds()) / 1000
	}
	both := slices.Concat(steps, scrolls)
	b.ReportMetric(ms(both, 0.5), "median-ms")
	b.ReportMetric(ms(both, 0.95), "p95-ms")
	b.ReportMetric(ms(steps, 0.5), "step-ms")
	b.ReportMetric(ms(scrolls, 0.5), "scroll-ms")
	b.ReportMetric(ms(least, 0.5), "minimal-ms")
	b.ReportMetric(ms(both, 0.5)/ms(least, 0.5), "ratio")
	b.ReportMetric(0, "ns/op")
}
