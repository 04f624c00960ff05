package spans

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

const (
	traceA = "0af7651916cd43dd8448eb211c80319c"
	traceB = "1af7651916cd43dd8448eb211c80319c"
)

// remote is the context of a request that carried a traceparent, not sampled.
func remote(t *testing.T, traceID string) context.Context {
	t.Helper()
	id, err := trace.TraceIDFromHex(traceID)
	if err != nil {
		t.Fatal(err)
	}
	return trace.ContextWithRemoteSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: id, SpanID: trace.SpanID{1}, Remote: true,
	}))
}

// over is a context that lets nobody wait.
func over(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// tree puts spans into words: each with its events, within its parent.
func tree(spans []Span) string {
	var lines []string
	for _, span := range spans {
		depth := 0
		for at := span.Parent; at >= 0; at = spans[at].Parent {
			depth++
		}
		line := strings.Repeat(" ", depth) + span.Name
		for _, event := range span.Events {
			line += " ." + event.Name
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestARequestsSpansAreTakenOnceWithParentsBeforeChildren(t *testing.T) {
	recorder := &Recorder{}
	provider := recorder.Provider()
	tracer := provider.Tracer("a server's")
	recorder.Register(traceA)
	ctx, outer := tracer.Start(remote(t, traceA), "PUT")
	ctx, update := tracer.Start(ctx, "Update")
	_, store := tracer.Start(ctx, "GuaranteedUpdate etcd3")
	store.AddEvent("initial value restored")
	store.AddEvent("Transaction prepared")
	store.End()
	_, answer := tracer.Start(ctx, "SerializeObject")
	answer.End()
	update.End()
	outer.End()
	// What was not registered is not recorded, within another request either.
	_, other := tracer.Start(remote(t, traceB), "GET")
	if other.IsRecording() {
		t.Error("a request that nobody follows is recorded")
	}
	other.End()
	taken := recorder.Take(t.Context(), traceA)
	want := "PUT\n Update\n  GuaranteedUpdate etcd3 .initial value restored .Transaction prepared\n  SerializeObject"
	if got := tree(taken); got != want {
		t.Errorf("taken:\n%s\nwant:\n%s", got, want)
	}
	for _, span := range taken {
		if span.Started.IsZero() || span.Ended.Before(span.Started) {
			t.Errorf("%s lasts from %v to %v", span.Name, span.Started, span.Ended)
		}
	}
	if again := recorder.Take(t.Context(), traceA); again != nil {
		t.Errorf("taken a second time: %v", again)
	}
	if none := recorder.Take(t.Context(), traceB); none != nil {
		t.Errorf("of a trace id that nobody registered: %v", none)
	}
}

func TestTakeWaitsForTheOutermostSpan(t *testing.T) {
	recorder := &Recorder{}
	tracer := recorder.Provider().Tracer("a server's")
	recorder.Register(traceA)
	ctx, outer := tracer.Start(remote(t, traceA), "PUT")
	_, inner := tracer.Start(ctx, "Update")
	inner.End()
	taken := make(chan []Span)
	go func() { taken <- recorder.Take(t.Context(), traceA) }()
	// Somebody waits once there is a channel to wait on.
	for waited := false; !waited; {
		recorder.mu.Lock()
		for _, request := range recorder.requests {
			waited = request.ended != nil
		}
		recorder.mu.Unlock()
		runtime.Gosched()
	}
	select {
	case early := <-taken:
		t.Fatalf("taken before the outermost span ended:\n%s", tree(early))
	default:
	}
	outer.End()
	if got := tree(<-taken); got != "PUT\n Update" {
		t.Errorf("taken:\n%s", got)
	}
}

func TestTakeWaitsForNothingThatHasNotBegunAndNoLongerThanItMay(t *testing.T) {
	recorder := &Recorder{}
	tracer := recorder.Provider().Tracer("a server's")
	recorder.Register(traceA)
	if taken := recorder.Take(t.Context(), traceA); taken != nil {
		t.Errorf("a request that no server saw has spans: %v", taken)
	}
	// A watch goes on after it is taken, and what it does then is not recorded.
	recorder.Register(traceB)
	ctx, watch := tracer.Start(remote(t, traceB), "GET")
	before := time.Now()
	taken := recorder.Take(over(t), traceB)
	if tree(taken) != "GET" || taken[0].Ended.Before(before) {
		t.Errorf("of a watch: %+v", taken)
	}
	_, late := tracer.Start(ctx, "late")
	if late.IsRecording() {
		t.Error("recorded after it was taken")
	}
	late.End()
	watch.End()
	if len(recorder.requests) != 0 {
		t.Errorf("left behind: %v", recorder.requests)
	}
}

func TestASpanThatIsNeverEndedLastsAsLongAsItsParent(t *testing.T) {
	recorder := &Recorder{}
	tracer := recorder.Provider().Tracer("a server's")
	recorder.Register(traceA)
	ctx, outer := tracer.Start(remote(t, traceA), "GET")
	_, forgotten := tracer.Start(ctx, "cacher.Get")
	outer.End()
	taken := recorder.Take(t.Context(), traceA)
	if len(taken) != 2 || !taken[1].Ended.Equal(taken[0].Ended) {
		t.Errorf("taken: %+v", taken)
	}
	forgotten.End()
}

func TestWhatIsWithinAFilterIsWithinWhatTheFilterIsIn(t *testing.T) {
	recorder := &Recorder{}
	provider := recorder.Provider()
	tracer := provider.Tracer("a server's")
	filter := provider.Tracer("k8s.op/apiserver/pkg/endpoints/filterlatency")
	recorder.Register(traceA)
	ctx, outer := tracer.Start(remote(t, traceA), "PUT")
	ctx, audit := filter.Start(ctx, "audit")
	ctx, authorization := filter.Start(ctx, "authorization")
	_, update := tracer.Start(ctx, "Update")
	update.End()
	authorization.End()
	audit.End()
	outer.End()
	if got := tree(recorder.Take(t.Context(), traceA)); got != "PUT\n Update" {
		t.Errorf("taken:\n%s", got)
	}
}

func TestOnlyAttributesThatCanHoldNoSecretAreKept(t *testing.T) {
	recorder := &Recorder{}
	tracer := recorder.Provider().Tracer("a server's")
	recorder.Register(traceA)
	_, span := tracer.Start(remote(t, traceA), "List", trace.WithAttributes(
		attribute.String("http.request.header.authorization", "Bearer x"),
		attribute.String("user-agent", "rvtui-A"),
		attribute.String("key", "/configmaps/ns"),
		attribute.String("subresource", ""),
		attribute.Int("limit", 2),
	))
	span.AddEvent("Write to database call failed", trace.WithAttributes(attribute.String("err", "it is modified"), attribute.String("body", "x")))
	span.AddEvent("Ready")
	span.End()
	taken := recorder.Take(t.Context(), traceA)
	if want := map[string]string{"key": "/configmaps/ns", "limit": "2"}; !reflect.DeepEqual(taken[0].Attributes, want) {
		t.Errorf("attributes: %v", taken[0].Attributes)
	}
	if want := map[string]string{"err": "it is modified"}; !reflect.DeepEqual(taken[0].Events[0].Attributes, want) {
		t.Errorf("the event's attributes: %v", taken[0].Events[0].Attributes)
	}
	if taken[0].Events[1].Attributes != nil {
		t.Errorf("an event with none has %v", taken[0].Events[1].Attributes)
	}
}

func TestNoEventOfALongSpanIsForgotten(t *testing.T) {
	t.Setenv("OTEL_SPAN_EVENT_COUNT_LIMIT", "1")
	recorder := &Recorder{}
	tracer := recorder.Provider().Tracer("a server's")
	recorder.Register(traceA)
	_, span := tracer.Start(remote(t, traceA), "GuaranteedUpdate etcd3")
	for range 50 * 7 {
		span.AddEvent("Transaction prepared")
	}
	span.End()
	if taken := recorder.Take(t.Context(), traceA); len(taken[0].Events) != 50*7 {
		t.Errorf("%d events", len(taken[0].Events))
	}
}
