// Package commands is rvtui's command line: what each command takes, what it writes to
// stdout and stderr, and the exit code that an outcome has.
//
// It may import ui and scenarios. It must not import cluster: main hands it the control
// plane, so that all of this builds and is tested without linking the kube-apiserver.
package commands
