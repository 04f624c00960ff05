package commands

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/pflag"

	"rvtui/scenarios"
	"rvtui/ui/tracefile"
	"rvtui/ui/words"
)

// saveFlag is --save: the file in which a walk is kept.
type saveFlag struct{ path string }

func (f *saveFlag) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.path, "save", "", "keep the trace in a new file, and each step in it as it comes")
}

// file is the file to save to, nil without the flag. It is looked at before anything is
// started.
func (f *saveFlag) file() (*tracefile.File, error) {
	if f.path == "" {
		return nil, nil
	}
	file := tracefile.New(f.path)
	if err := file.Free(); err != nil {
		return nil, saveError(f.path, err)
	}
	return file, nil
}

func saveError(path string, err error) error {
	var cause *fs.PathError
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s is there already, and is left alone; --save takes another name", path)
	case errors.As(err, &cause):
		err = cause.Err
	}
	return fmt.Errorf("cannot save the trace to %s: %w", path, err)
}

// keeper keeps a walk in a file, where there is one to keep it in.
type keeper struct {
	file *tracefile.File
	err  error // of the last time
}

// keep brings the file up to date. A failure is said once on stderr, and the next step may
// mend it.
func (p *Program) keep(k *keeper, line *statusLine, so *scenarios.Trace) {
	if k.file == nil {
		return
	}
	_, err := k.file.Update(*so)
	if err != nil {
		err = saveError(k.file.Path(), err)
		if k.err == nil {
			_ = line.above(func() error {
				fmt.Fprintf(p.Err, "rvtui: %s; the next step tries again\n", words.Clean(err.Error()))
				return nil
			})
		}
	}
	k.err = err
}
