// Package kubeconfig writes the kubeconfig that other programs reach a control plane by, and
// removes it again. It may import client-go and
// cluster/lockfile; it must never overwrite or remove a file that it
// did not write, nor tell anybody what is in one: that is a credential.
package kubeconfig

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/etcd/client/pkg/v3/fileutil"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"rvtui/cluster/lockfile"
	"rvtui/cmd/rvtui/internal/cause"
)

// Name is that of the one context, and of its cluster and its user.
const Name = "rvtui-serve"

// loopback is what every server begins with.
const loopback = "https://127.0.0.1:"

// maxBytes is more than such a file has, also where kubectl has written into it.
const maxBytes = 64 << 10

// What stands in a kubeconfig's way.
var (
	errForeign = errors.New("what is there was not written by rvtui serve; name another file")
	errInUse   = errors.New("another rvtui serve, which still runs, has written it; name another file")
)

// File is a kubeconfig that was written. It is locked for as long as it is there, so that
// another rvtui leaves it alone.
type File struct {
	path string
	lock *fileutil.LockedFile
}

// Check says whether a kubeconfig can be written to path, for all that can be known without
// writing it.
func Check(path string) error {
	if info, err := os.Stat(filepath.Dir(path)); err != nil {
		return cannot(path, err)
	} else if !info.IsDir() {
		return cannot(path, errors.New("its directory is none"))
	}
	if leftover, err := leftoverAt(path); err != nil {
		return cannot(path, err)
	} else if leftover != nil {
		_ = leftover.Close()
	}
	return nil
}

// Write writes a kubeconfig, whole or not at all, readable by its owner alone. In place of
// another file it puts it only where that is the kubeconfig of an rvtui that has died.
func Write(path string, config *rest.Config) (*File, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, cannot(path, err)
	}
	content, err := clientcmd.Write(*of(config))
	if err != nil {
		return nil, cannot(path, err)
	}
	lock, err := write(path, content)
	if err != nil {
		return nil, cannot(path, err)
	}
	return &File{path: path, lock: lock}, nil
}

// Path is where the file is.
func (f *File) Path() string { return f.path }

// Remove removes the file, unless there is another one in its place by now.
func (f *File) Remove() error {
	defer f.lock.Close()
	if !lockfile.IsAt(f.lock, f.path) {
		return nil
	}
	if err := os.Remove(f.path); err != nil {
		return fmt.Errorf("cannot remove the kubeconfig %s: %w", f.path, cause.OfFile(err))
	}
	return nil
}

func of(config *rest.Config) *api.Config {
	so := api.NewConfig()
	so.Clusters[Name] = &api.Cluster{Server: config.Host, CertificateAuthorityData: config.CAData}
	so.AuthInfos[Name] = &api.AuthInfo{Token: config.BearerToken}
	so.Contexts[Name] = &api.Context{Cluster: Name, AuthInfo: Name}
	so.CurrentContext = Name
	return so
}

// write returns the file under its lock.
func write(path string, content []byte) (_ *fileutil.LockedFile, err error) {
	made, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp") // with mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(made.Name())
	_, err = made.Write(content)
	if err = errors.Join(err, made.Close()); err != nil {
		return nil, err
	}
	lock, err := fileutil.TryLockFile(made.Name(), os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err = putAt(path, made.Name()); err != nil {
		_ = lock.Close()
		return nil, err
	}
	return lock, nil
}

// putAt gives a file its name. A link, unlike a rename, replaces nothing.
func putAt(path, made string) error {
	leftover, err := leftoverAt(path)
	if err != nil {
		return err
	}
	if leftover != nil {
		defer leftover.Close()
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	err = os.Link(made, path)
	if errors.Is(err, fs.ErrExist) {
		return errForeign
	}
	return err
}

// leftoverAt is the kubeconfig of an rvtui that has died, under its lock, or nil where there
// is nothing. Anything else is an error.
func leftoverAt(path string) (*fileutil.LockedFile, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxBytes { // a link may lead to anything
		return nil, errForeign
	}
	content, err := read(path)
	if err != nil {
		return nil, err
	}
	if !ours(content) {
		return nil, errForeign
	}
	lock, err := fileutil.TryLockFile(path, os.O_WRONLY, 0o600)
	if errors.Is(err, fileutil.ErrLocked) {
		return nil, errInUse
	}
	if err != nil {
		return nil, err
	}
	if !lockfile.IsAt(lock, path) {
		_ = lock.Close()
		return nil, errForeign
	}
	return lock, nil
}

func read(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxBytes))
}

// ours reports whether a file's content is such as of makes it, and nothing of the user's
// was added.
func ours(content []byte) bool {
	config, err := clientcmd.Load(content)
	if err != nil || len(config.Clusters) != 1 || len(config.AuthInfos) != 1 || len(config.Contexts) != 1 {
		return false
	}
	cluster, user, context := config.Clusters[Name], config.AuthInfos[Name], config.Contexts[Name]
	return cluster != nil && user != nil && context != nil &&
		strings.HasPrefix(cluster.Server, loopback) && context.Cluster == Name && context.AuthInfo == Name
}

func cannot(path string, err error) error {
	return fmt.Errorf("cannot write the kubeconfig to %s: %w", path, cause.OfFile(err))
}
