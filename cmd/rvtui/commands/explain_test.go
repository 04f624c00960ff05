package commands

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

func explainStdin(t *testing.T, text string, args ...string) outcome {
	t.Helper()
	name := filepath.Join(t.TempDir(), "stdin")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	return tryProgram(t, &Program{In: in}, nil, append([]string{"explain", "-"}, args...)...)
}

func TestExplainReadsWhatATerminalWasSent(t *testing.T) {
	for name, text := range map[string]string{
		"colours":         "\x1b[31m│\x1b[0m \x1b[1mError: \x1b[0mthe object has been\x1b[0m\n\x1b[31m│\x1b[0m modified; please apply your changes\n",
		"a link":          "\x1b]8;;https://example.com\x1b\\the object\x1b]8;;\x1b\\ has been modified; please apply your changes",
		"no UTF-8":        "\xd7\xb4\xcc\xac \x90\xff: the object has been modified; please apply your changes",
		"CRLF":            "the object has been modified;\r\nplease apply your changes\r\n",
		"much behind it":  "the object has been modified; please apply your changes\n" + strings.Repeat("x", maxErrorText),
		"much and binary": "the object has been modified; please apply your changes\n" + strings.Repeat("\x00\x1b\xff", 1000),
	} {
		o := explainStdin(t, text)
		if o.code != 0 || !strings.Contains(o.out, "rvtui two-writers;") {
			t.Errorf("%s: exit %d, %q, %q", name, o.code, o.out, o.errors)
		}
		if cut := strings.Contains(o.errors, "first MiB"); cut != (len(text) > maxErrorText) {
			t.Errorf("%s: of %d bytes, on stderr: %q", name, len(text), o.errors)
		}
	}
}

func TestExplainSaysThatThereIsNoText(t *testing.T) {
	for _, text := range []string{"", " \n\t"} {
		if o := explainStdin(t, text); o.code != 1 || o.out != "" || o.errors != "rvtui: there is no text to explain\n" {
			t.Errorf("%q: exit %d, %q, %q", text, o.code, o.out, o.errors)
		}
	}
}

func TestExplainTellsOfEachErrorInAText(t *testing.T) {
	const text = "too old resource version: 1 (2)\nconnection refused\nconfigmaps \"\x1b[1mcm1\x1b[0m\" already exists\ntoo old resource version: 3 (4)"
	o := explainStdin(t, text)
	first, second := strings.Index(o.out, "“too old resource version”\n\n"), strings.Index(o.out, "“configmaps \"cm1\" already exists”\n\n")
	if o.code != 0 || first != 0 || second < first || strings.Count(o.out, "See it:") != 2 {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
	o = explainStdin(t, text, "-o", "json")
	decoder := json.NewDecoder(strings.NewReader(o.out))
	for _, want := range []string{"too-old", "already-exists"} {
		var one struct{ Scenario string }
		if err := decoder.Decode(&one); err != nil || one.Scenario != want {
			t.Errorf("%+v (%v), want %s", one, err, want)
		}
	}
	if decoder.More() {
		t.Errorf("there is more: %q", o.out)
	}
}

func TestExplainWrapsItsLinesForATerminalAndNotForAPipe(t *testing.T) {
	found, err := scenarios.Explain("the object has been modified; configmaps \"cm1\" already exists")
	if err != nil || len(found) == 0 {
		t.Fatalf("%+v (%v)", found, err)
	}
	for _, lang := range words.Languages {
		for _, width := range []int{0, 40, 80} {
			var b strings.Builder
			if err := writeExplained(&b, found, lang, width); err != nil {
				t.Fatal(err)
			}
			widest := 0
			for _, line := range strings.Split(b.String(), "\n") {
				widest = max(widest, ansi.StringWidth(line))
			}
			if (width == 0) != (widest > 80) || width > 0 && widest > width {
				t.Errorf("%s, %d cells: a line of %d", lang, width, widest)
			}
		}
	}
}
