package cluster

import (
	"fmt"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestARetryReadsAgainAndKeepsBothChanges(t *testing.T) {
	s := newFakeAPI(t).open(t)
	do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(map[string]any{"a": "0", "b": "0"})})
	seen := do(t, s, scenarios.Call{
		Actor: scenarios.B, Verb: scenarios.VerbRetryOnConflict, Name: "cm1", Set: map[string]any{"data.b": "1"}, Backoff: "DefaultBackoff",
		Meanwhile: []scenarios.Call{{Actor: scenarios.A, Verb: scenarios.VerbPatch, Name: "cm1", PatchType: "merge", Object: configMap(map[string]any{"a": "1"})}},
	})
	var got []string
	for _, e := range seen.Exchanges {
		got = append(got, fmt.Sprintf("%s %s %d call %d", e.Actor, e.Method, e.Status, e.Call))
	}
	want := "B GET 200 call 1, A PATCH 200 call 2, B PUT 409 call 3, B GET 200 call 4, B PUT 200 call 5"
	if strings.Join(got, ", ") != want {
		t.Errorf("exchanges:\n%s\nwant\n%s", strings.Join(got, ", "), want)
	}
	// A's patch names no resourceVersion, and this server keeps no managedFields: nobody can tell.
	if len(seen.Revisions) != 2 || seen.Revisions[0].By != "" || seen.Revisions[1].By != "B" || *seen.Revisions[1].Exchange != 4 {
		t.Errorf("revisions: %+v", seen.Revisions)
	}
	if object := string(seen.Objects[0].Object); !strings.Contains(object, `"a":"1"`) || !strings.Contains(object, `"b":"1"`) {
		t.Errorf("a change was lost: %s", object)
	}
	if got := calledOf(seen); got != "B Get, A Patch, B Update conflict, B Get, B Update, B RetryOnConflict" {
		t.Errorf("client calls: %s", got)
	}
}

func TestARetryDoneWrongShows(t *testing.T) {
	const update, refused = "B Update", "B Update conflict"
	tests := map[string]struct {
		read, backoff string
		want          string // the client calls after "B Get, A Patch"
		lost          bool   // whether A's change is
	}{
		"read outside of the closure":        {"outside", "", strings.Repeat(refused+", ", 5) + "B RetryOnConflict conflict", false},
		"only the new resourceVersion":       {"version", "", refused + ", B Get, " + update + ", B RetryOnConflict", true},
		"a single try":                       {"", "none", refused + ", B RetryOnConflict conflict", false},
		"a single try, outside":              {"outside", "none", refused + ", B RetryOnConflict conflict", false},
		"the longer backoff, in its 4 tries": {"outside", "DefaultBackoff", strings.Repeat(refused+", ", 4) + "B RetryOnConflict conflict", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newFakeAPI(t).open(t)
			do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(map[string]any{"a": "0", "b": "0"})})
			seen := do(t, s, scenarios.Call{
				Actor: scenarios.B, Verb: scenarios.VerbRetryOnConflict, Name: "cm1", Set: map[string]any{"data.b": "1"}, Backoff: test.backoff, Read: test.read,
				Meanwhile: []scenarios.Call{{Actor: scenarios.A, Verb: scenarios.VerbPatch, Name: "cm1", PatchType: "merge", Object: configMap(map[string]any{"a": "1"})}},
			})
			if got, want := calledOf(seen), "B Get, A Patch, "+test.want; got != want {
				t.Errorf("client calls:\n%s\nwant\n%s", got, want)
			}
			if object := string(seen.Objects[0].Object); strings.Contains(object, `"a":"0"`) != test.lost {
				t.Errorf("the object: %s", object)
			}
		})
	}
}

// calledOf is what the client libraries said, in a line.
func calledOf(seen scenarios.Observation) string {
	var calls []string
	for _, c := range seen.Client {
		call := string(c.Actor) + " " + c.Call
		for word, is := range map[string]bool{
			"conflict": c.IsConflict, "exists": c.IsAlreadyExists, "gone": c.IsGone, "not found": c.IsNotFound, "invalid": c.IsInvalid, "timeout": c.IsTimeout,
		} {
			if is {
				call += " " + word
			}
		}
		calls = append(calls, call)
	}
	return strings.Join(calls, ", ")
}

func TestAnUnknownWayToRetryIsAnError(t *testing.T) {
	s := newFakeAPI(t).open(t)
	for _, call := range []scenarios.Call{{Backoff: "unheard-of"}, {Read: "unheard-of"}} {
		call.Actor, call.Verb, call.Name = scenarios.B, scenarios.VerbRetryOnConflict, "cm1"
		if _, err := s.Do(t.Context(), call, nil); err == nil || !strings.Contains(err.Error(), "unheard-of") {
			t.Errorf("error %v", err)
		}
	}
}
