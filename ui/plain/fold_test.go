package plain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
)

func TestFold(t *testing.T) {
	kinds := func(s string) []string { return strings.Split(s, "") }
	for _, c := range []struct{ kinds, keep, want string }{
		{"", "", ""},
		{"aaaaaaaa", "", "0 1 2 3 4 5 6 7"},
		{"aaaaaaaaa", "", "0 1 2 [3 4 5 6 7] 8"},
		{"aaaaaaaaab", "", "0 1 2 [3 4 5 6 7] 8 9"},
		{"abababababababab", "", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"},
		{"abababababababababb", "", "0 1 2 3 4 5 [6 8 10 12 14] 16 [7 9 11 13 15 17] 18"},
		{"aaaaaaaaaa", "57", "0 1 2 5 7 [3 4 6 8] 9"},
		{"aaaaaaaaa", "34567", "0 1 2 3 4 5 6 7 8"},
	} {
		var list []string
		if c.kinds != "" {
			list = kinds(c.kinds)
		}
		var got []string
		for _, what := range fold(list, func(i int) bool { return slices.Contains(kinds(c.keep), fmt.Sprint(i)) }) {
			if what.more != nil {
				got = append(got, fmt.Sprint(what.more))
			} else {
				got = append(got, fmt.Sprint(what.at))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, keeping %q: got %s, want %s", c.kinds, c.keep, strings.Join(got, " "), c.want)
		}
	}
}

// storm is two-writers with fifty PUTs in the place of the fourth step's one: the sixth is
// stored, one is not answered, and all others conflict.
func storm(t *testing.T) scenarios.Trace {
	trace := uitest.TwoWriters(t)
	trace.Steps = slices.Clone(trace.Steps[:4])
	stored, refused := trace.Steps[2], &trace.Steps[3]
	conflict, lost := refused.Exchanges[0], refused.RPCs[0]
	put, version := stored.RPCs[0], stored.Revisions[len(stored.Revisions)-1]
	refused.Exchanges, refused.RPCs, refused.Revisions = nil, nil, nil
	for i := range 50 {
		e, rpc := conflict, lost
		switch i {
		case 5:
			e, rpc = stored.Exchanges[0], put
		case 30:
			e.Status, e.ResponseBody, e.Error = 0, nil, "connection reset"
		}
		e.Actor = []scenarios.Actor{scenarios.A, scenarios.B}[i%2]
		rpc.Exchange = &i
		refused.Exchanges, refused.RPCs = append(refused.Exchanges, e), append(refused.RPCs, rpc)
		version.Version++
		version.Revision++
		refused.Revisions = append(refused.Revisions, version)
	}
	return trace
}

func TestAStormIsFoldedAndItsCountsAreExact(t *testing.T) {
	trace := storm(t)
	uitest.Golden(t, "storm", Step(&trace, 4, scenarios.English))
	uitest.Golden(t, "storm-zh", Step(&trace, 4, scenarios.Chinese))
	var b strings.Builder
	if err := Markdown(&b, &trace, scenarios.English); err != nil {
		t.Fatal(err)
	}
	want := "| A, B | … 46 more `PUT configmaps/cm1` | 44 × 409 Conflict, 1 × 200 OK, 1 × no answer | |\n"
	if strings.Count(b.String(), "`PUT cm1") != 1+3+1 || !strings.Contains(b.String(), want) {
		t.Error(b.String())
	}
	whole, err := json.Marshal(trace.Steps[3].Exchanges)
	if err != nil || strings.Count(string(whole), `"method":"PUT"`) != 50 {
		t.Errorf("%v: the trace itself is changed", err)
	}
}

func TestWhatBroughtEventsOrANewWarningIsToldInAnyCase(t *testing.T) {
	trace := storm(t)
	o := &trace.Steps[3]
	for i := range o.Exchanges {
		o.Exchanges[i].ResponseHeaders = map[string]string{"Warning": `299 - "the same"`}
	}
	o.Exchanges[20].ResponseHeaders = map[string]string{"Warning": `299 - "another"`}
	o.Events = []scenarios.WatchEvent{{Actor: scenarios.A, Type: "ADDED", Name: "cm1", ResourceVersion: "28", Exchange: new(10)}}
	said := Step(&trace, 4, scenarios.English)
	for _, want := range []string{"Request 11 of 50: ", "Event: ADDED cm1 rv 28.", "Request 21 of 50: ", "Warning 21 of 50: another", "… 44 more: "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	if n := strings.Count(said, "the same"); n != 5 { // the first three, the one with an event, the last
		t.Errorf("the same warning is told %d times", n)
	}
}
