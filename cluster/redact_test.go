package cluster

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
)

func TestBodiesAreRecordedWithoutSecrets(t *testing.T) {
	const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJl"
	const continued = `{"metadata":{"continue":"eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MTB9"}}`
	const configMaps, secrets = "/api/v1/namespaces/n/configmaps/x", "/api/v1/namespaces/n/secrets/x?fieldManager=y"
	tests := map[string]struct{ path, body, want string }{
		"nothing":                   {configMaps, ``, ``},
		"JSON as it is":             {configMaps, `{"b":1, "a":12345678901234567890}`, `{"b":1, "a":12345678901234567890}`},
		"no JSON":                   {configMaps, "a: 1\n", `"a: 1\n"`},
		"two JSON values":           {configMaps, "{}{}", `"{}{}"`},
		"a ConfigMap's data stays":  {configMaps, `{"kind":"ConfigMap","data":{"a":"b"}}`, `{"kind":"ConfigMap","data":{"a":"b"}}`},
		"a Secret":                  {secrets, `{"kind":"Secret","data":{"a":"b"},"stringData":{"c":"d"},"type":"Opaque"}`, `{"data":{"a":"(hidden)"},"kind":"Secret","stringData":{"c":"(hidden)"},"type":"Opaque"}`},
		"a Secret where none is":    {configMaps, `{"kind":"Secret","data":{"a":"b"}}`, `{"data":{"a":"(hidden)"},"kind":"Secret"}`},
		"a list of Secrets":         {secrets, `{"kind":"SecretList","items":[{"data":{"a":"b"}}]}`, `{"items":[{"data":{"a":"(hidden)"}}],"kind":"SecretList"}`},
		"Secrets in a mixed list":   {configMaps, `{"kind":"List","items":[{"kind":"Secret","data":{"a":"b"}}]}`, `{"items":[{"data":{"a":"(hidden)"},"kind":"Secret"}],"kind":"List"}`},
		"a patch of a Secret":       {secrets, `{"data":{"a":"b"}}`, `{"data":{"a":"(hidden)"}}`},
		"a removal in a patch":      {secrets, `{"data":null}`, `{"data":null}`},
		"a JSON patch of a Secret":  {secrets, `[{"op":"add","path":"/data/a","value":"b"},{"op":"test","path":"/metadata/resourceVersion","value":"5"}]`, `[{"op":"add","path":"/data/a","value":"(hidden)"},{"op":"test","path":"/metadata/resourceVersion","value":"5"}]`},
		"a whole Secret in one":     {secrets, `[{"op":"replace","path":"","value":{"data":{"a":"b"}}}]`, `[{"op":"replace","path":"","value":"(hidden)"}]`},
		"what kubectl applied":      {secrets, `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{b}"}}}`, `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"(hidden)"}}}`},
		"a misspelt field":          {secrets, `{"stringdata":{"a":"b"}}`, `{"stringdata":"(hidden)"}`},
		"a scalar":                  {secrets, `"b"`, `"(hidden)"`},
		"a list of scalars":         {secrets, `["b",["c"]]`, `["(hidden)",["(hidden)"]]`},
		"a Secret in YAML":          {configMaps, "kind: Secret\nstringData: {a: b}\n", `"(hidden)"`},
		"an annotation":             {secrets, `{"metadata":{"annotations":{"a":"b"},"labels":{"c":"d"}}}`, `{"metadata":{"annotations":{"a":"(hidden)"},"labels":{"c":"d"}}}`},
		"a watch's event":           {configMaps, `{"type":"ADDED","object":{"kind":"Secret","data":{"a":"b"}}}`, `{"object":{"data":{"a":"(hidden)"},"kind":"Secret"},"type":"ADDED"}`},
		"a refusal is shown":        {secrets, `{"kind":"Status","code":409}`, `{"kind":"Status","code":409}`},
		"what a refusal quotes":     {secrets, `{"kind":"Status","code":422,"message":"Secret \"s1\" is invalid: patch: Invalid value: \"{\\\"data\\\":1}\": no","details":{"causes":[{"field":"patch","message":"Invalid value: \"x\": no","reason":"FieldValueInvalid"}]}}`, `{"code":422,"details":{"causes":[{"field":"patch","message":"Invalid value: (hidden)","reason":"FieldValueInvalid"}]},"kind":"Status","message":"Secret \"s1\" is invalid: patch: Invalid value: (hidden)"}`},
		"a Secret that says Status": {secrets, `{"kind":"Status","data":{"a":"b"}}`, `{"data":{"a":"(hidden)"},"kind":"Status"}`},
		"a ConfigMap's refusal":     {configMaps, `{"kind":"Status","message":"Invalid value: \"x\""}`, `{"kind":"Status","message":"Invalid value: \"x\""}`},
		"a Secret that is no JSON":  {secrets, "data: {a: b}", `"(hidden)"`},
		"a Secret by another name":  {"/api/v1/namespaces/n/%73ecrets/x", "data: {a: b}", `"(hidden)"`},
		"a ServiceAccount's token":  {"/api/v1/namespaces/n/serviceaccounts/x/token", `{"kind":"TokenRequest","status":{"token":"abc"}}`, `{"kind":"TokenRequest","status":{"token":"(hidden)"}}`},
		"a token anywhere":          {configMaps, `{"data":{"a":"` + jwt + `"}}`, `{"data":{"a":"(hidden)"}}`},
		"a bearer token anywhere":   {configMaps, `{"data":{"a":"Bearer abcdefgh1234abcdefgh1234"}}`, `{"data":{"a":"(hidden)"}}`},
		"basic words are shown":     {configMaps, `{"data":{"a":"the basic authentication"}}`, `{"data":{"a":"the basic authentication"}}`},
		"the program's own":         {configMaps, `{"data":{"a":"` + token + `"}}`, `{"data":{"a":"(hidden)"}}`},
		"a continue token is shown": {configMaps, continued, continued},
	}
	r := newRedactor(token, "")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(r.body(servesSecrets(test.path), []byte(test.body))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestHeadersAreRecordedOnlyIfTheyCannotBeCredentials(t *testing.T) {
	header := http.Header{
		"Accept": {"application/json"}, "Authorization": {"Bearer abc"}, "Cookie": {"a=b"}, "Traceparent": {"00-"},
		"X-Own": {"1", "2"}, "X-Auth-Key": {"abc"}, "X-Remote-User": {"root"}, "X-Other": {"3"},
	}
	own := map[string]string{"x-own": "", "Authorization": "", "x-auth-key": "", "X-Remote-User": "", "X-Unsent": ""}
	want := map[string]string{"Accept": "application/json", "Traceparent": "00-", "X-Own": "1, 2"}
	if got := keptHeaders(header, requestHeaders, own); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func FuzzBodiesStayJSONAndLoseTheSecret(f *testing.F) {
	for _, seed := range []string{"{}", `{"kind":"Secret"}`, "[1", "\xff", `{"items":[{"kind":"Secret"}]}`, `"eyJhbGciOiJSUzI.a.b"`} {
		f.Add([]byte(seed))
	}
	r := newRedactor(token)
	f.Fuzz(func(t *testing.T, body []byte) {
		got := r.body(false, append(body, token...))
		if !json.Valid(got) {
			t.Errorf("not JSON: %q", got)
		}
		if strings.Contains(string(got), token) {
			t.Errorf("the token is in %q", got)
		}
	})
}
