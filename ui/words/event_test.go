package words

import (
	"testing"

	"rvtui/scenarios"
)

func TestEventsInWords(t *testing.T) {
	for want, event := range map[string]scenarios.WatchEvent{
		"MODIFIED cm1 rv 24": {Type: "MODIFIED", Name: "cm1", ResourceVersion: "24"},
		"ERROR 410 Expired: too old resource version: 1 (22)": {Type: "ERROR",
			Object: []byte(`{"kind":"Status","code":410,"reason":"Expired","message":"too old resource version: 1 (22)"}`)},
		"BOOKMARK rv 30": {Type: "BOOKMARK", ResourceVersion: "30"},
		"BOOKMARK rv 30, k8s.io/initial-events-end": {Type: "BOOKMARK", ResourceVersion: "30",
			Object: []byte(`{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}`)},
	} {
		if got := Event(event); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	one := 1
	o := &scenarios.Observation{Events: []scenarios.WatchEvent{{Name: "a"}, {Name: "b", Exchange: &one}}}
	if events := EventsOf(o, 1); len(events) != 1 || events[0].Name != "b" {
		t.Errorf("got %+v", events)
	}
}
