package remote

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// Target is the cluster that the flags mean, as far as the kubeconfig knows it.
type Target struct {
	Context string // "" where --server names the cluster, or nothing but --kubeconfig does
	Server  string // its address, without a password
	User    string // as the kubeconfig calls it; "" where it is nobody there
	Plugin  string // the program that gets the credentials; "" without one

	kubeconfig  string    // the file, where one was named
	certificate time.Time // the end of the client certificate's validity; zero without one
}

// Name is what the screen calls the cluster: the context, or else the server's host.
func (t Target) Name() string {
	if t.Context != "" {
		return t.Context
	}
	if at, err := url.Parse(t.Server); err == nil && at.Host != "" {
		return at.Host
	}
	return t.Server
}

// target reads the kubeconfig. The errors are whole lines for a person.
func (f *Flags) target() (*rest.Config, Target, error) {
	loader := f.kube.ToRawKubeConfigLoader()
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, Target{}, kubeconfigError(*f.kube.KubeConfig, err)
	}
	t := Target{Context: *f.kube.Context, User: *f.kube.AuthInfoName, kubeconfig: *f.kube.KubeConfig}
	if t.Context == "" {
		t.Context = raw.CurrentContext
	}
	if err := f.checkContext(raw, t.Context); err != nil {
		return nil, Target{}, err
	}
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, Target{}, fmt.Errorf("the kubeconfig cannot be used: %w", oneLine(err))
	}
	if t.User == "" && raw.Contexts[t.Context] != nil {
		t.User = raw.Contexts[t.Context].AuthInfo
	}
	if *f.kube.APIServer != "" {
		t.Context = ""
	}
	at, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, Target{}, fmt.Errorf("the apiserver's address %q cannot be used: %w; it looks like https://HOST:PORT", bareAddress(config.Host), oneLine(err))
	}
	t.Server = strings.TrimSuffix(at.Redacted(), "/")
	if config.ExecProvider != nil {
		t.Plugin = config.ExecProvider.Command
	}
	t.certificate = notAfter(config.TLSClientConfig)
	return config, t, nil
}

// checkContext says in rvtui's words what clientcmd would say of a context, with the names
// that there are.
func (f *Flags) checkContext(raw api.Config, name string) error {
	context := raw.Contexts[name]
	where := f.where()
	switch {
	case name == "" && *f.kube.APIServer == "" && *f.kube.ClusterName == "":
		if len(raw.Contexts) == 0 {
			return fmt.Errorf("there is no kubeconfig, or an empty one, at %s; --kubeconfig FILE names another, and without these flags rvtui has a cluster of its own", where)
		}
		return fmt.Errorf("%s has no current context; --context takes one of %s", where, names(raw.Contexts))
	case name != "" && context == nil && len(raw.Contexts) == 0:
		return fmt.Errorf("there is no context %q: there is no kubeconfig, or an empty one, at %s; --kubeconfig FILE names another", name, where)
	case name != "" && context == nil:
		return fmt.Errorf("there is no context %q in %s; it has %s", name, where, names(raw.Contexts))
	}
	cluster, user := *f.kube.ClusterName, *f.kube.AuthInfoName
	if context != nil {
		if cluster == "" {
			cluster = context.Cluster
		}
		if user == "" {
			user = context.AuthInfo
		}
	}
	known := raw.Clusters[cluster]
	switch {
	case cluster != "" && known == nil && *f.kube.APIServer == "":
		return fmt.Errorf("there is no cluster %q in %s; it has %s", cluster, where, names(raw.Clusters))
	case (known == nil || known.Server == "") && *f.kube.APIServer == "":
		return fmt.Errorf("context %q in %s does not say where the apiserver is; --server does", name, where)
	case user != "" && raw.AuthInfos[user] == nil:
		return fmt.Errorf("there is no user %q in %s; it has %s", user, where, names(raw.AuthInfos))
	}
	return nil
}

// where are the files that the kubeconfig is read from.
func (f *Flags) where() string {
	if *f.kube.KubeConfig != "" {
		return *f.kube.KubeConfig
	}
	return strings.Join(clientcmd.NewDefaultPathOptions().GetLoadingPrecedence(), " or ")
}

// names lists what a kubeconfig has, and not more than a line holds.
func names[T any](of map[string]T) string {
	const most = 10
	all := slices.Sorted(maps.Keys(of))
	switch {
	case len(all) == 0:
		return "none"
	case len(all) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
	}
	return strings.Join(all, ", ")
}

func kubeconfigError(path string, err error) error {
	if path != "" && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no kubeconfig at %s; --kubeconfig takes another file", path)
	}
	return fmt.Errorf("the kubeconfig cannot be read: %w", oneLine(err))
}

// notAfter is the end of a client certificate's validity; zero where nobody can tell.
func notAfter(config rest.TLSClientConfig) time.Time {
	data := config.CertData
	if len(data) == 0 && config.CertFile != "" {
		data, _ = os.ReadFile(config.CertFile) // who needs it will say that it cannot be read
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return time.Time{}
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return time.Time{}
	}
	return certificate.NotAfter
}

// lineError is an error on one line; it unwraps to the one that it is about.
type lineError struct {
	line string
	err  error
}

func (e *lineError) Error() string { return e.line }
func (e *lineError) Unwrap() error { return e.err }

// oneLine is an error whose text has no line breaks.
func oneLine(err error) error {
	line := withoutPasswords(strings.Join(strings.Fields(err.Error()), " "))
	if line == err.Error() {
		return err
	}
	return &lineError{line, err}
}

// Address is the apiserver's, with nothing of a user in it.
func (r *Remote) Address() string { return bareAddress(r.Config.REST.Host) }

// bareAddress is an address without a user's name and password, whether it can be parsed or not.
func bareAddress(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
	} else {
		scheme += "://"
	}
	return scheme + rest[strings.LastIndexByte(rest, '@')+1:]
}
