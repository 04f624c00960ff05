// Package scenarios says what happens: the scenario files and their format, the
// engine that walks through one, the trace that it leaves behind, and the verdict
// on each step.
//
// It is pure. It may import CEL and YAML, and must never import the network, the
// terminal, client-go, cluster or ui: a scenario is done by whatever implements
// Cluster, and everything that is ever shown is a function of a Trace.
package scenarios
