package cluster

import (
	"maps"
	"slices"
)

// managed is one entry of managedFields.
type managed struct {
	manager, time string
	fields        any
}

// beforeFirstApply is the manager that the apiserver itself makes up where an object without
// managedFields is first applied (k8s.io/apimachinery/pkg/util/managedfields/internal).
const beforeFirstApply = "before-first-apply"

// managedBy are an object's entries, by what tells one from another. A status and a scale have
// entries of their own.
func managedBy(object map[string]any) map[[4]string]managed {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	all := map[[4]string]managed{}
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		text := func(name string) string { text, _ := fields[name].(string); return text }
		if text("manager") == beforeFirstApply {
			continue
		}
		all[[4]string{text("manager"), text("operation"), text("apiVersion"), text("subresource")}] = managed{text("manager"), text("time"), fields["fieldsV1"]}
	}
	return all
}

// wroteAs judges whether it was a manager that made of one content of an object the next. The
// apiserver renews the time of the writer's entry, and adds to its fields, and never to those of
// others; where a write only takes fields away, it does neither
// (k8s.io/apimachinery/pkg/util/managedfields/internal, managedFieldsUpdater).
func wroteAs(manager string, before, at map[string]any) verdict {
	was, is := managedBy(before), managedBy(at)
	if len(is) == 0 {
		return unclear // some store none
	}
	own, others := false, false
	for id, entry := range is {
		old, known := was[id]
		if !known || entry.time != old.time || gains(old.fields, entry.fields) {
			own, others = own || entry.manager == manager, others || entry.manager != manager
		}
	}
	switch {
	case own && others:
		return unclear
	case own:
		return made
	case others:
		return notMade
	}
	// Within a second the time stays the same. What a writer sets is its own alone then.
	for _, path := range gained(bare(before), bare(at), nil) {
		deepest := 0
		for _, entry := range is {
			deepest = max(deepest, owned(entry.fields, path))
		}
		for _, entry := range is {
			if deepest > 0 && owned(entry.fields, path) == deepest {
				own, others = own || entry.manager == manager, others || entry.manager != manager
			}
		}
	}
	switch {
	case own == others:
		return unclear
	case own:
		return made
	}
	return notMade
}

// gained are the paths of what b has and a has not, down to lists.
func gained(a, b map[string]any, at []string) [][]string {
	var paths [][]string
	for name, value := range b {
		path := append(slices.Clone(at), name)
		had, known := a[name].(map[string]any)
		if fields, ok := value.(map[string]any); ok && known {
			paths = append(paths, gained(had, fields, path)...)
		} else if gains(a[name], value) {
			paths = append(paths, path)
		}
	}
	return paths
}

// owned is how much of a path fieldsV1 have in them as one field: all of it, or what is before
// the rest. Whose entry has the most is whose it is: that of a map says nothing of what is in it
// where somebody has that.
func owned(fieldsV1 any, path []string) int {
	fields, _ := fieldsV1.(map[string]any)
	if len(path) == 0 {
		return 0
	}
	inner, ok := fields["f:"+path[0]]
	if !ok {
		return 0
	}
	children, _ := inner.(map[string]any)
	deeper := owned(inner, path[1:])
	switch _, itself := children["."]; {
	case deeper > 0:
		return 1 + deeper
	case len(path) == 1, len(children) == 0, itself:
		return 1
	}
	return 0
}

// bare is an object without what a write changes whoever sends it.
func bare(object map[string]any) map[string]any {
	object = maps.Clone(object)
	if metadata, ok := object["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		for _, name := range []string{"managedFields", "resourceVersion", "generation"} {
			delete(metadata, name)
		}
		object["metadata"] = metadata
	}
	return object
}

// gains reports whether b has anything that a has not. What is only gone is no gain, in a list
// neither.
func gains(a, b any) bool {
	switch b := b.(type) {
	case map[string]any:
		a, _ := a.(map[string]any)
		for name, value := range b {
			if had, known := a[name]; !known || gains(had, value) {
				return true
			}
		}
		return a == nil
	case []any:
		a, _ := a.([]any)
		return slices.ContainsFunc(b, func(item any) bool {
			return !slices.ContainsFunc(a, func(had any) bool { return !gains(had, item) })
		})
	}
	return a != b // scalars of JSON
}
