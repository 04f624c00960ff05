// Package diff is the view of what changed: an object as it is stored in etcd, at two of
// its revisions. It is drawn from the trace's revisions alone, which an Index keeps by
// key. It may import scenarios, the ui packages of texts, objects and cells, and terminal
// libraries; it does no I/O and asks neither clock nor environment.
package diff

import (
	"rvtui/ui/cells"
	"rvtui/ui/view"
)

// wide is the width from which the two sides stand beside each other.
const wide = 120

// picture is a view being drawn.
type picture struct {
	in              *view.Input
	of              *object
	position, count int        // of the object, among so many
	known           []revision // the object's, up to the cursor
	older, newer    int        // positions in known; older is -1 where nothing is before newer
	made            *comparison
}

// at is a revision that is known; nil for -1.
func (p *picture) at(i int) *revision {
	if i < 0 {
		return nil
	}
	return &p.known[i]
}

// Draw draws the view. By itself it shows the object that the cursor's step wrote last;
// where it wrote none, the one that it was about, or else the one that was written last
// before: as it is at the cursor, beside the revision before that.
//
// At.Object is how many objects further than that one the shown one is, round and round.
// At.Newer is how many revisions back the newer side is from the newest at the cursor, and
// At.Older how many more revisions than one the older side is behind the newer one: moving
// At.Newer moves both, moving At.Older the older side alone. The older side is always
// before the newer one. At.Open unfolds managedFields and what is unchanged. As long as
// At.Right is 0, a replaced line that is too long is shown from where it begins to differ.
func Draw(in view.Input, index *Index) view.Drawn {
	size := in.Size
	if size.Width <= 0 || size.Height <= 0 {
		return view.Drawn{At: in.At}
	}
	p := &picture{in: &in}
	at := in.At
	p.of, p.position, at.Object, p.count = index.choose(in.Cursor, at.Object)
	if p.of != nil {
		p.known = p.of.upTo(in.Cursor)
	}
	if len(p.known) == 0 {
		at.Object, at.Newer, at.Older, at.Down, at.Right = 0, 0, 0, 0, 0
		lines := p.indented(in.In("No revision of the scenario's objects is known up to here, so that there is nothing to compare."))
		return view.Drawn{Lines: lines[:min(len(lines), size.Height)], At: at}
	}
	p.older, p.newer, at.Newer, at.Older = sides(len(p.known), at.Newer, at.Older)
	p.made = index.compare(p.of, p.older, p.newer, at.Open, p.short())

	least := 7 // lines of the comparison, its border too
	lines := p.heading(max(1, size.Height-least))
	body, down, right := p.body(cells.Size{Width: size.Width, Height: size.Height - len(lines)}, at.Down, at.Right)
	at.Down, at.Right = down, right
	return view.Drawn{Lines: append(lines, body...), At: at, Copy: p.made.copy}
}
