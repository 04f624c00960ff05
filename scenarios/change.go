package scenarios

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Change returns a copy of object with each dotted path in set put to its value; a nil
// value removes the field. Maps on the way are made. A dot within a key is written `\.`.
func Change(object map[string]any, set map[string]any) map[string]any {
	changed := deepCopy(object)
	if changed == nil {
		changed = map[string]any{}
	}
	for _, path := range slices.Sorted(maps.Keys(set)) {
		keys := splitPath(path)
		at := changed
		for _, key := range keys[:len(keys)-1] {
			next, ok := at[key].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[key] = next
			}
			at = next
		}
		last := keys[len(keys)-1]
		if set[path] == nil {
			delete(at, last)
			continue
		}
		at[last] = set[path]
	}
	return deepCopy(changed)
}

// splitPath splits at dots that no backslash escapes.
func splitPath(path string) []string {
	const escapedDot = "\x00"
	keys := strings.Split(strings.ReplaceAll(path, `\.`, escapedDot), ".")
	for i := range keys {
		keys[i] = strings.ReplaceAll(keys[i], escapedDot, ".")
	}
	return keys
}

// deepCopy copies an object into what JSON has, whole numbers as int64, which is all that
// client-go's unstructured objects may hold.
func deepCopy(object map[string]any) map[string]any {
	encoded, err := json.Marshal(object)
	if err != nil {
		return maps.Clone(object)
	}
	copied, _ := DecodeJSON(encoded).(map[string]any)
	return copied
}
