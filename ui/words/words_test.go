package words

import (
	"encoding/json"
	"reflect"
	"testing"

	"rvtui/scenarios"
	_ "rvtui/ui/internal/uitest"
)

func TestRequestLine(t *testing.T) {
	const configmaps = "/api/v1/namespaces/ns1/configmaps"
	for want, e := range map[string]scenarios.Exchange{
		"GET cm1":                             {Method: "GET", Path: configmaps + "/cm1"},
		"GET cm1 rv=1000214":                  {Method: "GET", Path: configmaps + "/cm1?resourceVersion=1000214"},
		"LIST configmaps":                     {Method: "GET", Path: configmaps},
		"LIST configmaps rv=0 limit=2":        {Method: "GET", Path: configmaps + "?limit=2&resourceVersion=0"},
		"LIST configmaps rv=9 Exact name=cm1": {Method: "GET", Path: configmaps + "?fieldSelector=metadata.name%3Dcm1&resourceVersion=9&resourceVersionMatch=Exact"},
		"WATCH configmaps rv=9":               {Method: "GET", Path: configmaps + "?watch=true&resourceVersion=9"},
		// To the apiserver all is true but false and 0, and an old path is a watch as well.
		"WATCH configmaps rv=8":             {Method: "GET", Path: configmaps + "?watch=banana&resourceVersion=8"},
		"WATCH configmaps":                  {Method: "GET", Path: configmaps + "?watch"},
		"LIST configmaps rv=6":              {Method: "GET", Path: configmaps + "?watch=False&resourceVersion=6"},
		"GET cm1 rv=3":                      {Method: "GET", Path: configmaps + "/cm1?watch=true&resourceVersion=3"},
		"WATCH configmaps rv=4":             {Method: "GET", Path: "/api/v1/watch/namespaces/ns1/configmaps?resourceVersion=4"},
		"WATCH cm1 rv=2":                    {Method: "GET", Path: "/api/v1/watch/namespaces/ns1/configmaps/cm1?resourceVersion=2"},
		"PUT cm1 rv=214":                    {Method: "PUT", Path: configmaps + "/cm1", RequestBody: json.RawMessage(`{"metadata":{"name":"cm1","resourceVersion":"214"}}`)},
		"PUT x1 rv=3":                       {Method: "PUT", Path: "/apis/example.com/v1/namespaces/ns1/xs/x1", RequestBody: json.RawMessage(`{"metadata":{"resourceVersion":"3"},"dryRun":"no"}`)},
		"PUT cm2 no rv":                     {Method: "PUT", Path: configmaps + "/cm2", RequestBody: json.RawMessage(`{"metadata":{"name":"cm2"}}`)},
		"POST cm1":                          {Method: "POST", Path: configmaps, RequestBody: json.RawMessage(`{"metadata":{"name":"cm1"}}`)},
		"PATCH cm1 rv=7 merge":              {Method: "PATCH", Path: configmaps + "/cm1?fieldManager=rvtui-A", RequestHeaders: map[string]string{"content-type": "application/merge-patch+json; charset=utf-8"}, RequestBody: json.RawMessage(`{"metadata":{"resourceVersion":"7"}}`)},
		"PATCH cm1 json":                    {Method: "PATCH", Path: configmaps + "/cm1", RequestHeaders: map[string]string{"Content-Type": "application/json-patch+json"}, RequestBody: json.RawMessage(`[]`)},
		"PATCH cm1 no rv merge":             {Method: "PATCH", Path: configmaps + "/cm1", RequestHeaders: map[string]string{"Content-Type": "application/merge-patch+json"}, RequestBody: json.RawMessage(`{"data":{}}`)},
		"PATCH cm1 rv=null merge":           {Method: "PATCH", Path: configmaps + "/cm1", RequestHeaders: map[string]string{"Content-Type": "application/merge-patch+json"}, RequestBody: json.RawMessage(`{"metadata":{"resourceVersion":null}}`)},
		"PATCH cm1 no rv strategic":         {Method: "PATCH", Path: configmaps + "/cm1", RequestHeaders: map[string]string{"Content-Type": "application/strategic-merge-patch+json"}, RequestBody: json.RawMessage(`{"data":{}}`)},
		"PATCH cm1 apply":                   {Method: "PATCH", Path: configmaps + "/cm1", RequestHeaders: map[string]string{"Content-Type": "application/apply-patch+yaml"}, RequestBody: json.RawMessage(`{"data":{}}`)},
		"GET namespaces/ns1":                {Method: "GET", Path: "/api/v1/namespaces/ns1"},
		"PUT namespaces/ns1/finalize no rv": {Method: "PUT", Path: "/api/v1/namespaces/ns1/finalize", RequestBody: json.RawMessage(`{}`)},
		"PUT web/status":                    {Method: "PUT", Path: "/apis/apps/v1/namespaces/ns1/deployments/web/status"},
		"DELETE cm1 rv=5":                   {Method: "DELETE", Path: configmaps + "/cm1", RequestBody: json.RawMessage(`{"preconditions":{"resourceVersion":"5"}}`)},
		"DELETE cm1 dryRun=All":             {Method: "DELETE", Path: configmaps + "/cm1", RequestBody: json.RawMessage(`{"kind":"DeleteOptions","dryRun":["All"]}`)},
		"GET nodes/node1":                   {Method: "GET", Path: "/api/v1/nodes/node1"},
		"GET /version":                      {Method: "GET", Path: "/version"},
		"":                                  {},
	} {
		if got := Read(&e).Line(" "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestALineThatDoesNotFitKeepsTheResourceVersionLongest(t *testing.T) {
	const configmaps = "/api/v1/namespaces/ns1/configmaps"
	list := Read(&scenarios.Exchange{Method: "GET", Path: configmaps + "?fieldSelector=metadata.name%3Dcm1&resourceVersion=1222&resourceVersionMatch=Exact"})
	all := Read(&scenarios.Exchange{Method: "GET", Path: configmaps + "?resourceVersion=1222&resourceVersionMatch=Exact"})
	put := Read(&scenarios.Exchange{Method: "PUT", Path: configmaps + "/cm1", RequestBody: json.RawMessage(`{"metadata":{"resourceVersion":"1222"}}`)})
	blind := Read(&scenarios.Exchange{Method: "PUT", Path: configmaps + "/cm1", RequestBody: json.RawMessage(`{"data":{}}`)})
	patch := Read(&scenarios.Exchange{Method: "PATCH", Path: configmaps + "/cm1", RequestHeaders: map[string]string{"Content-Type": "application/merge-patch+json"}, RequestBody: json.RawMessage(`{"metadata":{"resourceVersion":"7"}}`)})
	namespace := Read(&scenarios.Exchange{Method: "GET", Path: "/api/v1/namespaces/rvtui-6f2soq"})
	streaming := Read(&scenarios.Exchange{Method: "GET", Path: configmaps + "?resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true"})
	for _, c := range []struct {
		request Request
		width   int
		want    string
	}{
		{list, 45, "LIST configmaps rv=1222 Exact name=cm1"},
		{list, 31, "LIST cm rv=1222 Exact name=cm1"},
		{list, 28, "LIST rv=1222 Exact name=cm1"},
		{list, 21, "LIST name=cm1 rv=1222"},
		{all, 19, "LIST rv=1222 Exact"},
		{list, 14, "LIST rv=1222"},
		{put, 15, "PUT cm1 rv=1222"},
		{put, 12, "PUT rv=1222"},
		{blind, 9, "PUT no rv"},
		{patch, 20, "PATCH cm1 rv=7 merge"},
		{patch, 16, "PATCH cm1 rv=7"},
		{patch, 12, "PATCH rv=7"},
		{namespace, 24, "GET ns/rvtui-6f2soq"},
		{streaming, 60, "WATCH configmaps NotOlderThan sendInitialEvents=true"},
		{streaming, 45, "WATCH cm NotOlderThan sendInitialEvents=true"},
		{streaming, 43, "WATCH cm sendInitialEvents=true"},
		{streaming, 20, "WATCH cm"},
	} {
		if got := c.request.Fit(c.width); got != c.want {
			t.Errorf("in %d cells: got %q, want %q", c.width, got, c.want)
		}
	}
}

func TestWarningsAreReadFromTheHeader(t *testing.T) {
	for header, want := range map[string][]string{
		``:                                       nil,
		`299 - "unknown field \"owner\""`:        {`unknown field "owner"`},
		`299 - "one, with a comma", 299 - "two"`: {"one, with a comma", "two"},
		`299 - "dated" "Mon, 30 Nov 2026 09:00:00 GMT", 299 - "after"`: {"dated", "after"},
		`299 - "cut off`: nil,
		`no quotes`:      nil,
	} {
		if got := Warnings(header); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
	e := scenarios.Exchange{Status: 200, ResponseHeaders: map[string]string{"Warning": `299 - "a"`}}
	if got := ReadAnswer(&e).Warnings; len(got) != 1 || got[0] != "a" {
		t.Errorf("the answer's warnings are %q", got)
	}
}

func TestAnswerLine(t *testing.T) {
	for want, e := range map[string]scenarios.Exchange{
		"200 OK → rv 215":           {Status: 200, ResponseBody: json.RawMessage(`{"kind":"ConfigMap","metadata":{"resourceVersion":"215"}}`)},
		"200 OK → list rv 9":        {Status: 200, ResponseBody: json.RawMessage(`{"kind":"ConfigMapList","metadata":{"resourceVersion":"9"},"items":[{}]}`)},
		"200 OK → list":             {Status: 200, ResponseBody: json.RawMessage(`{"kind":"ComponentStatusList","metadata":{},"items":null}`)},
		"201 Created":               {Status: 201, ResponseBody: json.RawMessage(`{"kind":"APIResourceList","resources":[]}`)},
		"409 Conflict":              {Status: 409, ResponseBody: json.RawMessage(`{"kind":"Status","reason":"Conflict","message":"m"}`)},
		"410 Gone (Expired)":        {Status: 410, ResponseBody: json.RawMessage(`{"kind":"Status","reason":"Expired","message":"m"}`)},
		"404 Not Found":             {Status: 404, ResponseBody: json.RawMessage(`{"kind":"Status","reason":"NotFound"}`)},
		"200 OK":                    {Status: 200, ResponseBody: json.RawMessage(`{"kind":"Status","status":"Success"}`)},
		"500 Internal Server Error": {Status: 500, ResponseBody: json.RawMessage(`no JSON`)},
		"no answer":                 {Error: "connection refused"},
		"waiting for the answer":    {InFlight: true},
	} {
		if got := ReadAnswer(&e).Line(scenarios.English); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestRPC(t *testing.T) {
	const key = "/registry/configmaps/ns1/cm1"
	for want, r := range map[string]scenarios.RPC{
		"Txn if mod=214 → put ok":                           {Method: "Txn", Key: key, CompareModRevision: ptr(int64(214)), Succeeded: ptr(true), Writes: "put"},
		"Txn if mod=0 → put ok":                             {Method: "Txn", Key: key, CompareModRevision: ptr(int64(0)), Succeeded: ptr(true), Writes: "put"},
		"Txn if mod=214 → delete ok":                        {Method: "Txn", Key: key, CompareModRevision: ptr(int64(214)), Succeeded: ptr(true), Writes: "delete"},
		"Txn if mod=214 → lost, got mod=215":                {Method: "Txn", Key: key, CompareModRevision: ptr(int64(214)), Succeeded: ptr(false), Writes: "put", ModRevision: 215},
		"Txn if mod=214 → lost":                             {Method: "Txn", Key: key, CompareModRevision: ptr(int64(214)), Succeeded: ptr(false), Writes: "put"},
		"Range cm1 → mod 215":                               {Method: "Range", Key: key, ModRevision: 215, Count: 1, Limit: 1},
		"Range cm1 at 214 → mod 214":                        {Method: "Range", Key: key, AtRevision: 214, ModRevision: 214},
		"Range cm1 → no such key":                           {Method: "Range", Key: key},
		"Range configmaps → only the revision, 28":          {Method: "Range", Key: "/registry/configmaps/", Limit: 1, Revision: 28},
		"Range example.com/widgets → only the revision, 28": {Method: "Range", Key: "/registry/example.com/widgets", Limit: 1, Revision: 28},
		"Range namespaces/ns1 → no such key":                {Method: "Range", Key: "/registry/namespaces/ns1", Revision: 28},
		"Range configmaps/* limit 500 → 3 keys, head 220":   {Method: "Range", Key: "/registry/configmaps/ns1/", RangeEnd: "/registry/configmaps/ns10", Limit: 500, Count: 3, Revision: 220},
		"RangeStream configmaps/* at 19 → 1 key, head 28":   {Method: "RangeStream", Key: "/registry/configmaps/ns1/", RangeEnd: "/registry/configmaps/ns10", AtRevision: 19, Count: 1, Revision: 28},
		"Range cm1 → error: compacted":                      {Method: "Range", Key: key, Error: "compacted"},
		"Range cm1 at 18 → error: compacted":                {Method: "Range", Key: key, AtRevision: 18, Error: "compacted"},
		"Compact at 214 → ok":                               {Method: "Compact", AtRevision: 214},
		"LeaseGrant":                                        {Method: "LeaseGrant"},
	} {
		if got := RPC(&r, "ns1", scenarios.English); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestEvidenceConcludesOnlyWhatTheTraceHolds(t *testing.T) {
	put := scenarios.Exchange{Actor: scenarios.B, Method: "PUT", Path: "/api/v1/namespaces/ns1/configmaps/cm1", Status: 409}
	get := scenarios.Exchange{Actor: scenarios.A, Method: "GET", Path: "/api/v1/namespaces/ns1/configmaps?resourceVersion=0", Status: 200}
	refused, inFlight := get, put
	refused.Status = 504
	inFlight.InFlight = true
	read := scenarios.RPC{Exchange: ptr(0), Method: "Range", Key: "/registry/configmaps/ns1/cm1", ModRevision: 215}
	wrote := scenarios.RPC{Exchange: ptr(0), Method: "Txn", CompareModRevision: ptr(int64(214)), Succeeded: ptr(true), Writes: "put"}
	lost := scenarios.RPC{Exchange: ptr(0), Method: "Txn", CompareModRevision: ptr(int64(214)), Succeeded: ptr(false), Writes: "put"}
	own := scenarios.RPC{Method: "Range", Key: "/registry/configmaps/ns1/cm1", ModRevision: 215}
	elsewhere := put
	elsewhere.Path = "/apis/apps/v1/namespaces/other/deployments/d"
	modes := map[string][]string{"kubeconfig": {}, "no revisions": {}, "all revisions": {scenarios.CapabilityEtcdRead, scenarios.CapabilityEtcdAll}}
	heads := map[string]int64{"embedded": 215, "all revisions": 215, "kubeconfig": 215}
	for name, c := range map[string]struct {
		mode      string
		exchanges []scenarios.Exchange
		rpcs      []scenarios.RPC
		want      []string
	}{
		"a refused write":                      {"embedded", []scenarios.Exchange{put}, []scenarios.RPC{read}, []string{"Range cm1 → mod 215", "no write reached etcd"}},
		"a write":                              {"embedded", []scenarios.Exchange{put}, []scenarios.RPC{wrote}, []string{"Txn if mod=214 → put ok"}},
		"a lost race":                          {"embedded", []scenarios.Exchange{put}, []scenarios.RPC{lost}, []string{"Txn if mod=214 → lost", "etcd wrote nothing"}},
		"a read from memory":                   {"embedded", []scenarios.Exchange{get}, nil, []string{"no RPC: served from the watch cache's memory"}},
		"a read that was refused":              {"embedded", []scenarios.Exchange{refused}, nil, []string{"no RPC reached etcd"}},
		"a read that etcd refused":             {"embedded", []scenarios.Exchange{refused}, []scenarios.RPC{read}, []string{"Range cm1 → mod 215"}},
		"a read with no answer":                {"embedded", []scenarios.Exchange{{Method: "GET", Path: get.Path}}, nil, nil},
		"a refused read, RPCs not seen":        {"kubeconfig", []scenarios.Exchange{refused}, nil, nil},
		"no answer yet":                        {"embedded", []scenarios.Exchange{inFlight}, nil, nil},
		"a cluster whose RPCs are not seen":    {"kubeconfig", []scenarios.Exchange{put, get}, nil, []string{"no new revision of the scenario's objects"}},
		"where all revisions are seen":         {"all revisions", []scenarios.Exchange{put, get}, nil, []string{"no new revision"}},
		"of another namespace, RPCs not seen":  {"kubeconfig", []scenarios.Exchange{elsewhere}, nil, nil},
		"neither RPCs nor revisions are seen":  {"no revisions", []scenarios.Exchange{put, get}, nil, nil},
		"rvtui's own looking, beside a step":   {"embedded", []scenarios.Exchange{put}, []scenarios.RPC{own}, []string{"no write reached etcd"}},
		"rvtui's own looking, as the step":     {"embedded", nil, []scenarios.RPC{own}, []string{"Range cm1 → mod 215"}},
		"an RPC of an exchange that is not so": {"embedded", nil, []scenarios.RPC{{Exchange: ptr(7), Method: "Range"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, fact := range Evidence(&scenarios.Trace{Can: modes[c.mode], Namespace: "ns1"}, &scenarios.Observation{Exchanges: c.exchanges, RPCs: c.rpcs, Etcd: scenarios.EtcdState{Head: heads[c.mode]}}, scenarios.English) {
				got = append(got, fact.Text)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	en := func(s string) scenarios.Text { return scenarios.Text{scenarios.English: s} }
	for name, c := range map[string]struct {
		o    scenarios.Observation
		want Verdict
	}{
		"as expected": {scenarios.Observation{Verdict: scenarios.OK, Checks: []scenarios.Check{
			{Expected: en("409 Conflict"), Got: en("409 Conflict"), OK: true}, {Expected: en("nothing is written"), Got: en("head unchanged"), OK: true},
		}}, Verdict{Short: "as expected", Text: "409 Conflict · nothing is written"}},
		"not as expected": {scenarios.Observation{Verdict: scenarios.Failed, Checks: []scenarios.Check{
			{Expected: en("200 OK"), Got: en("409 Conflict")}, {Expected: en("nothing is written"), Got: en("nothing is written"), OK: true},
		}}, Verdict{Short: "NOT as expected", Text: "expected 200 OK, got 409 Conflict"}},
		"nothing expected": {scenarios.Observation{Verdict: scenarios.OK}, Verdict{}},
		"skipped":          {scenarios.Observation{Verdict: scenarios.Skipped, Reason: "it is another one today"}, Verdict{Short: "skipped: it is another one today", Open: true}},
		"skipped for a lack": {
			scenarios.Observation{Verdict: scenarios.Skipped, Reason: "needs etcd.read: k3s has no etcd", Lack: []string{"etcd.read"}},
			Verdict{Short: "skipped: needs etcd.read", Unseen: "not done here; it takes what etcd itself says (k3s has no etcd)", Open: true},
		},
		"some of it unseen": {scenarios.Observation{Verdict: scenarios.OK, Checks: []scenarios.Check{
			{Expected: en("200 OK"), OK: true},
			{Expected: en("one Range"), Unseen: true, Lack: []string{"etcd.rpc"}}, {Expected: en("no Txn"), Unseen: true, Lack: []string{"etcd.rpc"}},
			{Expected: en("from memory"), Unseen: true, Since: "1.36"},
		}}, Verdict{Short: "as expected", Text: "200 OK", Unseen: "not seen here: one Range; no Txn (needs etcd.rpc: the RPCs that the apiserver makes to etcd) · " +
			"not judged here: from memory (so since Kubernetes 1.36; this server is 1.35.4)"}},
		"all of it unseen": {scenarios.Observation{Verdict: scenarios.OK, Checks: []scenarios.Check{
			{Expected: en("version 1"), Unseen: true, Lack: []string{"etcd.read"}},
		}}, Verdict{Short: "not judged", Unseen: "not seen here: version 1 (needs etcd.read: what etcd itself says)", Open: true}},
		"failed, some of it unseen": {scenarios.Observation{Verdict: scenarios.Failed, Checks: []scenarios.Check{
			{Expected: en("200 OK"), Got: en("409 Conflict")}, {Expected: en("version 1"), Unseen: true, Lack: []string{"etcd.read"}},
		}}, Verdict{Short: "NOT as expected", Text: "expected 200 OK, got 409 Conflict", Unseen: "not seen here: version 1 (needs etcd.read: what etcd itself says)"}},
		"could not be done": {scenarios.Observation{Verdict: scenarios.Failed, Error: "no such key"}, Verdict{Short: "could not be done: no such key"}},
	} {
		if got := Judge(&scenarios.Trace{Kubernetes: "1.35.4"}, &c.o, scenarios.English); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAnObjectIsNamedAsTheAPIDoes(t *testing.T) {
	for key, want := range map[string]string{
		"/registry/configmaps/ns1/cm1":           "configmaps cm1",
		"/registry/example.com/widgets/ns1/w":    "widgets.example.com w",
		"/registry/namespaces/ns1":               "namespaces/ns1",
		"/registry/services/endpoints/other/svc": "services/endpoints/other/svc",
	} {
		if got := Resource(key, "ns1"); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
}

func TestACallToEtcdNamesWhatItReads(t *testing.T) {
	const of = "/registry/configmaps/ns1/"
	for want, r := range map[string]scenarios.RPC{
		"cm1":          {Key: of + "cm1"},
		"configmaps/*": {Key: of, RangeEnd: "/registry/configmaps/ns10"},
		"> cm1":        {Key: of + "cm1\x00", RangeEnd: "/registry/configmaps/ns10"},
	} {
		if got := RPCKey(&r, "ns1"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
