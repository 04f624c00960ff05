package ui

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	tea "charm.land/bubbletea/v2"

	"rvtui/scenarios"
	"rvtui/ui/screen"
)

// savedMsg is what became of a trace that was to be written.
type savedMsg struct {
	asked *palette // where it was typed
	path  string
	size  int
	err   error
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
	return m.work.save(m.palette, path, m.story.Trace), ""
}

// save writes a trace into a new file. The trace's steps are never changed, so that they
// can be written while more of them come.
func (w *work) save(asked *palette, path string, trace scenarios.Trace) tea.Cmd {
	return w.command(func() tea.Msg {
		size, err := writeTrace(path, trace)
		return savedMsg{asked, path, size, err}
	})
}

// writeTrace writes a file that only its owner can read, and leaves none where that fails.
// It never writes to a file that is there already.
func writeTrace(path string, trace scenarios.Trace) (size int, err error) {
	var content bytes.Buffer
	if err := trace.WriteJSON(&content); err != nil {
		return 0, fmt.Errorf("encoding the trace: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	_, err = file.Write(content.Bytes())
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, errors.Join(err, os.Remove(path))
	}
	return content.Len(), nil
}

// saved says what became of it: where it was typed, if that is still there.
func (m *model) saved(msg savedMsg) {
	here := m.palette == msg.asked
	if msg.err == nil {
		if here {
			m.palette = nil
		}
		m.note(m.in("saved %s, %d bytes", msg.path, msg.size))
		return
	}
	msg.asked.saving = false
	var reason *fs.PathError
	wrong := m.in("not saved: %s", msg.err)
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		wrong = m.in("%s is there already, and is left alone; another name will do", msg.path)
	case errors.As(msg.err, &reason):
		wrong = m.in("%s could not be written: %s", msg.path, reason.Err)
	}
	if here {
		msg.asked.wrong = wrong
	} else {
		m.note(wrong)
	}
}
