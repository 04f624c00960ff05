package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// noStore is a source that is never asked anything.
type noStore struct{}

func (noStore) Source() string { return "a test" }
func (noStore) Follow(context.Context, cluster.Room) (cluster.Follower, error) {
	return nothing{}, nil
}
func (noStore) Key(context.Context, string, int64) (cluster.KeyState, error) {
	return cluster.KeyState{}, nil
}

type nothing struct{}

func (nothing) Next(context.Context, []schema.GroupVersionResource, []scenarios.Exchange) (cluster.Since, error) {
	return cluster.Since{}, nil
}
func (nothing) Stop() {}

func openNoStore(can ...string) OpenEtcd {
	return func(context.Context, Etcd, *rest.Config) (*EtcdSource, error) {
		return &EtcdSource{Store: noStore{}, Can: can, Why: func(string) string { return "it is a test" }, Version: "3.6.1"}, nil
	}
}

// server is a kube-apiserver as far as connecting goes.
type server struct {
	*httptest.Server
	token  string                                              // that it wants; "" where it takes anybody
	answer map[string]func(http.ResponseWriter, *http.Request) // by path
	mu     sync.Mutex
	seen   []string // methods and paths
}

func newServer(t *testing.T, token string) *server {
	t.Helper()
	s := &server{token: token, answer: map[string]func(http.ResponseWriter, *http.Request){}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if s.token != "" && r.Header.Get("Authorization") != "Bearer "+s.token {
		refuse(w, 401, "Unauthorized", "Unauthorized")
		return
	}
	if answer := s.answer[r.URL.Path]; answer != nil {
		answer(w, r)
		return
	}
	switch r.URL.Path {
	case "/version":
		io.WriteString(w, `{"major":"1","minor":"35","gitVersion":"v1.35.4"}`)
	case "/apis/authentication.k8s.io/v1/selfsubjectreviews":
		io.WriteString(w, `{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1","status":{"userInfo":{"username":"jane","groups":["devs"]}}}`)
	default:
		refuse(w, 404, "NotFound", "not found")
	}
}

func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":%q,"reason":%q,"code":%d}`, message, reason, code)
}

