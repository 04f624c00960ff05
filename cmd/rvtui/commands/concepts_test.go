package commands

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

func TestHelpConceptsTellsOfAllInLinesOfAPage(t *testing.T) {
	all, err := scenarios.Concepts()
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range words.Languages {
		o := try(t, "help", "concepts", "--lang", lang)
		if o.code != 0 || o.errors != "" {
			t.Fatalf("exit %d, %q", o.code, o.errors)
		}
		for _, c := range all {
			if !strings.Contains(o.out, c.Called(lang)+"\n  ") || !strings.Contains(o.out, "rvtui "+c.Scenario+"\n") {
				t.Errorf("%s: %s is not told of", lang, c.Name)
			}
		}
		for _, line := range strings.Split(o.out, "\n") {
			if width := ansi.StringWidth(line); width > 80 {
				t.Errorf("%s: a line of %d cells: %q", lang, width, line)
			}
		}
	}
}

func TestHelpTellsOfOneConceptHoweverItIsAskedFor(t *testing.T) {
	want := "watch cache\n  For each kind that it stores"
	one := try(t, "help", "concepts", "watch-cache")
	if !strings.HasPrefix(one.out, want) || !strings.HasSuffix(one.out, "  See it: rvtui any-version\n") || strings.Contains(one.out, "\n\n") {
		t.Errorf("%q", one.out)
	}
	for _, args := range [][]string{{"concepts", "watch-cache"}, {"concepts", "watch-cache", "--help"}} {
		if o := try(t, args...); o.code != 0 || o.out != one.out {
			t.Errorf("%v: exit %d, %q, %q", args, o.code, o.out, o.errors)
		}
	}
	if o := try(t, "help", "concepts", "resourceversion"); !strings.HasPrefix(o.out, "resourceVersion\n") {
		t.Errorf("%q", o.out)
	}
}

func TestHelpListsTheTopicAndRefusesWhatItDoesNotKnow(t *testing.T) {
	if o := try(t, "help"); o.code != 0 || !strings.Contains(o.out, "rvtui concepts") || !strings.Contains(o.out, "resourceVersion, watch cache") {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
	if o := try(t, "help", "run"); o.code != 0 || !strings.Contains(o.out, "rvtui run") || !strings.Contains(o.out, "-h, --help") {
		t.Errorf("exit %d, %q", o.code, o.out)
	}
	for _, args := range [][]string{{"help", "concepts", "watch-cash"}, {"help", "nothing"}} {
		o := try(t, args...)
		if o.code != 2 || o.out != "" || !strings.Contains(o.errors, "there is no help on") || strings.Count(o.errors, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, %q", args, o.code, o.out, o.errors)
		}
	}
}

func TestHelpCompletesTopicsAndConcepts(t *testing.T) {
	for _, test := range []struct{ args, offers []string }{
		{[]string{"help", ""}, []string{"concepts\t", "run\t", "explain\t"}},
		{[]string{"help", "concepts", ""}, []string{"watch-cache\twatch cache\n", "resourceVersion\t", "finalizer\t"}},
	} {
		o := try(t, append([]string{"__complete"}, test.args...)...)
		for _, offer := range test.offers {
			if !strings.Contains(o.out, offer) {
				t.Errorf("%v: %q is not offered: %q", test.args, offer, o.out)
			}
		}
	}
}
