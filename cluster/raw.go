package cluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"k8s.io/client-go/rest"

	"rvtui/scenarios"
)

// raw sends one request as the call gives it, with the actor's credentials, and repeats
// nothing. Nothing is added but the User-Agent and the traceparent: also no Content-Type.
func (st *step) raw(ctx context.Context, call scenarios.Call) error {
	config := st.config(call.Actor)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return fmt.Errorf("making a client for %s: %w", call.Actor, err)
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return fmt.Errorf("reading the apiserver's address: %w", err)
	}
	target, err := rawURL(base, call.Path)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, target, strings.NewReader(call.Body))
	if err != nil {
		return fmt.Errorf("making the request: %w", err)
	}
	for name, value := range call.Headers {
		request.Header.Set(name, value)
	}
	st.nameFromPath(call)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// rawURL is a path with its query on the apiserver, and nowhere else: the request carries
// credentials.
func rawURL(base *url.URL, path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		return "", fmt.Errorf("the path %q does not begin with a slash", path)
	}
	return strings.TrimSuffix(base.Scheme+"://"+base.Host+base.Path, "/") + path, nil
}
