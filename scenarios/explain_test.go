package scenarios

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

func TestExplainKnowsWhatPeoplePaste(t *testing.T) {
	content, err := os.ReadFile("testdata/explained.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Text string
		Is   []string
	}
	if err := yaml.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, test := range all {
		if names := explained(t, test.Text); !slices.Equal(names, test.Is) {
			t.Errorf("%q: %q, want %q", test.Text, names, test.Is)
		}
		for _, name := range test.Is {
			tested[name] = true
		}
	}
	explanations, err := explanations()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range explanations {
		if !tested[e.Name] {
			t.Errorf("no text is explained as %s", e.Name)
		}
	}
}

func TestExplainGuessesNothing(t *testing.T) {
	content, err := os.ReadFile("testdata/unexplained.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(strings.Split(string(content), "\n"), string(content)) {
		if names := explained(t, text); len(names) != 0 {
			t.Errorf("%q is explained as %q", text, names)
		}
	}
}

func TestExplainFindsAnErrorWhereverATerminalHasWrappedIt(t *testing.T) {
	const said = `Error: Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`
	for width := 1; width < len(said); width++ {
		var wrapped strings.Builder
		for line := range slices.Chunk([]byte(said), width) {
			wrapped.WriteString("│ " + strings.TrimSpace(string(line)) + "\r\n")
		}
		if names := explained(t, wrapped.String()); !slices.Equal(names, []string{"object-modified"}) {
			t.Errorf("at %d cells: %q", width, names)
		}
	}
}

func TestExplainQuotesWhatItSpeaksOf(t *testing.T) {
	found, err := Explain("a\nwatch ended: “too old\n  resource\tversion”: 1 (2)")
	if err != nil || len(found) != 1 || found[0].Words != "too old resource version" {
		t.Errorf("%+v (%v)", found, err)
	}
}

func TestEachExplanationHasAllItNeedsAndAScenarioShowsIt(t *testing.T) {
	var all []Explanation
	decoder := yaml.NewDecoder(bytes.NewReader(explanationsFile))
	decoder.KnownFields(true)
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	catalogue, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		for _, name := range append([]string{e.Scenario}, e.Also...) {
			if _, err := Find(catalogue, name); err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
		for lang, end := range map[string]string{English: ". ", Chinese: "。"} {
			if e.Means[lang] == "" {
				t.Errorf("%s: it is not said in %s what it means", e.Name, lang)
			}
			if n := strings.Count(e.Fix[lang]+" ", end); n != 2 {
				t.Errorf("%s: the fix has %d sentences in %s", e.Name, n, lang)
			}
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add(`Operation cannot be fulfilled on configmaps \\"a\\": \n the object has been modified`)
	f.Add("\\u002 &quot &#34; \\\\\\")
	f.Fuzz(func(t *testing.T, text string) {
		read, from := squeeze(text)
		if len(from) != len(read)+1 || !slices.IsSorted(from) {
			t.Fatalf("%d bytes are read and %d known, from %v", len(read), len(from), from)
		}
		found, err := Explain(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range found {
			if one.Words == "" || utf8.ValidString(text) && !utf8.ValidString(one.Words) {
				t.Errorf("%q in %q", one.Words, text)
			}
		}
	})
}

func BenchmarkExplainAMegabyte(b *testing.B) {
	for name, line := range map[string]string{
		"unknown": "I1130 10:00:00.123456 1 trace.go:205] Trace[639961347]: about to write a response (total time: 39028ms)\n",
		"nearly":  "E1130 10:00:00.123456 1 leaderelection.go:1] Failed to update lease: connection refused, is the server up?\n",
		"known":   "E1130 10:00:00.123456 1 a.go:1] Operation cannot be fulfilled on pods \"a\": the object has been modified; pl\n",
	} {
		text := strings.Repeat(line, 1<<20/len(line))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Explain(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func explained(t *testing.T, text string) []string {
	t.Helper()
	found, err := Explain(text)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, one := range found {
		names = append(names, one.Name)
	}
	return names
}
