package screen

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// Behind is what stood on the screen when help was asked for.
type Behind struct {
	Text string // a frame's, without styles
	View View   // which view was open
	List bool   // it was the list of scenarios
}

// BehindStory is what Frame draws.
func BehindStory(story *Story, state State, size cells.Size, th *theme.Theme, lang string) Behind {
	return Behind{Text: ansi.Strip(Frame(story, state, size, th, lang)), View: state.View}
}

// BehindPicker is what PickerFrame draws.
func BehindPicker(p Picker, size cells.Size, th *theme.Theme, lang string) Behind {
	return Behind{Text: ansi.Strip(PickerFrame(p, size, th, lang)), List: true}
}

// HelpFrame is the help screen: the signs and words that were on the screen behind it,
// every key, from the one key map, and all other signs, scrolled by so many lines.
func HelpFrame(behind Behind, size cells.Size, th *theme.Theme, lang string, scroll int) string {
	return cells.Render(helpLines(behind, size, th, lang, scroll), size)
}

// HelpScroll is how far the help screen can be scrolled.
func HelpScroll(behind Behind, size cells.Size, th *theme.Theme, lang string) int {
	return cells.Window(helpText(behind, size, th, lang), size.Height-4, 0).Limit
}

func helpLines(behind Behind, size cells.Size, th *theme.Theme, lang string, scroll int) []cells.Line {
	if size.Height < 5 {
		return cells.WrapLines(words.In(lang, "→ step, ← back, esc list, q quit"), size.Width, &th.Text)
	}
	rows := []cells.Line{cells.Spread(cells.Line{{" rvtui  ", &th.Strong}, {words.In(lang, "signs, words and keys"), &th.Text}}, cells.Line{{words.In(lang, "esc close "), &th.Dim}}, size.Width), nil}
	shown := cells.Window(helpText(behind, size, th, lang), size.Height-4, scroll)
	for i := range size.Height - 4 {
		if i < len(shown.Lines) {
			rows = append(rows, shown.Lines[i])
		} else {
			rows = append(rows, nil)
		}
	}
	foot := ""
	switch {
	case shown.Below > 0:
		foot = " j k scroll   the keys and all other signs are below"
	case shown.Above > 0:
		foot = " j k scroll"
	}
	return append(rows, nil, cells.TextLine(words.In(lang, foot), &th.Dim).Fit(size.Width))
}

const commandsTitle = "What can be typed after :"

// part is signs or keys under a title.
type part struct {
	title string
	names int // how wide the signs or keys are
	rows  []meaning
}

// The widths of the signs' and of the keys' column.
const (
	signsWide = 20
	keysWide  = 18
)

// onScreen parts the legend into what is on the screen, an open view's words first, and
// the rest.
func onScreen(behind Behind) (now part, others []part) {
	now = part{"On the screen now", signsWide, nil}
	var general []meaning
	for _, group := range legend {
		other := part{group.title, signsWide, nil}
		for _, m := range group.meanings {
			switch {
			case !m.shown.MatchString(behind.Text):
				other.rows = append(other.rows, m)
			case group.of == behind.View && behind.View != Panes:
				now.rows = append(now.rows, m)
			default:
				general = append(general, m)
			}
		}
		if len(other.rows) > 0 {
			others = append(others, other)
		}
	}
	now.rows = append(now.rows, general...)
	return now, others
}

// helpParts is all of help: what is on the screen, the keys, the other signs.
func helpParts(behind Behind, lang string) []part {
	now, others := onScreen(behind)
	var all []part
	if len(now.rows) > 0 {
		all = append(all, now)
	}
	groups := keys.Groups()
	if behind.List { // its own keys first
		at := slices.IndexFunc(groups, func(g keys.Group) bool { return g.Title == keys.InTheList })
		groups = slices.Concat(groups[at:at+1], groups[:at], groups[at+1:])
	}
	for _, group := range groups {
		p := part{group.Title, keysWide, nil}
		for _, b := range group.Bindings {
			p.rows = append(p.rows, meaning{sign: b.Help().Key, means: b.Help().Desc})
		}
		all = append(all, p)
	}
	commands := part{commandsTitle, keysWide, nil}
	for _, c := range keys.Commands {
		commands.rows = append(commands.rows, meaning{sign: ":" + c.Name + " " + words.In(lang, c.Takes), means: c.Does})
	}
	all = append(all, commands)
	return append(all, others...)
}

func (p *part) lines(width int, th *theme.Theme, lang string) []cells.Line {
	out := []cells.Line{cells.TextLine(words.In(lang, p.title), &th.Strong)}
	for _, row := range p.rows {
		name := words.In(lang, row.sign)
		names := max(p.names, cells.Width(name)+2)
		for i, l := range cells.Wrap(words.In(lang, row.means), width-4-names) {
			if i > 0 {
				name = ""
			}
			out = append(out, cells.Line{{"  ", nil}, cells.Text(name, &th.Key), {cells.Spaces(names - cells.Width(name)), nil}, {l, &th.Text}})
		}
	}
	return out
}

func helpText(behind Behind, size cells.Size, th *theme.Theme, lang string) []cells.Line {
	column := size.Width
	if size.Width >= 140 {
		column /= 2
	}
	var blocks [][]cells.Line
	for _, p := range helpParts(behind, lang) {
		blocks = append(blocks, p.lines(column, th, lang))
	}
	more := words.In(lang, "`rvtui help concepts`, in a shell, explains resourceVersion, watch cache, snapshot, bookmark and others.")
	blocks = append(blocks, cells.WrapLines(more, column-4, &th.Text))
	if column == size.Width {
		return indented(stacked(blocks), size.Width)
	}
	return sideBySide(blocks, size.Width)
}

// stacked is blocks below each other, with air between them.
func stacked(blocks [][]cells.Line) (out []cells.Line) {
	for i, block := range blocks {
		if i > 0 {
			out = append(out, nil)
		}
		out = append(out, block...)
	}
	return out
}

func indented(lines []cells.Line, width int) []cells.Line {
	out := make([]cells.Line, 0, len(lines))
	for _, l := range lines {
		if len(l) > 0 {
			l = append(cells.Line{{"  ", nil}}, l...).Fit(width)
		}
		out = append(out, l)
	}
	return out
}

// sideBySide is blocks in two columns, broken where both come out about equally long.
func sideBySide(blocks [][]cells.Line, width int) []cells.Line {
	left, right := stacked(blocks), []cells.Line(nil)
	for n := len(blocks) - 1; n > 0; n-- {
		l, r := stacked(blocks[:n]), stacked(blocks[n:])
		if max(len(l), len(r)) < max(len(left), len(right)) {
			left, right = l, r
		}
	}
	column := width / 2
	left, right = indented(left, column), indented(right, width-column)
	var out []cells.Line
	for i := range max(len(left), len(right)) {
		var l cells.Line
		if i < len(left) {
			l = left[i]
		}
		l = l.Fit(column)
		if i < len(right) {
			l = append(l, right[i]...)
		}
		out = append(out, l)
	}
	return out
}
