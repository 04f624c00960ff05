// Package cause says why a file could not be had, for a line that names the file itself. It
// imports nothing of rvtui.
package cause

import (
	"errors"
	"io/fs"
	"os"
)

// OfFile is what the system said, without the names of files: they may be temporary ones that
// nobody has asked for. What is no error about a file it returns as it is.
func OfFile(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
