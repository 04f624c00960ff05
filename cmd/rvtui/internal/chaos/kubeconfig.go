package chaos

import (
	"encoding/pem"
	"fmt"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// Context is the name of the one context in a proxy's kubeconfig, and of its cluster and user.
const Context = "chaos"

// WriteKubeconfig writes a kubeconfig that leads through the proxy, with the token of config.
func (p *Proxy) WriteKubeconfig(path string, config *rest.Config) error {
	kubeconfig := api.Config{
		Clusters: map[string]*api.Cluster{Context: {
			Server:                   p.URL,
			CertificateAuthorityData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.Certificate().Raw}),
		}},
		AuthInfos:      map[string]*api.AuthInfo{Context: {Token: config.BearerToken}},
		Contexts:       map[string]*api.Context{Context: {Cluster: Context, AuthInfo: Context}},
		CurrentContext: Context,
	}
	if err := clientcmd.WriteToFile(kubeconfig, path); err != nil {
		return fmt.Errorf("writing the proxy's kubeconfig: %w", err)
	}
	return nil
}
