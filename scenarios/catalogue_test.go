package scenarios

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryBuiltInScenarioDecodesStrictly(t *testing.T) {
	all := mustCatalogue(t)
	for _, scenario := range all {
		content, err := Source(scenario)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(scenario.File, content); err != nil {
			t.Error(err)
		}
		if !strings.HasSuffix(scenario.File, "-"+scenario.Name+".yaml") || path.Base(path.Dir(scenario.File)) != scenario.Chapter {
			t.Errorf("%s of chapter %s is in the file %s", scenario.Name, scenario.Chapter, scenario.File)
		}
	}
}

func TestEveryFileOfTheCatalogueIsInAKnownChapter(t *testing.T) {
	directories, err := catalogue.ReadDir("catalogue")
	if err != nil {
		t.Fatal(err)
	}
	for _, directory := range directories {
		if !slices.Contains(chapters, directory.Name()) {
			t.Errorf("catalogue/%s is no chapter", directory.Name())
		}
	}
}

func TestBuiltInScenariosSayWhatTheyShowAndExpectSomethingOfEachStep(t *testing.T) {
	for _, scenario := range mustCatalogue(t) {
		for what, text := range map[string]Text{"summary": scenario.Summary, "see": scenario.See, "fix": scenario.Fix} {
			if text.Empty() {
				t.Errorf("%s has no %s", scenario.Name, what)
			}
		}
		if len(scenario.Sources) == 0 {
			t.Errorf("%s names no source", scenario.Name)
		}
		for i := range scenario.Steps {
			step := &scenario.Steps[i]
			if step.Title.Empty() || step.Say.Empty() {
				t.Errorf("%s, step %d has no title or no narration", scenario.Name, i+1)
			}
			if step.Expect == nil {
				t.Errorf("%s, step %d expects nothing", scenario.Name, i+1)
			}
		}
	}
}

func TestBuiltInScenariosSpeakBothLanguages(t *testing.T) {
	for _, scenario := range mustCatalogue(t) {
		texts := map[string]Text{"title": scenario.Title, "summary": scenario.Summary, "see": scenario.See, "fix": scenario.Fix}
		for i := range scenario.Steps {
			step := &scenario.Steps[i]
			where := fmt.Sprintf("step %d's ", i+1)
			texts[where+"title"], texts[where+"say"] = step.Title, step.Say
			if !step.Ask.Empty() {
				texts[where+"ask"] = step.Ask
			}
			if step.Expect == nil {
				continue
			}
			for n, that := range step.Expect.That {
				texts[fmt.Sprintf("%sexpectation %d", where, n+1)] = that.Means
			}
		}
		for what, text := range texts {
			for _, lang := range []string{English, Chinese} {
				if text[lang] == "" {
					t.Errorf("%s: %s is not there in %s", scenario.Name, what, lang)
				}
			}
			if english, chinese := placeholders(text[English]), placeholders(text[Chinese]); !slices.Equal(english, chinese) {
				t.Errorf("%s: %s fills in %v in English and %v in Chinese", scenario.Name, what, english, chinese)
			}
		}
	}
}

// placeholders lists the expressions that a text fills in, in order of the alphabet, each
// once. The words in them are the language's own.
func placeholders(text string) []string {
	quoted := regexp.MustCompile(`"[^"]*"|'[^']*'`)
	found := placeholder.FindAllString(text, -1)
	for i := range found {
		found[i] = quoted.ReplaceAllString(found[i], "…")
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func TestEveryExplanationLeadsToAScenario(t *testing.T) {
	all, err := explanations()
	if err != nil {
		t.Fatal(err)
	}
	catalogue := mustCatalogue(t)
	for _, explanation := range all {
		if _, err := Find(catalogue, explanation.Scenario); err != nil {
			t.Errorf("%s: %v", explanation.Name, err)
		}
		for _, lang := range []string{English, Chinese} {
			if explanation.Means[lang] == "" || explanation.Fix[lang] == "" {
				t.Errorf("%s says nothing in %s", explanation.Name, lang)
			}
		}
	}
}

// anAnswer is one by its code or its reason.
var anAnswer = regexp.MustCompile(`(?:^|[^=\d])(?:20\d|4\d\d|50\d)\b|\b(?:Conflict|AlreadyExists|Expired|Invalid|NotFound|Gone)\b|冲突|被拒`)

// All titles of a plan can be seen from the beginning.
func TestNoTitleOfAStepNamesAnAnswer(t *testing.T) {
	for _, scenario := range mustCatalogue(t) {
		for i, step := range Preview(scenario).Plan {
			for lang, title := range step.Title {
				if told := anAnswer.FindString(title); told != "" {
					t.Errorf("%s, step %d, %s: %q tells of %s", scenario.Name, i+1, lang, title, told)
				}
			}
		}
	}
}

func TestFindNamesTheNearest(t *testing.T) {
	all := mustCatalogue(t)
	if scenario, err := Find(all, "two-writers"); err != nil || scenario.Name != "two-writers" {
		t.Errorf("%v, %v", scenario, err)
	}
	_, err := Find(all, "two-writer")
	var unknown *UnknownError
	if !errors.As(err, &unknown) || !slices.Contains(unknown.Near, "two-writers") {
		t.Errorf("%v, want an UnknownError that names two-writers", err)
	}
}

func mustCatalogue(t *testing.T) []*Scenario {
	t.Helper()
	all, err := Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("the catalogue is empty")
	}
	return all
}

// BenchmarkCatalogue is a part of what the first frame waits for.
func BenchmarkCatalogue(b *testing.B) {
	for b.Loop() {
		if _, err := Catalogue(); err != nil {
			b.Fatal(err)
		}
	}
}
