package cluster

import (
	"encoding/json"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestAnAnswerTellsWhoseRevisionItWas(t *testing.T) {
	const configMap, collection = "/api/v1/namespaces/ns/configmaps/cm1", "/api/v1/namespaces/ns/configmaps"
	const asking = `{"metadata":{"resourceVersion":"6"}}`
	exchange := func(method, path string, at float64, body string) scenarios.Exchange {
		return scenarios.Exchange{Method: method, Path: path, Status: 200, StartedMs: at, DurationMs: 10, RequestBody: json.RawMessage(asking), ResponseBody: json.RawMessage(body)}
	}
	object := func(name, version, more string) string {
		return `{"kind":"ConfigMap","metadata":{"name":"` + name + `","uid":"u1","resourceVersion":"` + version + `"` + more + `}}`
	}
	const success = `{"kind":"Status","status":"Success","details":{"uid":"u1"}}`
	const successes = `{"kind":"ConfigMapList","metadata":{"resourceVersion":"6"},"items":[{"metadata":{"uid":"u1"}}]}`
	created := func(e scenarios.Exchange) scenarios.Exchange { e.Status = 201; return e }
	// plain is without a condition.
	plain := func(e scenarios.Exchange, manager string) scenarios.Exchange {
		e.RequestBody = nil
		e.Path += "?fieldManager=" + manager
		return e
	}
	// held is an object as stored: a manager's entry is its name and the second of its time.
	held := func(data, more string, entries ...string) string {
		managers := ""
		for _, entry := range entries {
			manager, second, _ := strings.Cut(entry, "@")
			managers += `,{"manager":"` + manager + `","operation":"Update","time":"2026-01-01T00:00:0` + second + `Z","fieldsV1":{"f:data":{"f:k":{}}}}`
		}
		return `{"kind":"ConfigMap","metadata":{"uid":"u1","managedFields":[` + strings.TrimPrefix(managers, ",") + `]` + more + `},"data":` + data + `}`
	}
	const terminating = `,"deletionTimestamp":"2026-01-01T00:00:00Z"`
	// beside is with the entry of a manager that owns something else.
	beside := func(held string) string {
		const other = `"managedFields":[{"manager":"rvtui-admin","operation":"Update","time":"2026-01-01T00:00:01Z","fieldsV1":{"f:data":{}}},`
		return strings.Replace(held, `"managedFields":[`, other, 1)
	}
	put := scenarios.Revision{Revision: 7, Op: "PUT", Key: "/registry/configmaps/ns/cm1", Own: true}
	deleted := scenarios.Revision{Revision: 7, Op: "DELETE", Key: "/registry/configmaps/ns/cm1", Own: true}
	earlier := scenarios.Revision{Revision: 6, Op: "PUT", Key: "/registry/configmaps/ns/cm1", Own: true, Exchange: new(0)}
	const nobody = -1
	tests := map[string]struct {
		exchanges []scenarios.Exchange
		before    []scenarios.Revision
		revision  scenarios.Revision
		was, is   string // what the key held before, and holds at the revision
		head      int64
		want      int
	}{
		"a PATCH of a subresource":                 {exchanges: []scenarios.Exchange{exchange("PATCH", "/apis/apps/v1/namespaces/ns/deployments/d/scale?fieldManager=m", 0, object("d", "7", ""))}, revision: scenarios.Revision{Revision: 7, Op: "PUT", Key: "/registry/deployments/ns/d", Own: true}},
		"a custom kind":                            {exchanges: []scenarios.Exchange{exchange("PUT", "/apis/example.com/v1/namespaces/ns/things/t", 0, object("t", "7", ""))}, revision: scenarios.Revision{Revision: 7, Op: "PUT", Key: "/registry/example.com/things/ns/t", Own: true}},
		"an apiserver at a path":                   {exchanges: []scenarios.Exchange{exchange("PUT", "/k8s/clusters/c1"+configMap, 0, object("cm1", "7", ""))}, revision: put},
		"a name that the server made up":           {exchanges: []scenarios.Exchange{created(plain(exchange("POST", collection, 0, object("cm1", "7", "")), "m"))}, revision: put},
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
		"a DELETE of the whole collection":         {exchanges: []scenarios.Exchange{exchange("DELETE", collection, 0, successes)}, before: []scenarios.Revision{earlier}, revision: deleted},
		"replace --force: the DELETE":              {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, success), exchange("POST", collection, 20, object("cm1", "8", ""))}, revision: deleted},
		"replace --force: the POST":                {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, success), exchange("POST", collection, 20, object("cm1", "7", ""))}, revision: put, want: 1},
		"deleted twice":                            {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, success), exchange("DELETE", configMap, 20, success)}, before: []scenarios.Revision{earlier}, revision: deleted, want: 1},

		"a no-op, known before by its condition":            {exchanges: []scenarios.Exchange{exchange("PUT", configMap, 0, object("cm1", "7", ""))}, revision: scenarios.Revision{Revision: 7, Op: "PUT", Key: put.Key, Own: true}, head: 7, want: nobody},
		"a no-op after kubectl's write":                     {exchanges: []scenarios.Exchange{plain(exchange("PATCH", configMap, 0, object("cm1", "7", "")), "rvtui-A")}, was: held(`{"k":"1"}`, "", "rvtui-A@1"), is: held(`{"k":"2"}`, "", "rvtui-A@1", "kubectl-edit@5"), revision: put, want: nobody},
		"a patch without a condition":                       {exchanges: []scenarios.Exchange{plain(exchange("PATCH", configMap, 0, object("cm1", "7", "")), "rvtui-A")}, was: held(`{"k":"1"}`, "", "rvtui-A@1", "kubectl-edit@3"), is: held(`{"k":"2"}`, "", "rvtui-A@5"), revision: put},
		"the same manager twice within a second":            {exchanges: []scenarios.Exchange{plain(exchange("PATCH", configMap, 0, object("cm1", "7", "")), "rvtui-A")}, was: held(`{"k":"1"}`, "", "rvtui-A@1"), is: held(`{"k":"2"}`, "", "rvtui-A@1"), revision: put},
		"two managers within a second, and one owns it":     {exchanges: []scenarios.Exchange{plain(exchange("PATCH", configMap, 0, object("cm1", "7", "")), "rvtui-A")}, was: beside(held(`{"k":"1"}`, "", "rvtui-A@1")), is: beside(held(`{"k":"2"}`, "", "rvtui-A@1")), revision: put},
		"two managers within a second":                      {exchanges: []scenarios.Exchange{plain(exchange("PATCH", configMap, 0, object("cm1", "7", "")), "rvtui-A")}, was: held(`{"k":"1"}`, "", "rvtui-A@1", "kubectl-edit@1"), is: held(`{"k":"2"}`, "", "rvtui-A@1", "kubectl-edit@1"), revision: put, want: nobody},
		"what is only taken away is nobody's for certain":   {exchanges: []scenarios.Exchange{plain(exchange("PATCH", configMap, 0, object("cm1", "7", "")), "rvtui-A")}, was: held(`{"k":"1","l":"1"}`, "", "rvtui-A@1"), is: held(`{"k":"1"}`, "", "rvtui-A@1"), revision: put, want: nobody},
		"seen before by a GET of the same step":             {exchanges: []scenarios.Exchange{exchange("GET", configMap, 0, object("cm1", "7", "")), plain(exchange("PATCH", configMap, 20, object("cm1", "7", "")), "rvtui-A")}, was: held(`{"k":"1"}`, "", "rvtui-A@1"), is: held(`{"k":"2"}`, "", "rvtui-A@5"), revision: put, want: nobody},
		"a DELETE of what someone made anew":                {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, strings.Replace(success, "u1", "u2", 1))}, revision: deleted, want: nobody},
		"a DELETE that begins, with no condition":           {exchanges: []scenarios.Exchange{plain(exchange("DELETE", configMap, 0, object("cm1", "7", terminating+`,"finalizers":["f"]`)), "m")}, was: held(`{}`, "", "m@1"), is: held(`{}`, terminating, "m@1"), revision: put, want: nobody},
		"a DELETE of a Pod that is given time does not end": {exchanges: []scenarios.Exchange{exchange("DELETE", configMap, 0, object("cm1", "6", terminating+`,"deletionGracePeriodSeconds":30`))}, revision: deleted, want: nobody},
		"kubectl in a second terminal":                      {exchanges: []scenarios.Exchange{exchange("PUT", configMap, 0, object("cm1", "8", ""))}, revision: put, want: nobody},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := nobody
			s := &Session{namespace: "ns", head: test.head, cluster: &Cluster{config: Config{Prefix: "/registry"}}}
			before, at := holdingOf(6, fieldsOf(json.RawMessage(test.was))), holdingOf(7, fieldsOf(json.RawMessage(test.is)))
			if before.object == nil {
				before.uid = "u1"
			}
			i, _, _ := s.whose(test.revision, before, at, &scenarios.Observation{Exchanges: test.exchanges, Revisions: test.before})
			if i != nil {
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
		RequestBody:  json.RawMessage(`{"metadata":{"resourceVersion":"6"}}`),
		ResponseBody: json.RawMessage(`{"kind":"ConfigMap","metadata":{"name":"cm1","resourceVersion":"7"}}`),
	}}, nil)
	if by := s.wrote[revisionKey{7, "/registry/configmaps/ns/cm1"}]; by != string(scenarios.A) {
		t.Errorf("written by %q", by)
	}
}

