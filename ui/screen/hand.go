package screen

import (
	"rvtui/ui/cells"
	"rvtui/ui/objects"

	"encoding/json"
	"slices"

	"rvtui/scenarios"
	"rvtui/ui/words"
)

// pair is a line with something at its right end.
type pair struct{ left, right cells.Line }

// hand is what an actor has in hand, and what it last did about it.
type hand struct {
	head    []pair     // the versions
	caption cells.Line // what the changes are: "sent, refused:"; nil where nothing was sent
	object  []cells.Line
	patched []cells.Line // the object that came back, where it is not simply the body that was sent
}

func (h hand) lines(width int) []cells.Line {
	out := make([]cells.Line, 0, len(h.head))
	for _, p := range h.head {
		out = append(out, cells.Spread(p.left, p.right, width))
	}
	return out
}

// inHand says what the actor has in hand: the versions, and the object itself, with
// what its last write sent.
func (f *frame) inHand(actor scenarios.Actor, last int) hand {
	entry := f.story.log[last]
	e := f.story.exchange(entry.ref)
	held := f.now.Held[actor]
	if entry.answer.List && !entry.answer.Failed {
		return f.listInHand(e, entry.answer)
	}
	names := make([]string, 0, len(held))
	for name := range held {
		names = append(names, name)
	}
	slices.Sort(names)
	name := entry.request.Name
	if name == "" && len(names) == 1 {
		name = names[0]
	}
	h := f.sent(actor, last, name, held[name].Object)
	switch {
	case len(names) == 0:
		h.head = []pair{{left: cells.TextLine(f.in("holds nothing"), &f.th.Dim)}}
	case len(names) == 1 && (name == "" || names[0] == name):
		h.head = []pair{f.holds(actor, f.in("holds rv %s", held[names[0]].ResourceVersion), names[0])}
	default:
		h.head = []pair{{left: cells.TextLine(f.in("holds %s", f.count(len(names), "object", "objects")), &f.th.Text)}}
		for _, n := range names {
			h.head = append(h.head, f.holds(actor, n+"  rv "+held[n].ResourceVersion, n))
		}
	}
	return h
}

func (f *frame) holds(actor scenarios.Actor, what, name string) pair {
	p := pair{left: cells.TextLine(what, &f.th.Strong)}
	if f.now.Stale(actor, name) {
		p.right = cells.Line{{" " + f.in("stale") + " ", &f.th.Stale}}
	}
	return p
}

// sent is what the actor's last write sent: a replacement beside what the actor held
// before, a patch by itself, since what it was applied to is the apiserver's, not the
// writer's. After anything but a write it is the object that the actor holds.
func (f *frame) sent(actor scenarios.Actor, last int, name string, held map[string]any) hand {
	entry := f.story.log[last]
	e := f.story.exchange(entry.ref)
	before, known := f.story.heldBefore(last, name)
	past := entry.ref.Step != f.state.Cursor
	switch entry.request.Verb {
	case "PUT", "POST":
		sent := words.Object(e.RequestBody)
		if sent == nil {
			break
		}
		var was []string
		if known {
			was = objects.Lines(words.Bare(before.Object))
		}
		body, became := objects.Lines(words.Bare(sent)), f.outcome(entry, name, before.ResourceVersion)
		h := hand{object: f.changes(objects.Difference(was, body), actor, past)}
		if became == stored {
			// A field that the apiserver does not know is dropped, a missing one may get its default.
			if answer := words.Object(e.ResponseBody); answer != nil && !slices.Equal(body, objects.Lines(words.Bare(answer))) {
				became += " altered"
				h.patched = f.answered(answer, actor, past)
			}
		}
		h.caption = cells.TextLine(f.in("sent, %s:", f.in(became)), &f.th.Dim)
		return h
	case "PATCH":
		var patch any
		if json.Unmarshal(e.RequestBody, &patch) != nil {
			break
		}
		caption := f.in("sends this patch:")
		if entry.answer.Failed {
			caption = f.in("sends this patch, %s:", f.in(f.outcome(entry, name, "")))
		}
		h := hand{caption: cells.TextLine(caption, &f.th.Dim)}
		if m, ok := patch.(map[string]any); ok {
			patch = words.Bare(m)
		}
		var changes []objects.Change
		for _, l := range objects.Lines(words.PlainNumbers(patch)) {
			changes = append(changes, objects.Change{Sign: '+', Text: l})
		}
		h.object = f.changes(changes, actor, past)
		if !entry.answer.Failed && entry.answer.RV != "" {
			h.patched = f.answered(held, actor, past)
		}
		return h
	}
	return hand{object: f.changes(kept(held), actor, false)}
}

