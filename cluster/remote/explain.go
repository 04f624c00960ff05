package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Explain makes of what went wrong with a request one line that says what to do next. What
// is no affair of the connection stays as it is.
func (r *Remote) Explain(err error) error {
	if err == nil {
		return nil
	}
	said := ""
	if pluginFailure.MatchString(err.Error()) {
		said = r.plugin.said()
	}
	line := r.explain(err, said, r.now())
	if line == "" {
		line = err.Error()
	}
	if line = withoutPasswords(line); line == err.Error() {
		return err
	}
	return &lineError{line, err}
}

// explain is that line, or "" where there is nothing better to say than err itself. said is
// the last line of the credential plugin.
func (t Target) explain(err error, said string, now time.Time) string {
	if errors.Is(err, context.Canceled) {
		return ""
	}
	if onTheWay(err) {
		for _, explain := range []func(error) string{
			func(err error) string { return t.explainLogin(err, said) }, t.explainElsewhere, t.explainTLS, t.explainNetwork,
		} {
			if line := explain(err); line != "" {
				return line
			}
		}
	}
	return t.explainAnswer(err, now)
}

// onTheWay reports whether an error is one of a request to the apiserver. Those of etcd's own
// client, and of a wait that has nothing to do with either, look much the same.
func onTheWay(err error) bool {
	var request *url.Error
	var network *net.OpError
	var slow *SlowError
	return errors.As(err, &request) || errors.As(err, &network) || errors.As(err, &slow)
}

// What client-go's credential plugins come to, which are texts alone (wrapCmdRunErrorLocked
// and refreshCredsLocked in k8s.io/client-go/plugin/pkg/client/auth/exec).
var (
	pluginFailure = regexp.MustCompile(`(?s)getting credentials: (.*)$`)
	pluginMissing = regexp.MustCompile(`exec: executable (\S+) not found`)
	pluginExit    = regexp.MustCompile(`exec: executable \S+ failed with exit code (-?\d+)`)
)

// explainLogin is about what happens before a request is sent: the credentials' plugin.
func (t Target) explainLogin(err error, said string) string {
	text := err.Error()
	if failure := pluginFailure.FindStringSubmatch(text); failure != nil {
		return t.explainPlugin(failure[1], said)
	}
	if failed := refreshing.FindStringSubmatch(text); failed != nil {
		if line := t.loginUnreachable(failed[1], failed[2]); line != "" {
			return line
		}
	}
	for _, oidc := range []string{"No valid id-token", "failed to refresh token", "token response did not contain an id_token", "oidc: "} {
		if at := strings.Index(text, oidc); at >= 0 {
			return fmt.Sprintf("the OpenID Connect login of %s is over: %s; log in anew, as with kubectl", t.who(), firstLine(text[at:], ""))
		}
	}
	return ""
}

// refreshing is what is sent to an OpenID Connect provider, in client-go's text of what went
// wrong, which is all that it leaves of the error (k8s.io/client-go/plugin/pkg/client/auth/oidc).
var refreshing = regexp.MustCompile(`failed to refresh token: (?:Get|Post) "([^"]*)": (.*)`)

// explainElsewhere is about a request that the login makes of its own, to another server.
func (t Target) explainElsewhere(err error) string {
	var requests []*url.Error
	for inner := err; ; {
		request, ok := errors.AsType[*url.Error](inner)
		if !ok {
			break
		}
		requests, inner = append(requests, request), request.Err
	}
	if len(requests) < 2 {
		return ""
	}
	last := requests[len(requests)-1]
	return t.loginUnreachable(last.URL, last.Err.Error())
}

// loginUnreachable is "" where an address is the apiserver's own.
func (t Target) loginUnreachable(address, why string) string {
	asked, err := url.Parse(address)
	server, serverErr := url.Parse(t.Server)
	if err != nil || serverErr == nil && asked.Host == server.Host {
		return ""
	}
	return fmt.Sprintf("%s logs in through %s, which cannot be asked: %s; is it up, and is a VPN needed?", t.who(), asked.Host, firstLine(why, "no reason is known"))
}

