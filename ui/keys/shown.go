package keys

import (
	"slices"
	"strings"
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
	groups := Groups()
	own := slices.IndexFunc(groups, func(g Group) bool { return g.Title == InTheList })
	if inList {
		groups = slices.Concat(groups[own:own+1], groups) // its own keys first
	} else {
		groups = slices.Delete(groups, own, own+1)
	}
	for _, group := range groups {
		for _, b := range group.Bindings {
			if slices.Contains(b.Keys(), name) {
				return b.Help().Desc
			}
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
