package words

import "rvtui/scenarios"

// embedded is the mode of the control plane that rvtui brings itself.
const embedded = "embedded"

// Ours reports whether a mode is that of the control plane that rvtui brings itself.
func Ours(mode string) bool { return mode == embedded }

// Etcd names a cluster's etcd: its version and, where it is not rvtui's own, what it is seen
// through; "" where nothing of that is known.
func Etcd(info scenarios.Info, lang string) string {
	source := In(lang, info.Source)
	switch {
	case info.Etcd == "":
		return source
	case source == "" || Ours(info.Mode):
		return "etcd " + info.Etcd
	}
	return In(lang, "etcd %s (%s)", info.Etcd, source)
}

// Cluster names a cluster and its servers in a sentence's middle: "kind-dev, kube-apiserver
// 1.35.4, etcd read through the API alone".
func Cluster(info scenarios.Info, lang string) string {
	said := info.Mode
	if info.Kubernetes != "" {
		said += In(lang, ", ") + "kube-apiserver " + info.Kubernetes
	}
	switch etcd := Etcd(info, lang); {
	case etcd == "":
	case info.Etcd == "":
		said += In(lang, ", ") + In(lang, "etcd read through %s", etcd)
	default:
		said += In(lang, ", ") + etcd
	}
	return said
}

// InfoOf is what a trace says of the cluster that it was taken on.
func InfoOf(t *scenarios.Trace) scenarios.Info {
	info := scenarios.Info{Mode: t.Mode, Kubernetes: t.Kubernetes, Etcd: t.Etcd}
	if t.Setup != nil {
		info.Source = t.Setup.Etcd.Source
	}
	return info
}
