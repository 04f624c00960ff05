package screen

import (
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/runs"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// Picker is the list of scenarios, as the reader sees it.
type Picker struct {
	Scenarios []*scenarios.Scenario        // all of them, chapter by chapter
	File      *scenarios.Scenario          // the one among them that is the reader's own; nil if none is
	Verdicts  map[string]scenarios.Verdict // of this session's runs
	Memory    runs.Memory                  // of these and of earlier ones
	Selected  int                          // into Matching's result
	Filter    string
	Filtering bool // what is typed goes to the filter

	Info     scenarios.Info // of the control plane, once it is ready
	Ready    string         // "ready in 1.3 s"
	Starting *Starting
	Problem  *Problem
	Palette  *Palette // what is typed after ":"; nil where nothing is
	Note     string
}

// PickerFrame draws the list of scenarios and, where there is room, what the selected
// one is about.
func PickerFrame(p Picker, size cells.Size, th *theme.Theme, lang string) string {
	f := &pickerFrame{Picker: p, size: size, th: th, lang: lang, matching: p.Matching(lang)}
	f.Selected = clamp(f.Selected, 0, max(0, len(f.matching)-1))
	rows := f.draw()
	if p.Palette != nil {
		rows = p.Palette.over(rows, size, th, lang)
	}
	for i := range rows {
		rows[i] = rows[i].Fit(size.Width)
	}
	return cells.Render(rows, size)
}

type pickerFrame struct {
	Picker
	size     cells.Size
	th       *theme.Theme
	lang     string
	matching []*scenarios.Scenario
}

// in is one of rvtui's own texts in the reader's language.
func (f *pickerFrame) in(english string, args ...any) string {
	return words.In(f.lang, english, args...)
}

// count is a number with its noun in the reader's language.
func (f *pickerFrame) count(n int, one, many string) string {
	return words.CountIn(f.lang, n, one, many)
}

func (f *pickerFrame) draw() []cells.Line {
	w, h := f.size.Width, f.size.Height
	if w < 20 || h < 5 {
		return cells.WrapLines("rvtui: "+f.in("%s (enter opens it)", f.selectedName()), w, &f.th.Text)
	}
	rows := []cells.Line{f.header(w), f.filterLine(w), nil}
	body := h - len(rows) - 2
	left := w
	if w >= 100 {
		left = clamp(f.listWidth(), 48, w-52) // what the selected one is about needs 48, and has a border
	}
	var trouble []cells.Line
	if left == w && f.Problem != nil { // or else it stands beside the list
		trouble = append(f.trouble(w-2), nil)
		trouble = trouble[:min(len(trouble), max(0, body-3))]
		body -= len(trouble)
	}
	for _, l := range trouble {
		rows = append(rows, append(cells.Line{{" ", nil}}, l...).Fit(w))
	}
	list := f.list(left-1, body)
	var about []cells.Line
	if left < w {
		about = f.about(w-left-4, body)
	}
	for i := range body {
		var l cells.Line
		if i < len(list) {
			l = list[i]
		}
		if left < w {
			l = append(l.Fit(left), cells.Span{"│ ", &f.th.Border})
			if i < len(about) {
				l = append(l, about[i]...)
			}
		}
		rows = append(rows, l.Fit(w))
	}
	foot := f.welcome(w)
	if foot == nil && left == w {
		foot = f.inShort(w)
	}
	return append(rows, foot, f.footer(w))
}

func (f *pickerFrame) selectedName() string {
	if len(f.matching) == 0 {
		return f.in("no scenario matches")
	}
	return f.matching[f.Selected].Name
}

func (f *pickerFrame) header(width int) cells.Line {
	name := cells.Line{{" rvtui ", &f.th.Strong}}
	switch {
	case f.Problem != nil:
		return cells.Spread(name, cells.Line{cells.Text(" "+f.Problem.Title+" ", &f.th.Bad), {" ", nil}}, width)
	case f.Starting != nil:
		line := append(phaseLine(f.Starting, f.th), cells.Span{" ", nil})
		if name.Width()+line.Width() >= width && f.Starting.Context == "" { // the servers' names say enough
			line = line[1:]
		}
		return cells.Spread(name, line, width)
	case f.Info.Kubernetes == "":
		return name
	}
	ready := ""
	if f.Ready != "" && width >= 80 {
		ready = " · " + f.Ready
	}
	said := servers(f.Info, "kube-apiserver ", f.lang, width-name.Width()-cells.Width(cells.Clean(ready))-2)
	return cells.Spread(name, cells.Line{cells.Text(said+ready+" ", &f.th.Dim)}, width)
}

func (f *pickerFrame) filterLine(width int) cells.Line {
	switch {
	case f.Filtering:
		said := endInSight(f.Filter, width-len(" / _")-1)
		l := cells.Line{{" / ", &f.th.Key}, {said, &f.th.Strong}, {"_", &f.th.Strong}}
		for _, hint := range []string{f.in("   enter opens, ↑ ↓ choose, esc clears"), f.in("   esc clears it")} {
			if l.Width()+cells.Width(hint) < width {
				return append(l, cells.Span{hint, &f.th.Dim})
			}
		}
		return l
	case f.Filter != "":
		return cells.Line{{" / ", &f.th.Key}, cells.Text(f.Filter, &f.th.Strong), {f.in("   esc clears it"), &f.th.Dim}}.Fit(width)
	}
	return cells.Line{{" / ", &f.th.Key}, {f.in("to filter, by name or by the error text that you met"), &f.th.Dim}}.Fit(width)
}

// list is the scenarios under their chapters, with the selected one in sight.
func (f *pickerFrame) list(width, height int) []cells.Line {
	if len(f.matching) == 0 {
		return []cells.Line{{{f.in("   no scenario matches"), &f.th.Text}, {f.in("   esc clears the filter"), &f.th.Dim}}}
	}
	all, selected := f.items(width, true)
	if len(all) > height { // no room for the ends of long titles
		all, selected = f.items(width, false)
	}
	// Two lines of what comes before and after stay in sight.
	from := clamp(selected-height+3, 0, max(0, len(all)-height))
	if selected < height-2 {
		from = 0
	}
	return all[from:min(len(all), from+height)]
}

// names is the width of the names' column.
func (f *pickerFrame) names() int {
	names := 0
	for _, s := range f.Scenarios {
		names = max(names, cells.Width(cells.Clean(s.Name)))
	}
	return names
}

// listWidth is the width in which no title is cut.
func (f *pickerFrame) listWidth() int {
	titles := 0
	for _, s := range f.Scenarios {
		titles = max(titles, cells.Width(cells.Clean(s.Title.In(f.lang))))
	}
	return 3 + f.names() + 2 + titles + f.scoreWidth() + len(" ok ") + 1
}

// items are the list's lines, with whole titles or one line for each scenario, and at
// which of them the selected one stands.
func (f *pickerFrame) items(width int, whole bool) (all []cells.Line, at int) {
	names := min(f.names(), width/2)
	chapter, selected := "", 0
	for i, s := range f.matching {
		if s.Chapter != chapter || i == 0 {
			if i > 0 {
				all = append(all, nil)
			}
			chapter = s.Chapter
			heading := cells.Line{{" ", nil}, cells.Text(chapter, &f.th.Dim)}
			all = append(all, cells.Spread(heading, f.chapterScore(chapter), width))
		}
		if i == f.Selected {
			selected = len(all)
		}
		all = append(all, f.item(s, i == f.Selected, names, width, whole)...)
	}
	return all, selected
}

func (f *pickerFrame) item(s *scenarios.Scenario, selected bool, names, width int, whole bool) []cells.Line {
	style, title, mark := &f.th.Text, &f.th.Dim, "   "
	if selected {
		style, title, mark = &f.th.Selected, &f.th.Text, " ▸ "
	}
	right := append(f.score(s), cells.Line{{" ", nil}, f.verdict(s), {" ", nil}}...)
	if s == f.File {
		right = append(cells.Line{{f.in(" file"), &f.th.Dim}}, right...)
	}
	name := cells.Cut(cells.Clean(s.Name), names)
	indent := cells.Width(mark) + names + 2
	said := cells.Clean(s.Title.In(f.lang))
	lines := []string{said}
	if room := width - indent - right.Width() - 1; whole && room >= 20 {
		lines = cells.Wrap(said, room)
	}
	l := cells.Line{{mark, &f.th.Strong}, {name, style}, {cells.Spaces(names - cells.Width(name) + 2), nil}, {lines[0], title}}
	out := []cells.Line{cells.Spread(l, right, width)}
	for _, rest := range lines[1:] {
		out = append(out, cells.Line{{cells.Spaces(indent), nil}, {rest, title}})
	}
	return out
}

// trouble is why the control plane is not there, and what can be done.
func (f *pickerFrame) trouble(width int) []cells.Line {
	out := cells.WrapLines(f.Problem.Detail, width, &f.th.Text)
	return append(append(out, nil), cells.WrapLines(f.Problem.Hint, width, &f.th.Strong)...)
}

// inShort is, of the selected scenario, what the list has no room for where nothing stands
// beside it: its title, and its last run.
func (f *pickerFrame) inShort(width int) cells.Line {
	if f.Problem != nil || len(f.matching) == 0 {
		return nil
	}
	s := f.matching[f.Selected]
	said := " " + s.Title.In(f.lang)
	if run := f.lastRun(s); run != "" {
		said += " · " + run
	}
	return cells.TextLine(said, &f.th.Dim).Fit(width)
}

// about is what the selected scenario is about.
func (f *pickerFrame) about(width, height int) []cells.Line {
	if f.Problem != nil {
		return f.trouble(width)
	}
	if len(f.matching) == 0 {
		return nil
	}
	s := f.matching[f.Selected]
	out := cells.WrapLines(s.Title.In(f.lang), width, &f.th.Strong)
	out = append(out, nil)
	out = append(out, cells.WrapLines(s.Summary.In(f.lang), width, &f.th.Text)...)
	field := func(name, value string) {
		if value == "" {
			return
		}
		const indent = 15
		out = append(out, nil)
		for i, l := range cells.Wrap(value, width-indent) {
			label := ""
			if i == 0 {
				label = f.in(name)
			}
			out = append(out, cells.Line{{label + cells.Spaces(indent-cells.Width(label)), &f.th.Dim}, {l, &f.th.Text}})
		}
	}
	field("You will see", s.See.In(f.lang))
	field("Met as", strings.Join(s.Met, "\n"))
	field("Fix", s.Fix.In(f.lang))
	field("Needs", strings.Join(s.Requires(), ", "))
	size := f.count(len(s.Steps), "step", "steps")
	for _, label := range s.Labels {
		size += " · " + f.in(label)
	}
	field("Length", size)
	field("Last run", f.lastRun(s))
	if len(out) > height {
		out = out[:height]
	}
	return out
}

// toBegin is how many of the hints nobody can begin without: what was run gives way to them.
const toBegin = 4

func (f *pickerFrame) footer(width int) cells.Line {
	if f.Note != "" {
		return cells.TextLine(" "+f.Note, &f.th.Strong).Fit(width)
	}
	said := " " + f.count(len(f.Scenarios), "scenario", "scenarios")
	if f.Filter != "" {
		said = f.in(" %d of %s", len(f.matching), f.count(len(f.Scenarios), "scenario", "scenarios"))
	}
	whole := said
	if ok, run := f.run(); run > 0 {
		whole += f.in(" · %d run, %d as expected", run, ok)
	}
	if f.Filtering { // its keys stand beside what is typed; all others are letters now
		return cells.TextLine(whole, &f.th.Text).Fit(width)
	}
	hints := func(of []keys.Hint, room int) cells.Line { return (&frame{th: f.th, lang: f.lang}).hints(of, room) }
	all := keys.PickerHints()
	if cells.Width(whole)+hints(all[:toBegin], width).Width() > width-2 {
		whole = said
	}
	right := append(hints(all, width-cells.Width(whole)-2), cells.Span{" ", nil})
	return cells.Spread(cells.TextLine(whole, &f.th.Text), right, width)
}
