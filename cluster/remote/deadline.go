package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rvtui/cluster"
)

// requestTimeout is how long a request may take, where the user names nothing else. The
// kube-apiserver gives up after 60 s (its --request-timeout), and its answer is the better one.
const requestTimeout = 65 * time.Second

// SlowError says that a request was given up.
type SlowError struct{ After time.Duration }

func (e *SlowError) Error() string { return fmt.Sprintf("no answer within %s", e.After) }

// Timeout makes it what net.Error calls a timeout.
func (e *SlowError) Timeout() bool { return true }

// BusyError says that a server asked for a longer wait than a request may take.
type BusyError struct {
	Status int
	Wait   time.Duration
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%d %s, it asks to wait %g s", e.Status, http.StatusText(e.Status), e.Wait.Seconds())
}

// patience is until when a request that may take as long as it does, as a login may, is sent
// again because the server asked for that.
type patience struct{ until time.Time }

type patienceKey struct{}

// asksToWait is an error where the server asks client-go to wait beyond the end of one of the
// program's own requests: it would say nothing meanwhile. A step's are not ended so, for what
// client-go does is what they show.
func (d *deadline) asksToWait(request *http.Request, response *http.Response) error {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || response.StatusCode != http.StatusTooManyRequests && response.StatusCode < 500 {
		return nil
	}
	until, bounded := time.Time{}, false
	if p, ok := request.Context().Value(patienceKey{}).(*patience); ok {
		if p.until.IsZero() {
			p.until = time.Now().Add(d.after)
		}
		until, bounded = p.until, true
	} else if request.URL.Query().Has("timeout") { // as client-go sends it with rest.Config's Timeout
		until, bounded = request.Context().Deadline()
	}
	if wait := time.Duration(seconds) * time.Second; bounded && time.Now().Add(wait).After(until) {
		return &BusyError{response.StatusCode, wait}
	}
	return nil
}

// deadline gives each request a time to end in, and a watch one to begin in. It is not
// rest.Config's Timeout, which would be a part of each request's URL, and end watches.
type deadline struct {
	after time.Duration
	next  http.RoundTripper
}

// WrappedRoundTripper lets client-go find the transport below.
func (d *deadline) WrappedRoundTripper() http.RoundTripper { return d.next }

// RoundTrip is one attempt of a client; see http.RoundTripper.
func (d *deadline) RoundTrip(request *http.Request) (*http.Response, error) {
	slow := &SlowError{d.after}
	ctx, cancel := context.WithCancelCause(request.Context())
	timer := time.AfterFunc(d.after, func() { cancel(slow) })
	response, err := d.next.RoundTrip(request.Clone(ctx))
	if err != nil {
		timer.Stop()
		defer cancel(nil)
		return nil, d.why(ctx, err)
	}
	if err := d.asksToWait(request, response); err != nil {
		timer.Stop()
		defer cancel(nil)
		response.Body.Close()
		return nil, err
	}
	if cluster.IsWatch(request.URL) && response.StatusCode == http.StatusOK || response.StatusCode == http.StatusSwitchingProtocols {
		timer.Stop()
	}
	if response.StatusCode != http.StatusSwitchingProtocols { // there the body is a connection, which is written to as well
		body := &bounded{ReadCloser: response.Body, deadline: d, ctx: ctx, release: func() { timer.Stop(); cancel(nil) }, left: math.MaxInt64}
		if strings.HasSuffix(request.URL.Path, "/version") {
			body.left = mostVersion
		}
		response.Body = body
	}
	return response, nil
}

// why is the deadline where that is what ended a request.
func (d *deadline) why(ctx context.Context, err error) error {
	if slow := (*SlowError)(nil); errors.As(context.Cause(ctx), &slow) && !errors.Is(err, io.EOF) {
		return slow
	}
	return err
}

// bounded is a body that is read under a deadline.
type bounded struct {
	io.ReadCloser
	deadline *deadline
	ctx      context.Context
	release  func()
	left     int64 // how many bytes may still come
}

// mostVersion is the most that an answer to /version may have, in bytes. It has some 500.
const mostVersion = 1 << 20

func (b *bounded) Read(into []byte) (int, error) {
	if b.left <= 0 {
		return 0, &strangerError{"its /version has more than 1 MiB"}
	}
	into = into[:min(int64(len(into)), b.left)]
	n, err := b.ReadCloser.Read(into)
	b.left -= int64(n)
	if err != nil {
		err = b.deadline.why(b.ctx, err)
	}
	return n, err
}

func (b *bounded) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}

// wrap is for rest.Config.Wrap.
func (d *deadline) wrap(next http.RoundTripper) http.RoundTripper {
	return &deadline{d.after, next}
}
