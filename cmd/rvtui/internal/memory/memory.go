// Package memory keeps what was run in a file, from one session to the next. It may import
// ui/runs and scenarios, for what is kept; it must never decide where the file is, nor say
// anything to anybody: that is the commands' business.
package memory

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"rvtui/scenarios"
	"rvtui/ui/runs"
)

// Version is that of the file's format.
const Version = 1

// maxBytes is more than a file of thousands of scenarios has.
const maxBytes = 1 << 20

// DamagedError says that there is a file which cannot be used. Save keeps it beside the new one.
type DamagedError struct {
	Path   string
	Reason error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("what was run before cannot be read from %s: %s", e.Path, e.Reason)
}

// Unwrap is what is wrong with the file.
func (e *DamagedError) Unwrap() error { return e.Reason }

type file struct {
	Version   int                 `json:"version"`
	Scenarios map[string]scenario `json:"scenarios"`
}

type scenario struct {
	Verdict   scenarios.Verdict `json:"verdict,omitempty"`
	Step      int               `json:"step"`
	Steps     int               `json:"steps"`
	At        time.Time         `json:"at,omitzero"`
	Predicted *predicted        `json:"predicted,omitempty"`
}

type predicted struct {
	Right int `json:"right"`
	Asked int `json:"asked"`
}

// Load reads what was run. Where there is no file yet, nothing was; where the file is
// damaged, or from a newer rvtui, the error is a *DamagedError.
func Load(path string) (runs.Memory, error) {
	content, err := read(path)
	var damaged *DamagedError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return runs.Memory{}, nil
	case errors.As(err, &damaged):
		return runs.Memory{}, err
	case err != nil:
		return runs.Memory{}, fmt.Errorf("reading what was run before: %w", err)
	}
	memory, err := decode(content)
	if err != nil {
		return runs.Memory{}, &DamagedError{path, err}
	}
	return memory, nil
}

func read(path string) ([]byte, error) {
	// Opening what is no file, such as a pipe, could wait for ever.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &DamagedError{path, errors.New("it is no file")}
	}
	if info.Size() > maxBytes {
		return nil, &DamagedError{path, fmt.Errorf("it is larger than %d KiB", maxBytes>>10)}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes))
}

func decode(content []byte) (runs.Memory, error) {
	// The version first: a newer format may have other fields.
	var version struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(content, &version); err != nil {
		return runs.Memory{}, errors.New("it is no JSON as rvtui writes it")
	}
	if version.Version != Version {
		return runs.Memory{}, fmt.Errorf("its version is %d, and this rvtui knows %d", version.Version, Version)
	}
	var f file
	if err := json.Unmarshal(content, &f); err != nil {
		return runs.Memory{}, errors.New("it is no JSON as rvtui writes it")
	}
	m := runs.Memory{Runs: map[string]runs.Run{}, Scores: map[string]runs.Score{}}
	for name, s := range f.Scenarios {
		switch s.Verdict {
		case "", scenarios.OK, scenarios.Failed, scenarios.Skipped:
		default:
			return runs.Memory{}, fmt.Errorf("%.40q has the verdict %.40q", name, s.Verdict)
		}
		if s.Step < 0 || s.Step > s.Steps {
			return runs.Memory{}, fmt.Errorf("%.40q was run to step %d of %d", name, s.Step, s.Steps)
		}
		m.Runs[name] = runs.Run{Verdict: s.Verdict, Step: s.Step, Steps: s.Steps, At: s.At}
		if p := s.Predicted; p != nil {
			if p.Right < 0 || p.Right > p.Asked {
				return runs.Memory{}, fmt.Errorf("%.40q has %d of %d predictions right", name, p.Right, p.Asked)
			}
			m.Scores[name] = runs.Score{Right: p.Right, Asked: p.Asked}
		}
	}
	return m, nil
}

// Save adds what was run in a session to the file, which it makes where there is none. What
// another session has saved in the meantime stays, unless both ran the same scenario. A
// file that cannot be used is moved aside first, to a name that ends in .bad.
func Save(path string, session runs.Memory) error {
	if session.Empty() {
		return nil
	}
	if err := save(path, session); err != nil {
		return fmt.Errorf("saving what was run: %w", err)
	}
	return nil
}

func save(path string, session runs.Memory) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	before, err := Load(path)
	var damaged *DamagedError
	if errors.As(err, &damaged) {
		err = moveAside(path)
	}
	if err != nil {
		return err
	}
	content, err := encode(before.And(session))
	if err != nil {
		return err
	}
	return replace(path, content)
}

func encode(m runs.Memory) ([]byte, error) {
	f := file{Version: Version, Scenarios: map[string]scenario{}}
	for name, run := range m.Runs {
		f.Scenarios[name] = scenario{Verdict: run.Verdict, Step: run.Step, Steps: run.Steps, At: run.At.UTC()}
	}
	for name, score := range m.Scores {
		s := f.Scenarios[name]
		s.Predicted = &predicted{score.Right, score.Asked}
		f.Scenarios[name] = s
	}
	content, err := json.MarshalIndent(f, "", "  ")
	return append(content, '\n'), err
}

// moveAside keeps what is at path under another name, and overwrites nothing there either.
func moveAside(path string) error {
	const most = 100
	for n := 1; n <= most; n++ {
		to := path + ".bad"
		if n > 1 {
			to = fmt.Sprintf("%s.%d.bad", path, n)
		}
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(path, to)
		}
	}
	return fmt.Errorf("there are too many files like %s.bad", path)
}

// replace writes a file anew, whole or not at all.
func replace(path string, content []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".state-*.json") // readable by its owner alone
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
