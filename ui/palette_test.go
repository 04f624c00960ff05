package ui

import (
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// typing is a driver at the end of two-writers, with a command typed.
func typing(t *testing.T, text string) *driver {
	t.Helper()
	d := drive(t, newStage(t), 0)
	d.command("6")
	d.at(6, 6)
	d.press(":")
	d.typed(text)
	return d
}

func (d *driver) wants(typed string) {
	d.t.Helper()
	if d.m.palette == nil {
		d.t.Fatalf("nothing is typed, want %q", typed)
	}
	if got := d.m.typed(); got != typed {
		d.t.Errorf("it is %q, want %q", got, typed)
	}
}

func TestTabCompletesWhatOneCandidateAloneCanBe(t *testing.T) {
	d := typing(t, "g")
	d.press("tab")
	d.wants("goto ")
	d.shows("goto STEP ── go to a step", "1  A reads cm1", "6  ")
	d.typed("4")
	d.press("tab")
	d.wants("goto 4")
	d.press("tab")
	d.wants("goto 4")
	d.press("enter")
	d.at(6, 4)
}

func TestTabAndTheArrowsGoThroughTheCandidatesRoundAndRound(t *testing.T) {
	d := typing(t, "theme ")
	for _, want := range []string{"theme auto", "theme dark", "theme light", "theme high-contrast", "theme ansi", "theme auto"} {
		d.press("tab")
		d.wants(want)
	}
	d.press("shift+tab")
	d.wants("theme ansi")
	d.press("up")
	d.wants("theme high-contrast")
	d.shows("▸ high-contrast", ":theme high-contrast_")
	d.press("down")
	d.wants("theme ansi")
	d.press("backspace") // from there on it is the reader's own text
	d.wants("theme ans")
	d.press("tab")
	d.wants("theme ansi")
	d.press("ctrl+u", "up")
	d.wants("save ")
}

func TestACommandThatIsChosenAndTakesSomethingAsksForIt(t *testing.T) {
	d := typing(t, "")
	d.press("down", "down", "enter")
	d.wants("view ")
	d.shows("timeline", "who asked whom for what, and when")
	d.press("down", "enter")
	if d.m.palette != nil || d.m.state.View != screen.HTTP {
		t.Errorf("it is view %d", d.m.state.View)
	}
}

func TestWhatIsTypedIsFoundInsideOfANameAndInAnyCase(t *testing.T) {
	d := typing(t, "SCENARIO Update")
	d.shows("lost-update")
	d.press("tab")
	d.wants("scenario lost-update")
}

func TestThePaletteClosesAndIsEmptied(t *testing.T) {
	d := typing(t, "go")
	d.press("esc")
	if d.m.palette != nil || d.m.open == nil {
		t.Error("esc does not close what is typed, and that alone")
	}
	d.press(":", "x", "ctrl+u")
	d.wants("")
	d.press("backspace")
	if d.m.palette != nil {
		t.Error("backspace on nothing does not close it")
	}
	d.press(":", "enter")
	if d.m.palette != nil {
		t.Error("enter on nothing does not close it")
	}
}

func TestWhatCannotBeDoneSaysWhyAndStays(t *testing.T) {
	for typed, why := range map[string]string{
		"quit":                   `there is no command "quit"; there are goto, view, scenario, theme, lang, save`,
		"goto":                   "goto takes STEP: go to a step",
		"goto seven":             `"seven" is no step's number; there are 6 steps`,
		"goto -1":                `"-1" is no step's number`,
		"goto 7":                 "there are 6 steps",
		"7":                      "there are 6 steps",
		"9999999999999999999999": "there are 6 steps",
		"view":                   "view takes VIEW",
		"view trace":             `there is no view "trace"; there are http, diff, timeline, path, log, etcd`,
		"scenario two":           `no scenario is called "two"; near it are two-writers`,
		"scenario qqqqqq":        `no scenario is called "qqqqqq"; tab goes through all of them`,
		"lang xx":                `rvtui does not speak "xx"; it speaks en, zh`,
		"theme blue":             `there is no theme "blue"; there are auto, dark, light, high-contrast, ansi`,
		"theme dark":             "no theme shows without colours: NO_COLOR", // the driver's terminal has none
		"save":                   "save takes FILE",
	} {
		d := typing(t, typed)
		before := d.m.state
		d.press("enter")
		d.wants(typed)
		d.shows(why)
		if !reflect.DeepEqual(d.m.state, before) {
			t.Errorf("%q changed something: %+v", typed, d.m.state)
		}
		d.press("ctrl+u")
		if d.m.palette.wrong != "" {
			t.Errorf("%q: why not is still there after a key", typed)
		}
	}
}

func TestEachCommandDoesWhatItSays(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.until("the setup", func() bool { return d.m.begun })
	d.command("goto 4")
	d.at(4, 4)
	d.command(" GOTO  2 ")
	d.at(4, 2)
	d.command("0")
	d.at(4, 0)
	for name, v := range map[string]screen.View{"http": screen.HTTP, "diff": screen.Diff, "timeline": screen.Timeline, "path": screen.Path, "log": screen.Log} {
		for range 2 { // it opens, and stays open
			d.command("view " + name)
			if d.m.state.View != v {
				t.Errorf("view %s opens view %d", name, d.m.state.View)
			}
		}
	}
	d.command("view etcd")
	if d.m.state.View != screen.Zoomed || d.m.state.Focus != screen.PaneEtcd {
		t.Errorf("view etcd opens view %d, pane %d", d.m.state.View, d.m.state.Focus)
	}
	d.m.options.Profile = colorprofile.TrueColor
	d.command("theme Light")
	if d.m.options.Theme != "light" || d.m.palette != nil {
		t.Errorf("the theme is %q", d.m.options.Theme)
	}
	d.command("lang zh")
	d.shows("关闭")
	d.command("scenario no-op")
	d.at(0, 0)
	d.shows("conflicts › no-op")
	d.until("the first walk's end", func() bool {
		d.stage.mu.Lock()
		defer d.stage.mu.Unlock()
		return d.stage.closed == 1
	})
	d.press("esc")
	if d.m.picker.Matching(d.m.options.Lang)[d.m.picker.Selected].Name != "no-op" {
		t.Error("in the list another scenario is selected")
	}
}

func TestInTheListOfScenariosACommandThatNeedsATraceSaysSo(t *testing.T) {
	d := drive(t, newStage(t), -1)
	d.press(":")
	d.shows("scenario NAME", "theme THEME", "lang LANGUAGE")
	if frame := d.m.frame(); strings.Contains(frame, "goto") || strings.Contains(frame, "save") {
		t.Error("it offers what it cannot do")
	}
	for _, typed := range []string{"goto 3", "3", "goto", "view http", "save x.json"} {
		d.press("ctrl+u")
		d.typed(typed)
		d.press("enter")
		d.wants(typed)
		d.shows("needs a scenario that is open; scenario NAME opens one")
	}
	d.press("ctrl+u")
	d.typed("go")
	d.press("enter")
	d.shows(`there is no command "go"; there are scenario, theme, lang`)
	d.press("esc")
	d.m.filter("two-writers")
	d.command("scenario too-large") // which the filter hides
	d.at(0, 0)
	d.press("esc")
	if d.m.picker.Matching(d.m.options.Lang)[d.m.picker.Selected].Name != "too-large" {
		t.Error("in the list another scenario is selected")
	}
}

func TestATextThatIsPastedIsTypedInOneLine(t *testing.T) {
	d := typing(t, "save ")
	d.update(tea.PasteMsg{Content: "a\tb\n\x1b\u202ec.json"})
	d.wants("save a b c.json")
	d.update(tea.PasteMsg{Content: strings.Repeat("长", 1000)})
	if n := len([]rune(d.m.typed())); n != maxTyped {
		t.Errorf("it has %d characters", n)
	}
	d.shows("长_")
}

func TestPaletteGoldens(t *testing.T) {
	for name, c := range map[string]struct {
		list  bool
		typed string
		press []string
	}{
		"commands":   {},
		"completing": {typed: "s"},
		"chosen":     {typed: "goto ", press: []string{"tab", "tab", "tab"}},
		"wrong":      {typed: "theme blue", press: []string{"enter"}},
		"far":        {typed: "goto 61", press: []string{"enter"}},
		"file":       {typed: "save two-writers.json"},
		"list":       {list: true, typed: "scenario t", press: []string{"tab"}},
	} {
		d := drive(t, newStage(t), 0)
		d.until("the setup", func() bool { return d.m.begun })
		d.command("4")
		d.at(4, 4)
		if c.list {
			d.press("esc")
		}
		// What was typed is judged in a language, so it is typed in each.
		viewtest.Goldens(t, "palette/"+name, func(size cells.Size, th *theme.Theme, lang string) string {
			d.m.palette, d.m.options.Lang = nil, lang
			d.press(":")
			d.typed(c.typed)
			d.press(c.press...)
			return d.drawn(size, th, lang)
		})
	}
}

// FuzzPalette types any text, with any keys between, on a screen of any size.
func FuzzPalette(f *testing.F) {
	stage := newStage(f)
	all := catalogue(stage.trace)
	keys := []string{"tab", "shift+tab", "up", "down", "enter", "backspace", "ctrl+u", "right", ":", "space"}
	f.Add("goto 4", []byte{0, 4}, uint16(120), uint16(36), true)
	f.Add("scenario two", []byte{3, 3, 1, 4}, uint16(80), uint16(24), false)
	f.Add("save 名字\x00\u202e👩‍👩‍👧 é", []byte{4, 5}, uint16(60), uint16(20), true)
	f.Add("view ", []byte{2, 2, 4, 8, 0}, uint16(1), uint16(1), true)
	f.Add("theme İİİİ\xff", []byte{0, 0, 9, 4}, uint16(39), uint16(9), false)
	f.Add(strings.Repeat("宽", 400), []byte{5, 4}, uint16(80), uint16(24), true)
	f.Fuzz(func(t *testing.T, text string, pressed []byte, w, h uint16, open bool) {
		size := cells.Size{Width: int(w%300) + 1, Height: int(h%100) + 1}
		o := Options{Stage: stage, Scenarios: all, Lang: words.Languages[int(w)%2], Profile: colorprofile.TrueColor, Size: size, Now: time.Now}
		if open {
			o.Initial = all[0]
		}
		m := newModel(o, newWork(t.Context(), stage))
		if open {
			m.begun, m.story = true, screen.NewStory(stage.trace)
		}
		check := func() {
			lines := strings.Split(m.frame(), "\n")
			if len(lines) != size.Height {
				t.Fatalf("%d lines on a screen of %d", len(lines), size.Height)
			}
			uitest.Cells(t, m.frame(), size.Width, size.Height)
		}
		// What is to be done is not: the commands that Update gives back are left alone.
		m.Update(press(":"))
		for _, r := range text {
			m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		check()
		for _, n := range pressed {
			m.Update(press(keys[int(n)%len(keys)]))
			check()
		}
		m.Update(tea.PasteMsg{Content: text})
		check()
		if m.panicked != nil {
			t.Fatalf("%v\n%s", m.panicked, m.panicked.Stack)
		}
	})
}

func TestAScenarioThatIsOpenedAfterAFailedStartSaysWhatIsWrong(t *testing.T) {
	stage := newStage(t)
	stage.prepareErr = errRefused
	d := drive(t, stage, -1)
	d.until("the problem", func() bool { return d.m.prepare != nil })
	d.command("scenario no-op")
	d.shows("The control plane did not start.", "connection refused")
	if d.m.open.Name != "no-op" || d.m.story.Trace.Title.In(scenarios.English) == "" {
		t.Error("another scenario is open")
	}
}
