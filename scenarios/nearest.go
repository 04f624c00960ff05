package scenarios

import (
	"slices"
	"strings"
)

// Nearest lists at most n of names that someone who typed name may have meant, nearest
// first; none where nothing comes near.
func Nearest(name string, names []string, n int) []string {
	type candidate struct {
		name     string
		distance int
	}
	const longest = 64 // what is longer is no slip of the fingers
	if len(name) > longest {
		return nil
	}
	typed := strings.ToLower(name)
	var near []candidate
	for _, other := range names {
		distance := editDistance(typed, strings.ToLower(other))
		if typed != "" && strings.Contains(strings.ToLower(other), typed) {
			distance = min(distance, 1)
		}
		if distance <= max(2, len(typed)/3) {
			near = append(near, candidate{other, distance})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.distance - b.distance })
	var best []string
	for _, candidate := range near[:min(n, len(near))] {
		best = append(best, candidate.name)
	}
	return best
}

// editDistance is the number of letters to change, add, drop or swap with their
// neighbour to make a into b.
func editDistance(a, b string) int {
	from, to := []rune(a), []rune(b)
	table := make([][]int, len(from)+1)
	for i := range table {
		table[i] = make([]int, len(to)+1)
		table[i][0] = i
	}
	for j := range table[0] {
		table[0][j] = j
	}
	for i := 1; i <= len(from); i++ {
		for j := 1; j <= len(to); j++ {
			cost := 1
			if from[i-1] == to[j-1] {
				cost = 0
			}
			table[i][j] = min(table[i-1][j]+1, table[i][j-1]+1, table[i-1][j-1]+cost)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				table[i][j] = min(table[i][j], table[i-2][j-2]+1)
			}
		}
	}
	return table[len(from)][len(to)]
}
