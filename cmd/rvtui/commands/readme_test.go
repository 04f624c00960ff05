package commands

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

var update = flag.Bool("update", false, "write README's generated parts anew")

// TestREADMEIsWhatTheProgramIs compares the parts between <!-- name --> and <!-- end -->
// with what they tell of.
func TestREADMEIsWhatTheProgramIs(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	path := filepath.Join(root, "README.md")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	readme := string(before)
	for name, part := range map[string]string{
		"screen":    "```\n" + conflictScreen(t, filepath.Join(root, "ui", "testdata", "two-writers.json")) + "```\n",
		"scenarios": scenarioTable(t),
		"keys":      keys.Markdown(),
		"commands":  keys.CommandMarkdown(),
	} {
		begin, end := "<!-- "+name+" -->\n", "<!-- end -->\n"
		head, rest, ok := strings.Cut(readme, begin)
		if !ok {
			t.Fatalf("README.md has no %q", begin)
		}
		_, tail, ok := strings.Cut(rest, end)
		if !ok {
			t.Fatalf("README.md has no %q after %q", end, begin)
		}
		readme = head + begin + part + end + tail
	}
	if readme == string(before) {
		return
	}
	if !*update {
		t.Fatal("README.md does not tell of the program as it is; `go test ./cmd/rvtui/commands -update` writes it anew")
	}
	if err := os.WriteFile(path, []byte(readme), 0o644); err != nil {
		t.Fatal(err)
	}
}

// conflictScreen is the screen of the step at which two writers conflict.
func conflictScreen(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var trace scenarios.Trace
	if err := json.Unmarshal(content, &trace); err != nil {
		t.Fatal(err)
	}
	trace.Steps = trace.Steps[:4]
	frame := screen.Frame(screen.NewStory(trace), screen.State{Cursor: 4}, cells.Size{Width: 120, Height: 30},
		theme.For(theme.Auto, colorprofile.ASCII, true), scenarios.English)
	var b strings.Builder
	for _, line := range strings.Split(ansi.Strip(frame), "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// scenarioTable lists the catalogue.
func scenarioTable(t *testing.T) string {
	t.Helper()
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| chapter | scenario | |\n|---|---|---|\n")
	for _, s := range catalogue {
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", s.Chapter, s.Name, s.Title.In(scenarios.English))
	}
	return b.String()
}
