package remote

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// Flags are those that say which cluster is meant, who is there, and where the evidence on
// etcd comes from. One Flags serves all commands of a command line.
type Flags struct {
	kube *genericclioptions.ConfigFlags
	etcd Etcd
	yes  bool
	// namespace was named on the command line; a context's own namespace does not count.
	namespace string
}

// Etcd is what the --etcd flags say.
type Etcd struct {
	Via               string   // one of the constants below
	Endpoints         []string // of EtcdEndpoints
	CACert, Cert, Key string   // files, of EtcdEndpoints
	Prefix            string   // of the apiserver's keys; "" where it was not named
}

// The sources of evidence on etcd.
const (
	EtcdAPI       = "api"       // the API alone
	EtcdExec      = "exec"      // etcdctl in etcd's own pod
	EtcdEndpoints = "endpoints" // etcd itself
)

// NewFlags makes flags that nobody has given yet.
func NewFlags() *Flags {
	kube := genericclioptions.NewConfigFlags(true)
	kube.CacheDir = nil // discovery is not kept on disk
	return &Flags{kube: kube}
}

// Of are the flags of another context of the same kubeconfig, with no etcd of its own: its
// address would be another one.
func (f *Flags) Of(context string) *Flags {
	other := NewFlags()
	other.kube.KubeConfig, other.kube.Timeout = f.kube.KubeConfig, f.kube.Timeout
	other.kube.Context = &context
	other.etcd.Via, other.yes = EtcdAPI, f.yes
	return other
}

// naming are the flags that each name a cluster.
var naming = []string{"context", "kubeconfig", "cluster", "server"}

// usages are the flags in rvtui's words.
var usages = map[string]string{
	"kubeconfig": "the kubeconfig file (without it KUBECONFIG, or ~/.kube/config)",
	"context":    "the kubeconfig's context of the cluster to use",
	"cluster":    "the kubeconfig's cluster to use",
	"user":       "the kubeconfig's user to be",
	"server":     "the address of the apiserver",
	"namespace":  "write into this namespace, which is there already, instead of one of its own",

	"token":                    "a bearer token to log in with",
	"client-certificate":       "a file with a certificate to log in with",
	"client-key":               "a file with the certificate's key",
	"certificate-authority":    "a file with the authority of the apiserver's certificate",
	"insecure-skip-tls-verify": "believe whatever certificate the apiserver has",
	"tls-server-name":          "the name that the apiserver's certificate is checked for",
	"proxy-url":                "a proxy to reach the apiserver through",
	"as":                       "a user to act as",
	"as-uid":                   "the UID of the user to act as",
	"as-group":                 "a group to act as, several times for several",
	"as-user-extra":            "an extra of the user to act as, KEY=VALUE, several times for several",
	"request-timeout":          "how long a request may take, such as 30s; of a watch, until it begins (0 is " + requestTimeout.String() + ")",
	"disable-compression":      "ask for uncompressed answers",
}

// AddTo adds the flags to those of a command.
func (f *Flags) AddTo(set *pflag.FlagSet) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.kube.AddFlags(own)
	own.VisitAll(func(flag *pflag.Flag) {
		if usage := usages[flag.Name]; usage != "" {
			flag.Usage = usage
		}
	})
	own.StringVar(&f.etcd.Via, "etcd", "", "where the evidence on etcd comes from: api, exec (etcdctl in etcd's pod: as good as full access) (default api)")
	own.StringSliceVar(&f.etcd.Endpoints, "etcd-endpoints", nil, "etcd's own addresses, to read revisions there; nothing is written")
	own.StringVar(&f.etcd.CACert, "etcd-cacert", "", "a file with the authority of etcd's certificate")
	own.StringVar(&f.etcd.Cert, "etcd-cert", "", "a file with a certificate to log in to etcd with")
	own.StringVar(&f.etcd.Key, "etcd-key", "", "a file with that certificate's key")
	own.StringVar(&f.etcd.Prefix, "etcd-prefix", "", "of the apiserver's keys in etcd (default /registry)")
	own.BoolVar(&f.yes, "yes", false, "do not ask before writing to the cluster")
	set.AddFlagSet(own)
}

// Named reports whether the flags that were given name a cluster. Without one the control
// plane is rvtui's own, whatever kubeconfig there is. An error is for whoever typed them.
func (f *Flags) Named(given *pflag.FlagSet) (bool, error) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	NewFlags().AddTo(all)
	var others []string
	var named, empty string
	all.VisitAll(func(own *pflag.Flag) {
		flag := given.Lookup(own.Name)
		if flag == nil || !flag.Changed {
			return
		}
		if flag.Value.String() == "" || flag.Value.String() == "[]" {
			empty = flag.Name
		}
		if slices.Contains(naming, flag.Name) {
			named = flag.Name
		} else {
			others = append(others, flag.Name)
		}
	})
	switch {
	case empty != "":
		return false, fmt.Errorf("--%s is empty", empty)
	case named == "" && len(others) > 0:
		return false, fmt.Errorf("--%s does not say which cluster is meant; --context NAME does, and so do --kubeconfig and --server", others[0])
	case named == "":
		return false, nil
	}
	if slices.Contains(others, "namespace") {
		f.namespace = *f.kube.Namespace
	}
	return true, f.etcd.check()
}

// check completes what was given, and refuses what cannot be.
func (e *Etcd) check() error {
	if len(e.Endpoints) > 0 {
		if e.Via != "" {
			return fmt.Errorf("--etcd %s and --etcd-endpoints exclude each other", e.Via)
		}
		if (e.Cert == "") != (e.Key == "") {
			return errors.New("--etcd-cert and --etcd-key go together")
		}
		e.Via = EtcdEndpoints
		return nil
	}
	if e.CACert != "" || e.Cert != "" || e.Key != "" {
		return errors.New("--etcd-cacert, --etcd-cert and --etcd-key are for --etcd-endpoints, which was not given")
	}
	switch e.Via {
	case "":
		e.Via = EtcdAPI
	case EtcdAPI, EtcdExec:
	default:
		return fmt.Errorf("--etcd is %q; it takes %s", e.Via, strings.Join([]string{EtcdAPI, EtcdExec}, ", "))
	}
	return nil
}

// Etcd is what the flags say of etcd.
func (f *Flags) Etcd() Etcd { return f.etcd }

// Namespace is the one to write into, or "" where none was named on the command line.
func (f *Flags) Namespace() string { return f.namespace }

// Yes says that nothing is to be asked before writing to the cluster.
func (f *Flags) Yes() bool { return f.yes }
