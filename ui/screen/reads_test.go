package screen_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/screen"
)

// reads is a trace of other things than two writers: three objects, a list from memory,
// a merge patch, a look into etcd, a compaction, a delete, a refused read.
func reads() scenarios.Trace {
	en := func(s string) scenarios.Text { return scenarios.Text{scenarios.English: s} }
	const path = "/api/v1/namespaces/ns1/configmaps"
	index := 0
	object := func(name string, rv int, owner string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":%q,"resourceVersion":"%d","labels":{"app":"demo"}},"data":{"owner":%q}}`, name, rv, owner))
	}
	served := func(name string, rv int, owner string) scenarios.Object {
		return scenarios.Object{Name: name, Exists: true, ResourceVersion: fmt.Sprint(rv), Object: object(name, rv, owner)}
	}
	own := func(name string, create, rev, version int64, op, by string) scenarios.Revision {
		return scenarios.Revision{Revision: rev, Op: op, Name: name, Key: "/registry/configmaps/ns1/" + name, CreateRevision: create, ModRevision: rev, Version: version, By: by, Own: true}
	}
	range_ := func(exchange *int, at int64) scenarios.RPC {
		return scenarios.RPC{Exchange: exchange, Method: "Range", Key: "/registry/configmaps/ns1/cm2", AtRevision: at, ModRevision: 1216, Count: 1, Revision: 1219}
	}
	mod, ok := int64(1216), true
	t := scenarios.Trace{
		Scenario: "reads", Chapter: "reads", Title: en("What a read costs"), Summary: en("Three objects, read in several ways."),
		Kubernetes: "1.37.2", Etcd: "3.7.3", Mode: "embedded", Namespace: "ns1",
		Setup: &scenarios.Observation{
			Revisions: []scenarios.Revision{own("cm1", 1214, 1214, 1, "PUT", scenarios.BySetup), {Revision: 1215}, own("cm2", 1216, 1216, 1, "PUT", scenarios.BySetup), own("cm3", 1217, 1217, 1, "PUT", scenarios.BySetup)},
			Objects:   []scenarios.Object{served("cm1", 1214, "nobody"), served("cm2", 1216, "nobody"), served("cm3", 1217, "nobody")},
			Etcd:      scenarios.EtcdState{Head: 1217},
		},
	}
	add := func(title string, o scenarios.Observation) {
		t.Plan = append(t.Plan, scenarios.PlannedStep{Actor: o.Actor, Title: en(title)})
		o.Title, o.Verdict = en(title), scenarios.OK
		t.Steps = append(t.Steps, o)
	}
	add("B lists at resourceVersion 0", scenarios.Observation{Actor: scenarios.B, Etcd: scenarios.EtcdState{Head: 1217},
		Exchanges: []scenarios.Exchange{{Actor: scenarios.B, Method: "GET", Path: path + "?resourceVersion=0", Status: 200, DurationMs: 1.4,
			ResponseBody: json.RawMessage(fmt.Sprintf(`{"kind":"ConfigMapList","metadata":{"resourceVersion":"1217"},"items":[%s,%s,%s]}`,
				object("cm1", 1214, "nobody"), object("cm2", 1216, "nobody"), object("cm3", 1217, "nobody")))}}})
	add("A patches cm2", scenarios.Observation{Actor: scenarios.A, Etcd: scenarios.EtcdState{Head: 1219},
		Exchanges: []scenarios.Exchange{{Actor: scenarios.A, Method: "PATCH", Path: path + "/cm2", Status: 200, DurationMs: 5,
			RequestHeaders: map[string]string{"Content-Type": "application/merge-patch+json"}, RequestBody: json.RawMessage(`{"data":{"owner":"A"}}`), ResponseBody: object("cm2", 1219, "A")}},
		RPCs:      []scenarios.RPC{{Exchange: &index, Method: "Txn", CompareModRevision: &mod, Succeeded: &ok, Writes: "put", Revision: 1219}},
		Revisions: []scenarios.Revision{{Revision: 1218}, own("cm2", 1216, 1219, 2, "PUT", "A")},
		Objects:   []scenarios.Object{served("cm2", 1219, "A")}})
	add("The observer asks etcd for cm2", scenarios.Observation{Actor: scenarios.Observer, Etcd: scenarios.EtcdState{Head: 1219}, RPCs: []scenarios.RPC{range_(nil, 1216)}})
	add("The admin compacts etcd", scenarios.Observation{Actor: scenarios.Admin, Etcd: scenarios.EtcdState{Head: 1219, Compacted: 1218},
		RPCs: []scenarios.RPC{{Method: "Compact", AtRevision: 1218}}})
	add("A deletes cm3", scenarios.Observation{Actor: scenarios.A, Etcd: scenarios.EtcdState{Head: 1220, Compacted: 1218},
		Exchanges: []scenarios.Exchange{{Actor: scenarios.A, Method: "DELETE", Path: path + "/cm3", Status: 200, DurationMs: 4,
			ResponseBody: json.RawMessage(`{"kind":"Status","status":"Success"}`)}},
		Revisions: []scenarios.Revision{own("cm3", 0, 1220, 0, "DELETE", "A")},
		Objects:   []scenarios.Object{{Name: "cm3"}}})
	add("B lists cm2 at a revision that is gone", scenarios.Observation{Actor: scenarios.B, Etcd: scenarios.EtcdState{Head: 1220, Compacted: 1218},
		Exchanges: []scenarios.Exchange{{Actor: scenarios.B, Method: "GET", Path: path + "?fieldSelector=metadata.name%3Dcm2&resourceVersion=1216&resourceVersionMatch=Exact", Status: 410, DurationMs: 2,
			ResponseBody: json.RawMessage(`{"kind":"Status","status":"Failure","reason":"Expired","message":"The resourceVersion for the provided list is too old.","code":410}`)}},
		RPCs: []scenarios.RPC{{Exchange: &index, Method: "Range", Key: "/registry/configmaps/ns1/cm2", AtRevision: 1216, Error: "mvcc: required revision has been compacted"}}})
	return t
}

func TestReadGoldens(t *testing.T) {
	full := reads()
	for n := 1; n <= len(full.Steps); n++ {
		story := screen.NewStory(uitest.UpTo(full, n))
		for _, size := range []cells.Size{{Width: 120, Height: 36}, {Width: 80, Height: 24}} {
			name := fmt.Sprintf("reads/%d-%dx%d", n, size.Width, size.Height)
			frame := screen.Frame(story, screen.State{Cursor: n, Focus: screen.PaneB}, size, dark, scenarios.English)
			uitest.Golden(t, name, uitest.Cells(t, frame, size.Width, size.Height))
		}
	}
}
