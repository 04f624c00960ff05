// Package uitest is for the tests of ui and its parts: golden files, and traces to
// show. Nothing but tests may import it.
package uitest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// update is declared here alone, so that one `go test ./ui/... -update` rewrites every
// golden file; each test package below ui imports this one for that.
var update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares got with testdata/NAME.golden of the package under test.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("reading the golden file (go test -update writes it): %v", err)
	}
	if got != string(want) {
		t.Errorf("%s differs from what is shown now (go test -update rewrites it).\n--- golden\n%s\n--- now\n%s", path, want, got)
	}
}

// Cells is the text of a frame as it stands in the terminal's cells, after checking
// that it has exactly height lines and that none is wider than width.
func Cells(t *testing.T, frame string, width, height int) string {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("%d lines, want %d", len(lines), height)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("line %d is %d cells wide, want at most %d: %q", i+1, w, width, ansi.Strip(line))
		}
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
