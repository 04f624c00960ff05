package screen

import (
	"github.com/charmbracelet/x/ansi"

	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// Palette is what is typed after ":", and what it can become.
type Palette struct {
	Typed      string // as it stands there, with the candidate that is chosen
	Command    string // the command that it is, "scenario NAME"; "" while that is still typed
	Does       string // what that command does
	Candidates []Candidate
	Chosen     int    // of the candidates, from 1; 0 is none
	Wrong      string // why what was typed cannot be done
	Note       string // what is said where there are no candidates
}

// Candidate is what the typed text can become.
type Candidate struct{ Name, About string }

// candidates is how many of them are shown at most.
const candidates = 6

// over draws the palette over the lower end of a frame: a box where there is room, and
// one line where there is not; below it, what is typed.
func (p *Palette) over(rows []cells.Line, size cells.Size, th *theme.Theme, lang string) []cells.Line {
	for len(rows) < size.Height {
		rows = append(rows, nil)
	}
	rows = rows[:size.Height]
	above := p.small(size.Width, th)
	if size.Width >= 80 && size.Height >= 24 {
		above = p.box(size.Width, th, lang)
	}
	above = above[:min(len(above), size.Height-1)]
	copy(rows[size.Height-1-len(above):], above)
	rows[size.Height-1] = p.prompt(size.Width, th, lang)
	return rows
}

// prompt is what is typed, its end in sight, and the keys.
func (p *Palette) prompt(width int, th *theme.Theme, lang string) cells.Line {
	typed := endInSight(p.Typed, width-len(" :_")-1)
	l := cells.Line{{" :", &th.Key}, cells.Text(typed, &th.Strong), {"_", &th.Strong}}
	hints := (&frame{th: th, lang: lang}).hints(keys.PaletteHints(), width-l.Width())
	return append(l, hints...).Fit(width)
}

// endInSight is what was typed, or its end where there is no room for more: there it goes on.
func endInSight(typed string, room int) string {
	typed = cells.Clean(typed)
	over := cells.Width(typed) - room
	if over <= 0 {
		return typed
	}
	end := ansi.TruncateLeft(typed, over+1, "")
	if cells.Width(end) >= room { // it began within a wide character, which it keeps
		end = ansi.TruncateLeft(typed, over+2, "")
	}
	return "…" + end
}

func (p *Palette) box(width int, th *theme.Theme, lang string) []cells.Line {
	names := 0
	for _, c := range p.Candidates {
		names = max(names, cells.Width(cells.Clean(c.Name)))
	}
	names = min(names, width/2)
	lines := make([]cells.Line, len(p.Candidates))
	for i, c := range p.Candidates {
		mark, name := "  ", cells.Text(cells.Cut(cells.Clean(c.Name), names), &th.Text)
		if i+1 == p.Chosen {
			mark, name.Style = "▸ ", &th.Selected
		}
		lines[i] = cells.Line{{mark, &th.Strong}, name, {cells.Spaces(names - cells.Width(name.Text) + 2), nil}, cells.Text(c.About, &th.Dim)}
	}
	inner := cells.Window(lines, candidates, p.Chosen-candidates+1)
	switch {
	case p.Wrong != "":
		inner.Lines = append(p.why(width-4, th), inner.Lines...)
	case len(lines) == 0:
		inner.Lines = []cells.Line{cells.TextLine("  "+p.Note, &th.Dim)}
	}
	name := p.Command
	if name == "" {
		name = words.In(lang, "commands")
	}
	return cells.Captioned(name, p.Does, inner, cells.Size{Width: width, Height: len(inner.Lines) + 2}, th, lang)
}

// why is what is wrong: a line, where the screen is wide enough for it.
func (p *Palette) why(width int, th *theme.Theme) (lines []cells.Line) {
	for _, l := range cells.Wrap(p.Wrong, width-2) {
		lines = append(lines, cells.Line{{" " + l + " ", &th.Bad}}.Fit(width))
	}
	return lines
}

// small is the box where there is no room for it: what is wrong, or the candidates in one
// line, from the one before the one that is chosen.
func (p *Palette) small(width int, th *theme.Theme) []cells.Line {
	switch {
	case p.Wrong != "":
		return p.why(width, th)
	case len(p.Candidates) == 0:
		return []cells.Line{cells.TextLine(" "+p.Note, &th.Dim).Fit(width)}
	}
	l := cells.Line{{" ", nil}}
	from := max(0, p.Chosen-2)
	if from > 0 {
		l = append(l, cells.Span{"… ", &th.Dim})
	}
	for i, c := range p.Candidates[from:] {
		if l.Width() >= width {
			break
		}
		if from+i+1 == p.Chosen {
			l = append(l, cells.Span{"▸ ", &th.Strong}, cells.Text(c.Name, &th.Selected))
		} else {
			l = append(l, cells.Text(c.Name, &th.Text))
		}
		l = append(l, cells.Span{"   ", nil})
	}
	return []cells.Line{l.Fit(width)}
}
