package ui

import tea "charm.land/bubbletea/v2"

// pump runs commands as Bubble Tea does, each by itself, and hands on what they report. done
// ends it.
type pump struct {
	msgs chan tea.Msg
	done chan struct{}
}

func newPump() pump { return pump{msgs: make(chan tea.Msg), done: make(chan struct{})} }

func (p pump) send(msg tea.Msg) {
	select {
	case p.msgs <- msg:
	case <-p.done:
	}
}

func (p pump) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, inner := range msg {
				p.run(inner)
			}
		default:
			p.send(msg)
		}
	}()
}
