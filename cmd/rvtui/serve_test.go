package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
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

func TestServeIsUsedByOtherProgramsAndLeavesNothing(t *testing.T) {
	tmp, out := temporary(t), filepath.Join(t.TempDir(), "config")
	ctx, cancel := context.WithTimeout(t.Context(), ptytest.Patience)
	defer cancel()
	command := program(t, tmp, "serve", "--kubeconfig-out", out)
	var errs bytes.Buffer
	command.Stderr = &errs
	pipe, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	stdout := bufio.NewReader(pipe)
	line, err := stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("%v; stderr: %s", err, errs.String())
	}
	told := map[string]string{}
	for word := range strings.FieldsSeq(line) {
		name, value, _ := strings.Cut(word, "=")
		told[name] = value
	}

	config, err := clientcmd.BuildConfigFromFlags("", told["kubeconfig"])
	if err != nil {
		t.Fatal(err)
	}
	if told["kubeconfig"] != out || told["url"] != config.Host || told["kubernetes"] != "1.37.2" || told["etcd"] != "3.7.3" {
		t.Errorf("it says %q; the kubeconfig leads to %s", line, config.Host)
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

	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stdout)
	if err != nil || len(rest) > 0 {
		t.Errorf("%v, stdout has more than a line: %q", err, rest)
	}
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if strings.Contains(line+errs.String(), config.BearerToken) || config.BearerToken == "" {
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