// authority is a file with the certificate of the server's authority.
func (s *server) authority(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// config is a kubeconfig with context kind-dev, whose user is what user says.
func (s *server) config(t *testing.T, user string) string {
	t.Helper()
	return kubeconfig(t, fmt.Sprintf(`
apiVersion: v1
kind: Config
current-context: kind-dev
clusters:
- {name: c, cluster: {server: %q, certificate-authority: %q}}
contexts:
- {name: kind-dev, context: {cluster: c, user: jane}}
users:
- {name: jane, user: {%s}}
`, s.URL, s.authority(t), user))
}

// connect connects as a command line would.
func connect(t *testing.T, options Options, args ...string) (*Remote, error) {
	t.Helper()
	flags, set := given(t, args...)
	if named, err := flags.Named(set); err != nil || !named {
		t.Fatalf("%q: named %t, %v", args, named, err)
	}
	options.Flags = flags
	if options.OpenEtcd == nil {
		options.OpenEtcd = openNoStore()
	}
	if options.Say == nil {
		options.Say = io.Discard
	}
	r, err := Connect(t.Context(), options)
	if err == nil {
		t.Cleanup(func() { _ = r.Close() })
	}
	return r, err
}

func TestAClusterIsLookedAtOnceAndNothingIsWritten(t *testing.T) {
	s := newServer(t, "abcdef")
	var phases []string
	r, err := connect(t, Options{Report: func(phase string) { phases = append(phases, phase) }}, "--kubeconfig", s.config(t, "token: abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (scenarios.Info{Mode: "kind-dev", Kubernetes: "1.35.4", Etcd: "3.6.1", Source: "a test"}); r.Config.Info != want {
		t.Errorf("info: %+v", r.Config.Info)
	}
	if !slices.Equal(r.Config.Can, []string{scenarios.CapabilityNoControllers}) {
		t.Errorf("it can %q", r.Config.Can)
	}
	if phases[0] != "connecting to kind-dev" {
		t.Errorf("phases: %q", phases)
	}
	for _, request := range s.seen {
		if !strings.HasPrefix(request, "GET ") {
			t.Errorf("sent: %s", request)
		}
	}
	who, err := r.Who(t.Context())
	if err != nil || who.Name != "jane" || !slices.Equal(who.Groups, []string{"devs"}) {
		t.Errorf("who: %+v, %v", who, err)
	}
}

func TestWhatAClusterCanShowIsSaidWithAReason(t *testing.T) {
	const kubeSystem, standard = "/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt", "/api/v1/namespaces/default/configmaps/kube-root-ca.crt"
	found := func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"kube-root-ca.crt"}}`)
	}
	forbidden := func(w http.ResponseWriter, _ *http.Request) { refuse(w, 403, "Forbidden", "no") }
	tests := []struct {
		name   string
		source []string
		answer map[string]func(http.ResponseWriter, *http.Request)
		can    []string
		why    string // of controllers.none
	}{
		{name: "no controller-manager", can: []string{scenarios.CapabilityNoControllers}, why: "nobody made kube-root-ca.crt, as kube-controller-manager would"},
		// That a source has what only the embedded control plane can have is not believed.
		{name: "etcd itself", source: []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityEtcdRPC}, can: []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityNoControllers}, why: "nobody made"},
		{name: "in kube-system", answer: map[string]func(http.ResponseWriter, *http.Request){kubeSystem: found}, why: "kube-controller-manager runs, or has run: it made kube-root-ca.crt in namespace kube-system"},
		{name: "in default", answer: map[string]func(http.ResponseWriter, *http.Request){standard: found}, why: "kube-controller-manager runs, or has run: it made kube-root-ca.crt in namespace default"},
		{name: "a user who may not look", answer: map[string]func(http.ResponseWriter, *http.Request){kubeSystem: forbidden}, why: "kube-controller-manager is taken to run: looking for"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newServer(t, "")
			s.answer = test.answer
			r, err := connect(t, Options{OpenEtcd: openNoStore(test.source...)}, "--kubeconfig", s.config(t, ""))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(r.Config.Can, test.can) || r.Config.Can == nil && test.can != nil {
				t.Errorf("it can %q", r.Config.Can)
			}
			for _, c := range r.Capabilities {
				if c.Why == "" {
					t.Errorf("%s has no reason", c.Name)
				}
				if c.Name == scenarios.CapabilityNoControllers && !strings.HasPrefix(c.Why, test.why) {
					t.Errorf("%s: %s", c.Name, c.Why)
				}
			}
			if len(r.Capabilities) != len(scenarios.Capabilities) {
				t.Errorf("of %d capabilities, %d are said", len(scenarios.Capabilities), len(r.Capabilities))
			}
		})
	}
}

func TestWhatGoesWrongAtTheStartIsOneClearLine(t *testing.T) {
	s := newServer(t, "abcdef")
	closed := httptest.NewTLSServer(nil)
	closed.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	html := newServer(t, "")
	html.answer["/version"] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html>\n<title>Log in</title>")
	}
	missing := newServer(t, "")
	missing.answer["/version"] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(404)
		io.WriteString(w, "<h1>404</h1>")
	}
	forbidding := newServer(t, "")
	forbidding.answer["/version"] = func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, 403, "Forbidden", `forbidden: User "jane" cannot get path "/version"`)
	}
	starting := newServer(t, "")
	starting.answer["/version"] = func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, 503, "ServiceUnavailable", "starting")
	}
	ca := s.authority(t)
	// httptest's certificate is for example.com and 127.0.0.1.
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a wrong token", []string{"--kubeconfig", s.config(t, "token: other")}, "kind-dev does not accept the credentials of user jane, or no longer (401 Unauthorized); log in anew, and try `kubectl --kubeconfig "},
		{"nothing there", []string{"--server", closed.URL}, "nothing answers at " + closed.URL + " (connection refused); is " + strings.TrimPrefix(closed.URL, "https://") + " running?"},
		{"an unknown authority", []string{"--server", s.URL}, "the certificate of " + s.URL + " is of an authority that the kubeconfig does not name; --certificate-authority FILE"},
		{"another name", []string{"--server", "https://localhost:" + port, "--certificate-authority", ca}, "the certificate of https://localhost:" + port + " is not for localhost but for example.com"},
		{"no TLS", []string{"--server", strings.Replace(plain.URL, "http:", "https:", 1)}, strings.Replace(plain.URL, "http:", "https:", 1) + " speaks no TLS"},
		{"TLS, unasked for", []string{"--server", strings.Replace(s.URL, "https:", "http:", 1)}, strings.Replace(s.URL, "https:", "http:", 1) + " answers, but is no kube-apiserver: Client sent an HTTP request to an HTTPS server."},
		{"a page", []string{"--kubeconfig", html.config(t, "")}, html.URL + " answers, but is no kube-apiserver: an HTML page; is the address right?"},
		{"no such page", []string{"--kubeconfig", missing.config(t, "")}, missing.URL + " answers, but is no kube-apiserver: the server could not find the requested resource; is the address right?"},
		{"forbidden", []string{"--kubeconfig", forbidding.config(t, "")}, `forbidden: User "jane" cannot get path "/version" (403 Forbidden); the cluster's administrator can grant that`},
		{"not ready", []string{"--kubeconfig", starting.config(t, "")}, "kind-dev has answered 503 Service Unavailable: starting; try again once `kubectl --kubeconfig "},
		{"a proxy that is not there", []string{"--kubeconfig", s.config(t, "token: abcdef"), "--proxy-url", closed.URL}, "the proxy on the way to " + s.URL + " cannot be used: "},
	}
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := connect(t, Options{}, test.args...)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant %s…", err, test.want)
			}
		})
	}
}

