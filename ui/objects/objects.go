// Package objects shows API objects as text: as lines of YAML, and as the difference of
// two of them, down to the words. It may import YAML and difference libraries, and knows nothing of the
// screen.
package objects

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Lines is a value as YAML, line by line.
func Lines(v any) []string {
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return nil
	}
	var b strings.Builder
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(v); err != nil {
		return []string{"(cannot be shown: " + err.Error() + ")"}
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}
