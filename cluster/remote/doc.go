// Package remote reaches the user's own cluster, as kubectl would: from kubectl's flags and
// kubeconfigs to a cluster.Config, with what the cluster can show and why not the rest, and
// one clear line for whatever goes wrong on the way.
//
// It may import cluster, scenarios, cli-runtime and client-go. It never links a server, it
// never writes to the cluster, and once Connect has returned nothing of it reads the terminal.
package remote
