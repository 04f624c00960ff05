package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"

	"rvtui/cluster/lockfile"
)

// ErrNoTempDir says that there is nowhere to put the control plane's files.
var ErrNoTempDir = errors.New("set TMPDIR to a directory you can write to")

// What to do about a directory whose path is the trouble.
var (
	errLongPath = errors.New("set TMPDIR to a shorter path")
	errOddPath  = errors.New("set TMPDIR to a path without them")
)

const (
	directoryPrefix = "rvtui-"
	lockName        = "rvtui.lock"
	socketName      = "etcd.sock"

	// maxSocketPath is the longest path of a unix socket that every system takes, in bytes.
	maxSocketPath = 103

	// notInPaths mean something else in the URL of etcd's socket, or in the kube-apiserver's
	// flag that takes a list of such URLs.
	notInPaths = "%#?,\""
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
	if strings.ContainsAny(parent, notInPaths) || strings.ContainsFunc(parent, unicode.IsControl) {
		return nil, cannotMake(strconv.Quote(parent), errors.New("the path of a socket in it must hold no control character and none of "+notInPaths), errOddPath)
	}
	removeLeftovers(parent)
	// Another run may take a new directory for a leftover in the moment before its lock is
	// held; then the next one is tried.
	for range 10 {
		name, err := os.MkdirTemp(parent, directoryPrefix+"*")
		if err != nil {
			return nil, noTempDir(parent, err)
		}
		if length := len(filepath.Join(name, socketName)); length > maxSocketPath {
			_ = os.Remove(name)
			return nil, cannotMake(parent, fmt.Errorf("the path of a socket in it has %d bytes, %d are allowed", length, maxSocketPath), errLongPath)
		}
		path := filepath.Join(name, lockName)
		lock, err := fileutil.TryLockFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil && lockfile.IsAt(lock, path) {
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

// noTempDir words what the system refused.
func noTempDir(parent string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	if isFull(err) {
		return cannotMake(parent, err, errFull)
	}
	return cannotMake(parent, err, ErrNoTempDir)
}

// cannotMake words an error for a person: what, where, why, and what to do.
func cannotMake(parent string, why, advice error) error {
	return fmt.Errorf("cannot make a temporary directory in %s: %w; %w", parent, why, advice)
}

// removeLeftovers removes the directories in parent that dead runs left.
func removeLeftovers(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), directoryPrefix) {
			continue
		}
		name := filepath.Join(parent, entry.Name())
		path := filepath.Join(name, lockName)
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
