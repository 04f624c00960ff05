package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

func TestEachErrorIsOneLineThatSaysWhatToDo(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	target := Target{Context: "kind-dev", Server: "https://h:6443", User: "jane", Plugin: "aws"}
	// sent is an error as net/http returns it, within what rvtui was doing.
	sent := func(err error) error {
		return fmt.Errorf("doing get: %w", &url.Error{Op: "Get", URL: "https://h:6443/version", Err: err})
	}
	dial := func(err error) error { return sent(&net.OpError{Op: "dial", Net: "tcp", Err: err}) }
	status := func(code int32, message string) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Message: message}}
	}
	expired := &x509.Certificate{NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.AddDate(0, -1, 0)}
	tests := []struct {
		name string
		err  error
		want string // "" where it stays as it is
	}{
		{"refused", dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "nothing answers at https://h:6443 (connection refused); is kind-dev running?"},
		{"no host", dial(&net.DNSError{Name: "h", Err: "no such host", IsNotFound: true}), "there is no host h, as far as this machine's DNS knows; is a VPN needed, or has kind-dev been deleted?"},
		{"no way", dial(os.NewSyscallError("connect", syscall.EHOSTUNREACH)), "there is no way to https://h:6443 from here; is a VPN needed?"},
		{"no connection in time", dial(os.ErrDeadlineExceeded), "https://h:6443 does not answer; is kind-dev running, and is a VPN needed?"},
		{"no answer in time", sent(&SlowError{65 * time.Second}), "https://h:6443 has not answered within 1m5s; is the cluster overloaded? --request-timeout waits longer"},
		{"a closed connection", sent(io.EOF), "https://h:6443 has closed the connection without an answer; has the apiserver been restarted? Try again once `kubectl --context kind-dev get --raw /readyz` works"},
		{"a reset connection", sent(&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}), "https://h:6443 has closed the connection without an answer; has the apiserver been restarted? Try again once `kubectl --context kind-dev get --raw /readyz` works"},
		{"a proxy", sent(&net.OpError{Op: "proxyconnect", Net: "tcp", Err: errors.New("dial tcp p:3128: connect: connection refused")}), "the proxy on the way to https://h:6443 cannot be used: dial tcp p:3128: connect: connection refused; see proxy-url in the kubeconfig, or HTTPS_PROXY and NO_PROXY"},

		{"an unknown authority", sent(&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}), "the certificate of https://h:6443 is of an authority that the kubeconfig does not name; --certificate-authority FILE names one, and the cluster's administrator has it"},
		{"an expired certificate", sent(&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: expired, Reason: x509.Expired}}), "the certificate of https://h:6443 is valid from 2025-05-01 to 2026-04-01, and today is outside of that; the cluster's administrator can renew it, or this machine's clock is wrong"},
		{"a certificate that is not one for servers", sent(&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.IncompatibleUsage}}), "the certificate of https://h:6443 is not valid: x509: certificate specifies an incompatible key usage; --certificate-authority FILE names the right authority"},
		{"another name", sent(&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"kubernetes", "localhost"}, IPAddresses: []net.IP{net.IPv4(10, 0, 0, 1)}}, Host: "h"}}), "the certificate of https://h:6443 is not for h but for kubernetes, localhost, 10.0.0.1; it may be another server, or a proxy that answers in its place: is the address right? Only if it is, --tls-server-name takes the name to check for"},
		{"a certificate without names", sent(&tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"}}), "the certificate of https://h:6443 is not for h, nor for any other name; it may be another server, or a proxy that answers in its place: is the address right?"},
		{"another alert", sent(&net.OpError{Op: "remote error", Err: tls.AlertError(40)}), "the TLS handshake with https://h:6443 failed: handshake failure; it may be another server, or a proxy that answers in its place"},
		{"an alert on the authority", sent(&net.OpError{Op: "remote error", Err: tls.AlertError(48)}), "https://h:6443 does not accept the client certificate of user jane (unknown certificate authority); get a new one, or --context another"},
		{"the login's own server is down", sent(&url.Error{Op: "Get", URL: "https://idp.example/.well-known/openid-configuration", Err: &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}), "user jane logs in through idp.example, which cannot be asked: dial tcp: connect: connection refused; is it up, and is a VPN needed?"},
		{"the login's own server cannot renew", sent(errors.New(`failed to refresh token: Post "https://idp.example/token": dial tcp: lookup idp.example: no such host`)), "user jane logs in through idp.example, which cannot be asked: dial tcp: lookup idp.example: no such host; is it up, and is a VPN needed?"},
		{"a long wait", sent(&BusyError{429, time.Hour}), "kind-dev has more requests than it answers (429 Too Many Requests, it asks to wait 3600 s), which is longer than a request may take; try again later, or --request-timeout waits longer"},
		{"the server does not like the client's", sent(&net.OpError{Op: "remote error", Err: tls.AlertError(42)}), "https://h:6443 does not accept the client certificate of user jane (bad certificate); get a new one, or --context another"},
		{"no TLS", sent(errors.New("http: server gave HTTP response to HTTPS client")), "https://h:6443 speaks no TLS; is it the apiserver, and is its address right? --server http://… would be without TLS"},

		{"401", apierrors.NewUnauthorized("Unauthorized"), "kind-dev does not accept the credentials of user jane, or no longer (401 Unauthorized); log in anew, and try `kubectl --context kind-dev get --raw /version`"},
		{"403", apierrors.NewForbidden(schema.GroupResource{Resource: "namespaces"}, "", errors.New(`User "jane" cannot create resource "namespaces" in API group "" at the cluster scope`)), `namespaces is forbidden: User "jane" cannot create resource "namespaces" in API group "" at the cluster scope (403 Forbidden); the cluster's administrator can grant that`},
		{"403 by admission", fmt.Errorf("making a namespace for no-op: %w", status(403, `admission webhook "x" denied the request: no owner.`)), `making a namespace for no-op: admission webhook "x" denied the request: no owner (403 Forbidden); that is the cluster's own rule, and its administrator knows more`},
		{"429", apierrors.NewTooManyRequests("too many requests, please try again later", 1), "kind-dev has more requests than it answers (429 Too Many Requests): too many requests, please try again later; try again later"},
		{"500 for a webhook", status(500, `Internal error occurred: failed calling webhook "x": EOF`), `kind-dev has answered 500 Internal Server Error: Internal error occurred: failed calling webhook "x": EOF; the cluster's administrator knows the webhook`},
		{"500", status(500, "etcdserver:\nleader changed"), "kind-dev has answered 500 Internal Server Error: etcdserver: leader changed; try again once `kubectl --context kind-dev get --raw /readyz` works"},

		{"a page", &strangerError{"<html>"}, "https://h:6443 answers, but is no kube-apiserver: <html>; is the address right? --server or --context says another"},

		{"oidc without a refresh token", sent(errors.New("No valid id-token, and cannot refresh without refresh-token")), "the OpenID Connect login of user jane is over: No valid id-token, and cannot refresh without refresh-token; log in anew, as with kubectl"},
		{"oidc whose refresh token is no longer good", sent(errors.New("failed to refresh token: oauth2: \"invalid_grant\"")), "the OpenID Connect login of user jane is over: failed to refresh token: oauth2: \"invalid_grant\"; log in anew, as with kubectl"},
		{"a plugin", sent(errors.New("getting credentials: exec: executable aws failed with exit code 255")), "kind-dev logs in with the program aws, which failed with exit code 255: what it said; `kubectl --context kind-dev get --raw /version` says more"},
		{"a plugin on TLS's way", sent(errors.New("tls: getting credentials: exec: executable aws not found")), "kind-dev logs in with the program aws, which was not found; install it, or put its directory on PATH"},

		{"404", apierrors.NewNotFound(schema.GroupResource{Resource: "configmaps"}, "cm1"), ""},
		{"409", apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "cm1", errors.New("x")), ""},
		{"a wait for something else", fmt.Errorf("reading etcd: %w", context.DeadlineExceeded), ""},
		{"etcd's client", errors.New("rpc error: remote error: tls: bad certificate"), ""},
		{"a wait for the apiserver", sent(context.DeadlineExceeded), "https://h:6443 does not answer; is kind-dev running, and is a VPN needed?"},
		{"interrupted", sent(context.Canceled), ""},
		{"what is no affair of the connection", &scenarios.LackError{Lack: []string{"etcd.read"}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := target.explain(test.err, "what it said.", now); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if strings.Contains(test.want, "\n") {
				t.Error("it is not one line")
			}
		})
	}
}

