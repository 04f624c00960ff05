package ui

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rvtui/ui/screen"
	"rvtui/ui/tracefile"
)

// savedMsg is what became of a trace that was to be written.
type savedMsg struct {
	asked *palette // where it was typed
	path  string
	size  int
	err   error
}

// unsavedMsg says that a file does not hold the walk's last step.
type unsavedMsg struct {
	path string
	err  error
}

// growing is a file that is kept up to date with a walk.
type growing struct {
	file   *tracefile.File
	failed bool // the last time, and it was said
}

// files offers a name for the trace; what is there already is asked nobody.
func (m *model) files() []screen.Candidate {
	return []screen.Candidate{{Name: m.open.Name + ".json", About: m.in("enter writes it; an existing file is left alone")}}
}

func (m *model) commandSave(path string) (tea.Cmd, string) {
	if !m.begun {
		return nil, m.in("there is nothing to save yet: the scenario is not set up")
	}
	m.palette.saving = true
	return m.work.save(m.walk, m.palette, m.atHome(path)), ""
}

// atHome is a path as a shell would take it: ~/ is the reader's own folder.
func (m *model) atHome(path string) string {
	for _, variable := range m.options.Env {
		if home, ok := strings.CutPrefix(variable, "HOME="); ok && strings.HasPrefix(path, "~/") {
			return filepath.Join(home, path[2:])
		}
	}
	return path
}

// save writes the walk's trace into a new file, which is kept up to date from then on.
func (w *work) save(k *walk, asked *palette, path string) tea.Cmd {
	return w.command(func() tea.Msg {
		k.saving.Lock()
		defer k.saving.Unlock()
		file := tracefile.New(path)
		size, err := file.Update(k.latest)
		if err == nil {
			k.files = append(k.files, &growing{file: file})
		}
		return savedMsg{asked, path, size, err}
	})
}

// keep writes what the walk has come to into its files; k.mu is held. A failure is told once,
// and the next step's writing may mend it.
func (k *walk) keep() tea.Msg {
	k.saving.Lock()
	defer k.saving.Unlock()
	k.latest = k.play.Trace()
	var told tea.Msg
	for _, g := range k.files {
		_, err := g.file.Update(k.latest)
		if err != nil && !g.failed {
			told = unsavedMsg{g.file.Path(), err}
		}
		g.failed = err != nil
	}
	return told
}

// saved reports whether the walk has files.
func (k *walk) saved() bool {
	k.saving.Lock()
	defer k.saving.Unlock()
	return len(k.files) > 0
}

// saved says what became of it: where it was typed, if that is still there.
func (m *model) saved(msg savedMsg) {
	here := m.palette == msg.asked
	if msg.err == nil {
		if here {
			m.palette = nil
		}
		if m.open != nil && m.story.Taken() < m.end() {
			m.note(m.in("saved %s, %d bytes; each step from here on is added", msg.path, msg.size))
		} else {
			m.note(m.in("saved %s, %d bytes", msg.path, msg.size))
		}
		return
	}
	msg.asked.saving = false
	if wrong := m.unsaved(msg.path, msg.err); here {
		msg.asked.wrong = wrong
	} else {
		m.note(wrong)
	}
}

// unsaved is why a file could not be written.
func (m *model) unsaved(path string, err error) string {
	var reason *fs.PathError
	var link *os.LinkError
	switch {
	case errors.Is(err, fs.ErrExist):
		return m.in("%s is there already, and is left alone; another name will do", path)
	case errors.As(err, &reason):
		return m.in("%s could not be written: %s", path, reason.Err)
	case errors.As(err, &link):
		return m.in("%s could not be written: %s", path, link.Err)
	}
	return m.in("not saved: %s", err)
}

// notKept says that a file fell behind.
func (m *model) notKept(msg unsavedMsg) {
	m.note(m.unsaved(msg.path, msg.err) + m.in("; the next step tries again"))
}
