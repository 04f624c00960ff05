package objects

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Beyond these, words are not compared one by one: nobody looks for a word there, and it
// would take longer than a frame.
const (
	manyLines = 500    // replaced in one place
	manyBytes = 50_000 // of a line, before and after
)

// Row is what stands side by side in a difference: a line on both sides, or on one, or a
// line and the one that replaces it.
type Row struct {
	Sign          byte // kept (' '), removed ('-'), added ('+') or replaced ('~')
	Before, After string
	// Of a replaced line: the words that differ, on either side; none where all too many do.
	Removed, Added []Part
}

// Part is a part of a line, in bytes from From up to To.
type Part struct{ From, To int }

// Rows compares two texts line by line, and those lines that replace each other word by
// word.
func Rows(before, after []string) []Row {
	out := make([]Row, 0, max(len(before), len(after)))
	kept := func(lines []string) {
		for _, l := range lines {
			out = append(out, Row{Sign: ' ', Before: l, After: l})
		}
	}
	at := 0
	for _, d := range differences(before, after) {
		kept(before[at:d.Start])
		out = append(out, paired(before[d.Start:d.End], after[d.ReplStart:d.ReplEnd])...)
		at = d.End
	}
	kept(before[at:])
	return out
}

// paired finds, for the removed lines of one place, the added lines that replace them:
// those of the same field. Lines keep their order on both sides.
func paired(removed, added []string) []Row {
	of := map[string][]int{} // by field, the added lines of it that are still to come
	for i, l := range added {
		of[field(l)] = append(of[field(l)], i)
	}
	out := make([]Row, 0, max(len(removed), len(added)))
	next := 0
	for _, l := range removed {
		candidates := of[field(l)]
		for len(candidates) > 0 && candidates[0] < next {
			candidates = candidates[1:]
		}
		if len(candidates) == 0 {
			out = append(out, Row{Sign: '-', Before: l})
			continue
		}
		mate := candidates[0]
		of[field(l)] = candidates[1:]
		for ; next < mate; next++ {
			out = append(out, Row{Sign: '+', After: added[next]})
		}
		row := Row{Sign: '~', Before: l, After: added[mate]}
		if len(removed) <= manyLines {
			row.Removed, row.Added = changedWords(row.Before, row.After)
		}
		out = append(out, row)
		next = mate + 1
	}
	for _, l := range added[next:] {
		out = append(out, Row{Sign: '+', After: l})
	}
	return out
}

// field is what says which field a line of YAML is of: its indent, the dashes of the lists
// that it begins an item of, and its key where it has one.
func field(l string) string {
	text := strings.TrimLeft(l, " -")
	lead := l[:len(l)-len(text)]
	if key, _, ok := strings.Cut(text, ":"); ok && !strings.ContainsAny(key, " \t") {
		return lead + key + ":"
	}
	return lead
}

// changedWords are the words in which two lines differ.
func changedWords(before, after string) (removed, added []Part) {
	if len(before)+len(after) > manyBytes {
		return nil, nil
	}
	was, is := split(before), split(after)
	wasAt, isAt := 0, 0 // in bytes
	wasDone, isDone := 0, 0
	length := func(words []string) (n int) {
		for _, w := range words {
			n += len(w)
		}
		return n
	}
	for _, d := range differences(was, is) {
		wasAt += length(was[wasDone:d.Start])
		isAt += length(is[isDone:d.ReplStart])
		from, to := wasAt, isAt
		wasAt += length(was[d.Start:d.End])
		isAt += length(is[d.ReplStart:d.ReplEnd])
		if wasAt > from {
			removed = append(removed, Part{from, wasAt})
		}
		if isAt > to {
			added = append(added, Part{to, isAt})
		}
		wasDone, isDone = d.End, d.ReplEnd
	}
	return removed, added
}

// split takes a line apart into words, and whatever is between them sign by sign.
func split(s string) []string {
	var out []string
	for s != "" {
		n := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch n {
		case 0:
			_, n = utf8.DecodeRuneInString(s)
		case -1:
			n = len(s)
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}
