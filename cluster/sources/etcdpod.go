package sources

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// etcdPod is a container that etcd runs in, and how it is reached from within.
type etcdPod struct {
	namespace, name, container string
	etcdctl                    []string // the command, up to what it is to do
}

// findEtcd chooses among pods with the label component=etcd one that runs.
func findEtcd(pods []corev1.Pod) (etcdPod, error) {
	if len(pods) == 0 {
		return etcdPod{}, errors.New("there is no pod with the label component=etcd in kube-system: this cluster keeps its etcd elsewhere (k3s and managed ones do)")
	}
	slices.SortFunc(pods, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	i := slices.IndexFunc(pods, func(pod corev1.Pod) bool {
		return pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil
	})
	if i < 0 {
		return etcdPod{}, fmt.Errorf("pod %s/%s does not run", pods[0].Namespace, pods[0].Name)
	}
	pod := pods[i]
	c := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == "etcd" })
	if c < 0 {
		c = 0
	}
	if len(pod.Spec.Containers) == 0 {
		return etcdPod{}, fmt.Errorf("pod %s/%s has no container", pod.Namespace, pod.Name)
	}
	command, err := etcdctlOf(pod.Spec.Containers[c])
	if err != nil {
		return etcdPod{}, fmt.Errorf("pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	return etcdPod{namespace: pod.Namespace, name: pod.Name, container: pod.Spec.Containers[c].Name, etcdctl: command}, nil
}

// etcdctlOf is etcdctl with the flags that reach the etcd of a container from within it, as that
// etcd's own flags and environment tell.
func etcdctlOf(container corev1.Container) ([]string, error) {
	flags := etcdFlags(container)
	if flags["config-file"] != "" {
		return nil, errors.New("its etcd is configured by a file; use --etcd-endpoints")
	}
	endpoint, err := endpointOf(flags["listen-client-urls"], flags["advertise-client-urls"])
	if err != nil {
		return nil, err
	}
	command := []string{"etcdctl", "--endpoints=" + endpoint}
	if strings.HasPrefix(endpoint, "https://") {
		for _, pair := range [][2]string{{"cacert", "trusted-ca-file"}, {"cert", "cert-file"}, {"key", "key-file"}} {
			if file := flags[pair[1]]; file != "" {
				command = append(command, "--"+pair[0]+"="+file)
			}
		}
	}
	return command, nil
}

// etcdFlags are the values of etcd's flags, by name: from the environment, and before that from
// its command line, of which only flags are read.
func etcdFlags(container corev1.Container) map[string]string {
	flags := map[string]string{}
	for _, variable := range container.Env {
		if name, ok := strings.CutPrefix(variable.Name, "ETCD_"); ok {
			flags[strings.ReplaceAll(strings.ToLower(name), "_", "-")] = variable.Value
		}
	}
	var words []string
	for _, word := range slices.Concat(container.Command, container.Args) {
		words = append(words, strings.Fields(word)...) // a shell's script is one word
	}
	for i := 0; i < len(words); i++ {
		name, dashed := strings.CutPrefix(words[i], "-")
		if !dashed {
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(name, "-"), "=")
		if !given && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			i++
			value = words[i]
		}
		flags[name] = strings.Trim(value, `"'`)
	}
	return flags
}

// endpointOf chooses the address to reach etcd at from where it runs: one of its own host, if
// it listens there.
func endpointOf(listen, advertise string) (string, error) {
	var all []*url.URL
	for _, text := range strings.Split(listen+","+advertise, ",") {
		address, err := url.Parse(strings.TrimSpace(text))
		if err == nil && (address.Scheme == "https" || address.Scheme == "http") && address.Host != "" {
			all = append(all, address)
		}
	}
	if len(all) == 0 {
		return "", errors.New("its etcd's flags tell no address (--listen-client-urls)")
	}
	local := func(address *url.URL) bool {
		ip := net.ParseIP(address.Hostname())
		return address.Hostname() == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
	}
	chosen := all[0]
	if i := slices.IndexFunc(all, local); i >= 0 {
		chosen = all[i]
	}
	if ip := net.ParseIP(chosen.Hostname()); ip != nil && ip.IsUnspecified() {
		host := "127.0.0.1"
		if ip.To4() == nil {
			host = "::1"
		}
		chosen.Host = net.JoinHostPort(host, chosen.Port())
	}
	return chosen.Scheme + "://" + chosen.Host, nil
}
