package scenarios

import (
	"bytes"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestEachConceptIsThreeSentencesInBothLanguagesAndAScenarioShowsIt(t *testing.T) {
	concepts, err := Concepts()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	if len(concepts) == 0 {
		t.Fatal("there are none")
	}
	seen := map[string]bool{}
	for _, c := range concepts {
		if seen[c.Name] || c.Name == "" || strings.ContainsAny(c.Name, " \t") {
			t.Errorf("%q is no name, or another concept's", c.Name)
		}
		seen[c.Name] = true
		if _, err := Find(catalogue, c.Scenario); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if len(c.Says) != 3 {
			t.Errorf("%s has %d sentences", c.Name, len(c.Says))
		}
		for _, sentence := range c.Says {
			for lang, end := range map[string]string{English: ".", Chinese: "。"} {
				said := sentence[lang]
				if rest, ok := strings.CutSuffix(said, end); !ok || strings.Contains(rest+" ", end+" ") || strings.Contains(rest, "。") {
					t.Errorf("%s, %s: %q is not one sentence", c.Name, lang, said)
				}
			}
		}
		for _, lang := range []string{English, Chinese} {
			if c.Called(lang) == "" || !c.Title.Empty() && c.Title[lang] == "" {
				t.Errorf("%s has no title in %s", c.Name, lang)
			}
		}
	}
}

func TestTheConceptsFileHoldsNoFieldThatNobodyReads(t *testing.T) {
	decoder := yaml.NewDecoder(bytes.NewReader(conceptsFile))
	decoder.KnownFields(true)
	var all []Concept
	if err := decoder.Decode(&all); err != nil {
		t.Error(err)
	}
}
