package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/kubectl/pkg/cmd/apply"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"

	"rvtui/scenarios"
)

// kubectlApply is `kubectl apply -f -` of the call's object: client-side apply, with all
// of kubectl's defaults, its field manager and its strict validation included. What kubectl
// itself has to find out (discovery, OpenAPI) it asks on a connection that is not recorded;
// a kubectl on someone's desk has most of that in its cache.
func (st *step) kubectlApply(ctx context.Context, call scenarios.Call) error {
	mapping, err := st.resolve(ctx, call)
	if err != nil {
		return err
	}
	manifest, err := json.Marshal(body(call).Object)
	if err != nil {
		return fmt.Errorf("encoding the manifest: %w", err)
	}
	kinds := st.cluster.kinds
	books := kubectlConfig{rest: quiet(st.cluster.config.REST), kinds: kinds, namespace: st.namespace}
	writer := kubectlConfig{rest: st.config(call.Actor), kinds: kinds, namespace: st.namespace}

	var output bytes.Buffer
	options, err := applyOptions(books, &output)
	if err != nil {
		return fmt.Errorf("preparing kubectl apply: %w", err)
	}
	infos, err := resource.NewBuilder(writer).
		Unstructured().
		Schema(options.Validator).
		ContinueOnError().
		NamespaceParam(st.namespace).DefaultNamespace().
		Stream(bytes.NewReader(manifest), mapping.Resource.Resource+"/"+nameOf(call)).
		Flatten().
		Do().
		Infos()
	if err != nil {
		return fmt.Errorf("reading the manifest: %w", err)
	}
	// The object itself may name another kind, name or namespace than the call.
	for _, info := range infos {
		elsewhere := info.Namespaced() && info.Namespace != st.namespace
		if elsewhere || info.Name != nameOf(call) || info.Mapping.GroupVersionKind.GroupKind() != mapping.GroupVersionKind.GroupKind() {
			return foreign(call.Verb, info.Mapping.GroupVersionKind.Kind+" "+info.ObjectName())
		}
	}
	options.SetObjects(infos)
	return st.command(call, "kubectl apply", options.Run(), output.String())
}

// applyOptions are those of a kubectl apply with no flags but the file. The command that
// they are read from is never executed: nothing in it can end the process.
func applyOptions(config kubectlConfig, output io.Writer) (*apply.ApplyOptions, error) {
	flags := apply.NewApplyFlags(genericiooptions.IOStreams{
		In:     bytes.NewReader(nil),
		Out:    output,
		ErrOut: output,
	})
	command := &cobra.Command{Use: "apply"}
	flags.AddFlags(command)
	// kubectl asks for a file; the objects are given to it in SetObjects, so it reads none.
	*flags.DeleteFlags.FileNameFlags.Filenames = []string{"-"}
	options, err := flags.ToOptions(cmdutil.NewFactory(config), command, "kubectl", nil)
	if err != nil {
		return nil, err
	}
	return options, options.Validate()
}

// kubectlConfig tells kubectl how to reach the apiserver. Nothing comes from a kubeconfig
// file, and discovery always goes by the cluster's own, cached, unrecorded client.
type kubectlConfig struct {
	rest      *rest.Config
	kinds     *kinds
	namespace string
}

var _ genericclioptions.RESTClientGetter = kubectlConfig{}

func (c kubectlConfig) ToRESTConfig() (*rest.Config, error) { return rest.CopyConfig(c.rest), nil }

func (c kubectlConfig) ToDiscoveryClient() (discovery.CachedDiscoveryInterface, error) {
	return c.kinds.discovery, nil
}

func (c kubectlConfig) ToRESTMapper() (meta.RESTMapper, error) { return c.kinds.mapper, nil }

func (c kubectlConfig) ToRawKubeConfigLoader() clientcmd.ClientConfig {
	return clientcmd.NewDefaultClientConfig(clientcmdapi.Config{}, &clientcmd.ConfigOverrides{
		Context: clientcmdapi.Context{Namespace: c.namespace},
	})
}
