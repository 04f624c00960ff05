//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package ui

import "golang.org/x/sys/unix"

const (
	getTermios, setTermios = unix.TIOCGETA, unix.TIOCSETA
	disabled               = 0xff // no key sends the signal (_POSIX_VDISABLE)
)
