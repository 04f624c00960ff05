package cluster

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"

	"rvtui/scenarios"
)

// recording is the HTTP exchanges of one step and the events that its watches brought: all
// that is told while the step runs. The clients of the step's actors send through its
// transports; each attempt becomes one exchange.
type recording struct {
	ctx      context.Context // the step's: where it ends, every exchange ends
	since    func(time.Time) float64
	now      func() time.Time
	redact   redactor
	progress scenarios.Progress // may be nil; must not block
	register func(traceID string)
	hold     func(traceID string, until func(context.Context) bool) // at etcd's door; nil where there is none
	created  func(path string, body []byte)                         // is told what each 201 Created brought; may be nil
	own      map[string]string                                      // a raw call's own headers
	readAll  bool                                                   // read the answers of watches too, until they end
	bound    bound                                                  // of each answer, where readAll is true

	mu        sync.Mutex
	closed    bool
	exchanges []scenarios.Exchange
	scopes    []*scope     // of each exchange
	streams   map[int]bool // the exchanges whose answer is still being read
	secrets   []bool       // whether each exchange is about Secrets
	events    []scenarios.WatchEvent
}

var errStepOver = errors.New("the step is over")

// transport is the RoundTripper of one actor, for rest.Config.Wrap. It is the one next to
// the wire, so it sees each attempt of a client that repeats its requests.
func (r *recording) transport(actor scenarios.Actor) func(http.RoundTripper) http.RoundTripper {
	return r.through(nil, actor)
}

// through is the same for what is sent in a scope.
func (r *recording) through(in *scope, actor scenarios.Actor) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			if err := in.wait(r.ctx, request); err != nil {
				return nil, err
			}
			return r.roundTrip(in, actor, request, next)
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func (r *recording) roundTrip(in *scope, actor scenarios.Actor, request *http.Request, next http.RoundTripper) (*http.Response, error) {
	sent, err := readBody(request.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the request's body: %w", err)
	}
	// client-go's wait before an attempt ends with the context, and the attempt is begun all the
	// same (k8s.io/client-go/rest, withRetry.Before): it is never sent, so it is no exchange.
	if err := cmp.Or(request.Context().Err(), r.ctx.Err()); err != nil {
		return nil, err
	}
	// kubectl sends its requests with a context of its own, so the step's is added here.
	ctx, cancel := context.WithCancel(request.Context())
	stop := context.AfterFunc(r.ctx, cancel)
	release := func() { stop(); cancel() }

	traceID := randomHex(16)
	attempt := request.Clone(ctx)
	attempt.Header.Set("Traceparent", "00-"+traceID+"-"+randomHex(8)+"-00")
	if sent != nil {
		attempt.Body = io.NopCloser(bytes.NewReader(sent))
		attempt.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(sent)), nil }
	}
	i, err := r.send(in, actor, attempt, traceID, sent)
	if err != nil {
		release()
		return nil, err
	}
	response, err := next.RoundTrip(attempt)
	if err != nil {
		release()
		r.answer(i, nil, nil, err)
		return nil, err
	}
	if IsWatch(request.URL) && !r.reads(in) && response.StatusCode == http.StatusOK {
		r.answer(i, response, nil, nil)
		response.Body = releasing{response.Body, r.stream(i, release)}
		return response, nil
	}
	var received []byte
	if r.reads(in) {
		received, err = r.bound.read(response.Body, release)
	} else {
		received, err = readBody(response.Body)
	}
	release()
	if response.StatusCode == http.StatusCreated && r.created != nil {
		r.created(request.URL.RequestURI(), received)
	}
	r.answer(i, response, received, err)
	var stopped *stoppedError
	if err != nil && !errors.As(err, &stopped) {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	response.Body = io.NopCloser(bytes.NewReader(received))
	return response, nil
}

// send adds an exchange that has no answer yet.
func (r *recording) send(in *scope, actor scenarios.Actor, request *http.Request, traceID string, body []byte) (int, error) {
	r.redact.known.see(request.Header.Get("Authorization"))
	path := request.URL.RequestURI()
	secrets := aboutSecrets(path, body)
	exchange := scenarios.Exchange{
		Actor:           actor,
		Method:          request.Method,
		Path:            r.redact.text(path),
		RequestHeaders:  r.redact.texts(keptHeaders(request.Header, requestHeaders, r.ownHeaders(in))),
		RequestBody:     r.redact.body(secrets, body),
		ResponseHeaders: map[string]string{},
		TraceID:         traceID,
		InFlight:        true,
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return 0, errStepOver
	}
	if r.register != nil {
		r.register(traceID)
	}
	if in != nil && in.txn != nil && r.hold != nil {
		r.hold(traceID, in.meet)
	}
	exchange.Call, exchange.Attempt = r.number(in, exchange)
	exchange.StartedMs = r.since(r.now())
	r.exchanges = append(r.exchanges, exchange)
	r.scopes = append(r.scopes, in)
	r.secrets = append(r.secrets, secrets)
	r.report()
	return len(r.exchanges) - 1, nil
}

