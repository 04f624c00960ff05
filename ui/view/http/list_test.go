package http_test

import (
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/view"
)

// what a client does once it was refused, and when; of requests that were under way at the
// same time nobody can say which follows which.
func TestARequestAfterARefusedWriteSaysHowLongAfter(t *testing.T) {
	exchange := func(actor scenarios.Actor, method string, status int, from, took float64) scenarios.Exchange {
		return scenarios.Exchange{Actor: actor, Method: method, Path: "/api/v1/namespaces/n/configmaps/cm1", Status: status, StartedMs: from, DurationMs: took, Attempt: 1}
	}
	watch := exchange(scenarios.B, "GET", 200, 0, 500)
	watch.Path = "/api/v1/namespaces/n/configmaps?watch=true"
	for name, c := range map[string]struct {
		exchanges []scenarios.Exchange
		want      string
	}{
		"a retry": {[]scenarios.Exchange{exchange(scenarios.B, "PUT", 409, 0, 5), exchange(scenarios.B, "PUT", 200, 17, 2)}, "12 ms after the 409"},
		"another writer between": {[]scenarios.Exchange{
			exchange(scenarios.B, "PUT", 409, 0, 5), exchange(scenarios.A, "PUT", 200, 6, 5), exchange(scenarios.B, "GET", 200, 1005, 2)}, "1.0 s after the 409"},
		"a watch beside it":     {[]scenarios.Exchange{watch, exchange(scenarios.B, "PUT", 409, 1, 5), exchange(scenarios.B, "PUT", 200, 17, 2)}, "11 ms after the 409"},
		"after a read":          {[]scenarios.Exchange{exchange(scenarios.B, "GET", 404, 0, 5), exchange(scenarios.B, "POST", 201, 17, 2)}, ""},
		"after what succeeded":  {[]scenarios.Exchange{exchange(scenarios.B, "PUT", 200, 0, 5), exchange(scenarios.B, "PUT", 200, 17, 2)}, ""},
		"another's refusal":     {[]scenarios.Exchange{exchange(scenarios.A, "PUT", 409, 0, 5), exchange(scenarios.B, "PUT", 200, 17, 2)}, ""},
		"many at the same time": {[]scenarios.Exchange{exchange(scenarios.B, "PUT", 409, 0, 9), exchange(scenarios.B, "PUT", 409, 1, 3), exchange(scenarios.B, "PUT", 200, 17, 2)}, ""},
	} {
		trace := uitest.TwoWriters(t)
		trace.Steps[3].Exchanges, trace.Steps[3].RPCs = c.exchanges, nil
		text := shown(t, viewtest.Input(&trace, 4, cells.Size{Width: 120, Height: 34}, scenarios.English, view.State{}))
		if c.want == "" && strings.Contains(text, " after the ") || !strings.Contains(text, c.want) {
			t.Errorf("%s: want %q:\n%s", name, c.want, text)
		}
	}
}

func TestAListWithoutABoxShowsThatItGoesOn(t *testing.T) {
	trace := uitest.Trace(t, "too-large")
	for chosen, want := range map[int][]string{
		1:  {"▸  1 B", "…  5 B"},
		6:  {"…  4 B", "▸  6 B", "…  8 B"},
		11: {"…  7 B", "▸ 11 B"},
	} {
		text := shown(t, viewtest.Input(&trace, 2, cells.Size{Width: 80, Height: 22}, scenarios.English, view.State{Chosen: chosen}))
		for _, s := range want {
			if !strings.Contains(text, "\n"+s) {
				t.Errorf("%d chosen: no %q in\n%s", chosen, s, text)
			}
		}
		if n := strings.Count(text, "\n… "); n != len(want)-1 {
			t.Errorf("%d chosen: %d signs in\n%s", chosen, n, text)
		}
	}
}