func TestAnAnswerThatDoesNotComeIsGivenUp(t *testing.T) {
	s := newServer(t, "")
	gone := make(chan struct{})
	s.answer["/version"] = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done(); close(gone) }
	_, err := connect(t, Options{}, "--kubeconfig", s.config(t, ""), "--request-timeout", "50ms")
	if want := s.URL + " has not answered within 50ms; is the cluster overloaded? --request-timeout waits longer"; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	<-gone
}

func TestTheUsersInterruptEndsConnecting(t *testing.T) {
	s := newServer(t, "")
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupt := errors.New("interrupted")
	s.answer["/version"] = func(_ http.ResponseWriter, r *http.Request) { cancel(interrupt); <-r.Context().Done() }
	flags, set := given(t, "--kubeconfig", s.config(t, ""))
	if _, err := flags.Named(set); err != nil {
		t.Fatal(err)
	}
	if _, err := Connect(ctx, Options{Flags: flags, OpenEtcd: openNoStore()}); !errors.Is(err, interrupt) && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAProxyOfTheKubeconfigIsUsed(t *testing.T) {
	s := newServer(t, "")
	tunnels := make(chan string, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tunnels <- r.Method + " " + r.Host
		to, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.Host)
		if err != nil {
			w.WriteHeader(502)
			return
		}
		defer to.Close()
		w.WriteHeader(200)
		from, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer from.Close()
		go io.Copy(to, from)
		io.Copy(from, to)
	}))
	defer proxy.CloseClientConnections()
	config := s.config(t, "")
	content, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	config = kubeconfig(t, strings.Replace(string(content), "cluster: {server", "cluster: {proxy-url: "+proxy.URL+", server", 1))
	if _, err := connect(t, Options{}, "--kubeconfig", config); err != nil {
		t.Fatal(err)
	}
	if got, want := <-tunnels, "CONNECT "+s.Listener.Addr().String(); got != want {
		t.Errorf("the proxy was asked to %s", got)
	}
}

func TestAClientCertificateLogsIn(t *testing.T) {
	s := newServer(t, "")
	var names []string
	s.TLS.ClientAuth = tls.RequestClientCert
	s.answer["/version"] = func(w http.ResponseWriter, r *http.Request) {
		for _, certificate := range r.TLS.PeerCertificates {
			names = append(names, certificate.DNSNames...)
		}
		io.WriteString(w, `{"gitVersion":"v1.35.4"}`)
	}
	cert, key := filepath.Join(t.TempDir(), "crt"), filepath.Join(t.TempDir(), "key")
	pair := s.TLS.Certificates[0]
	pkcs8, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := connect(t, Options{}, "--kubeconfig", s.config(t, fmt.Sprintf("client-certificate: %q, client-key: %q", cert, key)))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 || !r.certificate.Equal(s.Certificate().NotAfter) {
		t.Errorf("the server saw the certificate of %q, which ends at %v", names, r.certificate)
	}
}
