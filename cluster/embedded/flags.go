package embedded

import "strings"

// trimming are the flags that leave out of the kube-apiserver what no scenario needs, for
// a quick start. They must never touch what a resourceVersion does: the watch cache and
// its snapshots, watch lists, managed fields, every feature gate and the default admission
// of ConfigMaps, Pods, Leases, Deployments and custom resources stay as shipped; so does the
// compaction interval, but for Options.KeepPast.
func trimming() []string {
	return []string{
		// Who may do what is not what the program is about; only its own token is known, and
		// anonymous requests are refused. RBAC would write its default roles at each start.
		"--authorization-mode=AlwaysAllow",
		"--anonymous-auth=false",
		// It queues requests of many clients fairly; there are a handful here. It would write
		// its default objects at each start, and needs an API of its own.
		"--enable-priority-and-fairness=false",
		// Nobody measures it.
		"--profiling=false",
		// It would keep the Endpoints of the service "kubernetes" pointing at an address that
		// nobody in this cluster dials.
		"--endpoint-reconciler-type=none",
		"--runtime-config=" + strings.Join(enabledAPIs, ","),
		"--disable-admission-plugins=" + strings.Join(disabledAdmission, ","),
	}
}

// enabledAPIs is every API that a scenario uses or that the kube-apiserver itself cannot
// do without. Each one costs a storage, a cache and a part of the OpenAPI document.
var enabledAPIs = []string{
	"api/all=false",
	"v1=true",                              // ConfigMaps, Pods, Namespaces, Events, …
	"apps/v1=true",                         // Deployments
	"coordination.k8s.io/v1=true",          // Leases
	"networking.k8s.io/v1=true",            // ServiceCIDRs: Services get their addresses of them
	"discovery.k8s.io/v1=true",             // EndpointSlices: the aggregator watches them
	"admissionregistration.k8s.io/v1=true", // webhooks and policies: default admission lists them
	"apiregistration.k8s.io/v1=true",       // the aggregator's own
	"apiextensions.k8s.io/v1=true",         // custom resources
}

// disabledAdmission are the plugins that list objects of an API that is left out. An
// enabled one holds /readyz back for half a minute, waiting for that list.
var disabledAdmission = []string{
	"DefaultStorageClass",         // storage.k8s.io, StorageClasses; acts on PersistentVolumeClaims
	"PersistentVolumeClaimResize", // storage.k8s.io, StorageClasses; acts on PersistentVolumeClaims
	"Priority",                    // scheduling.k8s.io, PriorityClasses; fills in a Pod's priority, 0
	"RuntimeClass",                // node.k8s.io, RuntimeClasses; acts on Pods that name one
}
