package cluster

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestARequestIsSentAsTheCallSays(t *testing.T) {
	object := configMap(map[string]any{"k": "1"})
	tests := map[string]struct {
		call scenarios.Call
		want string // method, path below the namespace, content type
		body string // what the body holds
	}{
		"a subresource is read":       {scenarios.Call{Verb: scenarios.VerbGet, Subresource: "scale"}, "GET configmaps/cm1/scale", ""},
		"a subresource is replaced":   {scenarios.Call{Verb: scenarios.VerbReplace, Subresource: "status", Object: object}, "PUT configmaps/cm1/status?fieldManager=rvtui-A application/json", `"k":"1"`},
		"a subresource is patched":    {scenarios.Call{Verb: scenarios.VerbPatch, Subresource: "status", Object: object}, "PATCH configmaps/cm1/status?fieldManager=rvtui-A application/merge-patch+json", `{"data":{"k":"1"}}`},
		"a create is tried":           {scenarios.Call{Verb: scenarios.VerbCreate, DryRun: true, Object: object}, "POST configmaps?dryRun=All&fieldManager=rvtui-A application/json", `"k":"1"`},
		"a replace is tried":          {scenarios.Call{Verb: scenarios.VerbReplace, DryRun: true, Object: object}, "PUT configmaps/cm1?dryRun=All&fieldManager=rvtui-A application/json", `"k":"1"`},
		"a patch has another manager": {scenarios.Call{Verb: scenarios.VerbPatch, DryRun: true, Manager: "m", Object: object}, "PATCH configmaps/cm1?dryRun=All&fieldManager=m application/merge-patch+json", `"k":"1"`},
		"an apply":                    {scenarios.Call{Verb: scenarios.VerbApply, Object: object}, "PATCH configmaps/cm1?fieldManager=rvtui-A&force=false application/apply-patch+yaml", `"k":"1"`},
		"an apply with force":         {scenarios.Call{Verb: scenarios.VerbApply, Force: true, DryRun: true, Manager: "m", Object: object}, "PATCH configmaps/cm1?dryRun=All&fieldManager=m&force=true application/apply-patch+yaml", `"k":"1"`},
		"a delete":                    {scenarios.Call{Verb: scenarios.VerbDelete}, "DELETE configmaps/cm1 application/json", ""},
		"a delete is tried":           {scenarios.Call{Verb: scenarios.VerbDelete, DryRun: true}, "DELETE configmaps/cm1 application/json", `"dryRun":["All"]`},
		"a delete of a version":       {scenarios.Call{Verb: scenarios.VerbDelete, ResourceVersion: "7"}, "DELETE configmaps/cm1 application/json", `"preconditions":{"resourceVersion":"7"}`},
		"a delete of a uid":           {scenarios.Call{Verb: scenarios.VerbDelete, UID: "u"}, "DELETE configmaps/cm1 application/json", `"preconditions":{"uid":"u"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI(t)
			var sent, body string
			api.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("User-Agent") != "rvtui-A" {
					return false
				}
				read, _ := io.ReadAll(r.Body)
				path := strings.TrimPrefix(r.URL.RequestURI(), "/api/v1/namespaces/rvtui-test/")
				sent, body = strings.TrimSpace(r.Method+" "+path+" "+r.Header.Get("Content-Type")), string(read)
				io.WriteString(w, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm1"}}`)
				return true
			}
			test.call.Actor, test.call.Name = scenarios.A, "cm1"
			do(t, api.open(t), test.call)
			if sent != test.want {
				t.Errorf("sent\n%s\nwant\n%s", sent, test.want)
			}
			if !strings.Contains(body, test.body) || test.call.ResourceVersion == "" && test.call.UID == "" && strings.Contains(body, "preconditions") {
				t.Errorf("body %s, want %s in it", body, test.body)
			}
		})
	}
}

func TestWhatWasOnlyTriedIsNotMade(t *testing.T) {
	s := newFakeAPI(t).open(t)
	made := func() bool { return slices.ContainsFunc(s.objects, func(o object) bool { return o.made }) }
	content := []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cm1"}}`)
	if s.created("/api/v1/namespaces/rvtui-test/configmaps?dryRun=All", content); made() {
		t.Error("a dry run made an object")
	}
	if s.created("/api/v1/namespaces/rvtui-test/configmaps", content); !made() {
		t.Error("a creation made none")
	}
}
