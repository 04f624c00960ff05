package screen

import (
	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/words"
)

// leastName is how many cells of a cluster's name tell it from another one.
const leastName = 24

// servers names a cluster and its servers in at most so many cells: "kind-dev 1.35.4 · the
// API alone". A long name gives way in the middle, then what etcd is seen through goes, never
// the version; "" where there is no room for those.
func servers(info scenarios.Info, api, lang string, width int) string {
	if info.Kubernetes == "" {
		return ""
	}
	name := cells.Clean(info.Mode)
	version := api + cells.Clean(info.Kubernetes)
	if name != "" {
		version = " " + version
	}
	whole := version
	if etcd := words.Etcd(info, lang); etcd != "" {
		whole += " · " + cells.Clean(etcd)
	}
	for _, rest := range []string{whole, version} {
		if room := width - cells.Width(rest); room >= min(cells.Width(name), leastName) {
			return cells.CutMiddle(name, room) + rest
		}
	}
	return ""
}
