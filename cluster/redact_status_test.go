package cluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"rvtui/scenarios"
)

func TestAnErrorTextQuotesNothingOfASecret(t *testing.T) {
	tests := map[string]string{
		// What says nothing of a value stays whole.
		`Operation cannot be fulfilled on secrets "s1": the object has been modified; please apply your changes to the latest version and try again`: "",
		`secrets "s1" not found`:      "",
		`secrets "s1" already exists`: "",
		`Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0`: "",
		`data[tls.crt]: Required value`: "",

		`Secret "s1" is invalid: [data[a]: Invalid value: "v", type: Unsupported value: "v"]`: `Secret "s1" is invalid: [data[a]: Invalid value: (hidden)`,
		`type: Unsupported value: "v": supported values: "a"`:                                 `type: Unsupported value: (hidden)`,
		`Invalid value: 5: must be more`:                                                      `Invalid value: (hidden)`,
		`error decoding "{"data":{"a":"v"}}"`:                                                 `error decoding " (hidden)`,
		`.data.a: expected string, got &value.valueUnstructured{Value:"v"}`:                   `.data.a: expected string, got (hidden)`,
		`the object provided is unrecognized (must be of type Secret): no kind (7b2264)`:      `the object provided is unrecognized (hidden)`,
		"yaml: cannot unmarshal !!str `v` into map":                                           `yaml: cannot unmarshal !!str (hidden)`,
		"yaml: unmarshal errors:\n  line 1: v":                                                `yaml: unmarshal errors: (hidden)`,
		`cannot use map[a:v] here`:                                                            `cannot use (hidden)`,
		`cannot use ["v"] here`:                                                               `cannot use (hidden)`,
	}
	for text, want := range tests {
		if want == "" {
			want = text
		}
		if got := withoutQuotation(text); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

func TestARefusedSecretIsNotInItsRefusal(t *testing.T) {
	const value = "hunter2"
	api := newFakeAPI(t)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		sent, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(sent)))
		if !strings.Contains(string(sent), value) {
			return false
		}
		w.Header().Set("Warning", `299 - "`+value+`"`)
		status(w, http.StatusUnprocessableEntity, "Invalid", fmt.Sprintf("patch: Invalid value: %q: no", sent))
		return true
	}
	s := api.open(t)
	secret := map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s1"}, "stringData": map[string]any{"k": value}}
	body := `{"kind":"Secret","stringData":{"k":"` + value + `"}}`
	for _, call := range []scenarios.Call{
		{Verb: scenarios.VerbCreate, Kind: "Secret", Name: "s1", Object: secret},
		{Verb: scenarios.VerbRaw, Method: "PATCH", Path: "/api/v1/namespaces/rvtui-test/secrets/s1", Body: body},
		{Verb: scenarios.VerbRaw, Method: "POST", Path: "/api/v1/namespaces/rvtui-test/configmaps", Body: body},
		{Verb: scenarios.VerbKubectlApply, Object: secret},
	} {
		call.Actor = scenarios.A
		seen := do(t, s, call)
		encoded, _ := json.Marshal(seen)
		last := seen.Exchanges[len(seen.Exchanges)-1]
		if strings.Contains(string(encoded), value) || last.Status != 422 || !strings.Contains(string(last.ResponseBody), "patch: Invalid value: (hidden)") {
			t.Errorf("%s: %s", call.Verb, encoded)
		}
	}
}

func TestAnErrorOfTheClientQuotesNothingOfASecret(t *testing.T) {
	const value = "hunter2"
	api := newFakeAPI(t)
	api.instead = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("User-Agent") != "rvtui-A" {
			return false
		}
		conn, _, _ := w.(http.Hijacker).Hijack()
		defer conn.Close()
		fmt.Fprintf(conn, "{%s}\r\n", value) // net/http quotes what is no answer
		return true
	}
	s := api.open(t)
	seen, err := s.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbGet, Kind: "Secret", Name: "s1"}, nil)
	encoded, _ := json.Marshal(seen)
	if err == nil || strings.Contains(err.Error(), value) || strings.Contains(string(encoded), value) {
		t.Errorf("error %v, %s", err, encoded)
	}
	if len(seen.Exchanges) == 0 || !strings.HasSuffix(seen.Exchanges[0].Error, `malformed HTTP response " (hidden)`) {
		t.Errorf("exchanges: %+v", seen.Exchanges)
	}
}
