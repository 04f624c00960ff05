package cluster

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"rvtui/cluster/spans"
	"rvtui/scenarios"
)

// spansTimeout bounds how long a step waits for its requests' spans to end. They end
// before the answer does, or within the same millisecond.
const spansTimeout = time.Second

// takeSpans takes what the apiserver did inside for the exchanges, in the order of time.
// secrets says which of them are about Secrets.
func (s *Session) takeSpans(ctx context.Context, exchanges []scenarios.Exchange, secrets []bool) []scenarios.Span {
	if s.cluster.config.Spans == nil {
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, spansTimeout)
	defer cancel()
	over, cancel := context.WithCancel(ctx)
	cancel()
	type from struct {
		exchange, index int
		spans.Span
	}
	var all []from
	for i, exchange := range exchanges {
		within := waiting
		if !wholly(exchange) {
			within = over
		}
		for k, span := range s.cluster.config.Spans.Take(within, exchange.TraceID) {
			all = append(all, from{i, k, span})
		}
	}
	slices.SortStableFunc(all, func(a, b from) int { return a.Started.Compare(b.Started) })
	at := map[[2]int]int{} // where a span of an exchange is in the step's
	for i, span := range all {
		at[[2]int{span.exchange, span.index}] = i
	}
	taken := make([]scenarios.Span, 0, len(all))
	for _, span := range all {
		one := scenarios.Span{
			Exchange:   span.exchange,
			Name:       span.Name,
			Attributes: s.attributes(secrets[span.exchange], span.Attributes),
			StartedMs:  s.since(span.Started),
			DurationMs: s.since(span.Ended) - s.since(span.Started),
			Events:     []scenarios.SpanEvent{},
		}
		if span.Parent >= 0 {
			parent := at[[2]int{span.exchange, span.Parent}]
			one.Parent = &parent
		}
		for _, event := range span.Events {
			one.Events = append(one.Events, scenarios.SpanEvent{
				Name:       event.Name,
				Attributes: s.attributes(secrets[span.exchange], event.Attributes),
				AtMs:       s.since(event.At),
			})
		}
		taken = append(taken, one)
	}
	return taken
}

// attributes are those of a span or an event without credentials and, where it is about
// Secrets, without the errors: the apiserver's quote what they are about.
func (s *Session) attributes(secret bool, attributes map[string]string) map[string]string {
	for _, name := range []string{"err", "error"} {
		if text, ok := attributes[name]; ok && secret {
			attributes[name] = cmp.Or(withoutQuotation(text), hidden)
		}
	}
	return s.redactor().texts(attributes)
}

// wholly reports whether an exchange's answer came to its end. A watch's is cut off, and
// its spans end some time after that.
func wholly(exchange scenarios.Exchange) bool {
	path, err := url.ParseRequestURI(exchange.Path)
	return err == nil && exchange.Status != 0 && exchange.Error == "" && !IsWatch(path)
}
