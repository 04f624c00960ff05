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
	for _, endpoint := range e.Endpoints {
		if _, address, found := cutUser(endpoint); found {
			return nil, fmt.Errorf("reaching etcd at %s: its address has a user's name or password in it, which etcd's client does not send; a client certificate says who you are (--etcd-cert, --etcd-key)", address)
		}
	}
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
		return fail(plainError(err, credentials{tls: config.TLS != nil, certificate: e.Cert != ""}))
	}
	return reached, nil
}

// cutUser takes a user's name and password out of an address, whether it can be parsed or not.
func cutUser(address string) (user, rest string, found bool) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		scheme, rest = "", address
	} else {
		scheme += "://"
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 || scheme == "unix://" {
		return "", address, false
	}
	return rest[:at], scheme + rest[at+1:], true
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

// credentials are what an etcd was asked with.
type credentials struct{ tls, certificate bool }

// dialling matches what gRPC puts around the reason why there is no connection.
var dialling = regexp.MustCompile(`^connection error: desc = "(?:transport: )?(?:authentication handshake failed: |Error while dialing: )?(.*)"$`)

// refusedCertificate are the alerts of a server that does not accept the client's certificate
// (crypto/tls, alert.go).
var refusedCertificate = []string{
	"tls: certificate required", "tls: bad certificate", "tls: unsupported certificate", "tls: revoked certificate",
	"tls: expired certificate", "tls: unknown certificate",
}

// plainError says why etcd cannot be asked, in a line, without gRPC's words around it.
func plainError(err error, with credentials) error {
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
	// With TLS 1.3 a server refuses the client's certificate only after the handshake, so that
	// the client may see no more than a connection that ends.
	case with.certificate && (says(refusedCertificate...) || says("broken pipe", "connection reset", "server preface")):
		return errors.New("it does not accept this client certificate (--etcd-cert, --etcd-key)")
	case says(refusedCertificate...), with.tls && says("broken pipe", "connection reset", "server preface"):
		return fmt.Errorf("it asks for a client certificate that it knows (--etcd-cert, --etcd-key): %s", text)
	case says("error reading server preface"):
		return errors.New("it speaks TLS there (https:// instead of http://), or it is no etcd")
	case says("signed by unknown authority"):
		return errors.New("its certificate is signed by nobody known here: name the authority's (--etcd-cacert)")
	}
	return errors.New(text)
}
