package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"rvtui/cmd/rvtui/internal/ptytest"
)

// serving is `rvtui serve` in another process, which is ready.
type serving struct {
	command *exec.Cmd
	line    string            // the one that it says when it is ready
	told    map[string]string // what the line says: kubeconfig, etcd-endpoints, …
	stdout  *bufio.Reader     // what comes after it
	stderr  *bytes.Buffer     // to be read once the process has ended
}

// startServe starts `rvtui serve` and waits until it is ready. It is killed with the test.
func startServe(t *testing.T, tmp string, args ...string) serving {
	t.Helper()
	s := serving{command: program(t, tmp, append([]string{"serve"}, args...)...), told: map[string]string{}, stderr: &bytes.Buffer{}}
	s.command.Stderr = s.stderr
	pipe, err := s.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.command.Process.Kill() })
	s.stdout = bufio.NewReader(pipe)
	if s.line, err = s.stdout.ReadString('\n'); err != nil {
		t.Fatalf("%v; stderr: %s", err, s.stderr.String())
	}
	for word := range strings.FieldsSeq(s.line) {
		name, value, _ := strings.Cut(word, "=")
		s.told[name] = value
	}
	return s
}

func TestServeIsUsedByOtherProgramsAndLeavesNothing(t *testing.T) {
	tmp, out := temporary(t), filepath.Join(t.TempDir(), "config")
	ctx, cancel := context.WithTimeout(t.Context(), ptytest.Patience)
	defer cancel()
	serving := startServe(t, tmp, "--kubeconfig-out", out)
	told := serving.told

	config, err := clientcmd.BuildConfigFromFlags("", told["kubeconfig"])
	if err != nil {
		t.Fatal(err)
	}
	if told["kubeconfig"] != out || told["url"] != config.Host || told["kubernetes"] != "1.37.2" || told["etcd"] != "3.7.3" {
		t.Errorf("it says %q; the kubeconfig leads to %s", serving.line, config.Host)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	mine := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, mine, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	cm1, err := client.CoreV1().ConfigMaps("mine").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "cm1"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantStored(ctx, t, told["etcd-endpoints"], cm1)
	changes, err := client.CoreV1().Namespaces().Watch(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", "mine").String()})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.CoreV1().Namespaces().Delete(ctx, "mine", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	gone := false
	for change := range changes.ResultChan() {
		if gone = change.Type == watch.Deleted; gone {
			break
		}
	}
	changes.Stop()
	if !gone {
		t.Errorf("the deleted namespace stays: %v", context.Cause(ctx))
	}

	if err := serving.command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(serving.stdout)
	if err != nil || len(rest) > 0 {
		t.Errorf("%v, stdout has more than a line: %q", err, rest)
	}
	_ = serving.command.Wait()
	if code := serving.command.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(serving.line+serving.stderr.String(), config.BearerToken) || config.BearerToken == "" {
		t.Error("the token is printed")
	}
	wantEmpty(t, filepath.Dir(out))
	wantEmpty(t, tmp)
}

// wantStored fails unless etcd has an object at the revision that is its resourceVersion.
func wantStored(ctx context.Context, t *testing.T, endpoint string, cm *corev1.ConfigMap) {
	t.Helper()
	etcd, err := clientv3.New(clientv3.Config{Endpoints: []string{endpoint}, DialTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	stored, err := etcd.Get(ctx, "/registry/configmaps/"+cm.Namespace+"/"+cm.Name)
	if err != nil || len(stored.Kvs) != 1 {
		t.Fatalf("etcd has %v, %v", stored, err)
	}
	if got := stored.Kvs[0].ModRevision; cm.ResourceVersion != strconv.FormatInt(got, 10) {
		t.Errorf("mod_revision %d, resourceVersion %s", got, cm.ResourceVersion)
	}
}

func TestServeInATerminalEndsWithCtrlC(t *testing.T) {
	tmp := temporary(t)
	s := ptytest.Start(t, program(t, tmp, "serve"), 120, 36)
	s.WaitFor("ctrl+c ends it")
	written, err := filepath.Glob(filepath.Join(tmp, "rvtui-*", "kubeconfig"))
	if err != nil || len(written) != 1 || !strings.Contains(s.Raw(), "kubeconfig="+written[0]+" ") {
		t.Errorf("it has written %v, %v; the screen:\n%s", written, err, s.Screen())
	}
	s.Type("\x03")
	if code := s.Wait(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	s.WantRestored()
	wantEmpty(t, tmp)
}

func TestServeOverwritesNoFileOfAnybodyElse(t *testing.T) {
	tmp, out := temporary(t), filepath.Join(t.TempDir(), "config")
	const content = "apiVersion: v1\nkind: Config\n"
	if err := os.WriteFile(out, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	command := program(t, tmp, "serve", "--kubeconfig-out", out)
	printed, _ := command.CombinedOutput()
	if code := command.ProcessState.ExitCode(); code != 2 || !strings.HasPrefix(string(printed), "rvtui: cannot write the kubeconfig to "+out+": ") || strings.Count(string(printed), "\n") != 1 {
		t.Errorf("exit code %d, %q", code, printed)
	}
	if after, err := os.ReadFile(out); err != nil || string(after) != content {
		t.Errorf("%v, it has changed", err)
	}
	wantEmpty(t, tmp)
}
