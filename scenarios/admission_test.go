package scenarios

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestWhatAdmissionMadeOfWhatWasSentIsFound(t *testing.T) {
	const sent = `{"kind":"ConfigMap","metadata":{"name":"cm1","labels":{"a":"1"}},"data":{"owner":"A"}}`
	came := func(metadata, data string) string {
		return `{"kind":"ConfigMap","metadata":{"name":"cm1","uid":"u","resourceVersion":"7","managedFields":[]` + metadata + `},"data":{` + data + `}}`
	}
	for name, test := range map[string]struct {
		method, path string
		status       int
		sent, came   string
		want         string
	}{
		"nothing":                      {"POST", "/configmaps", 201, sent, came(`,"labels":{"a":"1"}`, `"owner":"A"`), ""},
		"a label":                      {"POST", "/configmaps", 201, sent, came(`,"labels":{"a":"1","team":"x"}`, `"owner":"A"`), "admission adds the label team to a ConfigMap"},
		"another value":                {"PUT", "/configmaps/cm1?fieldManager=x", 200, sent, came(`,"labels":{"a":"2"}`, `"owner":"A"`), "admission changes the label a of a ConfigMap"},
		"an annotation and data":       {"POST", "/configmaps", 201, sent, came(`,"labels":{"a":"1"},"annotations":{"n":"1"}`, `"owner":"A","more":"1"`), "admission adds the annotation n to a ConfigMap, admission adds the field data.more to a ConfigMap"},
		"a subresource":                {"PUT", "/configmaps/cm1/status", 200, sent, came(`,"labels":{"a":"2"}`, ""), ""},
		"a patch":                      {"PATCH", "/configmaps/cm1", 200, sent, came(`,"labels":{"a":"2"}`, ""), ""},
		"a refusal":                    {"POST", "/configmaps", 409, sent, `{"kind":"Status"}`, ""},
		"an answer of another kind":    {"POST", "/configmaps", 201, sent, `{"kind":"Status","metadata":{"labels":{"x":"y"}}}`, ""},
		"a body that is not an object": {"POST", "/configmaps", 201, `"kind: ConfigMap"`, came(`,"labels":{"a":"1"}`, ""), ""},
		"the server's own label":       {"POST", "/namespaces", 201, `{"kind":"Namespace","metadata":{"name":"n"}}`, `{"kind":"Namespace","metadata":{"name":"n","labels":{"kubernetes.io/metadata.name":"n"}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			exchange := Exchange{Method: test.method, Path: "/api/v1/namespaces/x" + test.path, Status: test.status, RequestBody: json.RawMessage(test.sent), ResponseBody: json.RawMessage(test.came)}
			trace := Trace{Setup: &Observation{Exchanges: []Exchange{exchange}}, Steps: []Observation{{Exchanges: []Exchange{exchange}}}}
			var got []string
			for _, one := range trace.Admitted() {
				got = append(got, one.In(English))
			}
			if got := strings.Join(got, ", "); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestASetupThatARuleRefusesIsDenied(t *testing.T) {
	for text, want := range map[string]struct {
		code   int
		denied bool
	}{
		`configmaps "cm1" is forbidden: exceeded quota: small`:                                                        {403, true},
		`admission webhook "x.example.com" denied the request: no`:                                                    {400, true},
		`configmaps "cm1" is forbidden: ValidatingAdmissionPolicy 'a' with binding 'b' denied request: no`:            {422, true},
		`ConfigMap "cm1" is invalid: metadata.name: Invalid value`:                                                    {422, false},
		`configmaps "cm1" already exists`:                                                                             {409, false},
		`Internal error occurred: failed calling webhook "x.example.com": failed to call webhook: connection refused`: {500, false},
	} {
		body, _ := json.Marshal(map[string]any{"kind": "Status", "code": want.code, "message": text})
		cluster := conflictScript()
		cluster.answers[0].seen = answered(Admin, "POST", want.code, body, 10, "nobody")
		_, err := Begin(t.Context(), cluster, mustDecode(t, conflict))
		var setup *SetupError
		if !errors.As(err, &setup) || setup.Denied != want.denied {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAnUnexpectedStatusComesWithItsMessage(t *testing.T) {
	o := Observation{Actor: A, Exchanges: []Exchange{{Actor: A, Status: 403, ResponseBody: json.RawMessage(`{"kind":"Status","reason":"Forbidden","message":"exceeded quota"}`)}}}
	for expected, want := range map[*Expect]string{
		{Code: 200}:                    "403 Forbidden: exceeded quota",
		{Code: 403}:                    "403 Forbidden",
		{Code: 409, Message: "object"}: "403 Forbidden", // the message's own expectation tells it
	} {
		if checks := judge(expected, &o, &values{}); checks[0].Got.In(English) != want {
			t.Errorf("got %q, want %q", checks[0].Got.In(English), want)
		}
	}
}
