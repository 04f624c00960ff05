package screen

import (
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// HelpFrame is the help screen: every key, from the one key map, and what the signs and
// words mean, scrolled by so many lines.
func HelpFrame(size cells.Size, th *theme.Theme, lang string, scroll int) string {
	return cells.Render(helpLines(size, th, lang, scroll), size)
}

// HelpScroll is how far the help screen can be scrolled.
func HelpScroll(size cells.Size, th *theme.Theme, lang string) int {
	return cells.Window(helpText(size, th, lang), size.Height-4, 0).Limit
}

func helpLines(size cells.Size, th *theme.Theme, lang string, scroll int) []cells.Line {
	if size.Height < 5 {
		return cells.WrapLines(words.In(lang, "→ step, ← back, esc list, q quit"), size.Width, &th.Text)
	}
	rows := []cells.Line{cells.Spread(cells.Line{{" rvtui  ", &th.Strong}, {words.In(lang, "keys, signs and words"), &th.Text}}, cells.Line{{words.In(lang, "esc close "), &th.Dim}}, size.Width), nil}
	shown := cells.Window(helpText(size, th, lang), size.Height-4, scroll)
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
		foot = " j k scroll   what the signs and words mean is below the keys"
	case shown.Above > 0:
		foot = " j k scroll"
	}
	return append(rows, nil, cells.TextLine(words.In(lang, foot), &th.Dim).Fit(size.Width))
}

const commandsTitle = "What can be typed after :"

func helpText(size cells.Size, th *theme.Theme, lang string) []cells.Line {
	column := size.Width
	if size.Width >= 140 {
		column /= 2
	}
	var blocks [][]cells.Line
	add := func(title string, names int, rows []meaning) {
		block := []cells.Line{cells.TextLine(words.In(lang, title), &th.Strong)}
		for _, row := range rows {
			name := words.In(lang, row.sign)
			for i, l := range cells.Wrap(words.In(lang, row.means), column-4-names) {
				if i > 0 {
					name = ""
				}
				block = append(block, cells.Line{{"  ", nil}, cells.Text(name, &th.Key), {cells.Spaces(max(2, names-cells.Width(name))), nil}, {l, &th.Text}})
			}
		}
		blocks = append(blocks, block)
	}
	for _, group := range keys.Groups() {
		var rows []meaning
		for _, b := range group.Bindings {
			rows = append(rows, meaning{b.Help().Key, b.Help().Desc})
		}
		add(group.Title, 18, rows)
	}
	var commands []meaning
	for _, c := range keys.Commands {
		commands = append(commands, meaning{":" + c.Name + " " + words.In(lang, c.Takes), c.Does})
	}
	add(commandsTitle, 18, commands)
	for _, part := range legend {
		add(part.title, 20, part.meanings)
	}
	var all []cells.Line
	if column == size.Width {
		for i, block := range blocks {
			if i > 0 {
				all = append(all, nil)
			}
			for _, l := range block {
				all = append(all, append(cells.Line{{"  ", nil}}, l...).Fit(size.Width))
			}
		}
		return all
	}
	// Two columns: the keys of a scenario and the commands; the other keys, the signs and etcd's words.
	column1, column2 := []int{0, 1, 2, 5}, []int{3, 4, 6, 7, 8}
	join := func(which []int) (out []cells.Line) {
		for i, n := range which {
			if i > 0 {
				out = append(out, nil)
			}
			out = append(out, blocks[n]...)
		}
		return out
	}
	left, right := join(column1), join(column2)
	for i := range max(len(left), len(right)) {
		l := cells.Line{{"  ", nil}}
		if i < len(left) {
			l = append(l, left[i]...)
		}
		l = l.Fit(column)
		if i < len(right) {
			l = append(l, right[i]...)
		}
		all = append(all, l.Fit(size.Width))
	}
	return all
}
