package objects

import "github.com/aymanbagabas/go-udiff/lcs"

// Change is a line of a difference: kept (' '), removed ('-') or added ('+').
type Change struct {
	Sign byte
	Text string
}

// Difference compares two texts line by line.
func Difference(before, after []string) []Change {
	out := make([]Change, 0, max(len(before), len(after)))
	at := 0
	for _, d := range differences(before, after) {
		for _, l := range before[at:d.Start] {
			out = append(out, Change{' ', l})
		}
		for _, l := range before[d.Start:d.End] {
			out = append(out, Change{'-', l})
		}
		for _, l := range after[d.ReplStart:d.ReplEnd] {
			out = append(out, Change{'+', l})
		}
		at = d.End
	}
	for _, l := range before[at:] {
		out = append(out, Change{' ', l})
	}
	return out
}

// differences are the stretches in which two sequences differ, in order. What they begin
// with and end with in common is none, and of several ways to say the same the one with
// the changes last is taken. The library stops looking for the shortest difference after
// some hundred changes, so that the time grows with the length alone.
func differences(before, after []string) []lcs.Diff {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	was, is := before[start:len(before)-end], after[start:len(after)-end]
	if len(was) == 0 && len(is) == 0 {
		return nil
	}
	out := lcs.DiffLines(was, is)
	for i := range out {
		d := &out[i]
		d.Start, d.End, d.ReplStart, d.ReplEnd = d.Start+start, d.End+start, d.ReplStart+start, d.ReplEnd+start
	}
	return out
}
