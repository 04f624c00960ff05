// Package viewtest is for the tests of the views: what every drawing must keep to. Nothing but
// tests may import it.
package viewtest

import (
	"testing"

	"rvtui/ui/cells"
)

// Fits checks that there are no more lines than a view is high, and none wider than it is.
func Fits(t *testing.T, lines []cells.Line, size cells.Size) {
	t.Helper()
	if len(lines) > size.Height {
		t.Errorf("%d lines in a view of %d", len(lines), size.Height)
	}
	for i, l := range lines {
		if n := l.Width(); n > size.Width {
			t.Errorf("line %d has %d cells in a view of %d: %q", i+1, n, size.Width, Text(lines[i:i+1]))
		}
	}
}

// Same checks that two drawings have the same text.
func Same(t *testing.T, a, b []cells.Line) {
	t.Helper()
	if Text(a) != Text(b) {
		t.Errorf("drawn again it differs:\n%s\n--- and then\n%s", Text(a), Text(b))
	}
}

// Text is the lines' text.
func Text(lines []cells.Line) string {
	text := ""
	for _, l := range lines {
		for _, span := range l {
			text += span.Text
		}
		text += "\n"
	}
	return text
}
