package embedded

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// errFull is what to do about a full disk. A start writes some 2 MB; a scenario can
// write as much as its author likes.
var errFull = errors.New("set TMPDIR to a directory with at least 64 MB free")

// isFull reports whether an error is that of a full disk. Not all of etcd's errors wrap
// what they came from.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), syscall.ENOSPC.Error())
}

// withAdvice adds to an error what to do about it, where that is known and not said yet.
func withAdvice(err error) error {
	if err == nil || errors.Is(err, errFull) || !isFull(err) {
		return err
	}
	return fmt.Errorf("%w; %w", err, errFull)
}
