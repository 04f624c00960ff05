package ui

import "golang.org/x/sys/unix"

const (
	getTermios, setTermios = unix.TCGETS, unix.TCSETS
	disabled               = 0 // no key sends the signal (_POSIX_VDISABLE)
)
