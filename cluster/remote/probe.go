package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/rest"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authentication "k8s.io/client-go/kubernetes/typed/authentication/v1"
	core "k8s.io/client-go/kubernetes/typed/core/v1"

	"rvtui/scenarios"
)

// strangerError is an answer to /version that no kube-apiserver gives.
type strangerError struct{ answer string }

func (e *strangerError) Error() string { return "no kube-apiserver: " + e.answer }

// serverVersion asks for the apiserver's version, without the "v".
func serverVersion(ctx context.Context, client rest.Interface) (string, error) {
	result := client.Get().AbsPath("/version").Do(ctx)
	body, _ := result.Raw()
	if err := result.Error(); err != nil { // Raw's says nothing of what the server said
		if apierrors.IsNotFound(err) || apierrors.IsBadRequest(err) || apierrors.IsMethodNotSupported(err) {
			return "", &strangerError{sample(body, err.Error())}
		}
		if stranger := (*strangerError)(nil); errors.As(err, &stranger) {
			return "", stranger
		}
		return "", err
	}
	var is version.Info
	if err := json.Unmarshal(body, &is); err != nil || is.GitVersion == "" {
		return "", &strangerError{sample(body, "an empty answer")}
	}
	return strings.TrimPrefix(is.GitVersion, "v"), nil
}

// sample is what an answer begins with, as far as a person can read it.
func sample(body []byte, otherwise string) string {
	begins := strings.ToLower(string(bytes.TrimSpace(body[:min(len(body), 64)])))
	switch {
	case strings.HasPrefix(begins, "<!doctype html"), strings.HasPrefix(begins, "<html"):
		return "an HTML page"
	case !utf8.Valid(body) || bytes.ContainsFunc(body, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }):
		return "what is no text"
	case strings.HasPrefix(begins, "{"):
		return "it tells no gitVersion: " + firstLine(string(body), otherwise)
	}
	return firstLine(string(body), otherwise)
}

// firstLine is what a text begins with, or else something else.
func firstLine(text, otherwise string) string {
	const most = 160
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return otherwise
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Capability is one of scenarios.Capabilities, whether the cluster has it, and why.
type Capability struct {
	Name string
	Has  bool
	Why  string
}

func can(all []Capability) []string {
	has := []string{} // nil would be everything
	for _, c := range all {
		if c.Has {
			has = append(has, c.Name)
		}
	}
	return has
}

// capabilities looks at what the cluster can show. What would disturb others it never has.
func capabilities(ctx context.Context, config *rest.Config, etcd *EtcdSource) ([]Capability, error) {
	alone, why, err := noControllers(ctx, config)
	if err != nil {
		return nil, err
	}
	known := map[string]Capability{
		scenarios.CapabilityEtcdRPC:          {Why: "what an apiserver asks of etcd is recorded only where it runs inside of the same rvtui"},
		scenarios.CapabilityEtcdCompact:      {Why: "the history in etcd is everybody's"},
		scenarios.CapabilityAPIServerRestart: {Why: "the apiserver is everybody's"},
		scenarios.CapabilityAPIServerLoad:    {Why: "what an apiserver can answer at a time is everybody's"},
		scenarios.CapabilityAPIServerKinds:   {Why: "kinds are everybody's"},
		scenarios.CapabilityNoControllers:    {Has: alone, Why: why},
	}
	var all []Capability
	for _, name := range scenarios.Capabilities {
		c, ok := known[name]
		if !ok { // it is the source's
			c = Capability{Has: slices.Contains(etcd.Can, name), Why: "seen through: " + etcd.Store.Source()}
			if !c.Has {
				c.Why = etcd.Why(name)
			}
		}
		c.Name = name
		all = append(all, c)
	}
	return all, nil
}

// The ConfigMap that kube-controller-manager keeps in each namespace
// (k8s.io/kubernetes/pkg/controller/certificates/rootcacertpublisher).
const rootCA = "kube-root-ca.crt"

// noControllers reports whether no kube-controller-manager runs, as far as can be told.
func noControllers(ctx context.Context, config *rest.Config) (alone bool, why string, err error) {
	client, err := core.NewForConfig(named(config))
	if err != nil {
		return false, "", err
	}
	for _, namespace := range []string{metav1.NamespaceSystem, metav1.NamespaceDefault} {
		_, err := client.ConfigMaps(namespace).Get(ctx, rootCA, metav1.GetOptions{})
		switch {
		case err == nil:
			return false, fmt.Sprintf("kube-controller-manager runs, or has run: it made %s in namespace %s", rootCA, namespace), nil
		case apierrors.IsForbidden(err):
			return false, fmt.Sprintf("kube-controller-manager is taken to run: looking for %s in namespace %s is forbidden", rootCA, namespace), nil
		case !apierrors.IsNotFound(err):
			return false, "", fmt.Errorf("looking for %s in namespace %s: %w", rootCA, namespace, err)
		}
	}
	return true, "nobody made " + rootCA + ", as kube-controller-manager would", nil
}

// Who is the user as the cluster sees it.
type Who struct {
	Name   string
	Groups []string
}

// Who asks the cluster who the user is. An apiserver without SelfSubjectReview (before 1.28) and
// one that does not tell are no errors: then nobody knows.
func (r *Remote) Who(ctx context.Context) (Who, error) {
	client, err := authentication.NewForConfig(named(r.Config.REST))
	if err != nil {
		return Who{}, fmt.Errorf("asking who the user is: %w", err)
	}
	review, err := client.SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	switch {
	case err == nil:
		return Who{review.Status.UserInfo.Username, review.Status.UserInfo.Groups}, nil
	case apierrors.IsNotFound(err), apierrors.IsForbidden(err):
		return Who{}, nil
	}
	return Who{}, r.Explain(err)
}
