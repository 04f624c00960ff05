package glyphs_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
	"rvtui/ui/recording/glyphs"
	"rvtui/ui/screen"
)

// What to do when a text has got a character that the committed fonts lack.
const mend = "; run .ci/fonts, and commit the fonts that it writes"

// The texts are those of the scenarios and the concepts, and all that stands in a string of
// the program: tables of words, keys, signs.
func TestEveryCharacterOfEveryTextHasAGlyph(t *testing.T) {
	where := map[rune]string{}
	for _, root := range []string{"scenarios", "ui", "cmd", "cluster"} {
		err := filepath.WalkDir(filepath.Join("..", "..", "..", root), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "testdata" {
				return fs.SkipDir
			}
			text := ""
			switch {
			case strings.HasSuffix(path, "_test.go"):
			case strings.HasSuffix(path, ".go"):
				text = literals(t, path)
			case strings.HasSuffix(path, ".yaml"):
				text = read(t, path)
			}
			for _, r := range text {
				if unicode.IsPrint(r) {
					where[r] = path
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(where) < 700 {
		t.Fatalf("only %d characters were found", len(where))
	}
	for _, r := range slices.Sorted(maps.Keys(where)) {
		has(t, string(r), cells.Width(string(r)), where[r])
	}
}

func TestEveryCharacterThatIsDrawnHasAGlyph(t *testing.T) {
	seen := map[rune]bool{'\n': true}
	for _, name := range uitest.Traces(t) {
		for _, lang := range []string{scenarios.English, scenarios.Chinese} {
			r := recordtest.Fixture(t, name, recording.Options{Lang: lang, Predict: true,
				Views: []screen.View{screen.Panes, screen.HTTP, screen.Diff, screen.Timeline, screen.Path, screen.Log}})
			for f := range r.Frames() {
				for _, r := range ansi.Strip(f.Content) {
					if !seen[r] {
						seen[r] = true
						has(t, string(r), cells.Width(string(r)), name)
					}
				}
			}
		}
	}
	if len(seen) < 300 {
		t.Errorf("only %d characters were drawn", len(seen))
	}
}

func has(t *testing.T, text string, width int, where string) {
	t.Helper()
	for _, bold := range []bool{false, true} {
		outline, ok := glyphs.Outline(text, max(width, 1), bold)
		if !ok {
			t.Errorf("%s has %q (%U), and there is no glyph for it (bold: %v)%s", where, text, []rune(text), bold, mend)
		} else if len(outline) == 0 && strings.TrimSpace(text) != "" {
			t.Errorf("%q (%U) of %s looks like a blank", text, []rune(text), where)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// literals is what stands in the strings of a Go file.
func literals(t *testing.T, path string) string {
	t.Helper()
	raw := read(t, path)
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile(path, -1, len(raw)), []byte(raw), nil, 0)
	var b strings.Builder
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		if tok == token.STRING {
			text, err := strconv.Unquote(literal)
			if err != nil {
				t.Fatalf("%s: %s: %v", path, literal, err)
			}
			b.WriteString(text)
		}
	}
}
