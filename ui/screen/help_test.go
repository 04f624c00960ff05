package screen

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/keys"
	"rvtui/ui/runs"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// behinds are screens that help can be asked for on.
func behinds(t *testing.T, size cells.Size, lang string) map[string]Behind {
	t.Helper()
	th := theme.For(theme.Auto, colorprofile.ASCII, true)
	story := NewStory(uitest.TwoWriters(t))
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Behind{"nothing": {}, "the list": BehindPicker(Picker{
		Scenarios: catalogue, Verdicts: map[string]scenarios.Verdict{"two-writers": scenarios.OK, "lost-update": scenarios.Failed},
		Memory: runs.Memory{Scores: map[string]runs.Score{"two-writers": {Right: 1, Asked: 2}}},
	}, size, th, lang)}
	for view, name := range map[View]string{Panes: "the panes", HTTP: "http", Path: "path", Zoomed: "etcd"} {
		out[name] = BehindStory(story, State{View: view, Cursor: 4, Focus: PaneEtcd}, size, th, lang)
	}
	return out
}

func TestEveryKeyAndEverySignCanBeReachedInHelp(t *testing.T) {
	th := theme.For(theme.Auto, colorprofile.ASCII, true)
	for _, size := range []cells.Size{{Width: 200, Height: 60}, {Width: 120, Height: 36}, {Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 10}} {
		for name, behind := range behinds(t, size, scenarios.English) {
			var all strings.Builder
			limit, page := HelpScroll(behind, size, th, scenarios.English), size.Height-4
			for scroll := 0; scroll < limit+page; scroll += page {
				all.WriteString(ansi.Strip(HelpFrame(behind, size, th, scenarios.English, scroll)) + "\n")
			}
			for _, group := range keys.Groups() {
				for _, binding := range group.Bindings {
					if !strings.Contains(all.String(), "  "+binding.Help().Key+"  ") {
						t.Errorf("%v, %s: no key %q", size, name, binding.Help().Key)
					}
				}
			}
			for _, c := range keys.Commands {
				if !strings.Contains(all.String(), ":"+c.Name+" "+c.Takes) {
					t.Errorf("%v, %s: no command %q", size, name, c.Name)
				}
			}
			for _, part := range legend {
				for _, m := range part.meanings {
					if !strings.Contains(all.String(), "  "+m.sign+"  ") {
						t.Errorf("%v, %s: no sign %q", size, name, m.sign)
					}
				}
			}
			if !strings.Contains(all.String(), "`rvtui help concepts`") {
				t.Errorf("%v, %s: nothing of the concepts", size, name)
			}
		}
	}
}

func signs(behind Behind) (out []string) {
	now, _ := onScreen(behind)
	for _, m := range now.rows {
		out = append(out, m.sign)
	}
	return out
}

func TestHelpBeginsWithWhatIsOnTheScreen(t *testing.T) {
	for name, want := range map[string][]string{
		"nothing":   nil,
		"the list":  {"▸", "–", "ok", "FAILED", "N/M"},
		"the panes": {"PAST", "● ◉ ○", "▸", "- +", "sent, stored", "holds rv N", "stale", "head", "compacted N", "rev", "op", "key", "ver", "by", "mod", "no write reached etcd", "Range"},
		"http":      {"PAST", "● ◉ ○", "- +", "mod", "no write reached etcd", "Range"},
		"path":      {"( )", "┊", "~", "watch cache", "span", "PAST", "● ◉ ○", "▸", "mod", "Range", "Txn if mod=N → put"},
	} {
		for _, lang := range words.Languages {
			got := signs(behinds(t, cells.Size{Width: 120, Height: 36}, lang)[name])
			if !slices.Equal(got, want) {
				t.Errorf("%s in %s:\n got %q\nwant %q", name, lang, got, want)
			}
		}
	}
}

// A sign whose looks have changed would never be explained where it stands.
func TestEverySignIsFoundOnSomeScreenInEveryLanguage(t *testing.T) {
	th := theme.For(theme.Auto, colorprofile.ASCII, true)
	size := cells.Size{Width: 120, Height: 60}
	for _, lang := range words.Languages {
		found := map[string]bool{}
		note := func(behind Behind) {
			for _, sign := range signs(behind) {
				found[sign] = true
			}
		}
		for _, behind := range behinds(t, size, lang) {
			note(behind)
		}
		traces := []scenarios.Trace{uitest.Less(t, "two-writers")}
		for _, name := range uitest.Traces(t) {
			traces = append(traces, uitest.Trace(t, name))
		}
		for _, trace := range traces {
			story := NewStory(trace)
			note(BehindStory(story, State{Cursor: story.Taken(), Saved: &Saved{Steps: story.Taken()}}, size, th, lang))
			for cursor := range story.Taken() + 1 {
				for _, view := range []View{Panes, Zoomed, Path} {
					note(BehindStory(story, State{View: view, Cursor: cursor, Focus: PaneEtcd}, size, th, lang))
				}
				note(BehindStory(story, State{Presenting: true, Cursor: cursor}, size, th, lang))
			}
		}
		for _, part := range legend {
			for _, m := range part.meanings {
				if !found[m.sign] {
					t.Errorf("%s: %q is nowhere", lang, m.sign)
				}
			}
		}
	}
}

// Where a text of the help is changed, its translation has to be found again.
func TestTheWholeHelpIsSaidInChinese(t *testing.T) {
	same := []string{"ok", "mod", "no rv", "head", "rev", "op", "key", "ver", "by", "create_revision", "mod_revision", "Range", "Txn if mod=N → put", "watch cache", "span", "N/M"} // fields and API words
	translated := func(english string) {
		t.Helper()
		if words.In(scenarios.Chinese, english) == english && strings.ContainsFunc(english, unicode.IsLetter) && !slices.Contains(same, english) {
			t.Errorf("%q is not said in Chinese", english)
		}
	}
	for _, group := range keys.Groups() {
		translated(group.Title)
		for _, binding := range group.Bindings {
			translated(binding.Help().Desc)
		}
	}
	translated(commandsTitle)
	for _, c := range keys.Commands {
		translated(c.Takes)
		translated(c.Does)
	}
	for _, part := range legend {
		translated(part.title)
		for _, m := range part.meanings {
			translated(m.sign)
			translated(m.means)
		}
	}
}
