package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

// Record is what a process noted.
type Record struct {
	Run     string
	Server  string
	Cluster Identity  // zero where it does not say
	Since   time.Time // of the newest note
	Alive   bool      // the process is there still: nothing else is known then
	Left    []Made    // in the order in which it was made

	path string
	lock *fileutil.LockedFile
}

// Read reads what is noted in a directory. The records of processes that have ended are the
// caller's, and nobody else's, until it closes them.
func Read(directory string) ([]*Record, error) {
	entries, err := os.ReadDir(directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the journals: %w", err)
	}
	var records []*Record
	for _, entry := range entries {
		run, ok := strings.CutSuffix(entry.Name(), extension)
		if !ok || !entry.Type().IsRegular() {
			continue
		}
		record := &Record{Run: run, path: filepath.Join(directory, entry.Name())}
		if info, err := entry.Info(); err == nil {
			record.Since = info.ModTime()
		}
		record.lock, err = fileutil.TryLockFile(record.path, os.O_RDWR, 0o600)
		switch {
		case errors.Is(err, fileutil.ErrLocked):
			record.Alive = true
		case errors.Is(err, fs.ErrNotExist):
			continue // it has ended just now, with nothing left
		case err != nil:
			return records, fmt.Errorf("reading the journals: %w", err)
		default:
			record.read()
		}
		records = append(records, record)
	}
	return records, nil
}

// read takes in what can be read: a killed process may have left half a line.
func (r *Record) read() {
	content, _ := os.ReadFile(r.path)
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		var l line
		if json.Unmarshal(lines.Bytes(), &l) != nil {
			continue
		}
		switch {
		case l.Server != "":
			r.Server = l.Server
		case l.Cluster != nil:
			r.Cluster = *l.Cluster
		}
		r.Left = l.apply(r.Left)
	}
}

// Gone crosses out an object of a process that has ended, which is no longer there or, where
// it was only planned, never was.
func (r *Record) Gone(made Made) error {
	if r.lock == nil {
		return nil
	}
	l := line{Gone: made.UID}
	if made.UID == "" {
		l = line{Dropped: &made}
	}
	r.Left = l.apply(r.Left)
	encoded, err := json.Marshal(l)
	if err != nil {
		return err
	}
	// The file was opened at its beginning.
	if _, err := r.lock.Seek(0, 2); err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	// A line of its own, also after half of one.
	if _, err := r.lock.Write(slices.Concat([]byte("\n"), encoded, []byte("\n"))); err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	return nil
}

// Close lets go of a record, and removes it where nothing is left of what it names.
func (r *Record) Close() error {
	if r.lock != nil && len(r.Left) == 0 {
		_ = os.Remove(r.path)
	}
	return r.Release()
}

// Release lets go of a record, and changes nothing.
func (r *Record) Release() error {
	if r.lock == nil {
		return nil
	}
	return r.lock.Close()
}

// Owner is what this machine's other journals say of who made an object.
type Owner int

// The owners.
const (
	Nobody Owner = iota // no other journal names it
	Killed              // a process that has ended
	Living              // one that is there still
)

// OwnerOf looks for who made the object of a UID, among the processes of this machine other
// than this one.
func (j *Journal) OwnerOf(uid string) Owner {
	if j == nil || uid == "" {
		return Nobody
	}
	entries, _ := os.ReadDir(filepath.Dir(j.path))
	for _, entry := range entries {
		record := Record{path: filepath.Join(filepath.Dir(j.path), entry.Name())}
		if record.path == j.path || filepath.Ext(record.path) != extension || !entry.Type().IsRegular() {
			continue
		}
		record.read()
		if !slices.ContainsFunc(record.Left, func(m Made) bool { return m.UID == uid }) {
			continue
		}
		lock, err := fileutil.TryLockFile(record.path, os.O_RDWR, 0o600)
		if err != nil {
			return Living
		}
		_ = lock.Close()
		return Killed
	}
	return Nobody
}
