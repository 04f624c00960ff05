package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"rvtui/cluster/embedded"
	"rvtui/cmd/rvtui/commands"
	"rvtui/cmd/rvtui/internal/kubeconfig"
)

// serve starts the embedded control plane for other programs.
func serve(ctx context.Context, options commands.ServeOptions) (*commands.Served, error) {
	if options.Kubeconfig != "" {
		if err := kubeconfig.Check(options.Kubeconfig); err != nil {
			return nil, err // before anybody has waited for the start
		}
	}
	plane, err := embedded.Start(ctx, embedded.Options{Report: options.Report, Namespaces: true})
	if err != nil {
		return nil, err
	}
	path := options.Kubeconfig
	if path == "" {
		path = filepath.Join(plane.Directory(), "kubeconfig")
	}
	config := plane.RESTConfig()
	file, err := kubeconfig.Write(path, config)
	if err != nil {
		_ = plane.Close()
		return nil, err
	}
	return &commands.Served{
		URL: config.Host, Kubeconfig: file.Path(), EtcdEndpoint: plane.EtcdEndpoint(),
		Failed: plane.Failed(),
		Close: func() error {
			if err := errors.Join(file.Remove(), plane.Close()); err != nil {
				return fmt.Errorf("stopping the control plane: %w", err)
			}
			return nil
		},
	}, nil
}
