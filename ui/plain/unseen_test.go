package plain_test

import (
	"bytes"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/plain"
	"rvtui/ui/words"
)

// Told in lines, what a cluster does not show is as plainly unknown as on the screen.
func TestGoldensOfClustersThatShowLess(t *testing.T) {
	for _, name := range []string{"two-writers", "consistent-from-cache"} {
		trace := uitest.Less(t, name)
		for _, lang := range words.Languages {
			var b strings.Builder
			for n := range len(trace.Steps) + 1 {
				b.WriteString(plain.Step(&trace, n, lang) + "\n")
			}
			b.WriteString(plain.End(&trace, lang))
			uitest.Golden(t, "unseen/"+name+"-"+lang, b.String())
			var document bytes.Buffer
			if err := plain.Markdown(&document, &trace, lang); err != nil {
				t.Fatal(err)
			}
			uitest.Golden(t, "unseen/"+name+"-"+lang+".md", document.String())
		}
	}
}

func TestItemsThatWereThereBeforeAreCountedApart(t *testing.T) {
	trace := uitest.Less(t, "consistent-from-cache")
	trace.Found = []string{"cm1"}
	if told := plain.Step(&trace, 3, scenarios.English); !strings.Contains(told, "with 3 items, 1 of them there before") {
		t.Errorf("it is not said:\n%s", told)
	}
}
