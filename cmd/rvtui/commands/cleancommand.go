package commands

import (
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// sayingWhich are the flags that say which cluster is meant, and who is there. None of them
// holds a credential.
var sayingWhich = []string{"kubeconfig", "context", "cluster", "server", "user", "as"}

// cleanCommand is the command that removes what is left on the cluster that given flags name,
// or on another context of the same kubeconfig.
func cleanCommand(given *pflag.FlagSet, context string) string {
	words := []string{"rvtui", "clean"}
	add := func(name, value string) { words = append(words, "--"+name, shellWord(value)) }
	for _, name := range sayingWhich {
		if given == nil || context != "" && name != "kubeconfig" {
			continue
		}
		flag := given.Lookup(name)
		if flag == nil || !flag.Changed {
			continue
		}
		value := flag.Value.String()
		if at, err := url.Parse(value); name == "server" && err == nil {
			value = at.Redacted()
		}
		add(name, value)
	}
	if context != "" {
		add("context", context)
	}
	return strings.Join(words, " ")
}

// meaningless reports whether one of the cluster's flags means nothing to clean: what it is
// going to write --dry-run tells, in whatever namespaces that is, and etcd is not read.
func meaningless(name string) bool {
	return slices.Contains([]string{"namespace", "yes"}, name) || name == "etcd" || strings.HasPrefix(name, "etcd-")
}

// refuseMeaningless says of the flags that other commands have why clean has them not.
func refuseMeaningless(given *pflag.FlagSet) error {
	var found error
	given.Visit(func(flag *pflag.Flag) {
		if found == nil && meaningless(flag.Name) {
			found = usage("rvtui clean: --%s means nothing to it: it removes what rvtui left, in whatever namespace, without asking, and reads no etcd; --dry-run only tells", flag.Name)
		}
	})
	return found
}
