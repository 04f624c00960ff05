package timeline

import (
	"slices"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
)

var recorded = []string{"two-writers", "true-race", "patch-storm", "too-large", "resume"}

// eachStep calls test for each step of the recorded traces, in each form.
func eachStep(t *testing.T, test func(t *testing.T, s *step, rows []row, f form)) {
	for _, name := range recorded {
		t.Run(name, func(t *testing.T) {
			trace := uitest.Trace(t, name)
			for _, s := range NewIndex(&trace).steps {
				for f := range forms {
					test(t, s, s.rows[f], f)
				}
			}
		})
	}
}

func TestRowsAreInTheOrderOfTime(t *testing.T) {
	eachStep(t, func(t *testing.T, s *step, rows []row, f form) {
		at := s.o.StartedMs
		for i := range rows {
			r := &rows[i]
			if !r.timed() {
				continue
			}
			// A storm is told from its beginning to its end, whatever else happened meanwhile.
			if r.left == stormRow && (r.part == stormMeanwhile || r.part == stormSent) {
				at = r.at
			}
			if r.at < at || r.until < r.at {
				t.Errorf("step %d: row %d is of %.3f to %.3f ms, and the one before of %.3f", s.n, i, r.at, r.until, at)
			}
			at = r.at
		}
	})
}

func TestEachExchangeHasItsRequestAndItsAnswer(t *testing.T) {
	eachStep(t, func(t *testing.T, s *step, rows []row, f form) {
		asked, answers := make([]int, len(s.exchanges)), make([]int, len(s.exchanges))
		events := make([]int, len(s.events))
		told := map[*storm]int{}
		for i := range rows {
			switch r := &rows[i]; r.left {
			case request:
				asked[r.exchange]++
			case roundTrip:
				asked[r.exchange]++
				answers[r.exchange]++
			case answer:
				answers[r.exchange]++
				if r.storm != nil {
					told[r.storm]++
				}
			case event:
				events[r.event]++
			case stormRow:
				if r.part == stormMore {
					told[r.storm] += r.n
				}
				if r.part == stormSent {
					for _, i := range r.storm.exchanges {
						asked[i]++
					}
				}
			}
		}
		for i := range s.exchanges {
			folded := s.exchanges[i].storm != nil && !f.open()
			if asked[i] != 1 || answers[i] != 1 && !folded || answers[i] > 1 {
				t.Errorf("step %d, form %d: exchange %d has %d requests and %d answers", s.n, f, i, asked[i], answers[i])
			}
		}
		for i, n := range events {
			if n != 1 {
				t.Errorf("step %d: event %d is shown %d times", s.n, i, n)
			}
		}
		for st, n := range told {
			if !f.open() && n != len(st.exchanges) {
				t.Errorf("step %d, form %d: %d of %d answers are accounted for", s.n, f, n, len(st.exchanges))
			}
		}
	})
}

func TestEachRPCGoesToEtcdAndComesBack(t *testing.T) {
	eachStep(t, func(t *testing.T, s *step, rows []row, f form) {
		if !f.open() {
			return
		}
		there, returned := make([]int, len(s.o.RPCs)), make([]int, len(s.o.RPCs))
		for i := range rows {
			switch rows[i].right {
			case send:
				there[rows[i].rpc]++
			case back:
				returned[rows[i].rpc]++
			}
		}
		for i := range s.o.RPCs {
			if there[i] != 1 || returned[i] != 1 {
				t.Errorf("step %d: RPC %d goes %d times and comes back %d times", s.n, i, there[i], returned[i])
			}
		}
	})
}

func TestEachRevisionIsOneBead(t *testing.T) {
	eachStep(t, func(t *testing.T, s *step, rows []row, f form) {
		var seen []int
		for i := range rows {
			for _, n := range rows[i].beads {
				if strange(&s.o.Revisions[n]) {
					t.Errorf("step %d: revision %d is shown as the scenario's own", s.n, s.o.Revisions[n].Revision)
				}
				if rpc := rows[i].rpc; rpc >= 0 && s.o.RPCs[rpc].Revision != s.o.Revisions[n].Revision {
					t.Errorf("step %d: revision %d stands at an RPC that made %d", s.n, s.o.Revisions[n].Revision, s.o.RPCs[rpc].Revision)
				}
				seen = append(seen, n)
			}
			for _, n := range rows[i].others {
				if !strange(&s.o.Revisions[n]) {
					t.Errorf("step %d: revision %d is shown as another's", s.n, s.o.Revisions[n].Revision)
				}
				seen = append(seen, n)
			}
		}
		slices.Sort(seen)
		for i := range s.o.Revisions {
			if i >= len(seen) || seen[i] != i {
				t.Fatalf("step %d, form %d: of %d revisions, these are shown: %v", s.n, f, len(s.o.Revisions), seen)
			}
		}
	})
}

func TestALaneShowsThatARequestIsNotAnsweredYet(t *testing.T) {
	eachStep(t, func(t *testing.T, s *step, rows []row, f form) {
		if !f.open() {
			return
		}
		for i := range rows {
			r := &rows[i]
			if !r.timed() || r.left == roundTrip {
				continue
			}
			for j := range s.exchanges {
				e := &s.o.Exchanges[j]
				// Those that begin or end at this very row are its own matter.
				if e.StartedMs < r.at && r.until < e.StartedMs+e.DurationMs && r.open&(1<<s.exchanges[j].slot) == 0 {
					t.Errorf("step %d: at %.3f ms exchange %d is not answered yet, and its lane does not show it", s.n, r.at, j)
				}
			}
		}
	})
}

