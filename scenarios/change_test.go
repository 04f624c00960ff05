package scenarios

import (
	"reflect"
	"testing"
)

func TestChangePutsValuesByPathAndLeavesTheOriginal(t *testing.T) {
	original := map[string]any{"data": map[string]any{"owner": "nobody", "size": "small"}}
	for name, test := range map[string]struct{ set, want map[string]any }{
		"a value":      {map[string]any{"data.owner": "A"}, map[string]any{"data": map[string]any{"owner": "A", "size": "small"}}},
		"a new map":    {map[string]any{"spec.replicas": 3}, map[string]any{"data": map[string]any{"owner": "nobody", "size": "small"}, "spec": map[string]any{"replicas": int64(3)}}},
		"nil removes":  {map[string]any{"data.size": nil}, map[string]any{"data": map[string]any{"owner": "nobody"}}},
		"a dot in key": {map[string]any{`data.a\.b`: "c"}, map[string]any{"data": map[string]any{"owner": "nobody", "size": "small", "a.b": "c"}}},
		"nothing":      {nil, map[string]any{"data": map[string]any{"owner": "nobody", "size": "small"}}},
	} {
		if got := Change(original, test.set); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
	if owner := original["data"].(map[string]any)["owner"]; owner != "nobody" {
		t.Errorf("the original says %v", owner)
	}
}

func TestNearestFindsSlipsAndNothingElse(t *testing.T) {
	names := []string{"two-writers", "too-large", "no-op", "merge-patch", "kubectl-apply"}
	for typed, want := range map[string]string{
		"two-writer": "two-writers", "towwriters": "two-writers", "apply": "kubectl-apply", "mergepatch": "merge-patch", "noop": "no-op",
	} {
		if got := Nearest(typed, names, 3); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %v, want %s first", typed, got, want)
		}
	}
	for _, typed := range []string{"", "something-quite-different"} {
		if got := Nearest(typed, names, 3); len(got) > 0 {
			t.Errorf("%q: %v, want none", typed, got)
		}
	}
}
