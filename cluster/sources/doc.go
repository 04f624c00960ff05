// Package sources is where the evidence on etcd comes from on a cluster that is not the
// embedded one: etcd's own endpoints, read-only (Endpoints); etcdctl in etcd's pod (Exec); or
// the API alone (API). Each is a cluster.Store.
//
// None of them reads more than a walk's own namespace, and of that only the kinds that the
// walk has named: a cluster is other people's too. What they cannot find out is 0, which is
// unknown, and never guessed.
//
// It may import cluster, scenarios, client-go and the etcd client. It never writes, to the
// apiserver or to etcd, it never links a server, and cluster never imports it.
package sources
