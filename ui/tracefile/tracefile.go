// Package tracefile writes a trace to a file of its own, and keeps the file up to date while
// the trace grows. It may import scenarios and the file system; it never draws, and never
// touches a file that is not its own.
package tracefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"rvtui/scenarios"
)

// File is a trace's file. At any time it holds one whole document, or does not exist yet.
type File struct {
	path string

	mu      sync.Mutex
	growing scenarios.Growing
	encoded []byte      // all but the document's end; kept, so that each step is encoded once
	own     fs.FileInfo // the file as it was written last; nil before
	written int         // how much of encoded is in it
}

// New is a file at a path where none is yet. Nothing is written before Update.
func New(path string) *File { return &File{path: path} }

// Path is where it is written to.
func (f *File) Path() string { return f.path }

// Free says why a file could not be made there, as far as that can be said before; an
// existing one is fs.ErrExist.
func (f *File) Free() error {
	if _, err := os.Lstat(f.path); err == nil {
		return &fs.PathError{Op: "create", Path: f.path, Err: fs.ErrExist}
	}
	if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
		return err
	}
	return nil
}

// Update writes the trace, where it has more than what was written, and returns the file's
// size. The file is replaced at once: whoever reads it, or crashes, finds the whole of the old
// one or of the new. Only its owner can read it. What is there and was not written by this
// File is left alone, which is fs.ErrExist.
func (f *File) Update(trace scenarios.Trace) (size int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	more, err := f.growing.Append(trace)
	if err != nil {
		return 0, fmt.Errorf("encoding the trace: %w", err)
	}
	f.encoded = append(f.encoded, more...)
	size = len(f.encoded) + len(f.growing.End())
	if f.own != nil && f.written == len(f.encoded) {
		return size, nil
	}
	if err := f.write(); err != nil {
		return 0, err
	}
	f.written = len(f.encoded)
	return size, nil
}

// write puts the document in its place: over what was written last, or where there is nothing,
// at first or because somebody took it away.
func (f *File) write() error {
	exists := false
	if f.own != nil {
		now, err := os.Lstat(f.path)
		switch {
		case err == nil && !os.SameFile(now, f.own):
			return &fs.PathError{Op: "replace", Path: f.path, Err: fs.ErrExist}
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		exists = err == nil
	} else if err := f.Free(); err != nil {
		return err
	}
	directory := filepath.Dir(f.path)
	file, err := os.CreateTemp(directory, ".rvtui-trace-*")
	if err != nil {
		return err
	}
	own, err := f.fill(file)
	switch {
	case err != nil:
	case exists:
		err = os.Rename(file.Name(), f.path)
	default:
		if err = place(file.Name(), f.path); err == nil {
			err = os.Remove(file.Name())
			if errors.Is(err, fs.ErrNotExist) {
				err = nil // it was renamed
			}
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	f.own = own
	syncDirectory(directory)
	return nil
}

// place gives a file that is whole a name that nothing has: as another link to it, which fails
// where the name is taken. A file system without links has the name claimed by an empty file.
func place(whole, path string) error {
	err := os.Link(whole, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(file.Close(), os.Rename(whole, path)); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

const mode = 0o600 // as os.CreateTemp's

// fill writes the document, so that it outlasts a crash, and closes the file.
func (f *File) fill(file *os.File) (own fs.FileInfo, err error) {
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Write(f.encoded); err != nil {
		return nil, err
	}
	if _, err := file.WriteString(f.growing.End()); err != nil {
		return nil, err
	}
	if err := file.Sync(); err != nil {
		return nil, err
	}
	return file.Stat()
}

// syncDirectory makes a rename outlast a crash, where the file system can: the file is there
// all the same.
func syncDirectory(path string) {
	if directory, err := os.Open(path); err == nil {
		_ = directory.Sync()
		_ = directory.Close()
	}
}
