package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
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
	if cluster.IsWatch(request.URL) && response.StatusCode == http.StatusOK || response.StatusCode == http.StatusSwitchingProtocols {
		timer.Stop()
	}
	if response.StatusCode != http.StatusSwitchingProtocols { // there the body is a connection, which is written to as well
		response.Body = &bounded{response.Body, d, ctx, func() { timer.Stop(); cancel(nil) }}
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
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
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
