package sources

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"rvtui/cluster"
)

// dialTimeout is how long etcd may take to answer at first.
const dialTimeout = 5 * time.Second

// Etcd is how the user's etcd is reached, as flags tell it.
type Etcd struct {
	Endpoints         []string // URLs of one cluster: https://, http://, unix://
	CACert, Cert, Key string   // files; each may be empty
	Prefix            string   // of the apiserver's keys; "/registry" if empty
}

// Dial reaches etcd, and asks what it is and whether it is a cluster's. The error is one line
// for a person.
func (e Etcd) Dial(ctx context.Context) (*Endpoints, error) {
	where := strings.Join(e.Endpoints, ", ")
	fail := func(err error) (*Endpoints, error) {
		return nil, fmt.Errorf("reaching etcd at %s: %w", where, err)
	}
	if len(e.Endpoints) == 0 {
		return nil, errors.New("reaching etcd: no endpoint is named")
	}
	if (e.Cert == "") != (e.Key == "") {
		return fail(errors.New("a client certificate needs its key, and a key its certificate"))
	}
	config := clientv3.Config{Endpoints: e.Endpoints, Logger: zap.NewNop(), DialOptions: readOnlyOptions()}
	info := transport.TLSInfo{CertFile: e.Cert, KeyFile: e.Key, TrustedCAFile: e.CACert}
	if e.CACert+e.Cert != "" || strings.HasPrefix(e.Endpoints[0], "https://") {
		var err error
		if config.TLS, err = info.ClientConfig(); err != nil {
			return fail(fmt.Errorf("reading the certificates: %w", err))
		}
	}
	client, err := clientv3.New(config)
	if err != nil {
		return fail(err)
	}
	reached := &Endpoints{EtcdStore: cluster.EtcdStore{Client: client, Name: "etcd client, read-only"}}
	bounded, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	if err := reached.ask(bounded, e.prefix()); err != nil {
		_ = client.Close()
		if ctx.Err() != nil {
			return fail(ctx.Err())
		}
		return fail(plainError(err, config.TLS != nil && e.Cert == ""))
	}
	return reached, nil
}

func (e Etcd) prefix() string {
	if e.Prefix == "" {
		return "/registry"
	}
	return "/" + strings.Trim(e.Prefix, "/")
}

// ask asks what answers there, and whether it is an apiserver's. The first questions are not put
// through the client: it would repeat them until the time is over.
func (e *Endpoints) ask(ctx context.Context, prefix string) error {
	connection := e.Client.ActiveConnection()
	said, err := etcdserverpb.NewMaintenanceClient(connection).Status(ctx, &etcdserverpb.StatusRequest{})
	if err != nil {
		return err
	}
	e.version = said.Version
	listed, err := etcdserverpb.NewClusterClient(connection).MemberList(ctx, &etcdserverpb.MemberListRequest{})
	if err != nil {
		return err
	}
	var names []string
	for _, member := range listed.Members {
		names = append(names, member.Name)
	}
	if e.kine = isKine(names); e.kine {
		e.Name = "kine, read-only"
	}
	return e.holds(ctx, namespaceKey(prefix, "default"))
}

// dialling matches what gRPC puts around the reason why there is no connection.
var dialling = regexp.MustCompile(`^connection error: desc = "(?:transport: )?(?:authentication handshake failed: |Error while dialing: )?(.*)"$`)

// plainError says why etcd cannot be asked, in a line, without gRPC's words around it.
// anonymous says that there was TLS but no client certificate.
func plainError(err error, anonymous bool) error {
	if errors.Is(err, context.DeadlineExceeded) || status.Code(err) == codes.DeadlineExceeded {
		return fmt.Errorf("no answer within %s", dialTimeout)
	}
	text, code := err.Error(), codes.Unknown
	if said, ok := status.FromError(err); ok {
		text, code = said.Message(), said.Code()
	} else if said := (rpctypes.EtcdError{}); errors.As(err, &said) {
		code = said.Code()
	}
	text, _, _ = strings.Cut(text, "\n")
	if match := dialling.FindStringSubmatch(text); match != nil {
		text = strings.ReplaceAll(match[1], `\"`, `"`)
	}
	says := func(any ...string) bool {
		return slices.ContainsFunc(any, func(part string) bool { return strings.Contains(text, part) })
	}
	switch {
	case code == codes.Unauthenticated, says("user name is empty"):
		return errors.New("it asks for a user: name a client certificate whose common name is one (--etcd-cert, --etcd-key)")
	case code == codes.Unimplemented, says("unexpected HTTP status"):
		text, _, _ = strings.Cut(text, ";")
		return fmt.Errorf("what answers there does not speak etcd's API: %s", text)
	case code == codes.PermissionDenied:
		return fmt.Errorf("it refuses to be read: %s", text)
	case says("first record does not look like a TLS handshake"):
		return errors.New("it speaks no TLS there: http:// instead of https://")
	case says("certificate required", "bad certificate"), anonymous && says("broken pipe", "connection reset", "server preface"):
		return fmt.Errorf("it asks for a client certificate that it knows (--etcd-cert, --etcd-key): %s", text)
	case says("error reading server preface"):
		return errors.New("it speaks TLS there (https:// instead of http://), or it is no etcd")
	case says("signed by unknown authority"):
		return errors.New("its certificate is signed by nobody known here: name the authority's (--etcd-cacert)")
	}
	return errors.New(text)
}
