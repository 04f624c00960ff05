// Package spans records the kube-apiserver's own OpenTelemetry spans of the requests that
// the program follows: which way each one took inside of the server.
//
// A request is named by the trace id of a W3C traceparent header. The kube-apiserver makes
// its spans children of such a header's for a client of the group system:masters
// (k8s.io/apiserver/pkg/endpoints/filters, WithTracing). A Recorder is the span processor
// of a tracer provider in the same process, so each span is there the moment that it ends,
// and nothing is sent to anyone.
//
// The package may import OpenTelemetry's SDK. It must never keep anything of a request that
// was not registered, nor an attribute that attributes.go does not name.
package spans

import (
	"context"
	"strings"
	"sync"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Span is one piece of work that the server did for a request.
type Span struct {
	Parent     int // index into the request's spans; -1 for its outermost one
	Name       string
	Attributes map[string]string // nil where none is kept
	Started    time.Time
	// Ended is its parent's, where the span was never ended (k8s.io/apiserver/pkg/storage/
	// cacher, Cacher.Get, forgets it where it waits in vain), and the time of the taking,
	// where the request goes on: a watch.
	Ended  time.Time
	Events []Event // in the order of time
}

// Event is something that happened within a span.
type Event struct {
	Name       string
	Attributes map[string]string // nil where none is kept
	At         time.Time
}

// Recorder records spans by trace id. The zero Recorder is ready for use, by many
// goroutines at once.
type Recorder struct {
	mu       sync.Mutex
	requests map[trace.TraceID]*request // registered trace ids only
}

// request is what was done for one trace id.
type request struct {
	spans []sdktrace.ReadOnlySpan // in the order in which they began
	going int                     // outermost ones that have not ended
	ended chan struct{}           // closed when going is 0 again; nil where nobody waits
}

// Provider is a new tracer provider for a server. It records the registered trace ids,
// whatever the traceparent's sampled flag says, and nothing else: a request looks the same
// on the wire whether its spans are recorded or not. There is nothing to shut down.
func (r *Recorder) Provider() *sdktrace.TracerProvider {
	return sdktrace.NewTracerProvider(
		sdktrace.WithSampler(sampler{r}),
		sdktrace.WithSpanProcessor(processor{r}),
		sdktrace.WithRawSpanLimits(limits),
	)
}

// limits are the same whatever the environment says. The SDK's own would forget the first
// tries of a PATCH that loses many races: each is seven events.
var limits = sdktrace.SpanLimits{
	AttributeValueLengthLimit:   4096,
	AttributeCountLimit:         128,
	EventCountLimit:             4096,
	LinkCountLimit:              128,
	AttributePerEventCountLimit: 128,
	AttributePerLinkCountLimit:  128,
}

// Register makes the recorder keep what is done for a trace id, until Take.
func (r *Recorder) Register(traceID string) {
	id, err := trace.TraceIDFromHex(traceID)
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.requests == nil {
		r.requests = map[trace.TraceID]*request{}
	}
	if r.requests[id] == nil {
		r.requests[id] = &request{}
	}
}

// Take returns the spans of a trace id in the order in which they began, parents before
// what they are parents of, and forgets them and the trace id. A server's answer may be
// there a little before its outermost span has ended, which is the last to end; Take waits
// for it as long as ctx lets it. It does not wait where no span has begun.
func (r *Recorder) Take(ctx context.Context, traceID string) []Span {
	id, err := trace.TraceIDFromHex(traceID)
	if err != nil {
		return nil
	}
	if ended := r.ending(id); ended != nil {
		select {
		case <-ended:
		case <-ctx.Done():
		}
	}
	r.mu.Lock()
	taken := r.requests[id]
	delete(r.requests, id)
	r.mu.Unlock()
	if taken == nil {
		return nil
	}
	return read(taken.spans, time.Now())
}

// ending is closed when the outermost spans of a trace id have ended; it is nil where they
// have, or where none has begun.
func (r *Recorder) ending(id trace.TraceID) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	request := r.requests[id]
	if request == nil || request.going == 0 {
		return nil
	}
	if request.ended == nil {
		request.ended = make(chan struct{})
	}
	return request.ended
}

func (r *Recorder) registered(id trace.TraceID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests[id] != nil
}

// sampler has the spans of registered trace ids made, and no other.
type sampler struct{ recorder *Recorder }

func (s sampler) ShouldSample(span sdktrace.SamplingParameters) sdktrace.SamplingResult {
	result := sdktrace.SamplingResult{
		Decision:   sdktrace.Drop,
		Tracestate: trace.SpanContextFromContext(span.ParentContext).TraceState(),
	}
	if s.recorder.registered(span.TraceID) {
		result.Decision = sdktrace.RecordAndSample
	}
	return result
}

func (sampler) Description() string { return "of registered trace ids" }

// processor keeps the spans.
type processor struct{ recorder *Recorder }

func (p processor) OnStart(_ context.Context, span sdktrace.ReadWriteSpan) {
	p.recorder.mu.Lock()
	defer p.recorder.mu.Unlock()
	// The trace id may have been taken while the request was under way.
	if request := p.recorder.requests[span.SpanContext().TraceID()]; request != nil {
		request.spans = append(request.spans, span)
		if outermost(span) {
			request.going++
		}
	}
}

func (p processor) OnEnd(span sdktrace.ReadOnlySpan) {
	if !outermost(span) {
		return
	}
	p.recorder.mu.Lock()
	defer p.recorder.mu.Unlock()
	request := p.recorder.requests[span.SpanContext().TraceID()]
	if request == nil {
		return
	}
	request.going--
	if request.going == 0 && request.ended != nil {
		close(request.ended)
		request.ended = nil
	}
}

func (processor) Shutdown(context.Context) error   { return nil }
func (processor) ForceFlush(context.Context) error { return nil }

// outermost reports whether a span is the child of the writer's own, which is elsewhere.
func outermost(span sdktrace.ReadOnlySpan) bool { return span.Parent().IsRemote() }

// filters is the end of the instrumentation scope of the spans that the server makes around
// its filters (k8s.io/apiserver/pkg/endpoints/filterlatency). Each is around all that comes
// after it, so it says nothing of its own.
const filters = "/filterlatency"

// read makes of a request's spans, in the order in which they began, what is kept of them.
func read(spans []sdktrace.ReadOnlySpan, now time.Time) []Span {
	index := map[trace.SpanID]int{} // of each span, or of the one that stands for it
	var kept []Span
	for _, span := range spans {
		parent, ok := index[span.Parent().SpanID()]
		if !ok {
			parent = -1
		}
		if strings.HasSuffix(span.InstrumentationScope().Name, filters) {
			index[span.SpanContext().SpanID()] = parent
			continue
		}
		index[span.SpanContext().SpanID()] = len(kept)
		one := Span{
			Parent:     parent,
			Name:       span.Name(),
			Attributes: keep(span.Attributes()),
			Started:    span.StartTime(),
			Ended:      span.EndTime(),
		}
		switch {
		case !one.Ended.IsZero():
		case parent >= 0:
			one.Ended = kept[parent].Ended
		default:
			one.Ended = now
		}
		for _, event := range span.Events() {
			one.Events = append(one.Events, Event{event.Name, keep(event.Attributes), event.Time})
		}
		kept = append(kept, one)
	}
	return kept
}
