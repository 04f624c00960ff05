package path_test

import (
	"encoding/json"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/view/path"
)

// What happens rarely: put together as it was seen on the servers.
func TestRareWays(t *testing.T) {
	key := "/registry/configmaps/ns/cm1"
	read := func(mod int64) scenarios.RPC {
		return scenarios.RPC{Exchange: new(0), Method: "Range", Key: key, ModRevision: mod, Revision: 30}
	}
	txn := func(writes string, compare, mod int64, held bool) scenarios.RPC {
		return scenarios.RPC{Exchange: new(0), Method: "Txn", Key: key, Writes: writes, CompareModRevision: &compare, Succeeded: &held, ModRevision: mod, Revision: 30}
	}
	type want struct {
		question path.Question
		answer   path.Answer
		revision int64
	}
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		message            string
		rpcs               []scenarios.RPC
		end                want
		absent             []path.Question // that must not be decided
	}{
		"a DELETE that loses to another one": {
			"DELETE", "/cm1", "", 404, "not found", []scenarios.RPC{read(22), txn("delete", 22, 0, false)}, want{path.Txn, path.Lost, 0}, nil,
		},
		"a PUT that loses to a DELETE": {
			"PUT", "/cm1", `{"metadata":{"name":"cm1","resourceVersion":"22"}}`, 404, "not found", []scenarios.RPC{txn("put", 22, 0, false)}, want{path.Txn, path.Lost, 0}, nil,
		},
		"a DELETE that only marks, and is tried twice": {
			"DELETE", "/cm1", "", 200, "", []scenarios.RPC{read(22), txn("put", 22, 27, false), txn("put", 27, 28, true)}, want{path.Finalizers, path.Yes, 28}, nil,
		},
		"a PUT that takes the last finalizer away": {
			"PUT", "/cm1", `{"metadata":{"name":"cm1","resourceVersion":"23"}}`, 200, "", []scenarios.RPC{read(23), txn("delete", 23, 0, true)}, want{path.Txn, path.Succeeded, 30}, nil,
		},
		"a DELETE whose dry run is in the body": {
			"DELETE", "/cm1", `{"dryRun":["All"]}`, 200, "", []scenarios.RPC{read(22)}, want{path.DryRun, path.Yes, 0}, []path.Question{path.Txn},
		},
		"a dry run of a create whose name is taken": {
			"POST", "?dryRun=All", `{"metadata":{"name":"cm1"}}`, 409, "already exists", []scenarios.RPC{read(22)}, want{path.Taken, path.Yes, 22}, []path.Question{path.DryRun, path.Txn},
		},
		"a list that the watch cache is not ready for": {
			"GET", "?resourceVersion=0", "", 429, "storage is (re)initializing", nil, want{path.Ready, path.No, 0}, []path.Question{path.Cache},
		},
		"a read that nobody may make": {
			"GET", "/cm1", "", 403, "forbidden", nil, want{path.Which, path.Refused, 0}, []path.Question{path.Etcd},
		},
		"a list of one name in all namespaces": {
			"GET", "ALL", "", 200, "", nil, want{path.Cache, path.Yes, 27}, []path.Question{path.Etcd},
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := "/api/v1/namespaces/ns/configmaps" + c.path
			if c.path == "ALL" {
				url = "/api/v1/configmaps?fieldSelector=metadata.name%3Dcm1&resourceVersion=27&resourceVersionMatch=Exact"
			}
			answer := map[string]any{"kind": "ConfigMap", "metadata": map[string]any{"name": "cm1"}}
			if c.status >= 400 {
				answer = map[string]any{"kind": "Status", "status": "Failure", "message": c.message}
			}
			body, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			e := scenarios.Exchange{Actor: scenarios.A, Method: c.method, Path: url, Status: c.status, ResponseBody: body}
			if c.body != "" {
				e.RequestBody = json.RawMessage(c.body)
			}
			o := scenarios.Observation{Step: 1, Exchanges: []scenarios.Exchange{e}, RPCs: c.rpcs}
			for i := range o.RPCs {
				o.RPCs[i].StartedMs = float64(i + 1)
			}
			p := path.Of(&scenarios.Trace{Mode: "embedded"}, &o, 0)
			end, ok := p.End()
			if !ok || end.Question != c.end.question || end.Answer != c.end.answer || c.end.revision != 0 && end.Revision != c.end.revision {
				t.Errorf("it ends at %+v, want %+v\n%+v", end, c.end, p.Nodes)
			}
			for _, q := range c.absent {
				if n, ok := p.At(q); ok && n.Reached != path.NotReached {
					t.Errorf("%s is decided: %+v", q, n)
				}
			}
		})
	}
}

func TestNoWayIsMadeUp(t *testing.T) {
	for _, url := range []string{"/api/v1/namespaces/ns/pods/p1/binding", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "/version"} {
		o := scenarios.Observation{Exchanges: []scenarios.Exchange{{Method: "POST", Path: url, Status: 201}}}
		if p := path.Of(&scenarios.Trace{Mode: "embedded"}, &o, 0); p.Known() {
			t.Errorf("%s has a path: %+v", url, p.Nodes)
		}
	}
}
