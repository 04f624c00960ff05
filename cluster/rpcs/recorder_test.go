package rpcs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"rvtui/scenarios"
)

const (
	traceA = "0af7651916cd43dd8448eb211c80319c"
	traceB = "1af7651916cd43dd8448eb211c80319c"
	secret = "a value that must not be kept"
)

// fakeEtcd answers as an etcd whose store is at revision 9 would.
type fakeEtcd struct {
	etcdserverpb.UnimplementedKVServer
	etcdserverpb.UnimplementedWatchServer
	etcdserverpb.UnimplementedLeaseServer
}

var header = &etcdserverpb.ResponseHeader{Revision: 9}

func kv(key string, modRevision int64) *mvccpb.KeyValue {
	return &mvccpb.KeyValue{Key: []byte(key), ModRevision: modRevision, Value: []byte(secret)}
}

func (fakeEtcd) Range(_ context.Context, r *etcdserverpb.RangeRequest) (*etcdserverpb.RangeResponse, error) {
	switch {
	case r.GetRevision() == 1:
		return nil, status.Error(codes.OutOfRange, "etcdserver: mvcc: required revision has been compacted")
	case r.GetCountOnly():
		return &etcdserverpb.RangeResponse{Header: header, Count: 40}, nil
	case len(r.GetRangeEnd()) > 0:
		return &etcdserverpb.RangeResponse{Header: header, Kvs: []*mvccpb.KeyValue{kv("/a", 4), kv("/b", 5)}, Count: 40}, nil
	}
	return &etcdserverpb.RangeResponse{Header: header, Kvs: []*mvccpb.KeyValue{kv(string(r.GetKey()), 7)}, Count: 1}, nil
}

func (fakeEtcd) Txn(_ context.Context, r *etcdserverpb.TxnRequest) (*etcdserverpb.TxnResponse, error) {
	if r.GetCompare()[0].GetModRevision() == 7 {
		return &etcdserverpb.TxnResponse{Header: header, Succeeded: true}, nil
	}
	read := &etcdserverpb.RangeResponse{Header: header, Kvs: []*mvccpb.KeyValue{kv("/a", 7)}, Count: 1}
	return &etcdserverpb.TxnResponse{Header: header, Responses: []*etcdserverpb.ResponseOp{
		{Response: &etcdserverpb.ResponseOp_ResponseRange{ResponseRange: read}},
	}}, nil
}

func (fakeEtcd) Put(context.Context, *etcdserverpb.PutRequest) (*etcdserverpb.PutResponse, error) {
	return &etcdserverpb.PutResponse{Header: header}, nil
}

func (fakeEtcd) DeleteRange(context.Context, *etcdserverpb.DeleteRangeRequest) (*etcdserverpb.DeleteRangeResponse, error) {
	return &etcdserverpb.DeleteRangeResponse{Header: header, Deleted: 3}, nil
}

func (fakeEtcd) Compact(context.Context, *etcdserverpb.CompactionRequest) (*etcdserverpb.CompactionResponse, error) {
	return &etcdserverpb.CompactionResponse{Header: header}, nil
}

func (fakeEtcd) LeaseGrant(context.Context, *etcdserverpb.LeaseGrantRequest) (*etcdserverpb.LeaseGrantResponse, error) {
	return &etcdserverpb.LeaseGrantResponse{Header: header}, nil
}

func (fakeEtcd) RangeStream(_ *etcdserverpb.RangeRequest, stream etcdserverpb.KV_RangeStreamServer) error {
	for _, part := range []*etcdserverpb.RangeResponse{
		{Kvs: []*mvccpb.KeyValue{kv("/a", 4)}},
		{Kvs: []*mvccpb.KeyValue{kv("/b", 5)}},
		{Header: header, Count: 2},
	} {
		if err := stream.Send(&etcdserverpb.RangeStreamResponse{RangeResponse: part}); err != nil {
			return err
		}
	}
	return nil
}

