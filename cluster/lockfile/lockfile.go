// Package lockfile says of a file under a lock whether it is still the one at its path: who
// holds the lock of a file that somebody has removed, or put another one in the place of, holds
// nothing. It may import etcd's fileutil, whose locks end with their process, and nothing of
// rvtui.
package lockfile

import (
	"os"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
)

// IsAt reports whether a locked file still is the file at path. A link is not followed.
func IsAt(lock *fileutil.LockedFile, path string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(held, there)
}
