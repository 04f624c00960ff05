package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd/api"

	"rvtui/scenarios"
)

// plugin is a credential plugin that gives a token.
func plugin(t *testing.T, token string) *api.ExecConfig {
	t.Helper()
	path := filepath.Join(t.TempDir(), "plugin")
	script := fmt.Sprintf(`#!/bin/sh
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}'
`, token)
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return &api.ExecConfig{Command: path, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: api.NeverExecInteractiveMode}
}

func TestCredentialsThatOnlyTheWireShowsAreInNoObservation(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, config := range map[string]*rest.Config{
		"of a program": {ExecProvider: plugin(t, token)},
		"of a file":    {BearerTokenFile: file},
	} {
		t.Run(name, func(t *testing.T) {
			fake := newFakeAPI(t)
			fake.instead = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.Contains(r.URL.Path, "configmaps") {
					return false
				}
				w.Header().Set("Warning", `299 - "you are `+token+`"`)
				status(w, http.StatusBadRequest, "BadRequest", "who is "+token+"?")
				return true
			}
			config.Host = fake.URL
			c, err := New(Config{REST: config, Store: NewEtcdStore(fake.etcd.client(t))})
			if err != nil {
				t.Fatal(err)
			}
			session, err := c.Open(t.Context(), "a-test")
			if err != nil {
				t.Fatal(err)
			}
			defer session.(*Session).follower.Stop()
			seen, err := session.Do(t.Context(), scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbRaw, Method: http.MethodGet, Path: "/api/v1/namespaces/x/configmaps/cm1"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := json.Marshal(seen)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(encoded), token) || !strings.Contains(string(encoded), "who is "+hidden+"?") {
				t.Errorf("seen: %s", encoded)
			}
		})
	}
}

func TestWhatAnAuthorizationHeaderHoldsIsHidden(t *testing.T) {
	tests := []struct{ header, text, want string }{
		{"Bearer abcdef", "a abcdef z", "a " + hidden + " z"},
		{"bearer  abcdef ", "a abcdef z", "a " + hidden + " z"},
		{"Basic YWRtaW46aHVudGVyMg==", "admin's hunter2, YWRtaW46aHVudGVyMg==", "admin's " + hidden + ", " + hidden},
		{"Basic not base64", "not base64", hidden},
		{"Bearer x", "an example", "an example"},
		{"Bearer", "Bearer", "Bearer"},
		{"", "text", "text"},
	}
	for _, test := range tests {
		r := newRedactor()
		r.known.see(test.header)
		if got := r.text(test.text); got != test.want {
			t.Errorf("after %q: %q becomes %q", test.header, test.text, got)
		}
	}
}

func TestACredentialThatIsPartOfAnotherLeavesNothingOfIt(t *testing.T) {
	if got := newRedactor("abcd", "abcdefgh").text("abcdefgh abcd"); got != hidden+" "+hidden {
		t.Errorf("got %q", got)
	}
}
