package scenarios

import (
	"errors"
	"path"
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