func (fakeEtcd) Watch(stream etcdserverpb.Watch_WatchServer) error {
	for {
		if _, err := stream.Recv(); err != nil {
			return nil
		}
		if err := stream.Send(&etcdserverpb.WatchResponse{Header: header, Created: true}); err != nil {
			return err
		}
	}
}

// serve returns a client of a fake etcd whose server has the recorder.
func serve(t *testing.T, recorder *Recorder) *grpc.ClientConn {
	t.Helper()
	listener := bufconn.Listen(1 << 16)
	server := grpc.NewServer(recorder.ServerOptions()...)
	etcdserverpb.RegisterKVServer(server, fakeEtcd{})
	etcdserverpb.RegisterWatchServer(server, fakeEtcd{})
	etcdserverpb.RegisterLeaseServer(server, fakeEtcd{})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:fake",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func traced(t *testing.T, traceID string) context.Context {
	return metadata.AppendToOutgoingContext(t.Context(), "traceparent", "00-"+traceID+"-b7ad6b7169203331-01")
}

func put(key string) *etcdserverpb.RequestOp {
	return &etcdserverpb.RequestOp{Request: &etcdserverpb.RequestOp_RequestPut{
		RequestPut: &etcdserverpb.PutRequest{Key: []byte(key), Value: []byte(secret)},
	}}
}

func remove(key string) *etcdserverpb.RequestOp {
	return &etcdserverpb.RequestOp{Request: &etcdserverpb.RequestOp_RequestDeleteRange{
		RequestDeleteRange: &etcdserverpb.DeleteRangeRequest{Key: []byte(key)},
	}}
}

func ifModRevision(key string, revision int64) *etcdserverpb.Compare {
	return &etcdserverpb.Compare{
		Key: []byte(key), Target: etcdserverpb.Compare_MOD, Result: etcdserverpb.Compare_EQUAL,
		TargetUnion: &etcdserverpb.Compare_ModRevision{ModRevision: revision},
	}
}

