package sources

import (
	"context"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// readOnly are the methods that leave the process. A watch's stream carries nothing but
// requests to begin, to end, and to report progress.
var readOnly = map[string]bool{
	"/etcdserverpb.KV/Range":           true,
	"/etcdserverpb.Watch/Watch":        true,
	"/etcdserverpb.Maintenance/Status": true,
	"/etcdserverpb.Cluster/MemberList": true,
}

// readOnlyOptions make a connection refuse every other method before anything is sent. They come
// after the client's own interceptors, so that nothing goes round them.
func readOnlyOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
			if err := refuse(method); err != nil {
				return err
			}
			return invoke(ctx, method, request, reply, connection, options...)
		}),
		grpc.WithChainStreamInterceptor(func(ctx context.Context, stream *grpc.StreamDesc, connection *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption) (grpc.ClientStream, error) {
			if err := refuse(method); err != nil {
				return nil, err
			}
			return open(ctx, stream, connection, method, options...)
		}),
	}
}

func refuse(method string) error {
	if readOnly[method] {
		return nil
	}
	_, name, _ := strings.Cut(strings.TrimPrefix(method, "/"), "/")
	return status.Errorf(codes.PermissionDenied, "rvtui only reads this etcd: %s was not sent", name)
}
