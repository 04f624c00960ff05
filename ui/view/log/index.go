package log

import (
	"sort"
	"strings"

	"rvtui/scenarios"
)

// Index holds a trace's log lines by their steps, so that what a frame costs does not grow
// with the trace. It only grows, as the trace does. It remembers the lines that hold the
// filter that was asked for last; so it is for one goroutine at a time.
type Index struct {
	lines []entry
	ends  []int // by step, how many lines there are up to its end; the first is the setup's

	filter  string
	matched []int // the lines that hold the filter, of the first searched
	read    int
}

// entry is a line of the log and the step that it belongs to.
type entry struct {
	scenarios.LogLine
	step int
}

// NewIndex is the index of all that a trace holds.
func NewIndex(t *scenarios.Trace) *Index {
	x := &Index{}
	setup := t.Setup
	if setup == nil {
		setup = &scenarios.Observation{}
	}
	x.Append(setup)
	for i := range t.Steps {
		x.Append(&t.Steps[i])
	}
	return x
}

// Append adds the lines of one more observation: of the setup first, then of each step.
func (x *Index) Append(o *scenarios.Observation) {
	for _, l := range o.Log {
		x.lines = append(x.lines, entry{l, len(x.ends)})
	}
	x.ends = append(x.ends, len(x.lines))
}

// span is the lines of the steps up to n, and where those of step n itself begin.
func (x *Index) span(n int) (first, end int) {
	if x == nil || len(x.ends) == 0 || n < 0 {
		return 0, 0
	}
	if n >= len(x.ends) {
		end = x.ends[len(x.ends)-1]
		return end, end
	}
	if n > 0 {
		first = x.ends[n-1]
	}
	return first, x.ends[n]
}

// shown is the lines of the steps up to n that hold the filter, in any case of its
// letters: how many there are, where those of step n itself begin, and which line each is.
func (x *Index) shown(n int, filter string) (first, end int, line func(int) *entry) {
	first, end = x.span(n)
	if filter == "" {
		return first, end, func(i int) *entry { return &x.lines[i] }
	}
	if x == nil {
		return 0, 0, nil
	}
	filter = strings.ToLower(filter)
	if x.filter != filter {
		x.filter, x.matched, x.read = filter, nil, 0
	}
	for ; x.read < len(x.lines); x.read++ {
		l := &x.lines[x.read]
		if strings.Contains(strings.ToLower(l.Source+" "+l.Level+" "+l.Text), filter) {
			x.matched = append(x.matched, x.read)
		}
	}
	matched := x.matched
	return sort.SearchInts(matched, first), sort.SearchInts(matched, end), func(i int) *entry { return &x.lines[matched[i]] }
}
