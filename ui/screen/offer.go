package screen

import (
	"rvtui/ui/cells"
	"rvtui/ui/keys"
)

// offers reports whether the reader stands at the end, and there is a scenario to go on with.
func (f *frame) offers() bool {
	return f.state.Next != nil && f.live() && f.story.Done() && f.state.Running == nil
}

// offer is which scenario comes next, and the key that opens it.
func (f *frame) offer(width int) []cells.Line {
	if !f.offers() {
		return nil
	}
	next := f.state.Next
	l := cells.Line{{keys.NextHint().Key + "  ", &f.th.Key}, cells.Text(f.in("next scenario: %s", next.Name), &f.th.Text)}
	if title := next.Title.In(f.lang); title != "" {
		l = append(l, cells.Text("   "+title, &f.th.Dim))
	}
	return []cells.Line{l.Fit(width)}
}

// endHints are the keys at the end; without a next scenario, its key is none of them.
func (f *frame) endHints() []keys.Hint {
	list := keys.EndHints()
	if f.offers() {
		return list
	}
	return list[1:]
}
