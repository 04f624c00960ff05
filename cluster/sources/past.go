package sources

import (
	"cmp"
	"errors"
	"slices"

	"rvtui/cluster"
)

// mostLists bounds how many lists of the past are asked for after one step.
const mostLists = 250

// past finds the changes between two snapshots by lists at revisions between them. It misses
// what was made and deleted in between and named by no answer, and where the store no longer
// has a revision, what was before that: of these it finds the newest of each key alone.
type past struct {
	list     func(revision int64) (snapshot, error)
	answered []int64 // revisions that are known to be of the kind
	changes  []cluster.Change
	asked    int
	lost     bool // not everything was found
}

// between finds the changes after a up to b, in order.
func (p *past) between(a, b snapshot) error {
	if err := p.search(a, b); err != nil {
		return err
	}
	slices.SortStableFunc(p.changes, func(a, b cluster.Change) int { return cmp.Compare(a.Revision, b.Revision) })
	return nil
}

func (p *past) search(a, b snapshot) error {
	for b.at > a.at {
		newest, written := newestOf(b, a.at)
		if !written {
			return p.searchDeleted(a, b)
		}
		before, found, err := p.at(newest.Revision-1, a)
		if err != nil {
			return err
		}
		if !found {
			p.giveUp(a, b)
			return nil
		}
		if !within(before, b) || p.answeredIn(newest.Revision, b.at) != 0 {
			// Something else was deleted after it, or came and went.
			then, found, err := p.at(newest.Revision, a)
			if err != nil {
				return err
			}
			if !found {
				p.giveUp(a, b)
				return nil
			}
			if err := p.searchDeleted(then, b); err != nil {
				return err
			}
		}
		p.changes = append(p.changes, newest)
		b = before
	}
	return nil
}

// searchDeleted finds the changes between two snapshots where b has nothing that is new since a.
func (p *past) searchDeleted(a, b snapshot) error {
	if b.at <= a.at {
		return nil
	}
	middle := p.answeredIn(a.at, b.at)
	switch {
	case middle != 0:
	case within(a, b):
		return nil
	case b.at == a.at+1:
		for key := range a.items {
			if _, there := b.items[key]; !there {
				p.changes = append(p.changes, cluster.Change{Revision: b.at, Delete: true, Key: key})
			}
		}
		return nil
	default:
		middle = a.at + (b.at-a.at)/2
	}
	then, found, err := p.at(middle, a)
	if err != nil {
		return err
	}
	if !found {
		p.giveUp(a, b)
		return nil
	}
	if err := p.search(a, then); err != nil {
		return err
	}
	return p.searchDeleted(then, b)
}

// at is the snapshot at a revision, which is a where it is that one's. It reports false where
// the store no longer has it, or where too many were asked for.
func (p *past) at(revision int64, a snapshot) (snapshot, bool, error) {
	if revision <= a.at {
		return a, true, nil
	}
	if p.asked++; p.asked > mostLists {
		return snapshot{}, false, nil
	}
	then, err := p.list(revision)
	if errors.Is(err, errCompacted) {
		return snapshot{}, false, nil
	}
	then.at = revision
	return then, true, err
}

// giveUp notes what is certain of the changes between two snapshots.
func (p *past) giveUp(a, b snapshot) {
	p.lost = true
	for _, item := range b.items {
		if item.Revision > a.at {
			p.changes = append(p.changes, item)
		}
	}
}

// answeredIn is the newest revision between two, without these, that an answer named; 0 if
// there is none.
func (p *past) answeredIn(a, b int64) int64 {
	newest := int64(0)
	for _, revision := range p.answered {
		if a < revision && revision < b {
			newest = max(newest, revision)
		}
	}
	return newest
}

// newestOf is what was written last of what is there, if that was after a revision.
func newestOf(s snapshot, after int64) (newest cluster.Change, written bool) {
	for _, item := range s.items {
		if item.Revision > max(after, newest.Revision) {
			newest, written = item, true
		}
	}
	return newest, written
}

// within reports whether every key of a is in b too.
func within(a, b snapshot) bool {
	for key := range a.items {
		if _, there := b.items[key]; !there {
			return false
		}
	}
	return true
}
