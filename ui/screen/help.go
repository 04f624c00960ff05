package screen

import (
	"rvtui/ui/keys"
	"rvtui/ui/theme"
)

// HelpFrame is the help screen: every key, from the one key map, scrolled by so many lines.
func HelpFrame(size Size, th *theme.Theme, scroll int) string {
	return render(helpLines(size, th, scroll), size)
}

// HelpScroll is how far the help screen can be scrolled.
func HelpScroll(size Size, th *theme.Theme) int {
	return window(helpText(size, th), size.Height-4, 0).limit
}

func helpLines(size Size, th *theme.Theme, scroll int) []line {
	if size.Height < 5 {
		return wrapLines("→ step, ← back, esc list, q quit", size.Width, &th.Text)
	}
	rows := []line{spread(line{{" rvtui  ", &th.Strong}, {"keys", &th.Text}}, line{{"esc close ", &th.Dim}}, size.Width), nil}
	shown := window(helpText(size, th), size.Height-4, scroll)
	for i := range size.Height - 4 {
		if i < len(shown.lines) {
			rows = append(rows, shown.lines[i])
		} else {
			rows = append(rows, nil)
		}
	}
	foot := " ● taken   ◉ under the cursor   ○ to come   ▸ of this step   - + changed by a write"
	if shown.above+shown.below > 0 {
		foot = " j k scroll"
	}
	return append(rows, nil, textLine(foot, &th.Dim).fit(size.Width))
}

func helpText(size Size, th *theme.Theme) []line {
	column := size.Width
	if size.Width >= 140 {
		column /= 2
	}
	var blocks [][]line
	for _, group := range keys.Groups() {
		block := []line{textLine(group.Title, &th.Strong)}
		for _, b := range group.Bindings {
			const names = 18
			name := b.Help().Key
			for i, l := range wrap(b.Help().Desc, column-4-names) {
				if i > 0 {
					name = ""
				}
				block = append(block, line{{"  ", nil}, text(name, &th.Key), {spaces(max(2, names-cells(name))), nil}, {l, &th.Text}})
			}
		}
		blocks = append(blocks, block)
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
	// Two columns: the first two groups, then the others.
	left := append(append(append([]line{}, blocks[0]...), nil), blocks[1]...)
	right := []line{}
	for _, block := range blocks[2:] {
		right = append(append(right, block...), nil)
	}
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
