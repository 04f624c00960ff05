// Package ui is what people see: the terminal program and the plain renderer.
// Whatever it shows is a pure function of (trace, cursor, size, theme, language).
// It may import scenarios and terminal libraries; it must never import cluster,
// client-go or etcd, and does no I/O in Update.
package ui
