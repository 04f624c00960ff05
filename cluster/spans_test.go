package cluster

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"rvtui/cluster/spans"
	"rvtui/scenarios"
)

// tracing makes the fake make spans as a kube-apiserver does, for a recorder.
func (api *fakeAPI) tracing(recorder *spans.Recorder) {
	tracer := recorder.Provider().Tracer("a fake's")
	next := api.Config.Handler
	api.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, outer := tracer.Start(ctx, r.Method)
		defer outer.End()
		_, inner := tracer.Start(ctx, "inner")
		inner.AddEvent("failed", trace.WithAttributes(attribute.String("err", `Secret "s1" is invalid: data: Invalid value: "c2VjcmV0": `+token)))
		inner.End()
		next.ServeHTTP(w, r)
	})
}

func TestAStepsSpansAreThoseOfItsExchangesInTheOrderOfTime(t *testing.T) {
	api := newFakeAPI(t)
	recorder := &spans.Recorder{}
	api.tracing(recorder)
	s := api.open(t)
	if seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)}); seen.Spans != nil {
		t.Errorf("nobody records, and there are spans: %+v", seen.Spans)
	}
	s.cluster.config.Spans = recorder
	seen := do(t, s, scenarios.Call{Actor: scenarios.Observer, Verb: scenarios.VerbTogether, Together: []scenarios.Call{
		{Actor: scenarios.A, Verb: scenarios.VerbGet, Name: "cm1"},
		{Actor: scenarios.B, Verb: scenarios.VerbGet, Name: "cm1"},
	}})
	if len(seen.Exchanges) != 2 || len(seen.Spans) != 4 {
		t.Fatalf("%d exchanges have the spans %+v", len(seen.Exchanges), seen.Spans)
	}
	found := map[int]string{}
	for i, span := range seen.Spans {
		found[span.Exchange] += span.Name + " "
		if i > 0 && span.StartedMs < seen.Spans[i-1].StartedMs {
			t.Errorf("span %d begins before the one before it", i)
		}
		// It may end a little after its answer has come, and the step with that.
		if span.StartedMs < seen.StartedMs || span.StartedMs > seen.StartedMs+seen.DurationMs || span.DurationMs < 0 {
			t.Errorf("span %d does not begin within its step: %+v", i, span)
		}
		outermost := span.Name == "GET"
		if outermost != (span.Parent == nil) {
			t.Errorf("span %d: %+v", i, span)
		}
		if !outermost {
			parent := seen.Spans[*span.Parent]
			if *span.Parent >= i || parent.Exchange != span.Exchange || parent.Name != "GET" {
				t.Errorf("span %d has the parent %+v", i, parent)
			}
		}
	}
	if found[0] != "GET inner " || found[1] != "GET inner " {
		t.Errorf("the exchanges have the spans %v", found)
	}
}

func TestASpansErrorQuotesNoSecret(t *testing.T) {
	api := newFakeAPI(t)
	recorder := &spans.Recorder{}
	api.tracing(recorder)
	s := api.open(t)
	s.cluster.config.Spans = recorder
	seen := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Kind: "Secret", Name: "s1", Object: map[string]any{"data": map[string]any{"p": "c2VjcmV0"}}})
	encoded, err := json.Marshal(seen)
	if err != nil {
		t.Fatal(err)
	}
	if len(seen.Spans) != 2 || strings.Contains(string(encoded), "c2VjcmV0") {
		t.Errorf("the observation: %s", encoded)
	}
	if got, want := seen.Spans[1].Events[0].Attributes["err"], `Secret "s1" is invalid: data: Invalid value: `+hidden; got != want {
		t.Errorf("the error is told as %q, want %q", got, want)
	}
}
