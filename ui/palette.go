package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"rvtui/ui/keys"
	"rvtui/ui/screen"
)

// palette is what is typed after ":".
type palette struct {
	typed  string // by the reader
	chosen int    // the candidate that stands in its place, from 1; 0 is none
	wrong  string // why it cannot be done, until the next key
	saving bool   // it is being done
}

// maxTyped is how many characters can be typed.
const maxTyped = 300

// candidate is what the typed text can become.
type candidate struct {
	screen.Candidate
	text string // the whole of it; a command that takes something ends with a space
}

// pressPalette is a key while a command is typed.
func (m *model) pressPalette(msg tea.KeyPressMsg) tea.Cmd {
	p := m.palette
	p.wrong = ""
	switch name := msg.String(); {
	case key.Matches(msg, keys.Keys.Close):
		m.palette = nil
	case name == "enter":
		return m.enter()
	case name == "tab", name == "down":
		m.chooseCandidate(1)
	case name == "shift+tab", name == "up":
		m.chooseCandidate(-1)
	case name == "backspace" && m.typed() == "":
		m.palette = nil
	case name == "backspace", name == "ctrl+u":
		p.typed, p.chosen = edited(m.typed(), msg), 0
	default:
		m.typeIn(msg.Text)
	}
	return nil
}

// typeIn adds to what is typed.
func (m *model) typeIn(text string) {
	if text = visible(text); text != "" {
		m.palette.typed, m.palette.chosen = first(m.typed()+text, maxTyped), 0
	}
}

// typed is the text as it stands there: the reader's own, or the candidate in its place.
func (m *model) typed() string {
	p := m.palette
	if all := m.candidates(p.typed); p.chosen > 0 && p.chosen <= len(all) {
		return all[p.chosen-1].text
	}
	return p.typed
}

// chooseCandidate puts the next candidate in the place of what was typed, round and round;
// where there is one alone, it is what was meant.
func (m *model) chooseCandidate(by int) {
	p := m.palette
	switch n := len(m.candidates(p.typed)); {
	case n == 1:
		p.typed, p.chosen = m.candidates(p.typed)[0].text, 0
	case n > 1 && p.chosen == 0 && by < 0:
		p.chosen = n
	case n > 1:
		p.chosen = (p.chosen-1+by+n)%n + 1
	}
}

// enter does what was typed. What cannot be done stays there to be put right.
func (m *model) enter() tea.Cmd {
	p, typed := m.palette, m.typed()
	switch {
	case p.saving:
		return nil
	case strings.TrimSpace(typed) == "":
		m.palette = nil
		return nil
	case p.chosen > 0 && strings.HasSuffix(typed, " "): // chosen, and it takes something
		p.typed, p.chosen = typed, 0
		return nil
	}
	cmd, wrong := m.command(typed)
	p.typed, p.chosen, p.wrong = typed, 0, wrong
	if wrong == "" && !p.saving {
		m.palette = nil
	}
	return cmd
}

// candidates are what a text can become: commands, or what the command in it takes; those
// that begin with it, or where there are none, those that have it inside.
func (m *model) candidates(typed string) []candidate {
	c, arg := m.parse(typed)
	var all []candidate
	switch {
	case c == nil && strings.Contains(arg, " "): // no command's name
	case c == nil:
		for _, c := range keys.Commands {
			if m.open != nil || c.InList {
				all = append(all, candidate{screen.Candidate{Name: c.Name + " " + m.in(c.Takes), About: m.in(c.Does)}, c.Name + " "})
			}
		}
	case c.InList || m.open != nil:
		before := c.Name + " "
		if c.short {
			before = ""
		}
		for _, found := range c.takes(m) {
			all = append(all, candidate{found, before + found.Name})
		}
	}
	return fitting(all, arg)
}

func fitting(all []candidate, typed string) (fit []candidate) {
	typed = strings.ToLower(typed)
	var inside []candidate
	for _, c := range all {
		name, _, _ := strings.Cut(strings.ToLower(c.Name), " ") // without what a command takes
		switch {
		case strings.HasPrefix(name, typed):
			fit = append(fit, c)
		case strings.Contains(name, typed):
			inside = append(inside, c)
		}
	}
	if len(fit) == 0 {
		return inside
	}
	return fit
}

// drawn is the palette as it is drawn; nil where nothing is typed.
func (p *palette) drawn(m *model) *screen.Palette {
	if p == nil {
		return nil
	}
	d := &screen.Palette{Typed: m.typed(), Chosen: p.chosen, Wrong: p.wrong, Note: m.in("nothing here begins with that")}
	if c, _ := m.parse(p.typed); c != nil {
		d.Command, d.Does = c.Name+" "+m.in(c.Takes), m.in(c.Does)
		if c.Name == keys.Scenario && m.options.Saved != nil {
			d.Note = m.alone()
		}
		if c.Name == keys.Save {
			d.Note = m.in("enter writes it; an existing file is left alone")
		}
	}
	if p.saving {
		d.Note = m.in("writing it")
		return d
	}
	for _, c := range m.candidates(p.typed) {
		d.Candidates = append(d.Candidates, c.Candidate)
	}
	return d
}
