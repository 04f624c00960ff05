package cluster

import (
	"net/url"
	"slices"
	"strings"

	"rvtui/scenarios"
)

// reaching are the subresources through which the apiserver passes a request on: to a
// process in a container, to a port, or to whatever a node or a service answers. GET is enough
// for each of them (k8s.io/kubernetes/pkg/registry/core/pod/rest, ExecREST.ConnectMethods).
var reaching = []string{"exec", "attach", "portforward", "proxy"}

// reaches reports whether a raw request, of whatever method, would be passed on to something
// behind the apiserver, or would turn its connection into a stream of another protocol.
func reaches(call scenarios.Call) bool {
	for name := range call.Headers {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == "connection", name == "upgrade", name == "x-stream-protocol-version", strings.HasPrefix(name, "sec-websocket-"):
			return true
		}
	}
	// As net/http reads it. What it sends has no fragment, so that a path with one would be
	// another path than the one that is judged here.
	parsed, err := url.Parse("https://apiserver" + call.Path)
	if err != nil {
		return false // it cannot be sent
	}
	if strings.Contains(call.Path, "#") || parsed.Host != "apiserver" {
		return true
	}
	parts := strings.Split(strings.Trim(parsed.Path, "/"), "/")
	named := func(part string) bool {
		return slices.ContainsFunc(reaching, func(name string) bool { return strings.EqualFold(name, part) })
	}
	for _, part := range parts {
		// Who stands before the apiserver may make another path of it.
		if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "%;\\") {
			return slices.ContainsFunc(parts, named)
		}
	}
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return false
	}
	if parts[0] == "watch" {
		parts = parts[1:]
	}
	if len(parts) > 3 && parts[0] == "namespaces" {
		parts = parts[2:]
	}
	return len(parts) > 0 && parts[0] == "proxy" || len(parts) > 2 && named(parts[2])
}
