// Package viewtest is for the tests of views and screens: what they are drawn from, what each
// of them owes, and that every theme shows the same. Nothing but tests may import it.
package viewtest

import (
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/theme"
	"rvtui/ui/view"
)

// Sizes are the sizes that a view has on screens of the usual ones, which keep two
// lines for themselves.
var Sizes = []cells.Size{{Width: 200, Height: 58}, {Width: 120, Height: 34}, {Width: 80, Height: 22}, {Width: 60, Height: 18}}

var dark = theme.For(theme.Auto, colorprofile.TrueColor, true)

// Input is what a view of a trace is drawn from, with the cursor at a step. A cursor that
// the trace does not reach stands on nothing.
func Input(t *scenarios.Trace, cursor int, size cells.Size, lang string, at view.State) view.Input {
	in := view.Input{Trace: t, Cursor: cursor, Size: size, Theme: dark, Lang: lang, At: at}
	history := scenarios.NewHistory(t)
	if cursor > 0 && cursor <= history.Len() {
		in.Before = history.At(cursor - 1)
	}
	if cursor >= 0 && cursor < history.Len() {
		in.Now = history.At(cursor)
	}
	return in
}

// endless is more lines than there can be.
const endless = 1 << 40

// Drawn checks what every view owes: not more lines than it is high, none wider than it
// is, no control character, the same lines for the state that it gives back, and
// an end to scrolling.
func Drawn(t *testing.T, draw func(view.Input) view.Drawn, in view.Input) view.Drawn {
	t.Helper()
	d := draw(in)
	if len(d.Lines) > max(0, in.Size.Height) {
		t.Fatalf("%d lines in a height of %d", len(d.Lines), in.Size.Height)
	}
	for i, l := range d.Lines {
		text := Text(l)
		if n := ansi.StringWidth(text); n > max(0, in.Size.Width) || n != l.Width() {
			t.Fatalf("line %d has %d cells, and says %d, in a width of %d: %q", i+1, n, l.Width(), in.Size.Width, text)
		}
		for _, r := range text {
			if r < 0x20 || r >= 0x7f && r < 0xa0 {
				t.Fatalf("line %d holds the control character %q", i+1, r)
			}
		}
	}
	in.At = d.At
	in.At.Down = endless
	if far := draw(in); far.At.Down == endless && len(far.Lines) > 0 {
		t.Fatal("it can be scrolled without an end")
	}
	in.At = d.At
	again := draw(in)
	if again.At != d.At {
		t.Fatalf("the state %+v became %+v", d.At, again.At)
	}
	if len(again.Lines) != len(d.Lines) {
		t.Fatalf("%d lines became %d", len(d.Lines), len(again.Lines))
	}
	for i := range d.Lines {
		if a, b := Text(d.Lines[i]), Text(again.Lines[i]); a != b {
			t.Fatalf("line %d was %q and became %q", i+1, a, b)
		}
	}
	return d
}

// Text is a line without its styles.
func Text(l cells.Line) string { return l.String() }
