// Package rpcs records the gRPC calls that reach an etcd server on behalf of a request
// that the program follows.
//
// A request is named by the trace id of a W3C traceparent header. The kube-apiserver
// passes such a header on to etcd for a client of the group system:masters, with no
// tracing configured (k8s.io/apiserver/pkg/endpoints/filters, WithTracing, and the otelgrpc
// handler in k8s.io/apiserver/pkg/storage/storagebackend/factory). So a Recorder in etcd's
// gRPC server knows of each call which request it was made for, also when many race.
//
// The package may import gRPC, etcd's API and the scenarios package. It must never keep a
// value that is stored in etcd, nor anything of a request that was not registered.
package rpcs

import (
	"context"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"rvtui/scenarios"
)

// Call is one RPC that was made on behalf of a registered trace id. RPC.Exchange,
// RPC.Actor and RPC.StartedMs are the caller's to fill in.
type Call struct {
	TraceID string
	Started time.Time
	RPC     scenarios.RPC
}

// Recorder records RPCs by trace id. The zero Recorder is ready for use, by many
// goroutines at once.
type Recorder struct {
	mu    sync.Mutex
	calls map[string][]Call                                // registered trace ids only
	holds map[string]func(ctx context.Context) (held bool) // before a Txn of a trace id
}

// Register makes the recorder keep what is done for a trace id, until Take.
func (r *Recorder) Register(traceID string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = map[string][]Call{}
	}
	if _, ok := r.calls[traceID]; !ok {
		r.calls[traceID] = nil
	}
}

// Hold has each Txn that is made for a registered trace id wait until a function returns,
// before etcd sees it. The function must come to an end by itself, and says whether the Txn
// had to wait at all.
func (r *Recorder) Hold(traceID string, until func(ctx context.Context) (held bool)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.holds == nil {
		r.holds = map[string]func(context.Context) bool{}
	}
	r.holds[traceID] = until
}

// Take returns the calls made for a trace id, in the order in which they were answered,
// and forgets them and the trace id. A call is there before its caller has the answer.
func (r *Recorder) Take(traceID string) []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := r.calls[traceID]
	delete(r.calls, traceID)
	delete(r.holds, traceID)
	return calls
}

// ServerOptions are the interceptors to start the etcd server's gRPC server with.
func (r *Recorder) ServerOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.ChainUnaryInterceptor(r.unary),
		grpc.ChainStreamInterceptor(r.stream),
	}
}

func (r *Recorder) unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	traceID, ok := r.registered(ctx)
	if !ok {
		return handler(ctx, request)
	}
	rpc := fromRequest(methodOf(info.FullMethod), request)
	started := time.Now()
	if rpc.Method == "Txn" {
		rpc.HeldMs = r.hold(ctx, traceID)
	}
	var response any
	var err error
	if rpc.HeldMs > 0 && ctx.Err() != nil {
		err = status.FromContextError(ctx.Err()).Err() // whoever asked has gone while it was held
	} else if response, err = handler(ctx, request); err == nil {
		addResponse(&rpc, response)
	}
	r.record(traceID, started, rpc, err)
	return response, err
}

func (r *Recorder) stream(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	traceID, ok := r.registered(stream.Context())
	if !ok {
		return handler(server, stream)
	}
	recorded := &recordedStream{ServerStream: stream, recorder: r, traceID: traceID, method: methodOf(info.FullMethod)}
	err := handler(server, recorded)
	recorded.finish(err)
	return err
}

// hold waits as Hold says, and returns for how many milliseconds; 0 if it was let through at
// once.
func (r *Recorder) hold(ctx context.Context, traceID string) float64 {
	r.mu.Lock()
	until := r.holds[traceID]
	r.mu.Unlock()
	if until == nil {
		return 0
	}
	began := time.Now()
	if !until(ctx) {
		return 0
	}
	return float64(time.Since(began)) / float64(time.Millisecond)
}

// registered returns the trace id that a call's metadata carries, if it is registered.
func (r *Recorder) registered(ctx context.Context) (string, bool) {
	values := metadata.ValueFromIncomingContext(ctx, "traceparent")
	if len(values) == 0 {
		return "", false
	}
	traceID, ok := traceIDOf(values[0])
	if !ok {
		return "", false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok = r.calls[traceID]
	return traceID, ok
}

func (r *Recorder) record(traceID string, started time.Time, rpc scenarios.RPC, err error) {
	rpc.DurationMs = float64(time.Since(started)) / float64(time.Millisecond)
	if err != nil {
		rpc.Error = status.Convert(err).Message() // as etcd's client says it
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// The trace id may have been taken while the call was under way.
	if _, ok := r.calls[traceID]; ok {
		r.calls[traceID] = append(r.calls[traceID], Call{TraceID: traceID, Started: started, RPC: rpc})
	}
}

// traceIDOf reads the trace id of a traceparent, "00-<trace id>-<span id>-<flags>".
func traceIDOf(traceparent string) (string, bool) {
	parts := strings.Split(traceparent, "-")
	if len(parts) < 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 {
		return "", false
	}
	return parts[1], true
}

// methodOf is the last part of a full method name such as "/etcdserverpb.KV/Range".
func methodOf(fullMethod string) string {
	return fullMethod[strings.LastIndexByte(fullMethod, '/')+1:]
}
