package screen

import (
	"encoding/json"
	"slices"
	"strings"

	"rvtui/scenarios"
	"rvtui/ui/theme"
	"rvtui/ui/words"
)

// Written is what an actor's last request wrote, as its pane shows it, for who tells it in
// words.
type Written struct {
	Caption string   // what became of it, in the reader's language: "sent, refused"
	Values  []string // that were sent and that the actor did not hold: "data.owner: B"
	Instead []string // that it held and did not send
}

// Written is what an actor's last request wrote, in the steps up to n; its zero value where
// that was no write of an object.
func (s *Story) Written(actor scenarios.Actor, n int, lang string) Written {
	asked := s.of(actor, n)
	if len(asked) == 0 {
		return Written{}
	}
	last := asked[len(asked)-1]
	f := &frame{story: s, state: State{Cursor: n}, th: &theme.Theme{}, lang: lang, now: s.history.At(n), step: s.step(n)}
	h := f.inHand(actor, last)
	if len(h.caption) == 0 {
		return Written{}
	}
	w := Written{Caption: strings.TrimRight(h.caption.String(), ":：")}
	entry, body := s.log[last], s.exchange(s.log[last].ref).RequestBody
	if entry.request.Verb == "PATCH" {
		w.Values = words.Patch(body)
		return w
	}
	var sent map[string]any
	_ = json.Unmarshal(body, &sent) // it has a caption, so it is an object
	held, _ := s.heldBefore(last, entry.request.Name)
	was, is := words.Flat(words.Bare(held.Object)), words.Flat(words.Bare(sent))
	w.Values = slices.DeleteFunc(slices.Clone(is), func(value string) bool { return slices.Contains(was, value) })
	w.Instead = slices.DeleteFunc(was, func(value string) bool { return slices.Contains(is, value) })
	return w
}
