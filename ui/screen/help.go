package screen

import (
	"rvtui/ui/keys"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// HelpFrame is the help screen: every key, from the one key map, and what the signs and
// words mean, scrolled by so many lines.
func HelpFrame(size Size, th *theme.Theme, lang string, scroll int) string {
	return render(helpLines(size, th, lang, scroll), size)
}

// HelpScroll is how far the help screen can be scrolled.
func HelpScroll(size Size, th *theme.Theme, lang string) int {
	return window(helpText(size, th, lang), size.Height-4, 0).limit
}

func helpLines(size Size, th *theme.Theme, lang string, scroll int) []line {
	if size.Height < 5 {
		return wrapLines(words.In(lang, "→ step, ← back, esc list, q quit"), size.Width, &th.Text)
	}
	rows := []line{spread(line{{" rvtui  ", &th.Strong}, {words.In(lang, "keys, signs and words"), &th.Text}}, line{{words.In(lang, "esc close "), &th.Dim}}, size.Width), nil}
	shown := window(helpText(size, th, lang), size.Height-4, scroll)
	for i := range size.Height - 4 {
		if i < len(shown.lines) {
			rows = append(rows, shown.lines[i])
		} else {
			rows = append(rows, nil)
		}
	}
	foot := ""
	switch {
	case shown.below > 0:
		foot = " j k scroll   what the signs and words mean is below the keys"
	case shown.above > 0:
		foot = " j k scroll"
	}
	return append(rows, nil, textLine(words.In(lang, foot), &th.Dim).fit(size.Width))
}

func helpText(size Size, th *theme.Theme, lang string) []line {
	column := size.Width
	if size.Width >= 140 {
		column /= 2
	}
	var blocks [][]line
	add := func(title string, names int, rows []meaning) {
		block := []line{textLine(words.In(lang, title), &th.Strong)}
		for _, row := range rows {
			name := words.In(lang, row.sign)
			for i, l := range wrap(words.In(lang, row.means), column-4-names) {
				if i > 0 {
					name = ""
				}
				block = append(block, line{{"  ", nil}, text(name, &th.Key), {spaces(max(2, names-cells(name))), nil}, {l, &th.Text}})
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
	for _, part := range legend {
		add(part.title, 20, part.meanings)
	}
	var all []line
	if column == size.Width {
		for i, block := range blocks {
			if i > 0 {
				all = append(all, nil)
			}
			for _, l := range block {
				all = append(all, append(line{{"  ", nil}}, l...).fit(size.Width))
			}
		}
		return all
	}
	// Two columns: walking, looking and the signs; the other keys and etcd's words.
	column1, column2 := []int{0, 1, 4}, []int{2, 3, 5}
	join := func(which []int) (out []line) {
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
		l := line{{"  ", nil}}
		if i < len(left) {
			l = append(l, left[i]...)
		}
		l = l.fit(column)
		if i < len(right) {
			l = append(l, right[i]...)
		}
		all = append(all, l.fit(size.Width))
	}
	return all
}
