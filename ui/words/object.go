package words

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
)

// hidden are the parts of metadata that are the same old story in every object, or
// that have a place of their own on the screen.
var hidden = []string{
	"name", "namespace", "resourceVersion", "uid", "creationTimestamp", "managedFields", "selfLink",
}

// Bare is an object without what is hidden: what a reader looks at.
func Bare(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for key, value := range object {
		switch key {
		case "apiVersion", "kind":
		case "metadata":
			metadata, ok := value.(map[string]any)
			if !ok {
				out[key] = PlainNumbers(value)
				continue
			}
			rest := map[string]any{}
			for k, v := range metadata {
				if !slices.Contains(hidden, k) {
					rest[k] = PlainNumbers(v)
				}
			}
			if len(rest) > 0 {
				out[key] = rest
			}
		default:
			out[key] = PlainNumbers(value)
		}
	}
	return out
}

// PlainNumbers copies a JSON value with whole numbers as such: 5, not 5e+00.
func PlainNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[key] = PlainNumbers(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = PlainNumbers(value)
		}
		return out
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return v
}

// Flat is an object as "data.owner: A" for each of its values, in order.
func Flat(object map[string]any) []string {
	var out []string
	flatten("", object, &out)
	return out
}

func flatten(path string, value any, out *[]string) {
	switch v := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			inner := key
			if path != "" {
				inner = path + "." + key
			}
			flatten(inner, v[key], out)
		}
	case []any:
		for i, item := range v {
			flatten(fmt.Sprintf("%s[%d]", path, i), item, out)
		}
	default:
		*out = append(*out, fmt.Sprintf("%s: %v", path, v))
	}
}

// Object decodes a JSON object; nil where it is none.
func Object(raw json.RawMessage) map[string]any {
	var object map[string]any
	if len(raw) == 0 || json.Unmarshal(raw, &object) != nil {
		return nil
	}
	return object
}
