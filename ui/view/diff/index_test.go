package diff

import (
	"encoding/json"
	"fmt"
	"testing"

	"rvtui/scenarios"
)

const (
	cm1 = "/registry/configmaps/ns/cm1"
	cm2 = "/registry/configmaps/ns/cm2"
	web = "/registry/deployments/ns/cm1" // the name of cm1, of another kind
)

// put is a revision that stores an object of one value.
func put(revision int64, key, kind, owner string, create, version int64) scenarios.Revision {
	value, err := json.Marshal(map[string]any{"kind": kind, "metadata": map[string]any{"name": key[len(key)-3:]}, "data": map[string]any{"owner": owner}})
	if err != nil {
		panic(err)
	}
	return scenarios.Revision{
		Revision: revision, Op: "PUT", Key: key, Name: key[len(key)-3:], Own: true, By: "A",
		CreateRevision: create, ModRevision: revision, Version: version, Value: value,
	}
}

func del(revision int64, key string) scenarios.Revision {
	return scenarios.Revision{Revision: revision, Op: "DELETE", Key: key, Name: key[len(key)-3:], Own: true, By: "B", ModRevision: revision}
}

// indexed is an index of the setup's revisions and of each step's.
func indexed(steps ...[]scenarios.Revision) *Index {
	x := &Index{}
	for _, revisions := range steps {
		x.Append(&scenarios.Observation{Revisions: revisions})
	}
	return x
}

func TestTheObjectThatWasWrittenLastStandsByItself(t *testing.T) {
	others := scenarios.Revision{Revision: 3, Op: "PUT", Key: "/registry/leases/kube-system/x"}
	x := indexed(
		[]scenarios.Revision{put(1, cm1, "ConfigMap", "a", 1, 1), put(2, web, "Deployment", "a", 2, 1), others},
		nil,
		[]scenarios.Revision{put(4, cm1, "ConfigMap", "b", 1, 2)},
		[]scenarios.Revision{put(5, cm1, "ConfigMap", "c", 1, 3), put(6, cm2, "ConfigMap", "a", 6, 1)},
	)
	for _, c := range []struct {
		cursor, further      int
		key                  string
		position, which, all int
		known                int // revisions
	}{
		{0, 0, web, 1, 0, 2, 1},
		{1, 0, web, 1, 0, 2, 1}, // what a step that writes nothing leaves
		{2, 0, cm1, 0, 0, 2, 2},
		{3, 0, cm2, 2, 0, 3, 1},
		{99, 0, cm2, 2, 0, 3, 1}, // no more steps than there are
		{3, 1, cm1, 0, 1, 3, 3},
		{3, 2, web, 1, 2, 3, 1},
		{3, 3, cm2, 2, 0, 3, 1}, // round
		{3, -1, web, 1, 2, 3, 1},
		{0, 1, cm1, 0, 1, 2, 1}, // cm2 is not there yet, and of cm1 one revision
	} {
		of, position, which, all := x.choose(c.cursor, c.further)
		if of == nil || of.key != c.key || position != c.position || which != c.which || all != c.all {
			t.Errorf("at %d, %d further: %+v, number %d, %d further, of %d", c.cursor, c.further, of, position, which, all)
			continue
		}
		if n := len(of.upTo(c.cursor)); n != c.known {
			t.Errorf("at %d, %s has %d revisions, want %d", c.cursor, of.key, n, c.known)
		}
	}
	if of, _, _, _ := (&Index{}).choose(0, 0); of != nil {
		t.Errorf("an empty index has %+v", of)
	}
	if n := writtenIn(x.byKey[cm1].upTo(3), 3); n != 1 {
		t.Errorf("step 3 wrote cm1 %d times", n)
	}
	if kind := x.byKey[web].kind; kind != "Deployment" {
		t.Errorf("the kind is %q", kind)
	}
}

func TestAStepThatWritesNothingShowsWhatItIsAbout(t *testing.T) {
	x := indexed([]scenarios.Revision{put(1, cm1, "ConfigMap", "a", 1, 1), put(2, cm2, "ConfigMap", "a", 2, 1)})
	x.Append(&scenarios.Observation{
		Exchanges: []scenarios.Exchange{
			{Method: "PUT", Path: "/api/v1/namespaces/ns/configmaps/cm1", Status: 409},
			{Method: "GET", Path: "/api/v1/namespaces/ns/configmaps/cm2", Status: 200},
		},
		Objects: []scenarios.Object{{Resource: "configmaps", Name: "cm1", Key: cm1}, {Resource: "configmaps", Name: "cm2", Key: cm2}},
	})
	if of, _, _, _ := x.choose(1, 0); of == nil || of.key != cm1 {
		t.Errorf("%+v is shown, not what could not be written", of)
	}
}

func TestTheOlderSideIsAlwaysBeforeTheNewer(t *testing.T) {
	for _, c := range []struct{ known, newerBack, olderBack, older, newer, newerIn, olderIn int }{
		{1, 0, 0, -1, 0, 0, 0},
		{1, 5, 5, -1, 0, 0, 0},
		{2, 0, 0, 0, 1, 0, 0},
		{2, 0, 9, 0, 1, 0, 0},
		{5, 0, 0, 3, 4, 0, 0},
		{5, 1, 0, 2, 3, 1, 0},
		{5, 0, 2, 1, 4, 0, 2},
		{5, 2, 9, 0, 2, 2, 1},
		{5, 4, 3, -1, 0, 4, 0},
		{5, 99, 0, -1, 0, 4, 0},
		{5, -1, -1, 3, 4, 0, 0},
	} {
		older, newer, newerIn, olderIn := sides(c.known, c.newerBack, c.olderBack)
		got := fmt.Sprint(older, newer, newerIn, olderIn)
		if want := fmt.Sprint(c.older, c.newer, c.newerIn, c.olderIn); got != want {
			t.Errorf("of %d, %d and %d back: %s, want %s", c.known, c.newerBack, c.olderBack, got, want)
		}
	}
}
