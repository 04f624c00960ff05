// Package cluster is where scenarios happen: it does the calls of two writers, an
// observer and an admin on a kube-apiserver, and gathers the evidence of each call —
// the HTTP exchanges, the RPCs that reached etcd, etcd's revisions, and the objects
// afterwards.
//
// It may import scenarios, client-go, kubectl's own packages and the etcd client. It
// never imports ui, and it never links a server: the embedded control plane is in
// cluster/embedded, and only hands over a rest.Config and an etcd client.
//
// Nothing that it hands out holds a credential or a Secret's content.
package cluster
