package embedded

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"rvtui/cluster/sources"
)

// arrivals are the methods that reached an etcd.
type arrivals struct {
	mu      sync.Mutex
	methods []string
}

func (a *arrivals) add(method string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.methods = append(a.methods, method)
}

func (a *arrivals) all() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.methods)
}

// startCounted starts an etcd that says what reaches it, and returns its endpoint.
func startCounted(t *testing.T, arrived *arrivals) string {
	t.Helper()
	directory := t.TempDir()
	client := url.URL{Scheme: "unix", Path: filepath.Join(directory, "s")}
	peer := url.URL{Scheme: "http", Host: "127.0.0.1:2380"} // nobody listens there
	config := embed.NewConfig()
	config.Dir = filepath.Join(directory, "etcd")
	config.LogLevel, config.LogOutputs = "fatal", []string{filepath.Join(directory, "log")}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = nil, []url.URL{peer}
	config.InitialCluster = config.Name + "=" + peer.String()
	config.EnableGRPCGateway = false
	config.TickMs, config.ElectionMs = quick.tickMs, quick.electionMs
	config.GRPCAdditionalServerOptions = []grpc.ServerOption{
		grpc.ChainUnaryInterceptor(func(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
			arrived.add(info.FullMethod)
			return handle(ctx, request)
		}),
		grpc.ChainStreamInterceptor(func(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
			arrived.add(info.FullMethod)
			return handle(server, stream)
		}),
	}
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(etcd.Close)
	select {
	case <-etcd.Server.ReadyNotify():
	case <-t.Context().Done():
		t.Fatal("etcd does not start")
	}
	return "unix://" + client.Path
}

func TestOnlyReadsReachAnEtcdOfSomebodyElse(t *testing.T) {
	ctx := t.Context()
	arrived := &arrivals{}
	endpoint := startCounted(t, arrived)
	writer, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Put(ctx, "/registry/namespaces/default", "1"); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(arrived.all(), "/etcdserverpb.KV/Put") {
		t.Fatalf("a Put is not counted: %v", arrived.all())
	}

	store, err := sources.Etcd{Endpoints: []string{endpoint}}.Dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	before := len(arrived.all())
	etcd := store.Client
	for name, do := range map[string]func() error{
		"Put":        func() error { _, err := etcd.Put(ctx, "k", "v"); return err },
		"Delete":     func() error { _, err := etcd.Delete(ctx, "", clientv3.WithPrefix()); return err },
		"Txn":        func() error { _, err := etcd.Txn(ctx).Then(clientv3.OpPut("k", "v")).Commit(); return err },
		"a Txn read": func() error { _, err := etcd.Txn(ctx).Then(clientv3.OpGet("k")).Commit(); return err },
		"Compact":    func() error { _, err := store.Compact(ctx, 1); return err },
		"Grant":      func() error { _, err := etcd.Grant(ctx, 10); return err },
		"Defragment": func() error { _, err := etcd.Defragment(ctx, endpoint); return err },
		"Snapshot": func() error {
			snapshot, err := etcd.Snapshot(ctx)
			if err == nil {
				_, err = snapshot.Read(make([]byte, 1))
			}
			return err
		},
		"KeepAliveOnce": func() error { _, err := etcd.KeepAliveOnce(ctx, 1); return err },
		"MemberRemove":  func() error { _, err := etcd.MemberRemove(ctx, 1); return err },
		"AuthEnable":    func() error { _, err := etcd.AuthEnable(ctx); return err },
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "rvtui only reads this etcd") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	// And every method that there is, whether the client has a call for it or not.
	refused := 0
	for _, service := range []grpc.ServiceDesc{
		etcdserverpb.KV_ServiceDesc, etcdserverpb.Watch_ServiceDesc, etcdserverpb.Lease_ServiceDesc,
		etcdserverpb.Cluster_ServiceDesc, etcdserverpb.Maintenance_ServiceDesc, etcdserverpb.Auth_ServiceDesc,
		{ServiceName: "v3lockpb.Lock", Methods: []grpc.MethodDesc{{MethodName: "Lock"}}},
	} {
		for _, method := range service.Methods {
			name := "/" + service.ServiceName + "/" + method.MethodName
			if slices.Contains([]string{"/etcdserverpb.KV/Range", "/etcdserverpb.Maintenance/Status", "/etcdserverpb.Cluster/MemberList"}, name) {
				continue
			}
			refused++
			if err := etcd.ActiveConnection().Invoke(ctx, name, &etcdserverpb.StatusRequest{}, &etcdserverpb.StatusResponse{}); status.Code(err) != codes.PermissionDenied {
				t.Errorf("%s: error %v", name, err)
			}
		}
		for i := range service.Streams {
			name := "/" + service.ServiceName + "/" + service.Streams[i].StreamName
			if name == "/etcdserverpb.Watch/Watch" {
				continue
			}
			refused++
			if _, err := etcd.ActiveConnection().NewStream(ctx, &service.Streams[i], name); status.Code(err) != codes.PermissionDenied {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
	if got := arrived.all()[before:]; len(got) > 0 {
		t.Errorf("these reached etcd: %v", got)
	}

	// What may pass does.
	if state, err := store.Key(ctx, "/registry/namespaces/default", 0); err != nil || state.Count != 1 || state.Head != 2 {
		t.Errorf("%+v, error %v", state, err)
	}
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	if message := <-etcd.Watch(watching, "/registry/", clientv3.WithPrefix(), clientv3.WithRev(2)); message.Err() != nil || len(message.Events) != 1 {
		t.Errorf("a watch brings %+v", message)
	}
	t.Logf("%d methods are refused", refused)
}