func TestACallIsRecordedAsItWasMadeAndAnswered(t *testing.T) {
	tests := []struct {
		name string
		call func(context.Context, *grpc.ClientConn) error
		want scenarios.RPC
	}{
		{"a read of one key", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Range(ctx, &etcdserverpb.RangeRequest{Key: []byte("/a")})
			return err
		}, scenarios.RPC{Method: "Range", Key: "/a", Revision: 9, ModRevision: 7, Count: 1}},
		{"a read of a range in the past", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Range(ctx, &etcdserverpb.RangeRequest{
				Key: []byte("/"), RangeEnd: []byte("0"), Revision: 5, Limit: 2,
			})
			return err
		}, scenarios.RPC{Method: "Range", Key: "/", RangeEnd: "0", AtRevision: 5, Limit: 2, Revision: 9, Count: 2}},
		{"a read of a number of keys", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Range(ctx, &etcdserverpb.RangeRequest{
				Key: []byte("/"), RangeEnd: []byte("0"), CountOnly: true,
			})
			return err
		}, scenarios.RPC{Method: "Range", Key: "/", RangeEnd: "0", Revision: 9, Count: 40}},
		{"a read of what was compacted", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Range(ctx, &etcdserverpb.RangeRequest{Key: []byte("/a"), Revision: 1})
			if status.Code(err) != codes.OutOfRange {
				return fmt.Errorf("want the server's error, got %w", err)
			}
			return nil
		}, scenarios.RPC{Method: "Range", Key: "/a", AtRevision: 1,
			Error: "etcdserver: mvcc: required revision has been compacted"}},
		{"a put whose compare holds", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Txn(ctx, &etcdserverpb.TxnRequest{
				Compare: []*etcdserverpb.Compare{ifModRevision("/a", 7)}, Success: []*etcdserverpb.RequestOp{put("/a")},
			})
			return err
		}, scenarios.RPC{Method: "Txn", Key: "/a", CompareModRevision: new(int64(7)), Succeeded: new(true), Writes: "put", Revision: 9, ModRevision: 9}},
		{"a delete whose compare holds", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Txn(ctx, &etcdserverpb.TxnRequest{
				Compare: []*etcdserverpb.Compare{ifModRevision("/a", 7)}, Success: []*etcdserverpb.RequestOp{remove("/a")},
			})
			return err
		}, scenarios.RPC{Method: "Txn", Key: "/a", CompareModRevision: new(int64(7)), Succeeded: new(true), Writes: "delete", Revision: 9}},
		{"a put that lost its race", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Txn(ctx, &etcdserverpb.TxnRequest{
				Compare: []*etcdserverpb.Compare{ifModRevision("/a", 6)}, Success: []*etcdserverpb.RequestOp{put("/a")},
			})
			return err
		}, scenarios.RPC{Method: "Txn", Key: "/a", CompareModRevision: new(int64(6)), Succeeded: new(false), Writes: "put", Revision: 9, ModRevision: 7, Count: 1}},
		{"a create", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Txn(ctx, &etcdserverpb.TxnRequest{
				Compare: []*etcdserverpb.Compare{ifModRevision("/a", 0)}, Success: []*etcdserverpb.RequestOp{put("/a")},
			})
			return err
		}, scenarios.RPC{Method: "Txn", Key: "/a", CompareModRevision: new(int64(0)), Succeeded: new(false), Writes: "put", Revision: 9, ModRevision: 7, Count: 1}},
		{"a compare of a version", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Txn(ctx, &etcdserverpb.TxnRequest{
				Compare: []*etcdserverpb.Compare{{Key: []byte("/a"), Target: etcdserverpb.Compare_VERSION}},
				Success: []*etcdserverpb.RequestOp{put("/a")},
			})
			return err
		}, scenarios.RPC{Method: "Txn", Key: "/a", Succeeded: new(false), Writes: "put", Revision: 9, ModRevision: 7, Count: 1}},
		{"a put without a compare", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Put(ctx, &etcdserverpb.PutRequest{Key: []byte("/a"), Value: []byte(secret)})
			return err
		}, scenarios.RPC{Method: "Put", Key: "/a", Writes: "put", Revision: 9, ModRevision: 9}},
		{"a delete of a range", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).DeleteRange(ctx, &etcdserverpb.DeleteRangeRequest{Key: []byte("/a"), RangeEnd: []byte("/d")})
			return err
		}, scenarios.RPC{Method: "DeleteRange", Key: "/a", RangeEnd: "/d", Writes: "delete", Revision: 9, Count: 3}},
		{"a compaction", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewKVClient(c).Compact(ctx, &etcdserverpb.CompactionRequest{Revision: 8})
			return err
		}, scenarios.RPC{Method: "Compact", AtRevision: 8, Revision: 9}},
		{"a lease", func(ctx context.Context, c *grpc.ClientConn) error {
			_, err := etcdserverpb.NewLeaseClient(c).LeaseGrant(ctx, &etcdserverpb.LeaseGrantRequest{TTL: 60})
			return err
		}, scenarios.RPC{Method: "LeaseGrant", Revision: 9}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorder := &Recorder{}
			recorder.Register(traceA)
			if err := test.call(traced(t, traceA), serve(t, recorder)); err != nil {
				t.Fatal(err)
			}
			// Taken with nothing waited for: the answer comes after the record.
			wantCalls(t, recorder.Take(traceA), test.want)
		})
	}
}

