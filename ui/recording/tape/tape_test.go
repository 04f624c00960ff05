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
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
	"rvtui/ui/screen"
)

var usual = Options{Command: "rvtui two-writers --size 120x36", Output: "two-writers.gif"}

func tape(t *testing.T, options recording.Options) string {
	t.Helper()
	trace := uitest.TwoWriters(t)
	options.Size = cells.Size{Width: 120, Height: 36}
	r, err := recording.New(&trace, options)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Write(&b, r, usual); err != nil {
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
	trace := uitest.TwoWriters(t)
	r, err := recording.New(&trace, recording.Options{Size: cells.Size{Width: 80, Height: 24}})
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(io.Discard, r, Options{Command: "rvtui `x`"}); err == nil {
		t.Error("backquotes are typed")
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
