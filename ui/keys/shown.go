package keys

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// signs are keys that have a sign of their own.
var signs = map[string]string{"right": "→", "left": "←", "up": "↑", "down": "↓"}

// Sign is a key as it is shown to whoever watches: "→" for right.
func Sign(name string) string {
	if sign, ok := signs[name]; ok {
		return sign
	}
	return name
}

// Does is what a key does in the list of scenarios or outside of it, as help says it; ""
// where it does nothing.
func Does(name string, inList bool) string {
	own := []key.Binding{Keys.Open, Keys.Filter}
	var all []key.Binding
	if inList {
		all = append(all, own...)
	}
	for _, group := range Groups() {
		all = append(all, group.Bindings...)
	}
	for _, b := range all {
		isOwn := slices.ContainsFunc(own, func(o key.Binding) bool { return o.Help() == b.Help() })
		if (inList || !isOwn) && slices.Contains(b.Keys(), name) {
			return b.Help().Desc
		}
	}
	return ""
}

// Brief is the beginning of what a key does, in any language: up to what is said in more
// detail.
func Brief(does string) string {
	if at := strings.IndexAny(does, ":,;(：，；（"); at > 0 {
		does = does[:at]
	}
	return strings.TrimSpace(does)
}
