package cluster

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// bound is how much of one answer is read: a watch without timeoutSeconds, for one, need
// not end by itself.
type bound struct {
	time  time.Duration // from when the answer's headers came
	bytes int64
}

// rawBound bounds the answer to a raw request. The kube-apiserver itself lets no request
// but a watch take longer (--request-timeout is a minute).
var rawBound = bound{time: 60 * time.Second, bytes: 4 << 20}

// stoppedError says why an answer was not read to its end. What was read is kept.
type stoppedError struct{ after string }

func (e *stoppedError) Error() string { return "stopped reading after " + e.after }

// read reads a body to its end or to the bound, and closes it. cancel ends the exchange.
func (b bound) read(body io.ReadCloser, cancel func()) ([]byte, error) {
	var late atomic.Bool
	timer := time.AfterFunc(b.time, func() {
		late.Store(true)
		cancel()
	})
	defer timer.Stop()
	// One byte more than is kept tells an answer of just that size from a longer one.
	read, err := readBody(struct {
		io.Reader
		io.Closer
	}{io.LimitReader(body, b.bytes+1), body})
	switch {
	case int64(len(read)) > b.bytes:
		return read[:b.bytes], &stoppedError{fmt.Sprintf("%d MiB", b.bytes>>20)}
	case err != nil && late.Load():
		return read, &stoppedError{fmt.Sprintf("%g s", b.time.Seconds())}
	}
	return read, err
}
