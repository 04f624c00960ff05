package commands

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rvtui/ui/plain"
	"rvtui/ui/recording"
	"rvtui/ui/recording/cast"
	"rvtui/ui/recording/gif"
	"rvtui/ui/recording/svg"
	"rvtui/ui/recording/tape"
	"rvtui/ui/recording/text"
)

// making is a recording that is to be written.
type making struct {
	*recording.Recording
	castVersion int
	command     string // that opens the same on the screen; "" where none does
}

// format is a kind of file.
type format struct {
	name   string // and the file's ending
	binary bool   // nothing for a terminal
	write  func(w io.Writer, m making, output string) error
}

// formats are all. Of pictures there may be several, which have a way of their own.
var formats = []format{
	{"gif", true, func(w io.Writer, m making, _ string) error { return gif.Write(w, m.Recording) }},
	{picture, true, nil},
	{"cast", false, func(w io.Writer, m making, _ string) error { return cast.Write(w, m.Recording, m.castVersion) }},
	{"svg", false, func(w io.Writer, m making, _ string) error { return svg.Write(w, m.Recording) }},
	{"txt", false, func(w io.Writer, m making, _ string) error { return text.Write(w, m.Recording) }},
	{"md", false, func(w io.Writer, m making, _ string) error { return plain.Markdown(w, m.Trace(), m.Lang) }},
	{"tape", false, writeTape},
}

// picture is the format of pictures.
const picture = "png"

func formatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func findFormat(name string) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

func writeTape(w io.Writer, m making, output string) error {
	if m.command == "" {
		return errors.New("a tape opens the trace's file again, and what came through a pipe is in none, nor what a cluster of your own has shown; rvtui run -o json keeps that")
	}
	film := m.Recording.Trace().Scenario + ".gif"
	if output != stdout {
		film = strings.TrimSuffix(filepath.Base(output), filepath.Ext(output)) + ".gif"
	}
	return tape.Write(w, m.Recording, tape.Options{Command: m.command, Output: film})
}

// stdout is its name as a file.
const stdout = "-"

// output is one of the files that were asked for.
type output struct {
	path string
	*format
}

// outputs are the files that were asked for, once it is sure that they can be.
func (f *recordFlags) outputs(p *Program) ([]output, error) {
	if len(f.files) == 0 {
		return nil, usage("rvtui record takes the file to write, such as -o two-writers.gif")
	}
	var all []output
	for i, path := range f.files {
		if slices.Contains(f.files[:i], path) {
			return nil, usage("-o %s is there twice", path)
		}
		name := strings.TrimPrefix(filepath.Ext(path), ".")
		if path == stdout {
			if name = f.format; name == "" {
				return nil, usage("-o - takes --format as well: %s", strings.Join(formatNames(), ", "))
			}
		}
		o := output{path, findFormat(name)}
		switch {
		case o.format == nil && path == stdout:
			return nil, usage("--format is %q; it takes %s", name, strings.Join(formatNames(), ", "))
		case o.format == nil:
			return nil, usage("-o is %q; a file that can be written ends with .%s", path, strings.Join(formatNames(), ", ."))
		case path == stdout && f.check:
			return nil, usage("--check compares files, and - is none")
		case path == stdout && o.binary && p.Terminal(p.Out):
			return nil, usage("a %s is nothing for a terminal", o.name)
		case path != stdout:
			if err := writable(path); err != nil {
				return nil, err
			}
		}
		all = append(all, o)
	}
	if f.format != "" && !slices.Contains(f.files, stdout) {
		return nil, usage("--format is for -o - alone; a file's ending says what it is")
	}
	return all, nil
}

// writable refuses what cannot become a file before anything is run for it.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("cannot write %s: it is there, and no file", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("cannot write %s: there is no directory %s", path, filepath.Dir(path))
	}
	return nil
}
