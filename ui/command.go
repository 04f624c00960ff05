package ui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/keys"
	"rvtui/ui/screen"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// command is a command, and how it is done.
type command struct {
	keys.Command
	short bool // it was typed as a number alone
	// takes are what can stand behind its name.
	takes func(*model) []screen.Candidate
	// do does it, or says in one line why not and what would do.
	do func(m *model, arg string) (cmd tea.Cmd, wrong string)
}

// deeds are how the commands are done, by their names.
var deeds = map[string]command{
	keys.GoTo:     {takes: (*model).steps, do: (*model).commandGoTo},
	keys.View:     {takes: (*model).views, do: (*model).commandView},
	keys.Scenario: {takes: (*model).scenarios, do: (*model).commandScenario},
	keys.Theme:    {takes: (*model).themes, do: (*model).commandTheme},
	keys.Language: {takes: (*model).languages, do: (*model).commandLanguage},
	keys.Save:     {takes: (*model).files, do: (*model).commandSave},
}

// parse is the command in a typed text, and what stands behind its name. The command is
// nil, and the text is arg, while its name is still typed or where there is none of it.
func (m *model) parse(typed string) (c *command, arg string) {
	typed = strings.TrimLeft(typed, " ")
	name, rest, whole := strings.Cut(typed, " ")
	number := strings.TrimRight(typed, " ")
	short := number != "" && isNumber(number)
	if short {
		name, rest, whole = keys.GoTo, number, true
	}
	at := slices.IndexFunc(keys.Commands, func(c keys.Command) bool { return c.Name == strings.ToLower(name) })
	if !whole || at < 0 {
		return nil, typed
	}
	found := deeds[keys.Commands[at].Name]
	found.Command, found.short = keys.Commands[at], short
	return &found, strings.TrimSpace(rest)
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// command does what was typed, or says in one line why not and what would do.
func (m *model) command(typed string) (cmd tea.Cmd, wrong string) {
	c, arg := m.parse(strings.TrimSpace(typed) + " ")
	switch {
	case c == nil:
		name, _, _ := strings.Cut(arg, " ")
		var names []string
		for _, c := range keys.Commands {
			if m.open != nil || c.InList {
				names = append(names, c.Name)
			}
		}
		return nil, m.in("there is no command %q; there are %s", quoted(name), strings.Join(names, ", "))
	case m.open == nil && !c.InList:
		return nil, m.in("%s needs a scenario that is open; scenario NAME opens one", c.Name)
	case arg == "":
		return nil, m.in("%s takes %s: %s", c.Name, m.in(c.Takes), m.in(c.Does))
	}
	return c.do(m, arg)
}

// quoted is a typed text as an answer quotes it.
func quoted(typed string) string { return cells.Cut(cells.Clean(typed), 24) }

func names(all []screen.Candidate) string {
	var b []string
	for _, c := range all {
		b = append(b, c.Name)
	}
	return strings.Join(b, ", ")
}

func (m *model) steps() (all []screen.Candidate) {
	for i, step := range m.story.Trace.Plan {
		all = append(all, screen.Candidate{Name: strconv.Itoa(i + 1), About: step.Title.In(m.options.Lang)})
	}
	return all
}

func (m *model) commandGoTo(arg string) (tea.Cmd, string) {
	total := len(m.story.Trace.Plan)
	if !isNumber(arg) {
		return nil, m.in("%q is no step's number; %s", quoted(arg), words.Are(m.options.Lang, total, "step", "steps"))
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n > total { // too long a number is too large a one
		return nil, words.Are(m.options.Lang, total, "step", "steps")
	}
	return m.goTo(n), ""
}

// views are those of a step, each with what its key does.
func (m *model) views() (all []screen.Candidate) {
	k := keys.Keys
	for _, v := range []struct {
		view screen.View
		key  key.Binding
	}{{screen.HTTP, k.HTTP}, {screen.Diff, k.Diff}, {screen.Timeline, k.Timeline}, {screen.Path, k.Path}, {screen.Log, k.Log}} {
		_, about, _ := strings.Cut(strings.ReplaceAll(m.in(v.key.Help().Desc), "：", ": "), ": ")
		all = append(all, screen.Candidate{Name: v.view.Name(), About: about})
	}
	return append(all, screen.Candidate{Name: "etcd", About: m.in("every revision and every RPC")})
}

func (m *model) commandView(arg string) (tea.Cmd, string) {
	for v := screen.HTTP; v <= screen.Log; v++ {
		if v.Name() == strings.ToLower(arg) {
			if m.state.View != v {
				m.toggleLook(v)
			}
			return nil, ""
		}
	}
	if strings.ToLower(arg) != "etcd" {
		return nil, m.in("there is no view %q; there are %s", quoted(arg), names(m.views()))
	}
	m.stand()
	m.state.Focus, m.state.View = screen.PaneEtcd, screen.Zoomed
	return nil, ""
}

func (m *model) scenarios() (all []screen.Candidate) {
	if m.options.Saved != nil {
		return nil
	}
	for _, s := range m.picker.Scenarios {
		all = append(all, screen.Candidate{Name: s.Name, About: s.Title.In(m.options.Lang)})
	}
	return all
}

func (m *model) commandScenario(arg string) (tea.Cmd, string) {
	if m.options.Saved != nil {
		return nil, m.alone()
	}
	var all []string
	for _, s := range m.picker.Scenarios {
		if strings.EqualFold(s.Name, arg) {
			m.selectScenario(s)
			return m.opened(s), ""
		}
		all = append(all, s.Name)
	}
	if near := scenarios.Nearest(arg, all, 3); len(near) > 0 {
		return nil, m.in("no scenario is called %q; near it are %s", quoted(arg), strings.Join(near, ", "))
	}
	return nil, m.in("no scenario is called %q; tab goes through all of them", quoted(arg))
}

// selectScenario selects it in the list, and for that gives up a filter that hides it.
func (m *model) selectScenario(s *scenarios.Scenario) {
	at := slices.Index(m.picker.Matching(m.options.Lang), s)
	if at < 0 {
		m.picker.Filter = ""
		at = slices.Index(m.picker.Scenarios, s)
	}
	m.picker.Selected = at
}

func (m *model) themes() []screen.Candidate {
	return []screen.Candidate{
		{Name: theme.Auto, About: m.in("as the terminal's background is")},
		{Name: theme.Dark, About: m.in("light text on a dark background")},
		{Name: theme.Light, About: m.in("dark text on a light background")},
		{Name: theme.HighContrast, About: m.in("a contrast of at least 7:1, for a projector or tired eyes")},
		{Name: theme.ANSI, About: m.in("the sixteen colours of the terminal's own scheme")},
	}
}

func (m *model) commandTheme(arg string) (tea.Cmd, string) {
	arg = strings.ToLower(arg)
	switch {
	case !slices.Contains(theme.Names, arg):
		return nil, m.in("there is no theme %q; there are %s", quoted(arg), strings.Join(theme.Names, ", "))
	case m.options.Profile <= colorprofile.ASCII:
		return nil, m.in("no theme shows without colours: NO_COLOR, CLICOLOR=0, --color never, or a terminal that has none")
	}
	m.options.Theme = arg
	return nil, ""
}

func (m *model) languages() []screen.Candidate {
	return []screen.Candidate{{Name: scenarios.English, About: "English"}, {Name: scenarios.Chinese, About: "中文"}}
}

// commandLanguage changes the language. What the list's filter finds, which looks at
// titles too, may be something else then; the selected scenario stays selected if it can.
func (m *model) commandLanguage(arg string) (tea.Cmd, string) {
	lang := strings.ToLower(arg)
	if !words.Speaks(lang) {
		return nil, m.in("rvtui does not speak %q; it speaks %s", quoted(lang), strings.Join(words.Languages, ", "))
	}
	before := m.picker.Matching(m.options.Lang)
	m.options.Lang = lang
	m.reselect(before)
	return nil, ""
}
