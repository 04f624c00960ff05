// Package objects shows API objects as text: as lines of YAML, and as the difference of
// two of them. It may import YAML and difference libraries, and knows nothing of the
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

// Change is a line of a difference: kept (' '), removed ('-') or added ('+').
type Change struct {
	Sign byte
	Text string
}

// Difference compares two texts line by line.
func Difference(before, after []string) []Change {
	var out []Change
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		out = append(out, Change{' ', before[start]})
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	out = append(out, middle(before[start:len(before)-end], after[start:len(after)-end])...)
	for _, l := range after[len(after)-end:] {
		out = append(out, Change{' ', l})
	}
	return out
}

// middle is the difference of what has neither a beginning nor an end in common, by
// the longest common subsequence; where that would be long work, all of it changed.
func middle(a, b []string) []Change {
	var out []Change
	if len(a)*len(b) > 40_000 {
		for _, l := range a {
			out = append(out, Change{'-', l})
		}
		for _, l := range b {
			out = append(out, Change{'+', l})
		}
		return out
	}
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, Change{' ', a[i]})
			i++
			j++
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			out = append(out, Change{'-', a[i]})
			i++
		default:
			out = append(out, Change{'+', b[j]})
			j++
		}
	}
	return out
}
