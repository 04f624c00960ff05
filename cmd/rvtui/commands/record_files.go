package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"rvtui/cmd/rvtui/internal/cause"
)

// deliver writes each file, or compares it with what is there.
func (p *Program) deliver(ctx context.Context, m making, outputs []output, check bool) error {
	line := p.statusLine()
	defer line.clear()
	open := func(path string) (file, error) {
		if path == stdout {
			return standard{bufio.NewWriter(p.Out)}, nil
		}
		return create(path)
	}
	verdict := error(nil)
	if check {
		open = func(path string) (file, error) {
			return &compared{path: path, failed: func(err error) {
				line.clear()
				fmt.Fprintf(p.Err, "rvtui: %s\n", err)
				verdict = errFailed
			}}, nil
		}
	}
	for _, o := range outputs {
		if o.path != stdout {
			line.set("recording %s", o.path)
		}
		if err := m.writeTo(ctx, o, open); err != nil {
			line.clear()
			name := o.path
			if name == stdout {
				name = "to stdout"
			}
			return fmt.Errorf("writing %s: %w", name, cause.OfFile(err))
		}
	}
	return verdict
}

// file is what a recording is written to. commit makes it what it shall be; without that
// nothing has changed.
type file interface {
	io.Writer
	commit() error
	abandon()
}

// writeTo writes one of the files that were asked for.
func (m making) writeTo(ctx context.Context, o output, open func(path string) (file, error)) error {
	if o.name == picture {
		return m.writePictures(ctx, o.path, open)
	}
	to, err := open(o.path)
	if err != nil {
		return err
	}
	if err := o.write(&untilEnded{ctx, to}, m, o.path); err != nil {
		to.abandon()
		return err
	}
	return to.commit()
}

// untilEnded refuses to write once ctx has ended.
type untilEnded struct {
	ctx context.Context
	io.Writer
}

func (w *untilEnded) Write(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.Writer.Write(b)
}

// standard is stdout.
type standard struct{ *bufio.Writer }

func (s standard) commit() error { return s.Flush() }
func (s standard) abandon()      {}

// created is a file that takes its name once it is whole.
type created struct {
	*bufio.Writer
	file *os.File
	path string
}

func create(path string) (file, error) {
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		path = linked // what a link leads to is written, and the link stays
	}
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.Itoa(os.Getpid())+".tmp")
	to, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666) // as any other file, by umask
	if err != nil {
		return nil, err
	}
	if old, err := os.Stat(path); err == nil && old.Mode().IsRegular() {
		_ = to.Chmod(old.Mode().Perm()) // who could read the old one can read the new one, and nobody else
	}
	return &created{bufio.NewWriter(to), to, path}, nil
}

func (c *created) commit() error {
	err := errors.Join(c.Flush(), c.file.Close())
	if err == nil {
		err = os.Rename(c.file.Name(), c.path)
	}
	if err != nil {
		_ = os.Remove(c.file.Name())
	}
	return err
}

func (c *created) abandon() {
	_ = c.file.Close()
	_ = os.Remove(c.file.Name())
}
