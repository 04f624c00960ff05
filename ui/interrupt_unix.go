//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package ui

import (
	"io"

	"golang.org/x/sys/unix"
)

// interruptible lets the terminal itself send SIGINT at ctrl+c, which raw mode does not:
// whatever the reading of keys waits for, such as a paste whose end is lost, ctrl+c ends the
// program. ctrl+z and ctrl+\ stay keys. The terminal's own state comes back with the rest of
// it at the end.
func interruptible(in io.Reader) {
	file, ok := in.(interface{ Fd() uintptr })
	if !ok {
		return
	}
	fd := int(file.Fd())
	state, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return // no terminal
	}
	state.Lflag |= unix.ISIG
	state.Cc[unix.VINTR] = 'C' & 0x1f
	state.Cc[unix.VQUIT], state.Cc[unix.VSUSP] = disabled, disabled
	_ = unix.IoctlSetTermios(fd, setTermios, state) // without it, ctrl+c is a key as before
}
