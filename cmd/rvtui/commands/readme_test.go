package commands

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

var update = flag.Bool("update", false, "write the READMEs' generated parts anew")

// TestREADMEIsWhatTheProgramIs compares the parts between <!-- name --> and <!-- end -->
// with what they tell of.
func TestREADMEIsWhatTheProgramIs(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for path, lang := range map[string]string{
		filepath.Join(root, "README.md"):            scenarios.English,
		filepath.Join(root, "docs", "README.zh.md"): scenarios.Chinese,
	} {
		in := func(english string) string { return words.In(lang, english) }
		headings := []string{"key", "command", "chapter | scenario"}
		if lang == scenarios.Chinese {
			headings = []string{"按键", "命令", "章 | 场景"}
		}
		before := read(t, path)
		readme := before
		for name, part := range map[string]string{
			"screen":    "```\n" + conflictScreen(t, filepath.Join(root, "docs", "traces", "two-writers.json.gz"), lang) + "```\n",
			"scenarios": scenarioTable(t, headings[2], lang),
			"keys":      keys.Markdown(headings[0], in),
			"commands":  keys.CommandMarkdown(headings[1], in),
		} {
			begin, end := "<!-- "+name+" -->\n", "<!-- end -->\n"
			head, rest, ok := strings.Cut(readme, begin)
			if !ok {
				t.Fatalf("%s has no %q", path, begin)
			}
			_, tail, ok := strings.Cut(rest, end)
			if !ok {
				t.Fatalf("%s has no %q after %q", path, end, begin)
			}
			readme = head + begin + part + end + tail
		}
		if readme == before {
			continue
		}
		if !*update {
			t.Errorf("%s does not tell of the program as it is; `go test ./cmd/rvtui/commands -run README -update` writes it anew", path)
			continue
		}
		if err := os.WriteFile(path, []byte(readme), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)

func TestLinksInTheDocumentsLeadToFiles(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, filepath.Join(docs, "..", "README.md")) {
		for _, match := range link.FindAllStringSubmatch(read(t, page), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), match[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// TestTheREADMEsGiveTheSameCommands compares what a reader would copy.
func TestTheREADMEsGiveTheSameCommands(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	english, chinese := commandsIn(read(t, filepath.Join(root, "README.md"))), commandsIn(read(t, filepath.Join(root, "docs", "README.zh.md")))
	for _, c := range english {
		if !slices.Contains(chinese, c) {
			t.Errorf("docs/README.zh.md lacks `%s`", c)
		}
	}
	for _, c := range chinese {
		if !slices.Contains(english, c) {
			t.Errorf("README.md lacks `%s`", c)
		}
	}
}

var codeSpan = regexp.MustCompile("`((?:rvtui|go|[.]ci/)[^`]*)`")

// commandsIn are the commands in a text's code spans.
func commandsIn(text string) []string {
	var commands []string
	for _, match := range codeSpan.FindAllStringSubmatch(text, -1) {
		commands = append(commands, match[1])
	}
	return commands
}

// conflictScreen is the screen of the step at which two writers conflict.
func conflictScreen(t *testing.T, path, lang string) string {
	t.Helper()
	saved, err := scenarios.ReadTrace(strings.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	trace, err := saved.All()
	if err != nil {
		t.Fatal(err)
	}
	trace.Steps = trace.Steps[:4]
	frame := screen.Frame(screen.NewStory(trace), screen.State{Cursor: 4}, cells.Size{Width: 120, Height: 30},
		theme.For(theme.Auto, colorprofile.ASCII, true), lang)
	var b strings.Builder
	for _, line := range strings.Split(ansi.Strip(frame), "\n") {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// scenarioTable lists the catalogue.
func scenarioTable(t *testing.T, headings, lang string) string {
	t.Helper()
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| " + headings + " | |\n|---|---|---|\n")
	for _, s := range catalogue {
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", s.Chapter, s.Name, s.Title.In(lang))
	}
	return b.String()
}