func TestTheElevenAttemptsAndTheirWaitsHaveARowEach(t *testing.T) {
	trace := uitest.Trace(t, "too-large")
	attempts, waits := 0, 0
	for _, r := range NewIndex(&trace).steps[2].rows[roomy] {
		switch r.left {
		case roundTrip:
			attempts++
		case gapWithin:
			waits++
		}
	}
	if attempts != 11 || waits != 10 {
		t.Errorf("%d attempts and %d waits, want 11 and 10", attempts, waits)
	}
}

// The numbers are counted from the trace by other means than the index's.
func TestAStormIsCountedExactly(t *testing.T) {
	trace := uitest.Trace(t, "patch-storm")
	x := NewIndex(&trace)
	storms := x.steps[1].storms
	if len(storms) != 1 {
		t.Fatalf("%d storms, want 1", len(storms))
	}
	st, o := storms[0], &trace.Steps[0]
	held, lost := 0, 0
	for i := range o.RPCs {
		if *o.RPCs[i].Succeeded {
			held++
		} else {
			lost++
		}
	}
	if len(st.exchanges) != 50 || st.by[slotA] != 25 || st.by[slotB] != 25 || st.held != held || st.txns != held+lost || len(st.revisions) != 50 {
		t.Errorf("%d requests (%v), %d of %d Txns held, %d revisions; want 50, %d of %d, 50",
			len(st.exchanges), st.by, st.held, st.txns, len(st.revisions), held, held+lost)
	}
	requests, txns := 0, 0
	for n, count := range st.rounds {
		requests += count
		txns += n * count
	}
	if requests != 50 || txns != held+lost {
		t.Errorf("the rounds are of %d requests and %d Txns, want 50 and %d", requests, txns, held+lost)
	}
	inBars := 0
	for _, b := range st.bars {
		inBars += b.n
	}
	if inBars != 50 {
		t.Errorf("%d requests are in the bars, want 50", inBars)
	}
	if puts := x.steps[3].storms; len(puts) != 2 || puts[0].request.Verb != "GET" || puts[1].request.Verb != "PUT" {
		t.Errorf("step 3 has not a storm of GETs and one of PUTs, but %d storms", len(puts))
	}
}

func TestFewRequestsAtOnceAreNoStorm(t *testing.T) {
	trace := uitest.Trace(t, "true-race")
	x := NewIndex(&trace)
	if n := len(x.steps[2].storms); n != 0 {
		t.Errorf("two requests at once are %d storms", n)
	}
	if n := len(x.steps[4].storms); n != 1 {
		t.Errorf("fifty requests at once are %d storms", n)
	}
	late := uitest.Trace(t, "too-large") // eleven requests, one after the other
	if n := len(NewIndex(&late).steps[2].storms); n != 0 {
		t.Errorf("eleven attempts are %d storms", n)
	}
}

// What somebody else wrote stands before whatever may have met it, and has no time.
func TestAStrangersRevisionStandsWhereItCanHaveComeAtTheEarliest(t *testing.T) {
	trace := uitest.Meddled(t)
	for f := range forms {
		rows := NewIndex(&trace).steps[3].rows[f]
		at := slices.IndexFunc(rows, func(r row) bool { return r.right == othersBeads })
		asked := slices.IndexFunc(rows, func(r row) bool { return r.left == request })
		if at < 0 || at > asked || rows[at].timed() {
			t.Errorf("form %d: the revision is in row %d, the request in row %d", f, at, asked)
		}
	}

	// Between two own ones, before all, and after all.
	trace = uitest.Less(t, "two-writers")
	o := &trace.Steps[2]
	own, exchange := o.Revisions[0], o.Exchanges[0]
	exchange.StartedMs += exchange.DurationMs + 5
	o.Exchanges = append(o.Exchanges, exchange)
	o.Revisions = nil
	for n, whose := range []int{-1, 0, -1, 1, -1} {
		r := own
		r.Revision = own.Revision + int64(n)
		if r.Exchange = &whose; whose < 0 {
			r.Exchange, r.By = nil, scenarios.ByUnknown
		}
		o.Revisions = append(o.Revisions, r)
	}
	var order []string
	for _, r := range NewIndex(&trace).steps[3].rows[dense] {
		for range r.others {
			order = append(order, "theirs")
		}
		switch r.left {
		case request:
			order = append(order, "asked")
		case answer:
			order = append(order, "answered")
		}
		for range r.beads {
			order = append(order, "ours")
		}
	}
	want := []string{"theirs", "asked", "answered", "ours", "asked", "theirs", "answered", "ours", "theirs"}
	if !slices.Equal(order, want) {
		t.Errorf("got %q, want %q", order, want)
	}
}

// A revision that no RPC is known of has no time but its answer's.
func TestARevisionThatNobodyMeasuredHasNoTime(t *testing.T) {
	for _, name := range []string{"two-writers", "true-race"} {
		trace := uitest.Less(t, name)
		found := false
		for _, s := range NewIndex(&trace).steps {
			for i := range s.rows[unfolded] {
				if r := &s.rows[unfolded][i]; r.right == bead {
					found = true
					if r.timed() && r.left != answer {
						t.Errorf("%s, step %d: row %d says %.1f ms", name, s.n, i, r.at)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s: no revision is shown", name)
		}
	}
}
