package cluster

import (
	"net/http"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestAScenarioReachesNothingThroughTheAPIServer(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	sent := 0
	api.instead = func(http.ResponseWriter, *http.Request) bool { sent++; return false }
	const pod, service, own = "/api/v1/namespaces/kube-system/pods/etcd-0", "/api/v1/namespaces/default/services/web", "/api/v1/namespaces/rvtui-test/"
	header := func(name string) map[string]string { return map[string]string{name: "x"} }
	for what, call := range map[string]scenarios.Call{
		"exec":                     {Path: pod + "/exec?command=id&stdout=1"},
		"exec, POST, in its own":   {Method: "POST", Path: own + "pods/p/exec?command=id"},
		"exec, escaped":            {Path: pod + "/e%78ec?command=id"},
		"exec, an escaped slash":   {Path: pod + "%2Fexec?command=id"},
		"exec, another case":       {Path: pod + "/Exec"},
		"exec, two slashes":        {Path: "/api//v1/namespaces/kube-system/pods/etcd-0/exec"},
		"exec, a detour":           {Path: "/api/v1/x/../namespaces/kube-system/pods/etcd-0/exec"},
		"exec, escaped twice":      {Path: pod + "/e%2578ec/exec"},
		"exec, with a slash after": {Path: pod + "/exec/"},
		"exec, with a fragment":    {Path: pod + "/exec#x"},
		"attach":                   {Path: pod + "/attach", Method: "HEAD"},
		"portforward":              {Path: pod + "/portforward", Method: "OPTIONS"},
		"proxy of a pod":           {Path: pod + "/proxy/metrics"},
		"proxy of a service":       {Path: service + ":443/proxy/admin"},
		"proxy of a node":          {Path: "/api/v1/nodes/n1/proxy/pods"},
		"the old proxy":            {Path: "/api/v1/proxy/nodes/n1/pods"},
		"proxy of a group":         {Path: "/apis/example.com/v1/namespaces/default/things/x/proxy"},
		"a fragment":               {Method: "DELETE", Path: own + "configmaps#/cm1"},
		"Connection":               {Path: "/readyz", Headers: header("connection")},
		"Upgrade":                  {Path: "/readyz", Headers: header("UPGRADE")},
		"a WebSocket":              {Path: own + "configmaps?watch=1", Headers: header("Sec-WebSocket-Key")},
		"a get of a subresource":   {Verb: scenarios.VerbGet, APIVersion: "v1", Kind: "ConfigMap", Name: "cm1", Subresource: "proxy"},
		"SPDY":                     {Path: "/readyz", Headers: header("X-Stream-Protocol-Version")},
	} {
		call.Actor = scenarios.A
		if call.Verb == "" {
			call.Verb = scenarios.VerbRaw
		}
		seen, err := s.Do(t.Context(), call, nil)
		if err == nil || !strings.HasSuffix(err.Error(), "reaches nothing through the apiserver") || len(seen.Exchanges) > 0 {
			t.Errorf("%s: error %v, exchanges %+v", what, err, seen.Exchanges)
		}
		seen, err = s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbTogether, Together: []scenarios.Call{call}}, nil)
		if err == nil || len(seen.Exchanges) > 0 {
			t.Errorf("%s, together: error %v", what, err)
		}
	}
	if sent > 0 {
		t.Errorf("%d requests were sent", sent)
	}
	for _, path := range []string{own + "configmaps/proxy", own + "configmaps/exec?x=proxy", "/api/v1/namespaces/proxy", "/api/v1/namespaces/exec/configmaps", "/version", "/readyz/proxy", "/api/v1/watch/namespaces/rvtui-test/configmaps/proxy?timeoutSeconds=1", pod} {
		do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbRaw, Path: path})
	}
}
