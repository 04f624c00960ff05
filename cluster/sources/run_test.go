package sources

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// The streams of the exec subresource, as the first byte of a message names them.
const (
	toStdout = 1
	toStderr = 2
	toError  = 3
)

type said struct {
	stream byte
	text   string
}

// podOf serves the exec subresource of a pod, which says the same to every command, and returns
// a way to run there. asked is each request's query.
func podOf(t *testing.T, asked *[]url.Values, says ...said) func(context.Context, []string) ([]byte, error) {
	t.Helper()
	upgrader := websocket.Upgrader{Subprotocols: []string{"v5.channel.k8s.io"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/namespaces/kube-system/pods/etcd-a/exec" || says == nil {
			http.Error(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods \"etcd-a\" is forbidden","reason":"Forbidden","code":403}`, http.StatusForbidden)
			return
		}
		connection, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer connection.Close()
		*asked = append(*asked, r.URL.Query())
		for _, message := range says {
			if message.stream == 0 { // it hangs
				_, _, _ = connection.ReadMessage()
				return
			}
			if connection.WriteMessage(websocket.BinaryMessage, append([]byte{message.stream}, message.text...)) != nil {
				return
			}
		}
		_ = connection.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	}))
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return inPod(config, client, etcdPod{namespace: "kube-system", name: "etcd-a", container: "etcd"})
}

func TestACommandRunsInThePodAsItIs(t *testing.T) {
	var asked []url.Values
	run := podOf(t, &asked, said{toStdout, `{"a":`}, said{toStderr, "a warning\n"}, said{toStdout, `1}`}, said{toError, `{"status":"Success"}`})
	command := []string{"etcdctl", "get", "/a b; $(c)", "-w", "json"}
	got, err := run(t.Context(), command)
	if err != nil || string(got) != `{"a":1}` {
		t.Fatalf("%q, error %v", got, err)
	}
	query := asked[0]
	if !slices.Equal(query["command"], command) || query.Get("container") != "etcd" || query.Get("tty") == "true" || query.Get("stdin") == "true" {
		t.Errorf("asked for %v", query)
	}
}

func TestACommandThatFailsSaysWhyInALine(t *testing.T) {
	const failed = `{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"1"}]}}`
	tests := map[string]struct {
		says []said
		want string
	}{
		"etcdctl's own":    {[]said{{toStderr, `{"level":"warn"}` + "\nError: mvcc: no\n"}, {toError, failed}}, "it ended with 1: mvcc: no"},
		"the container's":  {[]said{{toError, `{"status":"Failure","reason":"InternalError","message":"OCI runtime exec failed:\n \"etcdctl\": not found"}`}}, `OCI runtime exec failed: "etcdctl": not found`},
		"too much":         {[]said{{toStdout, strings.Repeat("x", mostPrinted)}, {toStdout, "x"}, {toError, `{"status":"Success"}`}}, "it printed more than 16 MiB"},
		"nobody may do so": {nil, "forbidden"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var asked []url.Values
			_, err := podOf(t, &asked, test.says...)(t.Context(), []string{"etcdctl"})
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func TestACommandThatHangsIsLeft(t *testing.T) {
	var asked []url.Values
	run := podOf(t, &asked, said{})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := run(ctx, []string{"etcdctl"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
