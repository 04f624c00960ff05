package remote

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"rvtui/cluster/logs"
)

// buffer is what a person reads.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// program writes a credential plugin, and returns the kubeconfig's user who logs in with it.
func program(t *testing.T, script, more string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log-me-in")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("exec: {apiVersion: client.authentication.k8s.io/v1, command: %q, interactiveMode: IfAvailable%s}", path, more)
}

const giveToken = `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"abcdef"}}'
`

func TestACredentialPluginSpeaksToThePersonUntilTheScreenIsThere(t *testing.T) {
	s := newServer(t, "abcdef")
	counter := filepath.Join(t.TempDir(), "ran")
	user := program(t, fmt.Sprintf("echo x >> %q\necho 'open https://login.example' >&2\nprintf 'code: ' >&2\n%s", counter, giveToken), "")
	say, log := &buffer{}, &logs.Recorder{}
	stderr := os.Stderr
	r, err := connect(t, Options{Say: say, Log: log, Screen: true}, "--kubeconfig", s.config(t, user))
	if err != nil {
		t.Fatal(err)
	}
	if os.Stderr != stderr {
		t.Error("the process's stderr is not what it was")
	}
	r.plugin.said() // all of it was read
	if say.String() != "open https://login.example\ncode: " {
		t.Errorf("the person reads %q", say)
	}
	if !r.Config.REST.ExecProvider.StdinUnavailable {
		t.Error("the plugin may read the terminal later on")
	}

	// Another client, as an actor's, has the credentials that were got; when they are no longer
	// accepted, the plugin runs again, and tells the log.
	config := named(r.Config.REST)
	config.NextProtos = []string{"h2", "http/1.1"}
	config.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := serverVersion(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	if ran := ran(t, counter); ran != 1 {
		t.Errorf("the plugin ran %d times", ran)
	}
	s.token = "ghijkl"
	_, err = serverVersion(t.Context(), client)
	if want := "kind-dev does not accept the credentials of user jane, or no longer (401 Unauthorized)"; err == nil || !strings.HasPrefix(r.Explain(err).Error(), want) {
		t.Errorf("a token that has expired: %v", r.Explain(err))
	}
	if ran := ran(t, counter); ran != 2 {
		t.Errorf("the plugin ran %d times", ran)
	}
	r.plugin.said()
	if say.String() != "open https://login.example\ncode: " {
		t.Errorf("the plugin wrote over the screen: %q", say)
	}
	lines, _ := log.Since(0)
	if len(lines) == 0 || lines[0].Source != "credential plugin" || !strings.Contains(lines[0].Text, "open https://login.example") {
		t.Errorf("the log: %+v", lines)
	}
}

func ran(t *testing.T, counter string) int {
	t.Helper()
	content, err := os.ReadFile(counter)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(content), "x")
}

func TestACredentialPluginThatDoesNotWorkIsOneClearLine(t *testing.T) {
	s := newServer(t, "abcdef")
	missing := "exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, interactiveMode: Never, installHint: \"It is in\\nthe box.\"}"
	tests := []struct{ name, user, want string }{
		{"not there", missing, "kind-dev logs in with the program no-such-plugin, which was not found; install it, or put its directory on PATH: It is in the box."},
		{"failing", program(t, "echo first >&2; echo 'SSO session expired.' >&2; exit 3", ""), "which failed with exit code 3: SSO session expired; `kubectl --kubeconfig "},
		{"failing at once", program(t, "printf 'no home' >&2; exit 1", ""), "which failed with exit code 1: no home; `kubectl"},
		{"without an answer", program(t, "exit 0", ""), "which failed: exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin returned version client"},
		{"that must ask, without a terminal", strings.Replace(program(t, giveToken, ""), "IfAvailable", "Always", 1), "which wants to ask something, and cannot now; log in with kubectl, or start rvtui anew in a terminal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := connect(t, Options{}, "--kubeconfig", s.config(t, test.user))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got  %v\nwant …%s", err, test.want)
			}
		})
	}
}

// TestTheClientLibrariesWriteToTheLogAlone is about what would be written over the screen.
func TestTheClientLibrariesWriteToTheLogAlone(t *testing.T) {
	s := newServer(t, "")
	recorder := &logs.Recorder{}
	if _, err := connect(t, Options{Log: recorder}, "--kubeconfig", s.config(t, "")); err != nil {
		t.Fatal(err)
	}
	// The server's own complaint comes by the standard library's logger, as net/http's client's do.
	s.Config.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("on purpose") })
	client := s.Client()
	client.Timeout = time.Minute
	if response, err := client.Get(s.URL); err == nil {
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	s.Close()
	lines, _ := recorder.Since(0)
	if len(lines) == 0 || lines[0].Source != logs.ClientGo || !strings.Contains(lines[0].Text, "on purpose") {
		t.Errorf("the log: %+v", lines)
	}
}
