package main

import (
	"context"
	"fmt"

	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/cluster/logs"
	"rvtui/cluster/remote"
	"rvtui/cmd/rvtui/commands"
)

// connect reaches the user's own cluster and makes a cluster of it.
func connect(ctx context.Context, flags *remote.Flags, options commands.ConnectOptions) (*commands.ControlPlane, error) {
	var log *logs.Recorder
	if options.Inside {
		log = &logs.Recorder{}
	}
	there, err := remote.Connect(ctx, remote.Options{
		Flags: flags, OpenEtcd: openEtcd, Report: options.Report, Log: log, Say: options.Say, Screen: options.Screen,
	})
	if err != nil {
		return nil, err
	}
	on, err := cluster.New(there.Config)
	if err != nil {
		_ = there.Close()
		return nil, err
	}
	return &commands.ControlPlane{
		Cluster:  on,
		Close:    there.Close,
		Describe: func(ctx context.Context) (commands.ClusterFacts, error) { return describe(ctx, there) },
	}, nil
}

// openEtcd opens the source of evidence on etcd that the flags name.
func openEtcd(_ context.Context, etcd remote.Etcd, _ *rest.Config) (*remote.EtcdSource, error) {
	return nil, fmt.Errorf("evidence on etcd cannot come from %s yet", etcd.Via)
}

// describe says what there is to know of the cluster.
func describe(ctx context.Context, there *remote.Remote) (commands.ClusterFacts, error) {
	who, err := there.Who(ctx)
	if err != nil {
		return commands.ClusterFacts{}, err
	}
	facts := commands.ClusterFacts{
		Name: there.Name(), Server: there.Server, Kubernetes: there.Config.Info.Kubernetes,
		User: who.Name, Groups: append([]string{}, who.Groups...), // a list in the JSON, not null
		Etcd: there.Config.Info.Etcd, EtcdSource: there.Config.Store.Source(),
	}
	for _, c := range there.Capabilities {
		facts.Capabilities = append(facts.Capabilities, commands.CapabilityFacts(c))
	}
	return facts, nil
}
