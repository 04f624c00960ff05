// Package embedded runs a real control plane inside the program: an etcd and a
// kube-apiserver, started from their own packages, reachable on loopback only, and gone
// without a trace when they are closed.
//
// It is the only package that may import k8s.io/kubernetes and go.etcd.io/etcd/server,
// because whatever imports them takes minutes to compile and a tenth of a second to
// initialise. It must never write to the terminal, and never change what a resourceVersion
// does: see flags.go for what is left out of the kube-apiserver and why.
package embedded
