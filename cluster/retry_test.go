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
		Meanwhile: &scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbPatch, Name: "cm1", PatchType: "merge", Object: configMap(map[string]any{"a": "1"})},
	})
	var got []string
	for _, e := range seen.Exchanges {
		got = append(got, fmt.Sprintf("%s %s %d call %d", e.Actor, e.Method, e.Status, e.Call))
	}
	want := "B GET 200 call 1, A PATCH 200 call 2, B PUT 409 call 3, B GET 200 call 4, B PUT 200 call 5"
	if strings.Join(got, ", ") != want {
		t.Errorf("exchanges:\n%s\nwant\n%s", strings.Join(got, ", "), want)
	}
	if len(seen.Revisions) != 2 || seen.Revisions[0].By != "A" || *seen.Revisions[0].Exchange != 1 || seen.Revisions[1].By != "B" || *seen.Revisions[1].Exchange != 4 {
		t.Errorf("revisions: %+v", seen.Revisions)
	}
	if object := string(seen.Objects[0].Object); !strings.Contains(object, `"a":"1"`) || !strings.Contains(object, `"b":"1"`) {
		t.Errorf("a change was lost: %s", object)
	}
}

func TestAnUnknownBackoffIsAnError(t *testing.T) {
	s := newFakeAPI(t).open(t)
	_, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.B, Verb: scenarios.VerbRetryOnConflict, Name: "cm1", Backoff: "DefaultBackof"}, nil)
	if err == nil || !strings.Contains(err.Error(), "DefaultBackof") {
		t.Errorf("error %v", err)
	}
}
