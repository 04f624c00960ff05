package cluster

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rvtui/cluster/rpcs"
	"rvtui/scenarios"
)

// newRecording is a recording whose clock moves on by a millisecond each time it is read.
func newRecording(ctx context.Context, progress scenarios.Progress) *recording {
	began := time.Unix(0, 0)
	now := began
	return &recording{
		redact:   newRedactor(),
		ctx:      ctx,
		now:      func() time.Time { now = now.Add(time.Millisecond); return now },
		since:    func(t time.Time) float64 { return float64(t.Sub(began)) / float64(time.Millisecond) },
		progress: progress,
	}
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func send(t *testing.T, r *recording, actor scenarios.Actor, method, url, body string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := r.transport(actor)(http.DefaultTransport).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	if len(request.Header) != 1 {
		t.Errorf("the caller's request was changed: %v", request.Header)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

func TestEachAttemptHasATraceOfItsOwn(t *testing.T) {
	var arrived []string
	url := serve(t, func(_ http.ResponseWriter, r *http.Request) { arrived = append(arrived, r.Header.Get("Traceparent")) })
	r := newRecording(t.Context(), nil)
	var registered []string
	r.register = func(traceID string) { registered = append(registered, traceID) }
	send(t, r, scenarios.A, "GET", url, "")
	send(t, r, scenarios.A, "GET", url, "")
	for i, exchange := range r.finish().Exchanges {
		parts := strings.Split(arrived[i], "-")
		if len(parts) != 4 || parts[0] != "00" || parts[1] != exchange.TraceID || len(parts[1]) != 32 || len(parts[2]) != 16 || parts[3] != "00" {
			t.Errorf("traceparent %q, trace id %q", arrived[i], exchange.TraceID)
		}
		if registered[i] != exchange.TraceID || exchange.RequestHeaders["Traceparent"] != arrived[i] {
			t.Errorf("registered %q, recorded %+v", registered[i], exchange)
		}
	}
	if len(registered) != 2 || registered[0] == registered[1] {
		t.Errorf("trace ids: %v", registered)
	}
}

func TestAttemptsAreThoseThatClientGoRepeats(t *testing.T) {
	type sent struct {
		actor        scenarios.Actor
		method, path string
		status       int
		retryAfter   string
	}
	tests := map[string]struct {
		sent []sent
		want [][2]int // call, attempt
	}{
		"a 504 with Retry-After":     {[]sent{{"A", "GET", "/x", 504, "1"}, {"A", "GET", "/x", 200, ""}}, [][2]int{{1, 1}, {1, 2}}},
		"a 429 with Retry-After":     {[]sent{{"A", "PUT", "/x", 429, "1"}, {"A", "PUT", "/x", 429, "1"}, {"A", "PUT", "/x", 200, ""}}, [][2]int{{1, 1}, {1, 2}, {1, 3}}},
		"a 504 without Retry-After":  {[]sent{{"A", "GET", "/x", 504, ""}, {"A", "GET", "/x", 200, ""}}, [][2]int{{1, 1}, {2, 1}}},
		"a 409 is not repeated":      {[]sent{{"A", "PUT", "/x", 409, "1"}, {"A", "PUT", "/x", 200, ""}}, [][2]int{{1, 1}, {2, 1}}},
		"another path":               {[]sent{{"A", "GET", "/x", 504, "1"}, {"A", "GET", "/y", 200, ""}}, [][2]int{{1, 1}, {2, 1}}},
		"another method":             {[]sent{{"A", "GET", "/x", 504, "1"}, {"A", "PUT", "/x", 200, ""}}, [][2]int{{1, 1}, {2, 1}}},
		"another actor in between":   {[]sent{{"A", "GET", "/x", 504, "1"}, {"B", "GET", "/x", 200, ""}, {"A", "GET", "/x", 200, ""}}, [][2]int{{1, 1}, {2, 1}, {1, 2}}},
		"an answered call came last": {[]sent{{"A", "GET", "/x", 504, "1"}, {"A", "GET", "/y", 200, ""}, {"A", "GET", "/x", 200, ""}}, [][2]int{{1, 1}, {2, 1}, {3, 1}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			next := 0
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if after := test.sent[next].retryAfter; after != "" {
					w.Header().Set("Retry-After", after)
				}
				w.WriteHeader(test.sent[next].status)
				next++
			})
			r := newRecording(t.Context(), nil)
			for _, s := range test.sent {
				send(t, r, s.actor, s.method, url+s.path, "")
			}
			var got [][2]int
			for _, exchange := range r.finish().Exchanges {
				got = append(got, [2]int{exchange.Call, exchange.Attempt})
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestProgressTellsWhatIsInFlightAndWhatWasAnswered(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"a":1}`) })
	var reports [][]scenarios.Exchange
	r := newRecording(t.Context(), func(so scenarios.Partial) { reports = append(reports, so.Exchanges) })
	response := send(t, r, scenarios.A, "PUT", url+"/x?y=z", `{"b":2}`)
	body, _ := io.ReadAll(response.Body)
	if string(body) != `{"a":1}` {
		t.Errorf("the client read %q", body)
	}
	if len(reports) != 2 {
		t.Fatalf("%d reports", len(reports))
	}
	sent, answered := reports[0][0], reports[1][0]
	if !sent.InFlight || sent.Status != 0 || sent.Path != "/x?y=z" || string(sent.RequestBody) != `{"b":2}` || sent.StartedMs != 1 {
		t.Errorf("sent: %+v", sent)
	}
	if answered.InFlight || answered.Status != 200 || string(answered.ResponseBody) != `{"a":1}` || answered.DurationMs != 1 {
		t.Errorf("answered: %+v", answered)
	}
}

func TestReportsComeInOrderWhoeverMakesThem(t *testing.T) {
	url := serve(t, func(http.ResponseWriter, *http.Request) {})
	var exchanges, events int
	kept := scenarios.Partial{}
	r := newRecording(t.Context(), func(so scenarios.Partial) {
		if len(so.Exchanges) < exchanges || len(so.Events) < events {
			t.Errorf("%d exchanges and %d events after %d and %d", len(so.Exchanges), len(so.Events), exchanges, events)
		}
		if exchanges, events = len(so.Exchanges), len(so.Events); events == 1 {
			kept = so
		}
	})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { send(t, r, scenarios.B, "GET", url, "") })
		all.Go(func() { r.happened(scenarios.WatchEvent{Type: "ADDED"}) })
	}
	all.Wait()
	if exchanges != 4 || events != 4 || len(kept.Events) != 1 {
		t.Errorf("the last report has %d exchanges and %d events, an earlier one that was kept now has %d events", exchanges, events, len(kept.Events))
	}
	recorded := r.finish()
	r.happened(scenarios.WatchEvent{Type: "ADDED"})
	if len(recorded.Events) != 4 || len(r.finish().Events) != 4 || events != 4 {
		t.Error("an event came after the end")
	}
}

func TestAWatchIsAnsweredWithoutBeingReadToItsEnd(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	r := newRecording(t.Context(), nil)
	response := send(t, r, scenarios.Observer, "GET", url+"/x?watch=true", "")
	response.Body.Close()
	if exchange := r.finish().Exchanges[0]; exchange.Status != 200 || exchange.Error != "" || exchange.ResponseBody != nil {
		t.Errorf("%+v", exchange)
	}
}

func TestNothingIsSentOnceTheStepIsOver(t *testing.T) {
	asked := 0
	url := serve(t, func(http.ResponseWriter, *http.Request) { asked++ })
	r := newRecording(t.Context(), nil)
	r.finish()
	request, _ := http.NewRequest("GET", url, nil)
	if _, err := r.transport(scenarios.A)(http.DefaultTransport).RoundTrip(request); err == nil || asked != 0 {
		t.Errorf("error %v, asked %d times", err, asked)
	}
}

func TestTheRecorderOfRPCsForgetsWhatWasTaken(t *testing.T) {
	recorder := &rpcs.Recorder{}
	s := &Session{cluster: &Cluster{config: Config{RPCs: recorder}}}
	recorder.Register("0123456789abcdef0123456789abcdef")
	if taken := s.takeRPCs([]scenarios.Exchange{{TraceID: "0123456789abcdef0123456789abcdef"}}); taken == nil || len(taken) != 0 {
		t.Errorf("taken: %v", taken)
	}
}

func TestAWatchIsToldAsTheAPIServerTellsIt(t *testing.T) {
	for path, want := range map[string]bool{
		"/api/v1/configmaps":                                   false,
		"/api/v1/configmaps?watch=true":                        true,
		"/api/v1/configmaps?watch=1":                           true,
		"/api/v1/configmaps?watch":                             true,
		"/api/v1/configmaps?watch=banana":                      true,
		"/api/v1/configmaps?watch=0":                           false,
		"/api/v1/configmaps?watch=False":                       false,
		"/api/v1/watch/namespaces/ns/configmaps":               true,
		"/apis/apps/v1/watch/deployments":                      true,
		"/k8s/clusters/c-1/api/v1/watch/configmaps":            true,
		"/api/v1/namespaces/watch/configmaps":                  false,
		"/api/v1/namespaces/ns/configmaps/watch/status":        false,
		"/apis/example.com/v1/namespaces/watch/things/x/scale": false,
	} {
		at, err := url.Parse("https://fake.example" + path)
		if err != nil {
			t.Fatal(err)
		}
		if got := IsWatch(at); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