// answered is the object that a write was answered with.
func (f *frame) answered(object map[string]any, actor scenarios.Actor, past bool) []cells.Line {
	lines := f.changes(kept(object), actor, past)
	if len(lines) == 0 {
		lines = []cells.Line{cells.TextLine(f.in("  (no fields of its own)"), &f.th.Dim)}
	}
	return append([]cells.Line{cells.TextLine(f.in("answered:"), &f.th.Dim)}, lines...)
}

// stored is what became of a body that a write was answered 2xx for.
const stored = "stored"

// removed reports whether the write ended in the object's deletion.
func (f *frame) removed(entry logged) bool {
	o := f.story.step(entry.ref.Step)
	for i := range o.RPCs {
		r := &o.RPCs[i]
		if r.Exchange != nil && *r.Exchange == entry.ref.Index && r.Wrote() && r.Writes == "delete" && entry.request.Verb != "DELETE" {
			return true
		}
	}
	for i := range o.Revisions { // which tell it where no RPC is recorded
		r := &o.Revisions[i]
		if r.Exchange != nil && *r.Exchange == entry.ref.Index && r.Op == "DELETE" && entry.request.Verb != "DELETE" {
			return true
		}
	}
	return false
}

// outcome is what became of a write's body. An object that came back at a version that
// it had before was not written.
func (f *frame) outcome(entry logged, name, before string) string {
	a := entry.answer
	switch {
	case a.Waiting:
		return "not answered yet"
	case a.Status == "":
		return "no answer"
	case a.Failed:
		return "refused"
	case entry.request.DryRun != "":
		return "not stored (dry run)"
	case f.removed(entry):
		return "deleted with it" // of an object that is being deleted, the last finalizer was taken away
	case a.RV == "":
		return stored
	case a.RV == before, entry.ref.Step > 0 && a.RV == f.story.history.At(entry.ref.Step - 1).Objects[name].ResourceVersion:
		return "nothing to store"
	}
	return stored
}

// kept is an object with no change.
func kept(object map[string]any) []objects.Change {
	var out []objects.Change
	for _, l := range objects.Lines(words.Bare(object)) {
		out = append(out, objects.Change{Sign: ' ', Text: l})
	}
	return out
}

// changes draws a difference, dim where it belongs to a step before the cursor's.
func (f *frame) changes(changes []objects.Change, actor scenarios.Actor, past bool) []cells.Line {
	out := make([]cells.Line, 0, len(changes))
	for _, c := range changes {
		style := &f.th.Text
		switch {
		case past:
			style = &f.th.Dim
		case c.Sign == '-':
			style = &f.th.Removed
		case c.Sign == '+':
			style = f.actorStyle(actor)
		}
		out = append(out, cells.TextLine(string(c.Sign)+" "+c.Text, style))
	}
	return out
}

// listInHand says what a list gave.
func (f *frame) listInHand(e *scenarios.Exchange, a words.Answer) hand {
	h := hand{head: []pair{{cells.TextLine(f.in("list rv %s", a.RV), &f.th.Strong), cells.TextLine(f.count(a.Items, "item", "items"), &f.th.Text)}}}
	if found := words.Found(&f.story.Trace, e); found > 0 {
		h.head[0].right = cells.TextLine(f.in("%d+%d items", a.Items-found, found), &f.th.Text)
		h.head = append(h.head, pair{left: cells.TextLine(f.in("+%d there before", found), &f.th.Dim)})
	}
	var list struct{ Items []map[string]any }
	if json.Unmarshal(e.ResponseBody, &list) != nil {
		return h
	}
	for _, item := range list.Items {
		metadata, _ := item["metadata"].(map[string]any)
		name, _ := metadata["name"].(string)
		rv, _ := metadata["resourceVersion"].(string)
		h.object = append(h.object, cells.TextLine(name+"  rv "+rv, &f.th.Strong))
		for _, value := range words.Flat(words.Bare(item)) {
			h.object = append(h.object, cells.TextLine("  "+value, &f.th.Text))
		}
	}
	return h
}
