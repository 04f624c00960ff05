package cluster

import (
	"net/http"
	"regexp"
	"strings"
)

// The headers that are recorded. A header that is in neither list may be a credential
// and is left out; a raw call's own headers are recorded too, unless they are credentials.
var (
	requestHeaders = []string{
		"Accept", "Content-Type", "User-Agent", "Traceparent",
		"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
	}
	responseHeaders = []string{
		"Content-Type", "Retry-After", "Audit-Id", "Warning", "Date", "Etag", "Last-Modified",
		"Cache-Control", "Deprecation", "Location",
		"X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid",
	}
)

// credentialName matches the names of headers that carry, or may carry, credentials.
var credentialName = regexp.MustCompile(`(?i)auth|cookie|token|secret|password|credential|api-?key|session|x-remote-|client-cert`)

// keptHeaders picks the headers named in allowed and in own out of header.
func keptHeaders(header http.Header, allowed []string, own map[string]string) map[string]string {
	kept := map[string]string{}
	for _, name := range allowed {
		if values := header.Values(name); len(values) > 0 {
			kept[name] = strings.Join(values, ", ")
		}
	}
	for name := range own {
		name = http.CanonicalHeaderKey(name)
		if values := header.Values(name); len(values) > 0 && !credentialName.MatchString(name) {
			kept[name] = strings.Join(values, ", ")
		}
	}
	return kept
}