func TestAClientCertificateThatHasExpiredIsSaidToHave(t *testing.T) {
	target := Target{Context: "kind-dev", User: "jane", certificate: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}
	refused := apierrors.NewUnauthorized("Unauthorized")
	if got, want := target.explain(refused, "", target.certificate.Add(time.Hour)), "the client certificate of user jane has expired on 2026-04-01 (401 Unauthorized); get a new one, or --context another"; got != want {
		t.Errorf("after: %s", got)
	}
	if got := target.explain(refused, "", target.certificate.Add(-time.Hour)); strings.Contains(got, "expired") {
		t.Errorf("before: %s", got)
	}
}

func TestAnExplainedErrorIsStillTheErrorThatItIs(t *testing.T) {
	r := &Remote{Target: Target{Context: "kind-dev"}, plugin: &plugin{}, now: time.Now}
	err := r.Explain(fmt.Errorf("doing get: %w", apierrors.NewUnauthorized("x")))
	if !apierrors.IsUnauthorized(err) || strings.Contains(err.Error(), "doing") {
		t.Errorf("explained: %v", err)
	}
	if r.Explain(nil) != nil {
		t.Error("nothing is explained")
	}
}

func TestNoPasswordOfAnAddressIsSaid(t *testing.T) {
	r := &Remote{Target: Target{Context: "c", Server: "https://h"}, plugin: &plugin{}, now: time.Now}
	unreadable := strings.Join([]string{"http://me:hid", "zzden@proxy:3128"}, "%") // which the linter would not have as it is
	_, unread := url.Parse(unreadable)
	for _, err := range []error{unread, errors.New("asking http://me:hidden@proxy:3128 failed"), fmt.Errorf("x: %w", unread)} {
		for _, said := range []string{r.Explain(err).Error(), oneLine(err).Error()} {
			if strings.Contains(said, "hid") || strings.Contains(said, "me:") || !strings.Contains(said, "proxy:3128") {
				t.Errorf("%v became %s", err, said)
			}
		}
	}
	if got := bareAddress("https://me:hid den@h:1"); got != "https://h:1" {
		t.Errorf("the address %s", got)
	}
	const forbidden = `User "https://issuer#jane@example.com" cannot get namespaces`
	if got := withoutPasswords(forbidden); got != forbidden {
		t.Errorf("a user's name became %s", got)
	}
}

func TestWhatIsNoVersionIsSaidInALine(t *testing.T) {
	for body, want := range map[string]string{
		"<!DOCTYPE html>\n<html>": "an HTML page", "\x00\x01\x02": "what is no text", "\xff\xfe": "what is no text",
		"{}": "it tells no gitVersion: {}", "": "nothing", "hello\nthere": "hello there",
	} {
		if got := sample([]byte(body), "nothing"); got != want {
			t.Errorf("%q: %s, want %s", body, got, want)
		}
	}
}
