package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestADirectoryIsMadeOnceWithItsLock(t *testing.T) {
	parent := t.TempDir()
	d, err := makeDirectory(parent)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(d.name)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v", info, err)
	}
	if err := d.remove(); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, parent)
}

func TestOnlyDirectoriesOfDeadRunsAreRemoved(t *testing.T) {
	parent := t.TempDir()
	alive, err := makeDirectory(parent)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := makeDirectory(parent)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dead.path("file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = dead.lock.Close() // as the end of its process does

	notOurs := filepath.Join(parent, "rvtui-notes")
	if err := os.Mkdir(notOurs, 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, lockName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(parent, "rvtui-link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}

	removeLeftovers(parent)
	for path, want := range map[string]bool{
		alive.name: true, dead.name: false, notOurs: true, link: true, filepath.Join(elsewhere, lockName): true,
	} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", filepath.Base(path), err == nil, want)
		}
	}
}

func TestManyStartsAtOnceEachKeepADirectory(t *testing.T) {
	parent := t.TempDir()
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() {
			d, err := makeDirectory(parent)
			if err != nil {
				t.Error(err)
				return
			}
			if err := os.WriteFile(d.path("file"), nil, 0o600); err != nil {
				t.Error(err)
			}
			if err := d.remove(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	wantEmpty(t, parent)
}

func TestAParentThatCannotBeWrittenToIsToldClearly(t *testing.T) {
	parent := t.TempDir()
	file := filepath.Join(parent, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(parent, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		file:                            "not a directory",
		filepath.Join(parent, "absent"): "no such file or directory",
	}
	if os.Geteuid() != 0 { // whom permissions do not stop
		tests[closed] = "permission denied"
	}
	for path, why := range tests {
		_, err := makeDirectory(path)
		want := "cannot make a temporary directory in " + path + ": " + why + "; set TMPDIR to a directory you can write to"
		if !errors.Is(err, ErrNoTempDir) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestAPathThatCannotHoldASocketIsToldClearly(t *testing.T) {
	tests := map[string]string{
		strings.Repeat("x", 100): "set TMPDIR to a shorter path",
		"100%":                   "set TMPDIR to a path without them",
		"#1":                     "set TMPDIR to a path without them",
		"what?":                  "set TMPDIR to a path without them",
		"a,b":                    "set TMPDIR to a path without them",
		`"a"`:                    "set TMPDIR to a path without them",
		"a\nb":                   "set TMPDIR to a path without them",
	}
	for name, advice := range tests {
		parent := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(parent, 0o700); err != nil {
			t.Fatal(err)
		}
		d, err := makeDirectory(parent)
		if err == nil {
			_ = d.remove()
			t.Errorf("%q was used", name)
			continue
		}
		if text := err.Error(); !strings.HasSuffix(text, "; "+advice) || !strings.Contains(text, ": the path of a socket in it ") || strings.Contains(text, "\n") {
			t.Errorf("%q: %s", name, text)
		}
		wantEmpty(t, parent)
	}
}

func TestLeftoversAreRemovedFromAnyPath(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a[b]*")
	if err := os.Mkdir(parent, 0o700); err != nil {
		t.Fatal(err)
	}
	dead, err := makeDirectory(parent)
	if err != nil {
		t.Fatal(err)
	}
	_ = dead.lock.Close() // as the end of its process does
	removeLeftovers(parent)
	wantEmpty(t, parent)
}