func TestAWatchIsRecordedWhenItIsAskedFor(t *testing.T) {
	recorder := &Recorder{}
	recorder.Register(traceA)
	stream, err := etcdserverpb.NewWatchClient(serve(t, recorder)).Watch(traced(t, traceA))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"/a", "/b"} {
		create := &etcdserverpb.WatchCreateRequest{Key: []byte(key), RangeEnd: []byte("/z"), StartRevision: 3}
		if err := stream.Send(&etcdserverpb.WatchRequest{RequestUnion: &etcdserverpb.WatchRequest_CreateRequest{CreateRequest: create}}); err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
	}
	wantCalls(t, recorder.Take(traceA),
		scenarios.RPC{Method: "Watch", Key: "/a", RangeEnd: "/z", AtRevision: 3},
		scenarios.RPC{Method: "Watch", Key: "/b", RangeEnd: "/z", AtRevision: 3})
}

func TestAStreamedReadIsOneCall(t *testing.T) {
	recorder := &Recorder{}
	recorder.Register(traceA)
	stream, err := etcdserverpb.NewKVClient(serve(t, recorder)).RangeStream(traced(t, traceA),
		&etcdserverpb.RangeRequest{Key: []byte("/"), RangeEnd: []byte("0")})
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = stream.Recv()
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	wantCalls(t, recorder.Take(traceA), scenarios.RPC{Method: "RangeStream", Key: "/", RangeEnd: "0", Revision: 9, Count: 2})
}

func TestOnlyRegisteredTracesAreKept(t *testing.T) {
	recorder := &Recorder{}
	kv := etcdserverpb.NewKVClient(serve(t, recorder))
	read := func(ctx context.Context) {
		t.Helper()
		if _, err := kv.Range(ctx, &etcdserverpb.RangeRequest{Key: []byte("/a")}); err != nil {
			t.Fatal(err)
		}
	}
	recorder.Register(traceA)
	read(t.Context())
	read(traced(t, traceB))
	read(metadata.AppendToOutgoingContext(t.Context(), "traceparent", "nonsense"))
	if calls := recorder.Take(traceA); len(calls) != 0 {
		t.Errorf("want nothing of others, got %v", calls)
	}
	read(traced(t, traceA))
	if len(recorder.calls) != 0 {
		t.Errorf("want nothing kept once taken, got %v", recorder.calls)
	}
}

func TestRacingRequestsAreToldApart(t *testing.T) {
	recorder := &Recorder{}
	kv := etcdserverpb.NewKVClient(serve(t, recorder))
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			traceID := fmt.Sprintf("%032x", i+1)
			recorder.Register(traceID)
			for range 5 {
				key := fmt.Appendf(nil, "/%d", i)
				if _, err := kv.Range(traced(t, traceID), &etcdserverpb.RangeRequest{Key: key}); err != nil {
					t.Error(err)
				}
			}
			calls := recorder.Take(traceID)
			if len(calls) != 5 {
				t.Errorf("want 5 calls of trace %d, got %d", i, len(calls))
			}
			for _, call := range calls {
				if call.TraceID != traceID || call.RPC.Key != fmt.Sprintf("/%d", i) {
					t.Errorf("trace %d was given %v", i, call)
				}
			}
		})
	}
	group.Wait()
}

func TestATraceIDIsReadFromAWellFormedTraceparentOnly(t *testing.T) {
	for traceparent, want := range map[string]string{
		"00-" + traceA + "-b7ad6b7169203331-01":       traceA,
		"cc-" + traceA + "-b7ad6b7169203331-01-later": traceA,
		"":                                     "",
		traceA:                                 "",
		"00-short-b7ad6b7169203331-01":         "",
		"00-" + traceA + "-b7ad6b7169203331":   "",
		"0-" + traceA + "-b7ad6b7169203331-01": "",
	} {
		if got, _ := traceIDOf(traceparent); got != want {
			t.Errorf("traceIDOf(%q) = %q, want %q", traceparent, got, want)
		}
	}
}

