package main

import (
	"context"
	"errors"

	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/cluster/journal"
	"rvtui/cluster/logs"
	"rvtui/cluster/remote"
	"rvtui/cluster/sources"
	"rvtui/cmd/rvtui/commands"
	"rvtui/scenarios"
)

// connect reaches the user's own cluster and makes a cluster of it.
func connect(ctx context.Context, program *commands.Program, flags *remote.Flags, options commands.ConnectOptions) (*commands.ControlPlane, error) {
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
	there.Config.Namespace, there.Config.Clean = flags.Namespace(), options.Clean
	if options.Journal != "" {
		// Where no note can be made, as in a home that is read-only, only a crash is harder to clean up.
		there.Config.Journal, _ = journal.Open(options.Journal, there.Address())
	}
	on, err := cluster.New(there.Config)
	if err != nil {
		_ = there.Config.Journal.Close()
		_ = there.Close()
		return nil, err
	}
	return &commands.ControlPlane{
		Cluster: on,
		Close:   func() error { return errors.Join(there.Config.Journal.Close(), there.Close()) },
		Confirm: func(ctx context.Context) error {
			plan, err := planOf(ctx, there, on)
			if err != nil {
				return there.Explain(err)
			}
			return program.Confirm(ctx, plan, flags.Yes())
		},
		Clean: func(ctx context.Context, o commands.CleanOptions) (commands.Cleaned, error) {
			cleaned, err := clean(ctx, there.Config.REST, o)
			return cleaned, there.Explain(err)
		},
		Left:     on.Left,
		Describe: func(ctx context.Context) (commands.ClusterFacts, error) { return describe(ctx, there) },
	}, nil
}

// openEtcd opens the source of evidence on etcd that the flags name.
func openEtcd(ctx context.Context, etcd remote.Etcd, config *rest.Config) (*remote.EtcdSource, error) {
	switch etcd.Via {
	case remote.EtcdEndpoints:
		store, err := sources.Etcd{Endpoints: etcd.Endpoints, CACert: etcd.CACert, Cert: etcd.Cert, Key: etcd.Key, Prefix: etcd.Prefix}.Dial(ctx)
		if err != nil {
			return nil, err
		}
		if err := store.BelongsTo(ctx, config, etcd.Prefix); err != nil {
			return nil, errors.Join(err, store.Close())
		}
		return &remote.EtcdSource{Store: store, Can: store.Can(), Why: whyEtcd, Version: store.Version(), Close: store.Close}, nil
	case remote.EtcdExec:
		store, err := sources.NewExec(ctx, config, etcd.Prefix)
		if err != nil {
			return nil, err
		}
		return &remote.EtcdSource{Store: store, Can: store.Can(), Why: whyEtcd, Version: store.Version()}, nil
	}
	store, err := sources.NewAPI(config)
	if err != nil {
		return nil, err
	}
	return &remote.EtcdSource{Store: store, Why: whyAPI}, nil
}

// whyEtcd is why etcd itself gives no more, and whyAPI why the API does not.
func whyEtcd(capability string) string {
	if capability == scenarios.CapabilityEtcdVersion {
		return "kine serves etcd's API here, and counts no versions"
	}
	return "only the scenario's own objects are read there"
}

func whyAPI(capability string) string {
	if capability == scenarios.CapabilityEtcdAll {
		return "the API tells of the scenario's own objects"
	}
	return "the API says nothing of etcd's keys; --etcd-endpoints, or --etcd exec, reads them"
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
