package cluster

import (
	"encoding/json"
	"testing"

	"rvtui/scenarios"
)

func TestAnAnswerTellsWhoseRevisionItWas(t *testing.T) {
	const configMap, collection = "/api/v1/namespaces/ns/configmaps/cm1", "/api/v1/namespaces/ns/configmaps"
	exchange := func(method, path string, at float64, body string) scenarios.Exchange {
		return scenarios.Exchange{Method: method, Path: path, Status: 200, StartedMs: at, DurationMs: 10, ResponseBody: json.RawMessage(body)}
	}
	object := func(name, version, more string) string {
		return `{"kind":"ConfigMap","metadata":{"name":"` + name + `","resourceVersion":"` + version + `"` + more + `}}`
	}
	const success = `{"kind":"Status","status":"Success"}`
	const terminating = `,"deletionTimestamp":"2026-01-01T00:00:00Z"`
	put := scenarios.Revision{Revision: 7, Op: "PUT", Key: "/registry/configmaps/ns/cm1", Own: true}
	deleted := scenarios.Revision{Revision: 7, Op: "DELETE", Key: "/registry/configmaps/ns/cm1", Own: true}
	earlier := scenarios.Revision{Revision: 6, Op: "PUT", Key: "/registry/configmaps/ns/cm1", Own: true, Exchange: new(0)}
	const nobody = -1
	tests := map[string]struct {
		exchanges []scenarios.Exchange
		before    []scenarios.Revision
		revision  scenarios.Revision
		want      int
	}{
		"a PATCH of a subresource":                 {exchanges: []scenarios.Exchange{exchange("PATCH", "/apis/apps/v1/namespaces/ns/deployments/d/scale?fieldManager=m", 0, object("d", "7", ""))}, revision: scenarios.Revision{Revision: 7, Op: "PUT", Key: "/registry/deployments/ns/d", Own: true}},
		"a custom kind":                            {exchanges: []scenarios.Exchange{exchange("PUT", "/apis/example.com/v1/namespaces/ns/things/t", 0, object("t", "7", ""))}, revision: scenarios.Revision{Revision: 7, Op: "PUT", Key: "/registry/example.com/things/ns/t", Own: true}},
		"an apiserver at a path":                   {exchanges: []scenarios.Exchange{exchange("PUT", "/k8s/clusters/c1"+configMap, 0, object("cm1", "7", ""))}, revision: put},
		"a name that the server made up":           {exchanges: []scenarios.Exchange{exchange("POST", collection, 0, object("cm1", "7", ""))}, revision: put},
		"a write that changed nothing came second": {exchanges: []scenarios.Exchange{exchange("PATCH", configMap, 5, object("cm1", "7", "")), exchange("PATCH", configMap, 0, object("cm1", "7", ""))}, revision: put, want: 1},
		"an object of another kind, same name":     {exchanges: []scenarios.Exchange{exchange("PUT", "/apis/apps/v1/namespaces/ns/deployments/cm1", 0, object("cm1", "7", ""))}, revision: put, want: nobody},
		"a dry run":                                {exchanges: []scenarios.Exchange{exchange("DELETE", configMap+"?dryRun=All", 0, success)}, revision: deleted, want: nobody},
		"another namespace":                        {exchanges: []scenarios.Exchange{exchange("DELETE", "/api/v1/namespaces/ns2/configmaps/cm1", 0, success)}, revision: deleted, want: nobody},
		"a DELETE":                                 {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, success)}, revision: deleted},
		"a DELETE answered with the object":        {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, object("cm1", "5", ""))}, revision: deleted},
		"a DELETE that waits for a finalizer":      {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, object("cm1", "6", terminating+`,"finalizers":["f"]`))}, revision: deleted, want: nobody},
		"a DELETE that only begins":                {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, object("cm1", "6", terminating))}, before: []scenarios.Revision{earlier}, revision: deleted, want: nobody},
		"a PUT that takes the last finalizer off":  {exchanges: []scenarios.Exchange{exchange("PUT", configMap, 0, object("cm1", "5", terminating))}, revision: deleted},
		"a PUT that leaves a finalizer":            {exchanges: []scenarios.Exchange{exchange("PUT", configMap, 0, object("cm1", "5", terminating+`,"finalizers":["f"]`))}, revision: deleted, want: nobody},
		"a DELETE of the whole collection":         {exchanges: []scenarios.Exchange{exchange("DELETE", collection, 0, success)}, before: []scenarios.Revision{earlier}, revision: deleted},
		"replace --force: the DELETE":              {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, success), exchange("POST", collection, 20, object("cm1", "8", ""))}, revision: deleted},
		"replace --force: the POST":                {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, success), exchange("POST", collection, 20, object("cm1", "7", ""))}, revision: put, want: 1},
		"deleted twice":                            {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, success), exchange("DELETE", configMap, 20, success)}, before: []scenarios.Revision{earlier}, revision: deleted, want: 1},
		"kubectl in a second terminal":             {exchanges: []scenarios.Exchange{exchange("PUT", configMap, 0, object("cm1", "8", ""))}, revision: put, want: nobody},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := nobody
			if i := answeringExchange("/registry", "ns", test.revision, &scenarios.Observation{Exchanges: test.exchanges, Revisions: test.before}); i != nil {
				got = *i
			}
			if got != test.want {
				t.Errorf("exchange %d, want %d", got, test.want)
			}
		})
	}
}

func TestACancelledStepsRevisionIsStillItsWritersByTheAnswer(t *testing.T) {
	s := &Session{namespace: "ns", wrote: map[revisionKey]string{}, cluster: &Cluster{config: Config{Prefix: "/registry"}}}
	s.blame(scenarios.Call{}, []scenarios.Exchange{{
		Actor: scenarios.A, Method: "PUT", Path: "/api/v1/namespaces/ns/configmaps/cm1", Status: 200,
		ResponseBody: json.RawMessage(`{"kind":"ConfigMap","metadata":{"name":"cm1","resourceVersion":"7"}}`),
	}}, nil)
	if by := s.wrote[revisionKey{7, "/registry/configmaps/ns/cm1"}]; by != string(scenarios.A) {
		t.Errorf("written by %q", by)
	}
}
