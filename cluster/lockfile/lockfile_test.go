package lockfile

import (
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

func TestALockIsOfTheFileThatIsThereNow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	lock, err := fileutil.TryLockFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if !IsAt(lock, path) {
		t.Error("it is there")
	}
	moved := path + "-moved"
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	if IsAt(lock, path) || !IsAt(lock, moved) {
		t.Error("it has moved")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if IsAt(lock, path) {
		t.Error("another file is in its place")
	}
	link := path + "-link"
	if err := os.Symlink(moved, link); err != nil {
		t.Fatal(err)
	}
	if IsAt(lock, link) {
		t.Error("a link is another file")
	}
}