func (t Target) explainPlugin(why, said string) string {
	plugin := fmt.Sprintf("%s logs in with the program %s", t.Name(), t.Plugin)
	if missing := pluginMissing.FindStringSubmatch(why); missing != nil {
		line := fmt.Sprintf("%s, which was not found; install it, or put its directory on PATH", plugin)
		if hints := strings.Split(why, "\n\n"); len(hints) > 2 { // client-go's own text, then the kubeconfig's
			line += ": " + firstLine(hints[len(hints)-1], "")
		}
		return line
	}
	if strings.Contains(why, "cannot support interactive mode") {
		return fmt.Sprintf("%s, which wants to ask something, and cannot now; log in with kubectl, or start rvtui anew in a terminal", plugin)
	}
	if exit := pluginExit.FindStringSubmatch(why); exit != nil {
		line := fmt.Sprintf("%s, which failed with exit code %s", plugin, exit[1])
		if said != "" {
			line += ": " + strings.TrimRight(firstLine(said, ""), ".")
		}
		return line + "; " + t.tryKubectl()
	}
	return fmt.Sprintf("%s, which failed: %s; %s", plugin, firstLine(why, ""), t.tryKubectl())
}

// aboutCertificate are the alerts of a server that does not accept the client's certificate
// (crypto/tls, alert.go).
var aboutCertificate = regexp.MustCompile(`tls: (bad|unsupported|revoked|expired|unknown) certificate|tls: (unknown certificate authority|certificate required)`)

// explainTLS is about certificates.
func (t Target) explainTLS(err error) string {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var name x509.HostnameError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	switch text := err.Error(); {
	case errors.As(err, &unknown):
		return fmt.Sprintf("the certificate of %s is of an authority that the kubeconfig does not name; --certificate-authority FILE names one, and the cluster's administrator has it", t.Server)
	case errors.As(err, &name):
		line := fmt.Sprintf("the certificate of %s is not for %s", t.Server, name.Host)
		if names := certificateNames(name.Certificate); len(names) > 0 {
			return fmt.Sprintf("%s but for %s; it may be another server, or a proxy that answers in its place: is the address right? Only if it is, --tls-server-name takes the name to check for", line, strings.Join(names, ", "))
		}
		return line + ", nor for any other name; it may be another server, or a proxy that answers in its place: is the address right?"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		if invalid.Cert != nil {
			return fmt.Sprintf("the certificate of %s is valid from %s to %s, and today is outside of that; the cluster's administrator can renew it, or this machine's clock is wrong",
				t.Server, invalid.Cert.NotBefore.Format(time.DateOnly), invalid.Cert.NotAfter.Format(time.DateOnly))
		}
		return fmt.Sprintf("the certificate of %s is expired or not yet valid; the cluster's administrator can renew it, or this machine's clock is wrong", t.Server)
	case strings.Contains(text, "tls: ") && aboutCertificate.MatchString(text):
		return fmt.Sprintf("%s does not accept the client certificate of %s (%s); get a new one, or --context another", t.Server, t.who(), after(text, "tls: "))
	case errors.As(err, &alert) || strings.Contains(text, "remote error: tls:"):
		return fmt.Sprintf("the TLS handshake with %s failed: %s; it may be another server, or a proxy that answers in its place", t.Server, after(text, "tls: "))
	case errors.As(err, &record) || strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return fmt.Sprintf("%s speaks no TLS; is it the apiserver, and is its address right? --server http://… would be without TLS", t.Server)
	case errors.As(err, &invalid):
		return fmt.Sprintf("the certificate of %s is not valid: %v; --certificate-authority FILE names the right authority", t.Server, invalid)
	}
	return ""
}

func certificateNames(certificate *x509.Certificate) []string {
	if certificate == nil {
		return nil
	}
	const most = 5
	names := certificate.DNSNames
	for _, ip := range certificate.IPAddresses {
		names = append(names, ip.String())
	}
	return names[:min(most, len(names))]
}

