package plain_test

import (
	"bytes"
	"strings"
	"testing"

	"rvtui/ui/internal/uitest"
	"rvtui/ui/plain"
	"rvtui/ui/words"
)

// Told in lines, what the author meant to happen is not told as what happened, and what
// somebody else wrote is told.
func TestGoldensOfStepsThatCameOutOtherwise(t *testing.T) {
	trace := uitest.Meddled(t)
	for _, lang := range words.Languages {
		var b strings.Builder
		for n := range len(trace.Steps) + 1 {
			b.WriteString(plain.Step(&trace, n, lang) + "\n")
		}
		uitest.Golden(t, "otherwise/"+lang, b.String())
		var document bytes.Buffer
		if err := plain.Markdown(&document, &trace, lang); err != nil {
			t.Fatal(err)
		}
		uitest.Golden(t, "otherwise/"+lang+".md", document.String())
	}
}
