package cluster

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"rvtui/scenarios"
)

// long is a time that no test waits for.
const long = time.Minute

func patch(actor scenarios.Actor, k string) scenarios.Call {
	return scenarios.Call{Actor: actor, Verb: scenarios.VerbPatch, Name: "cm1", PatchType: "merge", Object: configMap(map[string]any{"k": k})}
}

func TestAWatchBringsWhatIsDoneMeanwhile(t *testing.T) {
	s := newFakeAPI(t).open(t)
	made := do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	seen := do(t, s, scenarios.Call{
		Actor: scenarios.A, Verb: scenarios.VerbWatch, ResourceVersion: strconv.FormatInt(made.Etcd.Head, 10), FieldSelector: "metadata.name=cm1",
		Events: 2, Within: long, Meanwhile: []scenarios.Call{patch(scenarios.B, "1"), patch(scenarios.A, "2")},
	})
	if len(seen.Events) != 2 || len(seen.Exchanges) != 3 || len(seen.Revisions) != 2 {
		t.Fatalf("%+v", seen)
	}
	for i, event := range seen.Events {
		if event.Actor != "A" || event.Type != "ADDED" || event.Name != "cm1" || event.ResourceVersion != strconv.FormatInt(seen.Revisions[i].Revision, 10) || *event.Exchange != 0 || !strings.Contains(string(event.Object), `"k":"`+strconv.Itoa(i+1)+`"`) {
			t.Errorf("event %d: %+v", i, event)
		}
	}
	watch := seen.Exchanges[0]
	if watch.Status != 200 || watch.InFlight || watch.ResponseBody != nil || !strings.HasSuffix(watch.Path, "?fieldSelector=metadata.name%3Dcm1&resourceVersion="+strconv.FormatInt(made.Etcd.Head, 10)+"&watch=true") {
		t.Errorf("the watch: %+v", watch)
	}
	if end := seen.Exchanges[2]; watch.StartedMs+watch.DurationMs < end.StartedMs {
		t.Errorf("the watch took %g ms, but was open at %g ms", watch.DurationMs, end.StartedMs)
	}
}

// The second write is made only when the first one's event has been told: were it told at
// the step's end, the step would have no second event.
func TestAnEventIsToldBeforeTheStepEnds(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	made := do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	var told []string
	seen, err := s.Do(t.Context(), scenarios.Call{
		Actor: scenarios.A, Verb: scenarios.VerbWatch, ResourceVersion: strconv.FormatInt(made.Etcd.Head, 10),
		Events: 2, Within: 10 * time.Second, Meanwhile: []scenarios.Call{patch(scenarios.B, "1")},
	}, func(so scenarios.Partial) {
		if len(so.Events) == len(told) {
			return
		}
		event := so.Events[len(so.Events)-1]
		told = append(told, event.Type+" "+event.Name+" of "+so.Exchanges[*event.Exchange].Method)
		if len(told) == 1 {
			key := "/registry/configmaps/rvtui-test/cm1"
			api.etcd.put(key, api.etcd.now(key).Value)
		}
	})
	if err != nil || len(seen.Events) != 2 {
		t.Errorf("%v, %d events", err, len(seen.Events))
	}
	if got := strings.Join(told, ", "); got != "ADDED cm1 of GET, ADDED cm1 of GET" {
		t.Errorf("told: %s", got)
	}
}

func TestAStreamingListIsAskedForAndEndsAtItsTime(t *testing.T) {
	s := newFakeAPI(t).open(t)
	do(t, s, scenarios.Call{Actor: scenarios.Admin, Setup: true, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	seen := do(t, s, scenarios.Call{
		Actor: scenarios.A, Verb: scenarios.VerbWatch, ResourceVersionMatch: "NotOlderThan", Bookmarks: true, SendInitialEvents: true, Events: 2, Within: long,
	})
	if len(seen.Events) != 2 || seen.Events[1].Type != "BOOKMARK" || !strings.Contains(string(seen.Events[1].Object), "initial-events-end") {
		t.Errorf("events: %+v", seen.Events)
	}
	if path := seen.Exchanges[0].Path; !strings.HasSuffix(path, "?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true") {
		t.Errorf("path %s", path)
	}
	quiet := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbWatch, ResourceVersion: strconv.FormatInt(seen.Etcd.Head+100, 10), Events: 1, Within: time.Millisecond})
	if len(quiet.Events) != 0 || quiet.Exchanges[0].Status != 200 {
		t.Errorf("a watch from the future: %+v", quiet)
	}
}

func TestAWatchThatIsTooOldIsAnEventAndItsErrorIsGone(t *testing.T) {
	s := newFakeAPI(t).open(t)
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbWatch, ResourceVersion: "1", Within: long}) // the server ends it
	if len(seen.Events) != 1 || seen.Events[0].Type != "ERROR" || !strings.Contains(string(seen.Events[0].Object), `"code":410`) || seen.Exchanges[0].Status != 200 {
		t.Errorf("%+v", seen)
	}
	if got := calledOf(seen); got != "A Watch, A FromObject gone" {
		t.Errorf("client calls: %s", got)
	}
}

func TestARefusedWatchHasItsAnswer(t *testing.T) {
	api := newFakeAPI(t)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("watch") == "" {
			return false
		}
		status(w, http.StatusInternalServerError, "InternalError", "invalid syntax")
		return true
	}
	seen := do(t, api.open(t), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbWatch, ResourceVersion: "abc", Within: long})
	if exchange := seen.Exchanges[0]; exchange.Status != 500 || !strings.Contains(string(exchange.ResponseBody), "invalid syntax") || seen.Client[0].Error != "invalid syntax" {
		t.Errorf("%+v", seen)
	}
}

func TestAWatchOfSecretsShowsNoContent(t *testing.T) {
	s := newFakeAPI(t).open(t)
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Kind: "Secret", Name: "s1", Object: configMap(map[string]any{"k": "c2VjcmV0"})})
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbWatch, Kind: "Secret", Events: 1, Within: long})
	if len(seen.Events) != 1 || strings.Contains(string(seen.Events[0].Object), "c2VjcmV0") || !strings.Contains(string(seen.Events[0].Object), hidden) {
		t.Errorf("events: %+v", seen.Events)
	}
}
