package ui

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"rvtui/ui/theme"
)

func TestAThemeThatIsAskedForBringsItsBackgroundOnceTheTerminalsOwnIsKnown(t *testing.T) {
	d := drive(t, newStage(t), 0)
	d.m.options.Profile, d.m.options.Theme = colorprofile.TrueColor, theme.Light
	light := theme.For(theme.Light, colorprofile.TrueColor, true)
	if got := d.m.View().BackgroundColor; got != nil {
		t.Errorf("before the terminal has told of its own, the background is %v", got)
	}
	d.update(tea.BackgroundColorMsg{Color: color.Black})
	if got := d.m.View().BackgroundColor; got != light.Background {
		t.Errorf("the background is %v, want %v", got, light.Background)
	}
	d.update(tea.BackgroundColorMsg{Color: color.White}) // the one that it was given
	d.m.options.Theme = theme.Auto
	if got := d.m.View().BackgroundColor; got != nil || d.m.theme().Text.GetForeground() != theme.For("", colorprofile.TrueColor, true).Text.GetForeground() {
		t.Errorf("with no theme asked for, the background is %v, the text %v", got, d.m.theme().Text.GetForeground())
	}
}

func TestWithoutColourNoThemeBringsAny(t *testing.T) {
	d := drive(t, newStage(t), 0) // its terminal has none
	d.update(tea.BackgroundColorMsg{Color: color.Black})
	for _, name := range theme.Names {
		d.m.options.Theme = name
		if v := d.m.View(); v.BackgroundColor != nil || d.m.theme().A.GetForeground() != (lipgloss.NoColor{}) {
			t.Errorf("%s brings a colour", name)
		}
	}
}
