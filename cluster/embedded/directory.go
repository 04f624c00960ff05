package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

// ErrNoTempDir says that there is nowhere to put the control plane's files.
var ErrNoTempDir = errors.New("set TMPDIR to a directory you can write to")

const (
	directoryPattern = "rvtui-*"
	lockName         = "rvtui.lock"
	socketName       = "etcd.sock"

	// maxSocketPath is the longest path of a unix socket that every system takes, in bytes.
	maxSocketPath = 103
)

// directory is the control plane's own. Nobody else can look into it (0700), and its lock
// is held for as long as the process lives, however that ends. So a directory whose lock
// can be taken is what a killed run left behind.
type directory struct {
	name string
	lock *fileutil.LockedFile
}

// makeDirectory makes a new directory in parent, and removes what dead runs left there.
func makeDirectory(parent string) (*directory, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary directory: %w", err)
	}
	removeLeftovers(parent)
	// Another run may take a new directory for a leftover in the moment before its lock is
	// held; then the next one is tried.
	for range 10 {
		name, err := os.MkdirTemp(parent, directoryPattern)
		if err != nil {
			return nil, noTempDir(parent, err)
		}
		if length := len(filepath.Join(name, socketName)); length > maxSocketPath {
			_ = os.Remove(name)
			return nil, noTempDir(parent, fmt.Errorf("the path of a socket in it has %d bytes, %d are allowed", length, maxSocketPath))
		}
		path := filepath.Join(name, lockName)
		lock, err := fileutil.TryLockFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil && isAt(lock, path) {
			return &directory{name: name, lock: lock}, nil
		}
		if err == nil {
			err = fs.ErrNotExist
			_ = lock.Close()
		}
		_ = os.RemoveAll(name)
		if !errors.Is(err, fileutil.ErrLocked) && !errors.Is(err, fs.ErrNotExist) {
			return nil, noTempDir(parent, err)
		}
	}
	return nil, noTempDir(parent, errors.New("new directories vanish at once"))
}

// noTempDir words an error for a person: what, where, why, and what to do.
func noTempDir(parent string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return fmt.Errorf("cannot make a temporary directory in %s: %w; %w", parent, err, ErrNoTempDir)
}

// removeLeftovers removes the directories in parent that dead runs left.
func removeLeftovers(parent string) {
	names, _ := filepath.Glob(filepath.Join(parent, directoryPattern))
	for _, name := range names {
		path := filepath.Join(name, lockName)
		if info, err := os.Lstat(name); err != nil || !info.IsDir() {
			continue
		}
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue // not ours, or not ours yet
		}
		lock, err := fileutil.TryLockFile(path, os.O_WRONLY, 0o600)
		if err != nil {
			continue // alive, or another user's
		}
		_ = os.RemoveAll(name)
		_ = lock.Close()
	}
}

// isAt reports whether a locked file still is the file at path.
func isAt(lock *fileutil.LockedFile, path string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(held, there)
}

func (d *directory) path(name string) string { return filepath.Join(d.name, name) }

// remove removes the directory, the lock last.
func (d *directory) remove() error {
	err := os.RemoveAll(d.name)
	_ = d.lock.Close()
	if err != nil {
		return fmt.Errorf("cannot remove the control plane's files: %w", err)
	}
	return nil
}
