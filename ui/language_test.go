package ui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/words"
)

func TestTheLanguageIsChangedByACommand(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.press("l")
	d.at(1, 1)
	d.shows("as expected", "A reads cm1")
	d.command("lang zh")
	d.shows("符合预期", "A 读 cm1", "下一步")
	d.command("lang en")
	d.shows("as expected", "A reads cm1")
	d.at(1, 1)
}

func TestTheLanguageIsChangedInTheListToo(t *testing.T) {
	d := drive(t, newStage(t), -1)
	d.until("the control plane", func() bool { return d.m.ready })
	d.press("down")
	d.command("lang zh")
	d.shows("按名字或遇到的报错原文筛选", "4 个场景")
	d.command("lang en")
	d.shows("4 scenarios")
	if d.m.picker.Selected != 1 {
		t.Errorf("scenario %d is selected", d.m.picker.Selected)
	}
	d.press("/", ":", "l")
	d.shows("/ :l_") // a filter may hold a colon
}

func TestTheSelectedScenarioStaysSelectedInAnotherLanguage(t *testing.T) {
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, newStage(t), -1)
	d.m.picker.Scenarios = all
	d.m.filter("conflict")
	d.press("down", "down")
	selected := d.m.picker.Matching(scenarios.English)[d.m.picker.Selected]
	english := len(d.m.picker.Matching(scenarios.English))
	d.command("lang zh")
	if matching := d.m.picker.Matching(scenarios.Chinese); len(matching) == english {
		t.Fatal("the filter finds the same in both languages")
	} else if !slices.Contains(matching, selected) {
		t.Fatalf("%s is not among what is found", selected.Name)
	} else if got := matching[d.m.picker.Selected]; got != selected {
		t.Errorf("%s is selected, and %s was", got.Name, selected.Name)
	}
}

func TestThePickersBorderIsOneLineInChinese(t *testing.T) {
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, newStage(t), -1)
	d.m.options.Lang, d.m.picker.Scenarios = scenarios.Chinese, all
	d.until("the control plane", func() bool { return d.m.ready })
	for _, size := range []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 200, Height: 60}} {
		d.m.size = size
		for i := range all {
			d.m.picker.Selected = i
			at := -1
			for n, l := range strings.Split(ansi.Strip(d.m.frame()), "\n") {
				if got := ansi.StringWidth(l); got != size.Width {
					t.Fatalf("%v, %s: line %d has %d cells", size, all[i].Name, n+1, got)
				}
				if left, _, ok := strings.Cut(l, "│"); ok {
					x := ansi.StringWidth(left)
					if at >= 0 && x != at {
						t.Fatalf("%v, %s: the border of line %d stands in cell %d, and above it in %d", size, all[i].Name, n+1, x, at)
					}
					at = x
				}
			}
		}
	}
}

// ownWords is a call that says one of rvtui's own texts.
var ownWords = regexp.MustCompile(`(?:\.in\(|\bin\(|\.In\(|\.say\(|\bIn\([\w.]+, |\.line\(&?b, )"((?:[^"\\]|\\.)*)"`)

// fieldWords are said alike in every language: etcd's and the trace's own words.
var fieldWords = []string{"version %s", "trace %s…"}

// Where an English text is changed, its translation has to be found again.
func TestEveryTextOfTheProgramIsSaidInChinese(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.go", "*/*.go", "*/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	texts := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "words/language.go" {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range ownWords.FindAllStringSubmatch(string(source), -1) {
			texts++
			if words.In(scenarios.Chinese, match[1]) == match[1] && !slices.Contains(fieldWords, match[1]) {
				t.Errorf("%s: %q is not said in Chinese", file, match[1])
			}
		}
	}
	if texts < 100 {
		t.Errorf("only %d texts were found", texts)
	}
	lists := [][]keys.Hint{keys.Hints(), keys.EndHints(), keys.ZoomHints(), keys.PickerHints(), keys.PaletteHints()}
	for v := screen.HTTP; v <= screen.Log; v++ {
		lists = append(lists, keys.LookHints(v.Name(), false), keys.LookHints(v.Name(), true))
	}
	for _, list := range lists {
		for _, hint := range list {
			if words.In(scenarios.Chinese, hint.Does) == hint.Does {
				t.Errorf("the hint %q is not said in Chinese", hint.Does)
			}
		}
	}
}