// wantCalls compares what was recorded, but for the times, and looks for values in it.
func wantCalls(t *testing.T, calls []Call, want ...scenarios.RPC) {
	t.Helper()
	var got []scenarios.RPC
	for _, call := range calls {
		if call.Started.IsZero() || call.RPC.DurationMs < 0 {
			t.Errorf("no times in %v", call)
		}
		call.RPC.DurationMs = 0
		got = append(got, call.RPC)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded\n%s\nwant\n%s", asJSON(t, got), asJSON(t, want))
	}
	if strings.Contains(asJSON(t, got), secret) {
		t.Error("a value was kept")
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestATxnIsHeldUntilItMayGoOnAndAReadIsNot(t *testing.T) {
	recorder := &Recorder{}
	client := etcdserverpb.NewKVClient(serve(t, recorder))
	recorder.Register(traceA)
	recorder.Register(traceB)
	come, gone := make(chan struct{}, 1), make(chan struct{})
	recorder.Hold(traceA, func(ctx context.Context) bool {
		come <- struct{}{}
		select {
		case <-gone:
		case <-ctx.Done():
		}
		return true
	})
	put := &etcdserverpb.TxnRequest{Compare: []*etcdserverpb.Compare{ifModRevision("/a", 7)}, Success: []*etcdserverpb.RequestOp{put("/a")}}
	answered := make(chan error, 1)
	go func() {
		_, err := client.Txn(traced(t, traceA), put)
		answered <- err
	}()
	<-come
	for _, trace := range []string{traceA, traceB} {
		if _, err := client.Range(traced(t, trace), &etcdserverpb.RangeRequest{Key: []byte("/a")}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.Txn(traced(t, traceB), put); err != nil { // nobody holds B's
		t.Fatal(err)
	}
	select {
	case err := <-answered:
		t.Fatalf("A's Txn was not held: %v", err)
	default:
	}
	close(gone)
	if err := <-answered; err != nil {
		t.Fatal(err)
	}
	for trace, held := range map[string]int{traceA: 1, traceB: 0} {
		calls := recorder.Take(trace)
		if len(calls) != 2 {
			t.Fatalf("recorded %+v", calls)
		}
		n := 0
		for _, call := range calls {
			if call.RPC.HeldMs > 0 {
				n++
				if call.RPC.Method != "Txn" || call.RPC.DurationMs < call.RPC.HeldMs {
					t.Errorf("held: %+v", call.RPC)
				}
			}
		}
		if n != held {
			t.Errorf("%d calls of %s were held, want %d", n, trace, held)
		}
	}
}

func TestATxnThatIsLetThroughAtOnceWasNotHeld(t *testing.T) {
	recorder := &Recorder{}
	client := etcdserverpb.NewKVClient(serve(t, recorder))
	recorder.Register(traceA)
	recorder.Hold(traceA, func(context.Context) bool { return false })
	put := &etcdserverpb.TxnRequest{Compare: []*etcdserverpb.Compare{ifModRevision("/a", 7)}, Success: []*etcdserverpb.RequestOp{put("/a")}}
	if _, err := client.Txn(traced(t, traceA), put); err != nil {
		t.Fatal(err)
	}
	if calls := recorder.Take(traceA); len(calls) != 1 || calls[0].RPC.HeldMs != 0 {
		t.Errorf("%+v", calls)
	}
}

func TestWhoHasGoneWhileItsTxnWasHeldWritesNothing(t *testing.T) {
	recorder := &Recorder{}
	recorder.Register(traceA)
	ctx, cancel := context.WithCancel(metadata.NewIncomingContext(t.Context(), metadata.Pairs("traceparent", "00-"+traceA+"-0102030405060708-00")))
	recorder.Hold(traceA, func(context.Context) bool { cancel(); return true })
	_, err := recorder.unary(ctx, &etcdserverpb.TxnRequest{}, &grpc.UnaryServerInfo{FullMethod: "/etcdserverpb.KV/Txn"}, func(context.Context, any) (any, error) {
		t.Error("etcd was asked all the same")
		return nil, nil
	})
	if calls := recorder.Take(traceA); status.Code(err) != codes.Canceled || len(calls) != 1 || calls[0].RPC.Error == "" {
		t.Errorf("error %v, calls %+v", err, calls)
	}
}
