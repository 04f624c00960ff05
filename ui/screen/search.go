package screen

import (
	"rvtui/ui/cells"
	"rvtui/ui/theme"
)

// Search is what the reader looks for in what is focused.
type Search struct {
	Text   string
	Typing bool
	At     int // which of the places on the screen is the one that was gone to, from 1; 0 is none
}

// Focused is the text that search looks through: that of the open view, or of the focused
// pane, as far as it is on the screen.
func Focused(story *Story, state State, size cells.Size, th *theme.Theme, lang string) []cells.Line {
	state.Search = Search{}
	f := newFrame(story, state, size, th, lang)
	if f.layout.Look.H > 0 {
		return f.look(f.layout.Look).Lines
	}
	r := inside(f.layout.Panes[f.state.Focus])
	return f.body(f.state.Focus, r.W, r.H).Lines
}

// Places is where a text stands in lines, from top to bottom: the line of each place.
func Places(lines []cells.Line, text string) []int {
	var rows []int
	for y, l := range lines {
		for range l.Find(text) {
			rows = append(rows, y)
		}
	}
	return rows
}

// found shows where the searched text stands: each place underlined, and the one that was
// gone to in reverse video.
func (f *frame) found(lines []cells.Line) []cells.Line {
	if f.state.Search.Text == "" {
		return lines
	}
	out := make([]cells.Line, len(lines))
	n := 0
	for y, l := range lines {
		marked := l
		for _, part := range l.Find(f.state.Search.Text) {
			n++
			style := &f.th.AddedWord
			if n == f.state.Search.At {
				style = &f.th.Selected
			}
			marked = marked.Mark(part, style)
		}
		out[y] = marked
	}
	return out
}

// searchPrompt is the line in which the searched text is typed.
func (f *frame) searchPrompt(width int) cells.Line {
	prompt := cells.Line{{" " + f.in("search") + " ", &f.th.Text}, cells.Text("/"+f.state.Search.Text, &f.th.Strong), {"_", &f.th.Strong}}
	hint := f.in("enter keeps it: then n next, N before   esc ends it")
	if f.state.Search.Text != "" && f.state.Search.At == 0 {
		hint = f.in("not here   esc ends it")
	}
	return append(prompt, cells.Text("   "+hint, &f.th.Dim)).Fit(width)
}

// searched is what is said while a search is on.
func (f *frame) searched() string {
	if f.state.Search.Text == "" {
		return ""
	}
	return f.in("/%s   n next   N before   esc ends the search", f.state.Search.Text)
}
