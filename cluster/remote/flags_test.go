package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// given parses a command line.
func given(t *testing.T, args ...string) (*Flags, *pflag.FlagSet) {
	t.Helper()
	flags := NewFlags()
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	flags.AddTo(set)
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	return flags, set
}

func TestOnlyTheCommandLineNamesACluster(t *testing.T) {
	t.Setenv("KUBECONFIG", kubeconfig(t, twoContexts))
	tests := []struct {
		args  string
		named bool
		err   string // begins so
	}{
		{args: ""},
		{args: "--context dev", named: true},
		{args: "--kubeconfig /x", named: true},
		{args: "--cluster dev", named: true},
		{args: "--server https://x --token t", named: true},
		{args: "-s https://x -n mine", named: true},
		{args: "--namespace mine", err: "--namespace does not say which cluster is meant; --context NAME does"},
		{args: "--token t", err: "--token does not say which cluster is meant"},
		{args: "--user me", err: "--user does not say which cluster is meant"},
		{args: "--as me", err: "--as does not say"},
		{args: "--yes", err: "--yes does not say"},
		{args: "--etcd exec", err: "--etcd does not say"},
		{args: "--etcd-endpoints x:2379", err: "--etcd-endpoints does not say"},
		{args: "--context=", err: "--context is empty"},
		{args: "--context dev --namespace=", err: "--namespace is empty"},
		{args: "--context dev --etcd-endpoints=", err: "--etcd-endpoints is empty"},
		{args: "--context dev --etcd none", named: true, err: `--etcd is "none"; it takes api, exec`},
		{args: "--context dev --etcd api --etcd-endpoints x", named: true, err: "--etcd api and --etcd-endpoints exclude each other"},
		{args: "--context dev --etcd-cacert x", named: true, err: "--etcd-cacert, --etcd-cert and --etcd-key are for --etcd-endpoints"},
		{args: "--context dev --etcd-endpoints x --etcd-cert x", named: true, err: "--etcd-cert and --etcd-key go together"},
	}
	for _, test := range tests {
		flags, set := given(t, strings.Fields(test.args)...)
		named, err := flags.Named(set)
		if named != test.named {
			t.Errorf("%q names a cluster: %t", test.args, named)
		}
		if (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%q: %v", test.args, err)
		}
	}
}

func TestTheEtcdFlagsSayWhereTheEvidenceComesFrom(t *testing.T) {
	for args, want := range map[string]string{
		"--context dev":                                 EtcdAPI,
		"--context dev --etcd exec":                     EtcdExec,
		"--context dev --etcd-endpoints a:2379,b:2379":  EtcdEndpoints,
		"--context dev --etcd api --etcd-prefix /other": EtcdAPI,
	} {
		flags, set := given(t, strings.Fields(args)...)
		if _, err := flags.Named(set); err != nil || flags.Etcd().Via != want {
			t.Errorf("%q: %+v, %v", args, flags.Etcd(), err)
		}
	}
}

func TestEachFlagHasAUsageInOwnWords(t *testing.T) {
	_, set := given(t)
	set.VisitAll(func(flag *pflag.Flag) {
		if strings.ToLower(flag.Usage[:1]) != flag.Usage[:1] && !strings.HasPrefix(flag.Usage, "URL") {
			t.Errorf("--%s: %q is kubectl's", flag.Name, flag.Usage)
		}
	})
}

