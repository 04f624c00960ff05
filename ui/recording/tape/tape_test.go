package tape

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
	"rvtui/ui/screen"
)

var usual = Options{Command: "rvtui two-writers --size 120x36", Output: "two-writers.gif"}

func tape(t *testing.T, options recording.Options) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, recordtest.Fixture(t, "two-writers", options), usual); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var tests = map[string]recording.Options{
	"all steps":          {Lang: scenarios.English},
	"views of two steps": {Lang: scenarios.Chinese, Steps: []int{0, 4}, Views: []screen.View{screen.Panes, screen.HTTP, screen.Diff}, Hold: 1500 * time.Millisecond},
	"questions":          {Lang: scenarios.English, Steps: []int{4, 5}, Predict: true, Keys: true},
	"ideas":              {Lang: scenarios.English, Steps: []int{4}, Present: true},
}

func TestATapePressesTheKeysThatLeadThroughTheFrames(t *testing.T) {
	for name, options := range tests {
		uitest.Golden(t, strings.ReplaceAll(name, " ", "-"), tape(t, options))
	}
}

func TestATapesTextsAreQuoted(t *testing.T) {
	for text, want := range map[string]string{"a b": `"a b"`, `a "b"`: `'a "b"'`, `it's "b"`: "`it's \"b\"`"} {
		if got := quoted(text); got != want {
			t.Errorf("%q is quoted as %s, and should be %s", text, got, want)
		}
	}
	r := recordtest.Fixture(t, "two-writers", recording.Options{})
	for _, text := range []string{"`x`", "\x03", "\t", "\x1b", "\n"} {
		for _, o := range []Options{{Command: "rvtui " + text}, {Output: text + ".gif"}} {
			if err := Write(io.Discard, r, o); err == nil {
				t.Errorf("%q is typed", text)
			}
		}
	}
}

func TestVHSTakesATape(t *testing.T) {
	program, err := exec.LookPath("vhs")
	if err != nil {
		t.Skip("vhs is not installed")
	}
	for name, options := range tests {
		path := filepath.Join(t.TempDir(), "x.tape")
		if err := os.WriteFile(path, []byte(tape(t, options)), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.CommandContext(t.Context(), program, "validate", path).CombinedOutput(); err != nil {
			t.Error(fmt.Errorf("%s: %w: %s", name, err, said))
		}
	}
}
