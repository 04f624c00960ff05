package plain

import (
	"regexp"
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

// unfolds is how a view names the key that unfolds what it has folded, or folds it again.
var unfolds = regexp.MustCompile(`\bo (unfolds|folds|展开|收起)`)

// look tells a view of step n: the same as on the screen, in lines, without its borders. Of
// the step's requests it is of number chosen, or where that is 0 of the telling one; open
// says that nothing is folded.
func (t teller) look(story *screen.Story, name string, n, chosen int, open bool) string {
	state := looks[name]
	state.Cursor = n
	state.Look.Chosen, state.Look.Object = chosen, max(0, chosen-1)
	state.Look.Open = open || name == "path"
	size := cells.Size{Width: 100, Height: 500}
	if open {
		size = cells.Size{Width: 200, Height: 5000} // for whole keys and whole answers
	}
	switch state.View {
	case screen.HTTP:
		size.Height = min(size.Height, 2000)
		size.Width = 89 // so that the answer stands below the request, and not beside it
	case screen.Timeline:
		size.Width = 200 // its lanes have room for whole answers from here on
	}
	var b strings.Builder
	frame := screen.Look(story, state, size, theme.For("", colorprofile.ASCII, true), t.lang)
	for _, l := range frame.Lines {
		text := l.String()
		if strings.Trim(text, " │╭╮╰╯─") != "" {
			text = strings.TrimRight(strings.Trim(text, "│╭╮╰╯"), " │─")
			b.WriteString(unfolds.ReplaceAllString(text, name+" all $1") + "\n")
		}
	}
	return b.String()
}

// lookAt tells what a word asks to see of the step that is looked at: a view, of one of its
// requests or objects by number and with all unfolded if that is asked for, or how everything
// stands; false where it is no such word.
func (d *driver) lookAt(word, rest string) bool {
	switch _, isView := looks[word]; {
	case isView:
		chosen, open := 0, false
		for _, option := range strings.Fields(rest) {
			if n, ok := number(option); ok {
				chosen = n
			}
			open = open || strings.EqualFold(option, "all")
		}
		d.printf("%s\n", d.teller.look(screen.NewStory(*d.teller.trace), word, d.cursor, chosen, open))
	case word == "state":
		d.printf("%s\n", d.teller.state(d.cursor))
	case word == "steps":
		d.printf("%s\n", d.teller.steps(d.cursor))
	default:
		return false
	}
	return true
}
