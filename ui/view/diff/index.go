package diff

import (
	"encoding/json"
	"sort"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// Index is every version that is known of every object of a trace. It only grows, with
// the trace; what is asked of it costs the same however long that is. It is not safe for
// use by several goroutines.
type Index struct {
	objects []*object // in the order in which they were first written
	byKey   map[string]*object
	marks   []mark // after the setup, and after each step
	// made is the last comparison: a reader looks at one for many frames.
	made *comparison
}

// object is what is known of one etcd key. Keys do not collide, as names of several kinds
// can.
type object struct {
	key, kind, name string
	revisions       []revision // oldest first
}

// revision is a revision of a key, and the step that it fell into.
type revision struct {
	scenarios.Revision
	step    int
	created bool // the apiserver said so of the request that made it
}

// created reports whether the answer to the request that made a revision was 201 Created.
func created(o *scenarios.Observation, r *scenarios.Revision) bool {
	at := r.Exchange
	return r.Op != "DELETE" && at != nil && *at >= 0 && *at < len(o.Exchanges) && o.Exchanges[*at].Status == 201
}

func (r *revision) gone() bool { return r.Op == "DELETE" }

// mark is what is known once a step is done.
type mark struct {
	objects int     // how many of the index's objects have been written
	shown   *object // the one that is looked at from here; nil where there is none
}

// Append adds the revisions of one more observation: the setup's first, then each step's.
func (x *Index) Append(o *scenarios.Observation) {
	if x.byKey == nil {
		x.byKey = map[string]*object{}
	}
	m := mark{}
	wrote := false
	if n := len(x.marks); n > 0 {
		m.shown = x.marks[n-1].shown
	}
	for i := range o.Revisions {
		r := &o.Revisions[i]
		if !r.Own {
			continue
		}
		of := x.byKey[r.Key]
		if of == nil {
			of = &object{key: r.Key, name: r.Name}
			x.byKey[r.Key] = of
			x.objects = append(x.objects, of)
		}
		if of.kind == "" && len(r.Value) > 0 {
			var stored struct{ Kind string }
			if json.Unmarshal(r.Value, &stored) == nil {
				of.kind = stored.Kind
			}
		}
		of.revisions = append(of.revisions, revision{Revision: *r, step: len(x.marks), created: created(o, r)})
		m.shown, wrote = of, true
	}
	for i := range o.Objects {
		if of := x.byKey[o.Objects[i].Key]; of != nil && of.kind == "" {
			of.kind = o.Objects[i].Kind
		}
	}
	if !wrote {
		if about := x.about(o); about != nil {
			m.shown = about
		}
	}
	m.objects = len(x.objects)
	x.marks = append(x.marks, m)
}

// about is the object that a step is about which wrote none: the one that its last write
// was to change, or that it read.
func (x *Index) about(o *scenarios.Observation) *object {
	var read *object
	for i := len(o.Exchanges) - 1; i >= 0; i-- {
		request := words.Read(&o.Exchanges[i])
		if request.Name == "" {
			continue
		}
		resource, _, _ := strings.Cut(request.Resource, "/")
		for j := range o.Objects {
			known := x.byKey[o.Objects[j].Key]
			if known == nil || o.Objects[j].Resource != resource || o.Objects[j].Name != request.Name {
				continue
			}
			if request.Writes() {
				return known
			}
			if read == nil {
				read = known
			}
		}
	}
	return read
}

// at is what is known at a cursor.
func (x *Index) at(cursor int) mark {
	if x == nil || len(x.marks) == 0 || cursor < 0 {
		return mark{}
	}
	return x.marks[min(cursor, len(x.marks)-1)]
}

// choose is the object that stands by itself at a cursor, or the one so many objects
// further, and how many of them there are; which says the distance within limits.
func (x *Index) choose(cursor, further int) (of *object, position, which, count int) {
	m := x.at(cursor)
	if m.shown == nil {
		return nil, 0, 0, 0
	}
	for i, o := range x.objects[:m.objects] {
		if o == m.shown {
			which = wrap(further, m.objects)
			position = (i + which) % m.objects
			return x.objects[position], position, which, m.objects
		}
	}
	return nil, 0, 0, 0
}

// wrap is n counted round and round count.
func wrap(n, count int) int { return (n%count + count) % count }

// upTo are the revisions of the steps up to a cursor.
func (o *object) upTo(cursor int) []revision {
	return o.revisions[:sort.Search(len(o.revisions), func(i int) bool { return o.revisions[i].step > cursor })]
}

// writtenIn is how many of some revisions, all up to a step, fell into it.
func writtenIn(all []revision, step int) int {
	return len(all) - sort.Search(len(all), func(i int) bool { return all[i].step >= step })
}

// sides are the two revisions that are compared, as positions among those known: the newer
// one stands so many revisions back from the newest, the older one so many further back
// than the one before that. The older one is -1 where nothing is known before the newer.
// The numbers come back within their limits.
func sides(known, newerBack, olderBack int) (older, newer, newerIn, olderIn int) {
	newerIn = max(0, min(newerBack, known-1))
	newer = known - 1 - newerIn
	if newer == 0 {
		return -1, 0, newerIn, 0
	}
	olderIn = max(0, min(olderBack, newer-1))
	return newer - 1 - olderIn, newer, newerIn, olderIn
}
