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
		"a DELETE of what is being deleted, with a finalizer left": {
			"DELETE", "/cm1", "", 200, "", []scenarios.RPC{read(24), read(24)}, want{path.Finalizers, path.Already, 24}, []path.Question{path.Txn},
		},
		"a DELETE whose precondition held, until somebody else wrote": {
			"DELETE", "/cm1", `{"preconditions":{"resourceVersion":"22"}}`, 409, "Precondition failed: ResourceVersion in precondition: 22, ResourceVersion in object meta: 27",
			[]scenarios.RPC{read(22), txn("delete", 22, 27, false)}, want{path.RVEqual, path.No, 27}, nil,
		},
		"a DELETE that admission refuses": {
			"DELETE", "/cm1", "", 403, "denied", []scenarios.RPC{read(22), read(22)}, want{path.Admit, path.Refused, 0}, []path.Question{path.Txn},
		},
		"a PUT that nobody may make": {
			"PUT", "/cm1", `{}`, 403, `configmaps "cm1" is forbidden: User "x" cannot update resource "configmaps"`, nil, want{path.Decode, path.Refused, 0}, []path.Question{path.Valid},
		},
		"a PUT that validating admission refuses, or mutating": {
			"PUT", "/cm1", `{"metadata":{"resourceVersion":"23"}}`, 403, "denied", []scenarios.RPC{read(23)}, want{path.Valid, path.Refused, 0}, []path.Question{path.Change},
		},
		"a PUT of an old one that admission refuses: its resourceVersion would have come next": {
			"PUT", "/cm1", `{"metadata":{"resourceVersion":"22"}}`, 403, "denied", []scenarios.RPC{txn("put", 22, 23, false)}, want{path.Admit, path.Refused, 0}, []path.Question{path.Change},
		},
		"a GET that goes past a watch cache that is not ready": {
			"GET", "/cm1?resourceVersion=20", "", 200, "", []scenarios.RPC{read(22)}, want{path.Etcd, path.Yes, 22}, []path.Question{path.Fresh, path.Cache},
		},
		"the next page of a token without a revision": { // {"v":"meta.k8s.io/v1","rv":-1,"start":"/cm1\u0000"}
			"GET", "?limit=1&continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiL2NtMVx1MDAwMCJ9", "", 200, "",
			[]scenarios.RPC{{Exchange: new(0), Method: "Range", Key: "/registry/configmaps", Revision: 30}}, want{path.Cache, path.Yes, 30}, []path.Question{path.Snapshot},
		},
		"a watch that begins with the newest": {
			"GET", "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", "", 200, "",
			[]scenarios.RPC{{Exchange: new(0), Method: "Range", Key: "/registry/configmaps", Revision: 30}}, want{path.Cache, path.Yes, 0}, []path.Question{path.History},
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

// Whole ways that the recorded traces lack.
func TestTheOrderOfRareWays(t *testing.T) {
	key := "/registry/configmaps/ns/cm1"
	read := func(mod int64) scenarios.RPC {
		return scenarios.RPC{Exchange: new(0), Method: "Range", Key: key, ModRevision: mod, Revision: 30}
	}
	lost := scenarios.RPC{Exchange: new(0), Method: "Txn", Key: key, Writes: "delete", CompareModRevision: new(int64(22)), Succeeded: new(false), ModRevision: 27}
	gone := scenarios.RPC{Exchange: new(0), Method: "Txn", Key: key, Writes: "delete", CompareModRevision: new(int64(22)), Succeeded: new(true), Revision: 30}
	spans := func(names ...string) []scenarios.Span {
		var all []scenarios.Span
		for _, name := range names {
			all = append(all, scenarios.Span{Name: name, Events: []scenarios.SpanEvent{{Name: "About to apply patch"}}})
		}
		return all
	}
	updating := func(handler string, restoredMs float64) []scenarios.Span { // the first RPC is at 1
		return append(spans(handler), scenarios.Span{Name: guaranteed, Events: []scenarios.SpanEvent{{Name: "initial value restored", AtMs: restoredMs}}})
	}
	apply, merge := "application/apply-patch+yaml", "application/merge-patch+json"
	for name, c := range map[string]struct {
		method, path, kind, body, answer string
		status                           int
		rpcs                             []scenarios.RPC
		spans                            []scenarios.Span
		elsewhere                        bool
		way                              string
	}{
		"there is no watch cache of events: what has to be done before is asked of the first read": {
			"DELETE", "events/cm1", "", "", "", 200, []scenarios.RPC{read(22), read(22), gone}, spans("Delete", "Get etcd3"), false,
			"decode=passed find=yes finalizers=no reread=etcd txn=succeeded",
		},
		"a precondition is checked again once the Txn is lost": {
			"DELETE", "configmaps/cm1", "", `{"preconditions":{"uid":"u"}}`, `{"kind":"Status","message":"Precondition failed: UID in precondition: u, UID in object meta: v"}`, 409,
			[]scenarios.RPC{read(22), lost}, spans("Delete", "Get etcd3"), false,
			"decode=passed find=yes uid=yes finalizers=no txn=lost uid=no",
		},
		"an apply with a uid, and no object": {
			"PATCH", "configmaps/cm1", apply, `{"metadata":{"uid":"u"}}`, `{"kind":"Status","message":"uid mismatch: the provided object specified uid u, and no existing object was found"}`, 409,
			[]scenarios.RPC{read(0)}, updating("Patch", 2), false,
			"decode=passed current=missing owners=no uid=no",
		},
		"an apply that its schema refuses": {
			"PATCH", "configmaps/cm1", apply, `{"x":1}`, `{"kind":"Status","message":"failed to create typed patch object"}`, 500,
			[]scenarios.RPC{read(22)}, updating("Patch", 0.5), false,
			"decode=passed current=cache patch=stale? reread=etcd patch=refused",
		},
		"a dry run is never asked for a change or a Txn": {
			"PUT", "configmaps/cm1?dryRun=All", "", `{"metadata":{"resourceVersion":"22"}}`, "", 200, []scenarios.RPC{read(22)}, spans("Update", "Get etcd3"), false,
			"decode=passed current=dryRead admit=passed rvGiven=given rvEqual=yes valid=passed dryRun=yes",
		},
		"elsewhere, a PUT that came back with its own resourceVersion": {
			"PUT", "configmaps/cm1", "", `{"metadata":{"resourceVersion":"22"}}`, `{"metadata":{"resourceVersion":"22"}}`, 200, nil, nil, true,
			"decode=passed? current=? admit=passed? rvGiven=given rvEqual=yes? valid=passed? change=no?",
		},
		"elsewhere, a PUT that came back with another": {
			"PUT", "configmaps/cm1", "", `{"metadata":{"resourceVersion":"22"}}`, `{"metadata":{"resourceVersion":"23"}}`, 200, nil, nil, true,
			"decode=passed? current=? admit=passed? rvGiven=given rvEqual=yes? valid=passed? change=yes? txn=succeeded?",
		},
		"elsewhere, a PUT without one may have written or not": {
			"PUT", "configmaps/cm1", "", `{}`, `{"metadata":{"resourceVersion":"23"}}`, 200, nil, nil, true,
			"decode=passed? current=? admit=passed? rvGiven=none valid=passed? change=? txn=?",
		},
		"elsewhere, a PUT that created: nobody asked for its resourceVersion": {
			"PUT", "leases/cm1", "", `{"metadata":{"resourceVersion":"22"}}`, `{"metadata":{"resourceVersion":"23"}}`, 201, nil, nil, true,
			"decode=passed? current=missing? admit=passed? valid=passed? change=yes? txn=succeeded?",
		},
		"elsewhere, a merge patch that is no JSON: read before the object, or after": {
			"PATCH", "configmaps/cm1", merge, `{}`, `{"kind":"Status","message":"error decoding patch"}`, 400, nil, nil, true,
			"decode=? current=? patch=? admit=? rvGiven=? valid=? change=? txn=?",
		},
		"elsewhere, a DELETE that a Status answers": {
			"DELETE", "configmaps/cm1", "", "", `{"kind":"Status","status":"Success"}`, 200, nil, nil, true,
			"decode=passed? find=yes? finalizers=no? txn=succeeded?",
		},
		"elsewhere, a DELETE that the marked object answers": {
			"DELETE", "configmaps/cm1", "", "", `{"kind":"ConfigMap","metadata":{"resourceVersion":"24","deletionTimestamp":"x","finalizers":["a/b"]}}`, 200, nil, nil, true,
			"decode=passed? find=yes? finalizers=yes?",
		},
		"elsewhere, a DELETE of a pod": {
			"DELETE", "pods/cm1", "", "", `{"kind":"Pod","metadata":{"resourceVersion":"24","deletionTimestamp":"x"}}`, 200, nil, nil, true,
			"decode=passed? find=yes? finalizers=? txn=?",
		},
		"a watch from ahead of every revision": {
			"GET", "configmaps?watch=true&resourceVersion=1000", "", "", "", 200, nil, spans("cacher.Watch"), false,
			"which=notOlder history=ahead? cache=yes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := scenarios.Exchange{Actor: scenarios.A, Method: c.method, Path: "/api/v1/namespaces/ns/" + c.path, Status: c.status}
			e.RequestHeaders = map[string]string{"Content-Type": c.kind}
			if c.body != "" {
				e.RequestBody = json.RawMessage(c.body)
			}
			if c.answer != "" {
				e.ResponseBody = json.RawMessage(c.answer)
			}
			o := scenarios.Observation{Step: 1, Exchanges: []scenarios.Exchange{e}, RPCs: c.rpcs, Spans: c.spans, Etcd: scenarios.EtcdState{Head: 30}}
			for i := range o.RPCs {
				o.RPCs[i].StartedMs = float64(i + 1)
			}
			trace := scenarios.Trace{Mode: "embedded"}
			if c.elsewhere {
				trace = scenarios.Trace{Mode: "kind-dev", Can: []string{}}
			}
			if p := path.Of(&trace, &o, 0); way(&p) != c.way {
				t.Errorf("the way is\n%s, want\n%s", way(&p), c.way)
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
