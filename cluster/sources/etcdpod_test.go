package sources

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestEtcdctlReachesEtcdAsEtcdsOwnFlagsTell(t *testing.T) {
	tests := map[string]struct {
		container corev1.Container
		want      string // "" for a refusal
	}{
		"kubeadm": {
			corev1.Container{Command: []string{"etcd", "--advertise-client-urls=https://172.18.0.2:2379", "--cert-file=/etc/kubernetes/pki/etcd/server.crt",
				"--client-cert-auth=true", "--key-file=/etc/kubernetes/pki/etcd/server.key", "--listen-client-urls=https://127.0.0.1:2379,https://172.18.0.2:2379",
				"--peer-cert-file=/etc/kubernetes/pki/etcd/peer.crt", "--peer-trusted-ca-file=/peer-ca.crt", "--trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt"}},
			"etcdctl --endpoints=https://127.0.0.1:2379 --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt --key=/etc/kubernetes/pki/etcd/server.key",
		},
		"a flag and its value apart": {
			corev1.Container{Command: []string{"etcd"}, Args: []string{"--cert-file", "/c", "-key-file", "/k", "--client-cert-auth", "--trusted-ca-file", "/ca", "--listen-client-urls", "https://10.0.0.1:2379"}},
			"etcdctl --endpoints=https://10.0.0.1:2379 --cacert=/ca --cert=/c --key=/k",
		},
		"a shell's script": {
			corev1.Container{Command: []string{"/bin/sh", "-c", "exec etcd --listen-client-urls='https://0.0.0.0:4001' \\\n --cert-file=\"/c\" --key-file=/k --trusted-ca-file=/ca > /var/log/etcd.log"}},
			"etcdctl --endpoints=https://127.0.0.1:4001 --cacert=/ca --cert=/c --key=/k",
		},
		"the environment, and flags before it": {
			corev1.Container{Command: []string{"etcd", "--cert-file=/flag"}, Env: []corev1.EnvVar{{Name: "ETCD_CERT_FILE", Value: "/environment"}, {Name: "ETCD_KEY_FILE", Value: "/k"},
				{Name: "ETCD_TRUSTED_CA_FILE", Value: "/ca"}, {Name: "ETCD_LISTEN_CLIENT_URLS", Value: "https://[::]:2379"}}},
			"etcdctl --endpoints=https://[::1]:2379 --cacert=/ca --cert=/flag --key=/k",
		},
		"no TLS":                     {corev1.Container{Command: []string{"etcd", "--listen-client-urls=http://localhost:2379", "--cert-file=/c"}}, "etcdctl --endpoints=http://localhost:2379"},
		"only what it advertises":    {corev1.Container{Command: []string{"etcd", "--advertise-client-urls=https://e1:2379", "--cert-file=/c", "--key-file=/k"}}, "etcdctl --endpoints=https://e1:2379 --cert=/c --key=/k"},
		"a unix socket is not asked": {corev1.Container{Command: []string{"etcd", "--listen-client-urls=unix://x:1,http://127.0.0.1:2379"}}, "etcdctl --endpoints=http://127.0.0.1:2379"},
		"a file of its own":          {corev1.Container{Command: []string{"etcd", "--config-file=/etc/etcd.yaml"}}, ""},
		"nothing":                    {corev1.Container{}, ""},
		"an address that is none":    {corev1.Container{Command: []string{"etcd", "--listen-client-urls=%%%,2379"}}, ""},
		"a flag with no value":       {corev1.Container{Command: []string{"etcd", "--listen-client-urls"}}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := etcdctlOf(test.container)
			if want := strings.Fields(test.want); !slices.Equal(got, want) || (err == nil) != (test.want != "") {
				t.Errorf("got  %v, error %v\nwant %v", got, err, want)
			}
		})
	}
}

func TestThePodOfEtcdIsOneThatRuns(t *testing.T) {
	pod := func(name string, phase corev1.PodPhase, containers ...string) corev1.Pod {
		p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: name}, Status: corev1.PodStatus{Phase: phase}}
		for _, container := range containers {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: container, Command: []string{container, "--listen-client-urls=http://127.0.0.1:2379"}})
		}
		return p
	}
	tests := map[string]struct {
		pods []corev1.Pod
		want string // pod and container, or a part of the refusal
	}{
		"none":              {nil, "k3s and managed ones do"},
		"one":               {[]corev1.Pod{pod("etcd-a", corev1.PodRunning, "etcd")}, "etcd-a etcd"},
		"one of three":      {[]corev1.Pod{pod("etcd-c", corev1.PodRunning, "etcd"), pod("etcd-a", corev1.PodPending, "etcd"), pod("etcd-b", corev1.PodRunning, "etcd")}, "etcd-b etcd"},
		"none that runs":    {[]corev1.Pod{pod("etcd-a", corev1.PodPending, "etcd")}, "kube-system/etcd-a does not run"},
		"beside another":    {[]corev1.Pod{pod("etcd-a", corev1.PodRunning, "metrics", "etcd")}, "etcd-a etcd"},
		"by another name":   {[]corev1.Pod{pod("etcd-a", corev1.PodRunning, "etcd-manager")}, "etcd-a etcd-manager"},
		"with no container": {[]corev1.Pod{pod("etcd-a", corev1.PodRunning)}, "has no container"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := findEtcd(test.pods)
			text := got.name + " " + got.container
			if err != nil {
				text = err.Error()
			}
			if !strings.Contains(text, test.want) {
				t.Errorf("%q, want %q", text, test.want)
			}
		})
	}
}
