package sources

import (
	"math/rand/v2"
	"slices"
	"testing"

	"rvtui/cluster"
)

func sameChanges(a, b []cluster.Change) bool {
	return slices.EqualFunc(a, b, func(a, b cluster.Change) bool {
		return a.Revision == b.Revision && a.Key == b.Key && a.Delete == b.Delete && string(a.Value) == string(b.Value)
	})
}

// writeAtRandom writes something, or nothing.
func (h *history) writeAtRandom(random *rand.Rand) {
	name := string(rune('a' + random.IntN(3)))
	_, there := h.at(h.newest()).items["/registry/configmaps/ns/"+name]
	switch random.IntN(4) {
	case 0:
		h.others()
	case 1:
		if there {
			h.delete(name)
		}
	default:
		h.put(name)
	}
}

func TestThePastIsFoundByLists(t *testing.T) {
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 0))
		h := newHistory()
		for range random.IntN(10) {
			h.writeAtRandom(random)
		}
		from := h.at(h.newest())
		for range random.IntN(30) {
			h.writeAtRandom(random)
		}
		to := h.at(h.newest())
		want := h.between(from.at, to.at)
		p := past{list: func(revision int64) (snapshot, error) { return h.list(t.Context(), configMaps, revision, true) }}
		for _, change := range want { // what the writes were answered
			if !change.Delete {
				p.answered = append(p.answered, change.Revision)
			}
		}
		if err := p.between(from, to); err != nil {
			t.Fatal(err)
		}
		if !sameChanges(p.changes, want) || p.lost {
			t.Fatalf("seed %d: found %v, want %v", seed, p.changes, want)
		}
	}
}

func TestWhatNoAnswerNamesIsFoundUnlessItCameAndWentInBetween(t *testing.T) {
	h := newHistory()
	h.put("deleted")
	from := h.at(h.newest())
	h.put("a")
	h.others()
	h.delete("deleted")
	h.put("a")
	for range 20 {
		h.others()
	}
	h.put("b")
	h.delete("a")
	h.others()
	to := h.at(h.newest())
	p := past{list: func(revision int64) (snapshot, error) { return h.list(t.Context(), configMaps, revision, true) }}
	if err := p.between(from, to); err != nil {
		t.Fatal(err)
	}
	if want := h.between(from.at, to.at); !sameChanges(p.changes, want) {
		t.Errorf("found %v, want %v", p.changes, want)
	}
	if h.lists > 16 {
		t.Errorf("%d lists for 5 changes", h.lists)
	}
}

func TestWhatIsCompactedIsLostAndSaidToBeSo(t *testing.T) {
	h := newHistory()
	from := h.at(h.newest())
	h.put("a")
	h.put("b")
	kept := []int64{h.put("a"), h.put("b"), h.put("b")}
	h.gone = kept[1]
	to := h.at(h.newest())
	p := past{list: func(revision int64) (snapshot, error) { return h.list(t.Context(), configMaps, revision, true) }}
	if err := p.between(from, to); err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, change := range p.changes {
		got = append(got, change.Revision)
	}
	if !p.lost || !slices.Equal(got, kept) {
		t.Errorf("found %v, lost %v; want %v", got, p.lost, kept)
	}
}

func TestNoMoreListsAreAskedForThanThereMayBe(t *testing.T) {
	h := newHistory()
	from := h.at(h.newest())
	for range 2 * mostLists {
		h.put("a")
	}
	to := h.at(h.newest())
	p := past{list: func(revision int64) (snapshot, error) { return h.list(t.Context(), configMaps, revision, true) }}
	if err := p.between(from, to); err != nil {
		t.Fatal(err)
	}
	if h.lists > mostLists || !p.lost || len(p.changes) < mostLists {
		t.Errorf("%d lists, lost %v, %d changes", h.lists, p.lost, len(p.changes))
	}
}
