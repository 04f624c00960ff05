// Package tape writes recordings as scripts for VHS (github.com/charmbracelet/vhs), which
// plays them in the real program with the same keys and pauses and makes a GIF or a video of
// what it sees. It may import the recording and what that is made of.
package tape

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"rvtui/ui/recording"
	"rvtui/ui/screen"
	"rvtui/ui/words"
)

// Options are what a tape needs beside the recording.
type Options struct {
	// Command is what is typed to a shell: it must open the recording's scenario or trace, at
	// the recording's size and in its language.
	Command string
	Output  string // the file that VHS is to write
}

// What a cell takes in VHS's usual font at that size, at most, and how long the control plane
// and the slowest step may take.
const (
	fontSize, cellWidth, cellHeight = 16, 10, 20
	margin                          = 20
	starting, stepping              = "180s", "90s"
)

// Write writes a recording as a tape.
func Write(w io.Writer, r *recording.Recording, o Options) error {
	for _, text := range []string{o.Command, o.Output} {
		if strings.ContainsFunc(text, func(r rune) bool { return r == '`' || unicode.IsControl(r) }) {
			return fmt.Errorf("a tape cannot type %q: VHS has no quotes for it", text)
		}
	}
	t := &taper{Writer: bufio.NewWriter(w), Recording: r}
	t.line("# For VHS, https://github.com/charmbracelet/vhs. It plays in the real program, so two GIFs of it are never the same.")
	t.line("Output %s", quoted(o.Output))
	t.line("Require rvtui")
	t.line("")
	t.line("Set Shell bash")
	t.line("Set FontSize %d", fontSize)
	t.line("Set Padding %d", margin)
	t.line("Set Width %d", r.Size.Width*cellWidth+2*margin)
	t.line("Set Height %d", r.Size.Height*cellHeight+2*margin)
	t.line("Set TypingSpeed 0ms")
	t.line("")
	t.line("Hide")
	t.line("Env COLORTERM truecolor")
	t.line("Type %s", quoted(o.Command))
	t.line("Enter")
	t.at("LIVE %s", "SAVED %s", 0, starting)
	if r.Present {
		t.line("Type %s", quoted("P"))
	}
	hidden := true
	for f := range r.Stills() {
		if f.Step > t.step+1 && !hidden {
			t.line("Hide")
			hidden = true
		}
		t.lead(f)
		if hidden {
			t.line("Show")
			hidden = false
		}
		t.line("Sleep %gs", f.Hold.Round(time.Millisecond).Seconds())
	}
	t.line("Hide")
	t.line("Ctrl+C")
	return t.Flush()
}

// taper knows where the program stands.
type taper struct {
	*bufio.Writer
	*recording.Recording
	step  int // the last one that was taken
	asked int // the step whose question was asked
	moved bool
	view  screen.View
	asks  bool // the program asks its questions
}

func (t *taper) line(format string, values ...any) { fmt.Fprintf(t, format+"\n", values...) }

// at waits until the program says that it stands at a step. A pattern has no way to hold a
// slash, so any sign will do for it.
func (t *taper) at(live, saved string, n int, within string) {
	count := fmt.Sprintf("%d/%d", n, len(t.Trace().Plan))
	said := regexp.QuoteMeta(words.In(t.Lang, live, count))
	if saved != "" {
		said = "(" + said + "|" + regexp.QuoteMeta(words.In(t.Lang, saved, count)) + ")"
	}
	t.line("Wait+Screen@%s /%s/", within, strings.ReplaceAll(said, "/", "."))
}

// lead presses the keys that lead from where the program stands to a frame.
func (t *taper) lead(f recording.Frame) {
	first := !t.moved
	t.moved = true
	if f.Step > t.step {
		t.skip(f.Step - 1)
		t.ask(t.Predict)
	}
	switch {
	case f.Step > t.step && t.asked == f.Step:
		t.line("Type %s", quoted(fmt.Sprint(max(1, t.Trace().Steps[f.Step-1].Right))))
		t.taken(f.Step)
	case f.Step > t.step:
		if f.Asking { // it is asked above what is seen then
			t.open(f.View)
		}
		if t.Present && !t.shows(f.Step-1) {
			t.goTo(f.Step) // the key goes through the ideas of the step before
		} else {
			t.line("Right")
		}
		if f.Asking {
			t.at("QUESTION %s", "", f.Step, stepping)
			t.asked = f.Step
			return
		}
		t.taken(f.Step)
	case f.View == t.view && !first:
		t.line("Right") // the next idea
	}
	t.open(f.View)
}

func (t *taper) taken(n int) {
	t.at("LIVE %s", "SAVED %s", n, stepping)
	t.step = n
}

func (t *taper) goTo(n int) {
	t.line("Type %s", quoted(fmt.Sprintf(":%d", n)))
	t.line("Enter")
}

// skip takes the steps up to n which are not in the recording, at once and unasked.
func (t *taper) skip(n int) {
	if n <= t.step {
		return
	}
	t.open(screen.Panes)
	t.ask(false)
	t.goTo(n)
	t.taken(n)
}

// shows reports whether a step is in the recording.
func (t *taper) shows(n int) bool { return t.Steps == nil || slices.Contains(t.Steps, n) }

func (t *taper) ask(on bool) {
	if on != t.asks {
		t.line("Type %s", quoted("p"))
		t.asks = on
	}
}

// open leads to a view from another.
func (t *taper) open(view screen.View) {
	if view == t.view {
		return
	}
	if t.view != screen.Panes {
		t.line("Escape")
		t.line("Sleep 200ms") // with the next key at once it would be another
	}
	if view != screen.Panes {
		t.line("Type %s", quoted(view.Key()))
	}
	t.view = view
}

// quoted puts a text into those of VHS's quotes that it does not hold; it has no escapes.
func quoted(s string) string {
	for _, quote := range []string{`"`, `'`} {
		if !strings.Contains(s, quote) {
			return quote + s + quote
		}
	}
	return "`" + s + "`"
}
