// Package journal notes, in a file on this machine, what rvtui makes on a cluster that it does
// not start itself, so that a later run can remove what a killed one left. The file's lock is
// held for as long as the process lives, however that ends: where it can be taken, nobody
// works with what the file names any more.
//
// It knows neither a cluster nor a terminal, and must never hold what an object contains.
package journal

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

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
	UID       string `json:"uid,omitempty"` // "" for what was only planned
}

// Identity is what tells one cluster from another that is at the same address: a namespace
// that is there for as long as the cluster is, and its UID.
type Identity struct {
	Namespace string `json:"namespace"`
	UID       string `json:"uid"`
}

// line is what a file consists of: each says one thing.
type line struct {
	Server  string    `json:"server,omitempty"` // the first one's: the apiserver's address
	Cluster *Identity `json:"cluster,omitempty"`
	Planned *Made     `json:"planned,omitempty"` // without a UID
	Dropped *Made     `json:"dropped,omitempty"` // it was planned, and was not made
	Made    *Made     `json:"made,omitempty"`
	Gone    string    `json:"gone,omitempty"` // a UID
}

// apply is what is left after a line.
func (l line) apply(left []Made) []Made {
	without := func(planned Made) []Made {
		planned.UID = ""
		return slices.DeleteFunc(left, func(m Made) bool { return m == planned })
	}
	switch {
	case l.Planned != nil:
		return append(left, *l.Planned)
	case l.Dropped != nil:
		return without(*l.Dropped)
	case l.Made != nil:
		return append(without(*l.Made), *l.Made)
	case l.Gone != "":
		return slices.DeleteFunc(left, func(m Made) bool { return m.UID == l.Gone })
	}
	return left
}

const extension = ".jsonl"

// Journal is one process's notes. Its methods may be called at the same time, and on nil,
// which notes nothing.
type Journal struct {
	run  string
	path string

	mu   sync.Mutex
	lock *fileutil.LockedFile
	left []Made
	on   bool // the cluster's identity is noted
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
	j := &Journal{run: run, path: path, lock: lock}
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

// On says which cluster it is.
func (j *Journal) On(cluster Identity) error {
	if j == nil {
		return nil
	}
	return j.note(line{Cluster: &cluster})
}

// Knows reports whether the journal says which cluster it is.
func (j *Journal) Knows() bool {
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.on
}

// Plan says that an object is about to be made. Whoever is killed before its Note may have
// made it.
func (j *Journal) Plan(made Made) error {
	if j == nil {
		return nil
	}
	made.UID = ""
	return j.note(line{Planned: &made})
}

// Drop says that a planned object was not made.
func (j *Journal) Drop(made Made) error {
	if j == nil {
		return nil
	}
	made.UID = ""
	return j.note(line{Dropped: &made})
}

// Note says that an object was made, planned or not. It is on disk when Note returns, as far
// as a process that is killed is concerned.
func (j *Journal) Note(made Made) error {
	if j == nil || made.UID == "" {
		return nil
	}
	return j.note(line{Made: &made})
}

// Gone says that an object is no longer there.
func (j *Journal) Gone(uid string) error {
	if j == nil || uid == "" {
		return nil
	}
	j.mu.Lock()
	known := slices.ContainsFunc(j.left, func(m Made) bool { return m.UID == uid })
	j.mu.Unlock()
	if !known {
		return nil
	}
	return j.note(line{Gone: uid})
}

// note writes a line, and takes in what it says.
func (j *Journal) note(l line) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.left = l.apply(j.left)
	j.on = j.on || l.Cluster != nil
	return j.append(l)
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
