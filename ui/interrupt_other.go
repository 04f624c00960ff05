//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package ui

import "io"

func interruptible(io.Reader) {}
