package plain

import (
	"strings"

	"github.com/charmbracelet/colorprofile"

	"rvtui/ui/cells"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
)

// looks are the views of a step by the names that can be typed.
var looks = map[string]screen.State{
	"http": {View: screen.HTTP}, "diff": {View: screen.Diff}, "timeline": {View: screen.Timeline}, "path": {View: screen.Path},
	"log": {View: screen.Log}, "etcd": {View: screen.Zoomed, Focus: screen.PaneEtcd},
}

// lookAt tells a view of the step that is looked at: the same as on the screen, in lines,
// without its borders.
func (d *driver) lookAt(name string) {
	state := looks[name]
	state.Cursor = d.cursor
	state.Look.Open = name == "path"
	story := screen.NewStory(*d.teller.trace)
	size := cells.Size{Width: 100, Height: 500}
	if state.View == screen.HTTP {
		size.Width = 80 // so that the answer stands below the request, and not beside it
	}
	frame := screen.Look(story, state, size, theme.For("", colorprofile.ASCII, true), d.Lang)
	for _, l := range frame.Lines {
		text := l.String()
		if strings.Trim(text, " │╭╮╰╯─") != "" {
			d.printf("%s\n", strings.TrimRight(strings.Trim(text, "│╭╮╰╯"), " │─"))
		}
	}
	d.printf("\n")
}