const twoContexts = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- {name: dev, cluster: {server: "https://127.0.0.1:6443"}}
- {name: prod, cluster: {server: "https://user:secret@prod.example:443/prefix/"}}
- {name: nowhere, cluster: {}}
contexts:
- {name: dev, context: {cluster: dev, user: me, namespace: the-contexts-own}}
- {name: prod, context: {cluster: prod, user: me}}
- {name: broken, context: {cluster: gone, user: me}}
- {name: nobody, context: {cluster: dev, user: gone}}
- {name: nowhere, context: {cluster: nowhere, user: me}}
users:
- {name: me, user: {token: abcdef}}
- {name: program, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: log-me-in, interactiveMode: Never}}}
`

// kubeconfig writes one.
func kubeconfig(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheTargetIsWhatKubectlsWouldBe(t *testing.T) {
	t.Setenv("KUBECONFIG", kubeconfig(t, twoContexts))
	tests := []struct {
		args               string
		name, server, user string
		token, plugin      string
	}{
		{args: "--context dev", name: "dev", server: "https://127.0.0.1:6443", user: "me", token: "abcdef"},
		{args: "--context prod", name: "prod", server: "https://user:xxxxx@prod.example:443/prefix", user: "me", token: "abcdef"},
		{args: "--cluster prod", name: "dev", server: "https://user:xxxxx@prod.example:443/prefix", user: "me", token: "abcdef"},
		{args: "--context dev --user program", name: "dev", server: "https://127.0.0.1:6443", user: "program", plugin: "log-me-in"},
		{args: "--context dev --token other", name: "dev", server: "https://127.0.0.1:6443", user: "me", token: "other"},
		{args: "--server https://[::1]:1", name: "[::1]:1", server: "https://[::1]:1", user: "me", token: "abcdef"},
		// As kubectl does: an address alone is one without TLS, where no credentials are sent.
		{args: "--server 10.0.0.1:6443", name: "10.0.0.1:6443", server: "http://10.0.0.1:6443", user: "me"},
	}
	for _, test := range tests {
		flags, set := given(t, strings.Fields(test.args)...)
		if _, err := flags.Named(set); err != nil {
			t.Fatal(err)
		}
		config, target, err := flags.target()
		if err != nil {
			t.Errorf("%q: %v", test.args, err)
			continue
		}
		if target.Name() != test.name || target.Server != test.server || target.User != test.user || config.BearerToken != test.token || target.Plugin != test.plugin {
			t.Errorf("%q: %+v, with token %q", test.args, target, config.BearerToken)
		}
		if flags.Namespace() != "" {
			t.Errorf("%q: the context's own namespace is taken: %q", test.args, flags.Namespace())
		}
	}
}

func TestAKubeconfigThatDoesNotDoIsOneClearLine(t *testing.T) {
	config, empty := kubeconfig(t, twoContexts), kubeconfig(t, "")
	without := kubeconfig(t, strings.Replace(twoContexts, "current-context: dev", "", 1))
	missing := filepath.Join(t.TempDir(), "missing")
	tests := []struct{ name, env, args, want string }{
		{"no such context", config, "--context dve", `there is no context "dve" in ` + config + `; it has broken, dev, nobody, nowhere, prod`},
		{"a file that is not there", config, "--kubeconfig " + missing, "there is no kubeconfig at " + missing + "; --kubeconfig takes another file"},
		{"a context of a kubeconfig that is not there", missing, "--context dev", `there is no context "dev": there is no kubeconfig, or an empty one, at ` + missing + "; --kubeconfig FILE names another"},
		{"an empty file", config, "--kubeconfig " + empty, "there is no kubeconfig, or an empty one, at " + empty + "; --kubeconfig FILE names another, and without these flags rvtui has a cluster of its own"},
		{"a file that is no kubeconfig", config, "--kubeconfig " + kubeconfig(t, "x: [y"), "the kubeconfig cannot be read: "},
		{"no current context", config, "--kubeconfig " + without, without + " has no current context; --context takes one of broken, dev, nobody, nowhere, prod"},
		{"a context without its cluster", config, "--context broken", `there is no cluster "gone" in ` + config + "; it has dev, nowhere, prod"},
		{"no such cluster", config, "--cluster x", `there is no cluster "x" in ` + config},
		{"a context without its user", config, "--context nobody", `there is no user "gone" in ` + config + "; it has me, program"},
		{"no such user", config, "--context dev --user x", `there is no user "x" in ` + config},
		{"a cluster without an address", config, "--context nowhere", `context "nowhere" in ` + config + " does not say where the apiserver is; --server does"},
		{"an address that is none", config, "--server https://x:y:z", `the apiserver's address "https://x:y:z" cannot be used: `},
		{"a timeout that is none", config, "--context dev --request-timeout soon", "the kubeconfig cannot be used: "},
		{"a certificate that is not there", config, "--context dev --certificate-authority " + missing, "the kubeconfig cannot be used: "},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("KUBECONFIG", test.env)
			flags, set := given(t, strings.Fields(test.args)...)
			if _, err := flags.Named(set); err != nil {
				t.Fatal(err)
			}
			_, _, err := flags.target()
			if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestOfManyNamesTheFirstAreTold(t *testing.T) {
	many := map[string]int{}
	for _, r := range "abcdefghijklm" {
		many[string(r)] = 1
	}
	if got := names(many); got != "a, b, c, d, e, f, g, h, i, j and 3 more" {
		t.Error(got)
	}
	if got := names(map[string]int{}); got != "none" {
		t.Error(got)
	}
}
