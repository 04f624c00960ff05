package sources

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"rvtui/scenarios"
)

// fakeEtcd serves what Dial asks for.
type fakeEtcd struct {
	etcdserverpb.UnimplementedKVServer
	etcdserverpb.UnimplementedMaintenanceServer
	etcdserverpb.UnimplementedClusterServer
	member, version string
	refused         error
	value           string // of a namespace
}

func (f *fakeEtcd) Status(context.Context, *etcdserverpb.StatusRequest) (*etcdserverpb.StatusResponse, error) {
	return &etcdserverpb.StatusResponse{Version: f.version}, nil
}

func (f *fakeEtcd) MemberList(context.Context, *etcdserverpb.MemberListRequest) (*etcdserverpb.MemberListResponse, error) {
	return &etcdserverpb.MemberListResponse{Members: []*etcdserverpb.Member{{Name: f.member}}}, nil
}

func (f *fakeEtcd) Range(_ context.Context, r *etcdserverpb.RangeRequest) (*etcdserverpb.RangeResponse, error) {
	if f.refused != nil {
		return nil, f.refused
	}
	response := &etcdserverpb.RangeResponse{Header: &etcdserverpb.ResponseHeader{Revision: 7}}
	if key := string(r.Key); key == "/registry/namespaces/default" || key == "/registry/namespaces/mine" {
		response.Count, response.Kvs = 1, []*mvccpb.KeyValue{{Key: r.Key, CreateRevision: 5, ModRevision: 6, Value: []byte(f.value)}}
	}
	return response, nil
}

func (f *fakeEtcd) serve(t *testing.T) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	etcdserverpb.RegisterKVServer(server, f)
	etcdserverpb.RegisterMaintenanceServer(server, f)
	etcdserverpb.RegisterClusterServer(server, f)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return "unix://" + socket
}

func TestKineIsToldFromEtcd(t *testing.T) {
	for _, test := range []struct{ member, says, version, source string }{
		{"default", "3.6.16", "3.6.16", "etcd client, read-only"},
		{"", "3.5.0", "3.5.0", "etcd client, read-only"},
		{"kine", "3.6.11", "kine (etcd API 3.6.11)", "kine, read-only"},
		{"kine", "", "kine", "kine, read-only"},
	} {
		endpoint := (&fakeEtcd{member: test.member, version: test.says}).serve(t)
		store, err := Etcd{Endpoints: []string{endpoint}}.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if store.Version() != test.version || store.Source() != test.source || store.Can()[0] != scenarios.CapabilityEtcdRead {
			t.Errorf("version %q, source %q", store.Version(), store.Source())
		}
		// kine tells no version of a key: it stays unknown.
		if state, err := store.Key(t.Context(), "/registry/namespaces/default", 0); err != nil || state.Version != 0 || state.ModRevision != 6 {
			t.Errorf("%+v, error %v", state, err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWhyEtcdCannotBeReachedIsOneLine(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := silent.Addr().String()
	if err := silent.Close(); err != nil {
		t.Fatal(err)
	}
	refusing := func(err error) []string { return []string{(&fakeEtcd{version: "3.6.0", refused: err}).serve(t)} }
	plain := (&fakeEtcd{version: "3.6.0"}).serve(t)
	tests := map[string]struct {
		etcd Etcd
		want string
	}{
		"nothing named":       {Etcd{}, "no endpoint is named"},
		"nobody listens":      {Etcd{Endpoints: []string{"http://" + address}}, "connection refused"},
		"no such socket":      {Etcd{Endpoints: []string{"unix:///no/such/socket"}}, "no such file or directory"},
		"a password":          {Etcd{Endpoints: []string{"https://me:hid%zzden@127.0.0.1:1"}}, "at https://127.0.0.1:1: its address has a user's name"},
		"a key alone":         {Etcd{Endpoints: []string{plain}, Key: "k"}, "needs its key"},
		"no such certificate": {Etcd{Endpoints: []string{"https://" + address}, CACert: "/no/such/ca.crt"}, "/no/such/ca.crt"},
		"another prefix":      {Etcd{Endpoints: []string{plain}, Prefix: "kubernetes.io"}, "no key /kubernetes.io/namespaces/default"},
		"auth is on":          {Etcd{Endpoints: refusing(status.Error(codes.InvalidArgument, "etcdserver: user name is empty"))}, "asks for a user"},
		"not for this user":   {Etcd{Endpoints: refusing(status.Error(codes.PermissionDenied, "etcdserver: permission denied"))}, "permission denied"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			store, err := test.etcd.Dial(t.Context())
			if err == nil {
				_ = store.Close()
				t.Fatal("it is reached")
			}
			if text := err.Error(); !strings.HasPrefix(text, "reaching etcd") || !strings.Contains(text, test.want) || strings.Contains(text, "\n") {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestWhatGRPCSaysIsSaidPlainly(t *testing.T) {
	for said, want := range map[string]string{
		`connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:1: connect: connection refused"`:                                                   "dial tcp 127.0.0.1:1: connect: connection refused",
		`connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"`:        "--etcd-cacert",
		`connection error: desc = "transport: authentication handshake failed: tls: first record does not look like a TLS handshake"`:                                    "http:// instead",
		`connection error: desc = "error reading server preface: remote error: tls: certificate required"`:                                                               "--etcd-cert",
		`connection error: desc = "error reading server preface: EOF"`:                                                                                                   "https:// instead",
		"unexpected HTTP status code received from server: 404 (Not Found); transport: received unexpected content-type \"text/plain\"\ndata: \"404 page not found\\n\"": "does not speak etcd's API: unexpected HTTP status code received from server: 404 (Not Found)",
	} {
		if got := plainError(status.Error(codes.Unavailable, said), credentials{}).Error(); !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%s\nbecame %s\nwant %s", said, got, want)
		}
	}
	if got := plainError(status.Error(codes.Unavailable, `connection error: desc = "transport: write: broken pipe"`), credentials{tls: true}).Error(); !strings.Contains(got, "asks for a client certificate") {
		t.Errorf("without a certificate: %s", got)
	}
	for _, said := range []string{"transport: write: broken pipe", "error reading server preface: EOF", "error reading server preface: remote error: tls: unknown certificate authority", "error reading server preface: remote error: tls: bad certificate"} {
		got := plainError(status.Error(codes.Unavailable, `connection error: desc = "`+said+`"`), credentials{tls: true, certificate: true}).Error()
		if got != "it does not accept this client certificate (--etcd-cert, --etcd-key)" {
			t.Errorf("with a certificate, %s: %s", said, got)
		}
	}
	if got := plainError(context.DeadlineExceeded, credentials{}).Error(); !strings.Contains(got, "no answer within") {
		t.Errorf("in time: %s", got)
	}
}
