// Package path draws the way that a request took inside the kube-apiserver: what was
// decided, from the first look at the request to the answer; which branch was taken, and
// where the others would have led. It is derived from the trace alone: the RPCs that
// reached etcd, the apiserver's own spans where they were recorded, and what the answer
// itself proves. What none of them shows is said to be not observed.
//
// Of is the derivation, Draw the view. The questions and their order are those of
// Kubernetes 1.37; each names its function and file. The package may import what
// rvtui/ui/view may.
package path

// questionsOf is the version of Kubernetes whose questions these are.
const questionsOf = "1.37"
