package embedded

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"rvtui/cluster/rpcs"
)

func newTraceID(t *testing.T) string {
	t.Helper()
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(id)
}

// send sends a request with a registered trace id.
func send(ctx context.Context, t *testing.T, c *ControlPlane, method, path, body, traceID string) (*http.Response, error) {
	t.Helper()
	config := c.RESTConfig()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, config.Host+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("traceparent", "00-"+traceID+"-00f067aa0ba902b7-00")
	recorder.Register(traceID)
	return client.Do(request)
}

// summary puts calls into words, such as "Range /k; Txn /k if mod=3 put true".
func summary(calls []rpcs.Call) string {
	var words []string
	for _, call := range calls {
		text := call.RPC.Method + " " + call.RPC.Key
		if revision := call.RPC.CompareModRevision; revision != nil {
			text += fmt.Sprintf(" if mod=%d %s %t", *revision, call.RPC.Writes, *call.RPC.Succeeded)
		}
		words = append(words, text)
	}
	return strings.Join(words, "; ")
}