// number says which call the next exchange belongs to and which attempt it is. A client
// repeats a request that was answered with 429 or 5xx and a Retry-After
// (k8s.io/client-go/rest, checkWait in with_retry.go). What is done at the same time is in
// scopes of its own.
func (r *recording) number(in *scope, next scenarios.Exchange) (call, attempt int) {
	calls := 0
	for _, exchange := range r.exchanges {
		calls = max(calls, exchange.Call)
	}
	for i, last := range slices.Backward(r.exchanges) {
		if last.Actor != next.Actor || r.scopes[i] != in {
			continue
		}
		again := last.Method == next.Method && last.Path == next.Path &&
			(last.Status == http.StatusTooManyRequests || last.Status >= 500) &&
			last.ResponseHeaders["Retry-After"] != ""
		if again {
			return last.Call, last.Attempt + 1
		}
		break
	}
	return calls + 1, 1
}

// answer fills in what came of exchange i.
func (r *recording) answer(i int, response *http.Response, body []byte, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	exchange := &r.exchanges[i]
	exchange.InFlight = false
	exchange.DurationMs = r.since(r.now()) - exchange.StartedMs
	if response != nil {
		exchange.Status = response.StatusCode
		exchange.ResponseHeaders = r.redact.texts(keptHeaders(response.Header, responseHeaders, nil))
		exchange.ResponseBody = r.redact.body(r.secrets[i], body)
		if r.secrets[i] && exchange.ResponseHeaders["Warning"] != "" {
			exchange.ResponseHeaders["Warning"] = hidden
		}
	}
	if err != nil {
		exchange.Error = r.redact.text(r.why(err))
		if r.secrets[i] {
			exchange.Error = withoutQuotation(exchange.Error)
		}
	}
	r.report()
}

// why is an error as a line for a person: that the step was cancelled says more than what
// the connection made of it.
func (r *recording) why(err error) string {
	if cause := r.ctx.Err(); cause != nil {
		return cause.Error()
	}
	return err.Error()
}

// happened adds an event of a watch.
func (r *recording) happened(event scenarios.WatchEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.events = append(r.events, event)
	r.report()
}

// report hands what was seen so far to progress; r.mu is held, so that reports come in order.
func (r *recording) report() {
	if r.progress != nil {
		r.progress(scenarios.Partial{Exchanges: slices.Clone(r.exchanges), Events: slices.Clone(r.events)})
	}
}

// finish ends the recording and returns all of it. What is still in flight then got no
// answer, and nothing more can be sent, nor happen.
func (r *recording) finish() scenarios.Partial {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for i := range r.exchanges {
		exchange := &r.exchanges[i]
		if r.streams[i] {
			exchange.DurationMs = r.since(r.now()) - exchange.StartedMs
		}
		if exchange.InFlight {
			exchange.InFlight = false
			exchange.DurationMs = r.since(r.now()) - exchange.StartedMs
			exchange.Error = r.why(errStepOver)
		}
	}
	return scenarios.Partial{Exchanges: listOf(r.exchanges), Events: listOf(r.events)}
}

// listOf is never nil: readers of the JSON get a list.
func listOf[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// IsWatch reports whether a request's answer is a stream that need not end; a path can say so
// as well as the query.
func IsWatch(request *url.URL) bool {
	return scenarios.AsksToWatch(request.Query()) || watchPath.MatchString(request.Path)
}

// watchPath is the deprecated way to ask for a watch: /api/v1/watch/…
var watchPath = regexp.MustCompile(`(^|/)(api/[^/]+|apis/[^/]+/[^/]+)/watch/`)

// readBody reads a body to its end and closes it. It is nil if there is none.
func readBody(body io.ReadCloser) ([]byte, error) {
	if body == nil || body == http.NoBody {
		return nil, nil
	}
	defer body.Close()
	read, err := io.ReadAll(body)
	if read == nil {
		read = []byte{}
	}
	return read, err
}

// releasing is a body whose exchange's context ends when it is closed.
type releasing struct {
	io.ReadCloser
	release func()
}

func (b releasing) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}

// randomHex is n random bytes in hexadecimal. crypto/rand.Read never fails.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}
