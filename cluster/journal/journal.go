// Package journal notes, in a file on this machine, what rvtui makes on a cluster that it does
// not start itself, so that a later run can remove what a killed one left. The file's lock is
// held for as long as the process lives, however that ends: where it can be taken, nobody
// works with what the file names any more.
//
// It knows neither a cluster nor a terminal, and must never hold what an object contains.
package journal

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

// Made is an object that was made. Namespaces are objects too.
type Made struct {
	Group     string `json:"group,omitempty"`
	Version   string `json:"version"`
	Resource  string `json:"resource"` // "configmaps"
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	UID       string `json:"uid"`
}

// line is what a file consists of: each says one thing.
type line struct {
	Server string `json:"server,omitempty"` // the first one's: the apiserver's address
	Made   *Made  `json:"made,omitempty"`
	Gone   string `json:"gone,omitempty"` // a UID
}

const extension = ".jsonl"

// Journal is one process's notes. Its methods may be called at the same time, and on nil,
// which notes nothing.
type Journal struct {
	run  string
	path string

	mu   sync.Mutex
	lock *fileutil.LockedFile
	left map[string]bool // by UID
}

// Open begins a journal in a directory, which is made where there is none. server is the
// apiserver's address.
func Open(directory, server string) (*Journal, error) {
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return nil, fmt.Errorf("beginning a journal: %w", err)
	}
	var run, path string
	var lock *fileutil.LockedFile
	// A reader may take a new file for a dead run's in the moment before its lock is held.
	err := fileutil.ErrLocked
	for range 5 {
		if !errors.Is(err, fileutil.ErrLocked) {
			break
		}
		run = strings.ToLower(rand.Text()[:10])
		path = filepath.Join(directory, run+extension)
		lock, err = fileutil.TryLockFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("beginning a journal: %w", err)
	}
	j := &Journal{run: run, path: path, lock: lock, left: map[string]bool{}}
	if err := j.append(line{Server: server}); err != nil {
		_ = lock.Close()
		_ = os.Remove(path)
		return nil, err
	}
	return j, nil
}

// Run is the random name of the process's run.
func (j *Journal) Run() string {
	if j == nil {
		return ""
	}
	return j.run
}

// Note says that an object was made. It is on disk when Note returns, as far as a process
// that is killed is concerned.
func (j *Journal) Note(made Made) error {
	if j == nil || made.UID == "" {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.left[made.UID] = true
	return j.append(line{Made: &made})
}

// Gone says that an object is no longer there.
func (j *Journal) Gone(uid string) error {
	if j == nil || uid == "" {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.left[uid] {
		return nil
	}
	delete(j.left, uid)
	return j.append(line{Gone: uid})
}

func (j *Journal) append(l line) error {
	encoded, err := json.Marshal(l)
	if err == nil {
		_, err = j.lock.Write(append(encoded, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	return nil
}

// Close ends the journal. The file stays where something that it names does.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.left) == 0 {
		_ = os.Remove(j.path)
	}
	return j.lock.Close()
}

// Record is what a process noted.
type Record struct {
	Run    string
	Server string
	Since  time.Time // of the newest note
	Alive  bool      // the process is there still: nothing else is known then
	Left   []Made    // in the order in which it was made

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
		case l.Made != nil:
			r.Left = append(r.Left, *l.Made)
		case l.Gone != "":
			r.Left = slices.DeleteFunc(r.Left, func(m Made) bool { return m.UID == l.Gone })
		}
	}
}

// Gone says that an object of a process that has ended is no longer there.
func (r *Record) Gone(uid string) error {
	if r.lock == nil {
		return nil
	}
	r.Left = slices.DeleteFunc(r.Left, func(m Made) bool { return m.UID == uid })
	encoded, err := json.Marshal(line{Gone: uid})
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
	if r.lock == nil {
		return nil
	}
	if len(r.Left) == 0 {
		_ = os.Remove(r.path)
	}
	return r.lock.Close()
}