// explainNetwork is about not getting there at all, or getting no answer.
func (t Target) explainNetwork(err error) string {
	var slow *SlowError
	var busy *BusyError
	var dns *net.DNSError
	var op *net.OpError
	timeout, _ := errors.AsType[net.Error](err)
	text := err.Error()
	switch {
	case strings.Contains(text, "proxyconnect"), errors.As(err, &op) && (op.Op == "proxyconnect" || op.Op == "socks connect"):
		return fmt.Sprintf("the proxy on the way to %s cannot be used: %s; see proxy-url in the kubeconfig, or HTTPS_PROXY and NO_PROXY", t.Server, after(text, "proxyconnect tcp: "))
	case errors.As(err, &busy):
		return fmt.Sprintf("%s has more requests than it answers (%v), which is longer than a request may take; try again later, or --request-timeout waits longer", t.Name(), busy)
	case errors.As(err, &slow):
		return fmt.Sprintf("%s has not answered within %s; is the cluster overloaded? --request-timeout waits longer", t.Server, slow.After)
	case errors.As(err, &dns):
		return fmt.Sprintf("there is no host %s, as far as this machine's DNS knows; is a VPN needed, or has %s been deleted?", dns.Name, t.Name())
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("nothing answers at %s (connection refused); is %s running?", t.Server, t.Name())
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return fmt.Sprintf("there is no way to %s from here; is a VPN needed?", t.Server)
	case timeout != nil && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, syscall.ETIMEDOUT):
		return fmt.Sprintf("%s does not answer; is %s running, and is a VPN needed?", t.Server, t.Name())
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Sprintf("%s has closed the connection without an answer; has the apiserver been restarted? Try again once %s works", t.Server, t.kubectl("get --raw /readyz"))
	}
	return ""
}

// explainAnswer is about what the server answered.
func (t Target) explainAnswer(err error, now time.Time) string {
	var stranger *strangerError
	if errors.As(err, &stranger) {
		return fmt.Sprintf("%s answers, but is no kube-apiserver: %s; is the address right? --server or --context says another", t.Server, stranger.answer)
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return ""
	}
	message := firstLine(strings.TrimSpace(after(status.Status().Message, "")), string(status.Status().Reason))
	switch code := int(status.Status().Code); {
	case code == http.StatusUnauthorized && !t.certificate.IsZero() && now.After(t.certificate):
		return fmt.Sprintf("the client certificate of %s has expired on %s (401 Unauthorized); get a new one, or --context another", t.who(), t.certificate.Format(time.DateOnly))
	case code == http.StatusUnauthorized:
		return fmt.Sprintf("%s does not accept the credentials of %s, or no longer (401 Unauthorized); log in anew, and try %s", t.Name(), t.who(), t.kubectl("get --raw /version"))
	case code == http.StatusForbidden:
		said := err.Error()               // with what was being done
		if strings.Contains(said, "\n") { // several errors
			said = message
		}
		said = strings.TrimRight(said, ".")
		if strings.Contains(message, `User "`) && strings.Contains(message, " cannot ") { // as authorization has it (NewForbidden in k8s.io/apiserver's responsewriters)
			return said + " (403 Forbidden); the cluster's administrator can grant that"
		}
		return said + " (403 Forbidden); that is the cluster's own rule, and its administrator knows more"
	case code == http.StatusTooManyRequests:
		return fmt.Sprintf("%s has more requests than it answers (429 Too Many Requests): %s; try again later", t.Name(), strings.TrimRight(message, "."))
	case code >= http.StatusInternalServerError && strings.Contains(message, "failed calling webhook"):
		return fmt.Sprintf("%s has answered %d %s: %s; the cluster's administrator knows the webhook", t.Name(), code, http.StatusText(code), message)
	case code >= http.StatusInternalServerError:
		return fmt.Sprintf("%s has answered %d %s: %s; try again once %s works", t.Name(), code, http.StatusText(code), message, t.kubectl("get --raw /readyz"))
	}
	return ""
}

// An address with a user's name and password in it, and one that net/url could not read.
var (
	userInAddress = regexp.MustCompile(`(\w://)[^/?#\s"']*@`)
	unreadAddress = regexp.MustCompile(`(parse \\?"(?:[\w+.-]+://)?)[^"]*@`)
)

// withoutPasswords takes users' names and passwords out of the addresses in a text.
func withoutPasswords(text string) string {
	return unreadAddress.ReplaceAllString(userInAddress.ReplaceAllString(text, "$1"), "$1")
}

// who is the user as a person calls them.
func (t Target) who() string {
	if t.User != "" {
		return "user " + t.User
	}
	return "this user"
}

// kubectl is a command to try the same with.
func (t Target) kubectl(what string) string {
	which := "--context " + t.Context
	if t.Context == "" {
		which = "--server " + t.Server
	}
	if t.kubeconfig != "" {
		which = "--kubeconfig " + t.kubeconfig + " " + which
	}
	return fmt.Sprintf("`kubectl %s %s`", which, what)
}

func (t Target) tryKubectl() string { return t.kubectl("get --raw /version") + " says more" }

// after is what comes after the last mark in a text, or all of it.
func after(text, mark string) string {
	if at := strings.LastIndex(text, mark); mark != "" && at >= 0 {
		return text[at+len(mark):]
	}
	return text
}