func TestWhatMayBeAnActorsOrNotIsNobodys(t *testing.T) {
	s := &Session{namespace: "ns", wrote: map[revisionKey]string{}, cluster: &Cluster{config: Config{Prefix: "/registry"}, credentials: newCredentials()}}
	const key, path = "/registry/configmaps/ns/cm1", "/api/v1/namespaces/ns/configmaps/cm1?fieldManager=rvtui-A"
	write := func(status int) *scenarios.Observation {
		return &scenarios.Observation{Exchanges: []scenarios.Exchange{{
			Actor: scenarios.A, Method: "PATCH", Path: path, Status: status,
			ResponseBody: json.RawMessage(`{"kind":"ConfigMap","metadata":{"name":"cm1","resourceVersion":"7"}}`),
		}}}
	}
	for name, seen := range map[string]*scenarios.Observation{"a write with no evidence": write(200), "a write with no answer": write(0)} {
		if r := s.revision(scenarios.Call{}, Change{Key: key, Revision: 7}, seen); r.By != "" || r.Exchange != nil {
			t.Errorf("%s: by %q, exchange %v", name, r.By, r.Exchange)
		}
	}
	if r := s.revision(scenarios.Call{}, Change{Key: key, Revision: 7}, write(409)); r.By != scenarios.ByUnknown {
		t.Errorf("a refused write: by %q", r.By)
	}
}

func TestAServerWhoseNumbersAreEachObjectsOwnIsSaidToBeOne(t *testing.T) {
	s := &Session{namespace: "ns", head: 100, cluster: &Cluster{config: Config{Prefix: "/registry"}}}
	s.hold("/registry/configmaps/ns/cm1", holding{revision: 90})
	write := func(status int, version string) []scenarios.Exchange {
		return []scenarios.Exchange{{
			Method: "PUT", Path: "/api/v1/namespaces/ns/configmaps/cm1", Status: status,
			ResponseBody: json.RawMessage(`{"kind":"ConfigMap","metadata":{"name":"cm1","resourceVersion":"` + version + `"}}`),
		}}
	}
	for _, test := range []struct {
		exchanges []scenarios.Exchange
		fails     bool
	}{{write(200, "2"), true}, {write(201, "90"), true}, {write(200, "90"), false}, {write(200, "101"), false}, {write(409, "2"), false}} {
		if err := s.contradicted(test.exchanges); (err != nil) != test.fails {
			t.Errorf("%+v: error %v", test.exchanges, err)
		}
	}
}
