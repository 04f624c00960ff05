package http

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/view"
)

// read is what the shell makes of a line: what curl gets.
func read(t *testing.T, line string) []string {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no POSIX shell here to read the line")
	}
	command := exec.CommandContext(t.Context(), sh, "-c", "curl() { printf '%s\\0' \"$@\"; }\n"+line)
	command.Env = []string{"APISERVER=https://server", "TOKEN=secret token", "CACERT=/a file"}
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestTheShellGivesCurlTheRequestAsItWas(t *testing.T) {
	for _, text := range []string{
		`B`, `it's`, `''`, `"`, `\`, `\'`, `$HOME`, `$(id)`, "`id`", "a\nb", "a\n", `!!`, `#`, `;&|<>*?[]{}~`, `%s`, "名字", "@file", "-X",
	} {
		for _, raw := range []json.RawMessage{mustJSON(map[string]any{"data": map[string]any{"owner": text}}), mustJSON(text)} {
			e := &scenarios.Exchange{
				Method: "PUT", Path: "/api/v1/namespaces/n/configmaps/" + text + "?fieldManager=" + text,
				RequestHeaders: map[string]string{"Content-Type": "application/json", "X-Own": text, "Traceparent": "00-1"},
				RequestBody:    raw,
			}
			want := string(raw)
			if raw[0] == '"' { // a body that was no JSON
				want = text
			}
			got := read(t, curl(&view.Input{}, e))
			expected := []string{
				"-sS", "-X", "PUT", "https://server" + e.Path, "--cacert", "/a file", "-H", "Authorization: Bearer secret token",
				"-H", "Content-Type: application/json", "-H", "X-Own: " + text, "--data-raw", want,
			}
			if strings.ContainsAny(text, "[]{}") {
				expected = slices.Insert(expected, 1, "--globoff")
			}
			if !slices.Equal(got, expected) {
				t.Errorf("%q:\ngot  %q\nwant %q", text, got, expected)
			}
		}
	}
}

func TestTheLineLeavesTheServerAndTheTokenToTheShell(t *testing.T) {
	e := &scenarios.Exchange{Method: "GET", Path: "/api/v1/namespaces/n/configmaps?watch=true&resourceVersion=9", RequestHeaders: map[string]string{
		"Accept": "application/json", "Authorization": "Bearer abc", "Cookie": "abc", "X-Own": "(hidden)",
	}}
	const want = `curl -sS -N -X GET "$APISERVER/api/v1/namespaces/n/configmaps?watch=true&resourceVersion=9" --cacert "$CACERT" -H "Authorization: Bearer $TOKEN" -H 'Accept: application/json'`
	if got := curl(&view.Input{}, e); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTheLineDoesNotPretendToHoldWhatTheTraceDoesNot(t *testing.T) {
	for name, c := range map[string]struct {
		body json.RawMessage
		want string
	}{
		"a Secret":            {mustJSON(map[string]any{"kind": "Secret", "data": map[string]any{"a": "(hidden)"}}), "what a Secret holds is hidden"},
		"a Secret as YAML":    {mustJSON("(hidden)"), "what a Secret holds is hidden"},
		"what cannot be sent": {mustJSON("a\x1b[201~b"), "control characters"},
	} {
		line := curl(&view.Input{}, &scenarios.Exchange{Method: "PUT", Path: "/api/v1/namespaces/n/secrets/s", RequestBody: c.body})
		note, command, _ := strings.Cut(line, "\n")
		if !strings.HasPrefix(note, "# ") || !strings.Contains(note, c.want) || !strings.HasSuffix(command, " --data-binary @body") || strings.Contains(line, "\x1b") {
			t.Errorf("%s: %s", name, line)
		}
		if got := read(t, line); got[len(got)-1] != "@body" {
			t.Errorf("%s: the shell reads %q", name, got)
		}
	}
}

func TestNoLineThatControlsATerminalIsCopied(t *testing.T) {
	if line := curl(&view.Input{}, &scenarios.Exchange{Method: "GET", Path: "/a\x1b]0;b\x07"}); line != "" {
		t.Errorf("%q", line)
	}
	raw := json.RawMessage("{\"a\":\"b\u0085c\u007f\"}")
	line := curl(&view.Input{}, &scenarios.Exchange{Method: "PUT", Path: "/a", RequestBody: raw})
	if !strings.HasSuffix(line, `--data-raw '{"a":"b\u0085c\u007f"}'`) {
		t.Errorf("%q", line)
	}
}

func mustJSON(v any) json.RawMessage {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return json.RawMessage(strings.TrimSpace(b.String()))
}
