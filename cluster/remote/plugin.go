package remote

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"

	"k8s.io/client-go/rest"

	"rvtui/cluster/logs"
)

// A kubeconfig's credential plugin is a program that client-go runs whenever it needs
// credentials (k8s.io/client-go/plugin/pkg/client/auth/exec). It may ask its user something
// on stdin and stderr, which it can as long as no screen is there: at the first request.

// pluginSource is the plugins' name in the log.
const pluginSource = "credential plugin"

// mouth takes what the process's plugins write to stderr.
type mouth struct {
	file *os.File // a plugin's stderr

	mu   sync.Mutex
	to   io.Writer // where a person reads it; nil while the screen is there: then the log has it
	line []byte    // that has not ended
	last string    // the last line that says anything

	asking sync.Mutex // held by said
	mark   chan struct{}
}

// openMouth makes the one that there is: client-go keeps a plugin's stderr for the
// process's lifetime.
var openMouth = sync.OnceValues(func() (*mouth, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	m := &mouth{file: write, mark: make(chan struct{}, 1)}
	go m.listen(read)
	return m, nil
})

// mark is what said writes, to know that all before it was read.
const mark = 0

func (m *mouth) listen(from io.Reader) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		text := buffer[:n]
		marked := bytes.IndexByte(text, mark) >= 0
		m.take(bytes.ReplaceAll(text, []byte{mark}, nil))
		if marked {
			select {
			case m.mark <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

func (m *mouth) take(text []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.to != nil && len(text) > 0 {
		_, _ = m.to.Write(text)
	}
	m.line = append(m.line, text...)
	for {
		line, rest, ended := bytes.Cut(m.line, []byte{'\n'})
		if !ended && len(line) < 4096 {
			break
		}
		m.end(string(line))
		m.line = rest
	}
}

func (m *mouth) end(line string) {
	line = strings.TrimSpace(line)
	if line == "" {
		return
	}
	m.last = line
	if m.to == nil {
		add(logs.Line{Source: pluginSource, Level: logs.Warning, Text: line})
	}
}

// speak says where what plugins write is read from now on; nil is the log.
func (m *mouth) speak(to io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.to = to
}

// said is the last line that a plugin wrote.
func (m *mouth) said() string {
	m.asking.Lock()
	defer m.asking.Unlock()
	select {
	case <-m.mark:
	default:
	}
	if _, err := m.file.Write([]byte{mark}); err == nil {
		<-m.mark
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if rest := strings.TrimSpace(string(m.line)); rest != "" {
		return rest
	}
	return m.last
}

// plugin is a config's credential plugin. Its methods do nothing where there is none.
type plugin struct {
	config *rest.Config
	mouth  *mouth
}

// takePlugin makes a config's plugin one that cannot read the terminal, and whose stderr is
// not the terminal's. client-go hands it the process's stderr when a config's first
// transport is made, and keeps that; so the first one is made here.
func takePlugin(config *rest.Config) (*plugin, error) {
	if config.ExecProvider == nil {
		return &plugin{}, nil
	}
	m, err := openMouth()
	if err != nil {
		return nil, err
	}
	config.ExecProvider = config.ExecProvider.DeepCopy()
	config.ExecProvider.StdinUnavailable = true
	config.ExecProvider.StdinUnavailableMessage = "rvtui reads the keyboard itself by now"
	terminal := os.Stderr
	os.Stderr = m.file
	defer func() { os.Stderr = terminal }()
	_, err = rest.TransportFor(config)
	return &plugin{config, m}, err
}

// mayAsk lets the plugin read the terminal, until the function that it returns is called. No
// transport may be made meanwhile: client-go tells plugins apart by what their config says.
func (p *plugin) mayAsk(to io.Writer) (done func()) {
	if p.mouth == nil {
		return func() {}
	}
	p.mouth.speak(to)
	// client-go looks at this whenever it runs the plugin.
	p.config.ExecProvider.StdinUnavailable = false
	return func() { p.config.ExecProvider.StdinUnavailable = true }
}

func (p *plugin) speak(to io.Writer) {
	if p.mouth != nil {
		p.mouth.speak(to)
	}
}

func (p *plugin) said() string {
	if p.mouth == nil {
		return ""
	}
	return p.mouth.said()
}
