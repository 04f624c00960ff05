package path_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/viewtest"
	"rvtui/ui/view"
	"rvtui/ui/view/path"
)

// What no handler was there for was refused by none, and what its handler refused by reading
// the options was not refused by what would have come next.
func TestARefusalNamesWhoRefused(t *testing.T) {
	const configmaps = "/api/v1/namespaces/ns/configmaps"
	for name, c := range map[string]struct {
		method, path string
		status       int
		message      string
		span         string // of a handler
		named, other string
	}{
		"a path that nothing is installed at":  {"GET", "/apis/nosuch.io/v1/things", 404, "", "", "server/handler.go", "ShouldDelegateList"},
		"a subresource that is not there":      {"PUT", configmaps + "/cm1/status", 404, "the server could not find the requested resource", "", "server/handler.go", "UpdateResource,"},
		"an object that is not there":          {"GET", configmaps + "/cm1", 404, "not found", "Get", "storage/cacher/delegator.go", "server/handler.go"},
		"a method that the path does not take": {"PUT", configmaps, 405, "the server does not allow this method on the requested resource", "", "server/handler.go", "UpdateResource,"},
		"a body of no known kind":              {"PATCH", configmaps + "/cm1", 415, "415: Unsupported Media Type", "", "server/handler.go", "PatchResource,"},
		"a limit that is no number":            {"GET", configmaps + "?limit=banana", 400, "invalid syntax", "", "listOpts", "ValidateListOptions"},
		"a token that cannot be read":          {"GET", configmaps + "?continue=banana", 400, "invalid continue token", "List", "ValidateListOptions", "listOpts"},
		"a name that is none":                  {"GET", configmaps + "/%2e%2e", 400, `Name parameter invalid: "..": may not be '..'`, "Get", "NamespaceKeyFunc", "storage/cacher/delegator.go"},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := json.Marshal(map[string]any{"kind": "Status", "status": "Failure", "message": c.message})
			if err != nil {
				t.Fatal(err)
			}
			o := scenarios.Observation{Step: 1, Exchanges: []scenarios.Exchange{{Actor: scenarios.A, Method: c.method, Path: c.path, Status: c.status, ResponseBody: body}}}
			o.Spans = []scenarios.Span{{Name: "a filter's"}}
			if c.span != "" {
				o.Spans = append(o.Spans, scenarios.Span{Name: c.span})
			}
			trace := scenarios.Trace{Mode: "embedded", Kubernetes: "1.37.2", Steps: []scenarios.Observation{o}}
			in := viewtest.Input(&trace, 1, cells.Size{Width: 120, Height: 50}, scenarios.English, view.State{})
			var lines []string
			for _, l := range viewtest.Drawn(t, path.Draw, in).Lines {
				lines = append(lines, l.String())
			}
			got := strings.Join(lines, "\n")
			if decided, _, _ := strings.Cut(got, "┊"); !strings.Contains(decided, c.named) || strings.Contains(decided, c.other) {
				t.Errorf("%s must be named, and %s must not:\n%s", c.named, c.other, got)
			}
		})
	}
}

func TestAnOldWatchIsNoGetFromEtcd(t *testing.T) {
	o := scenarios.Observation{Exchanges: []scenarios.Exchange{{Method: "GET", Path: "/api/v1/watch/namespaces/ns/configmaps", Status: 200}}, Spans: []scenarios.Span{{Name: "cacher.Watch"}}}
	p := path.Of(&scenarios.Trace{Mode: "embedded"}, &o, 0)
	if end, ok := p.End(); !ok || end.Question != path.Cache {
		t.Errorf("it ends at %+v of %+v", end, p.Nodes)
	}
}
