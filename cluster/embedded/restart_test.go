package embedded

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

func head(t *testing.T, etcd *clientv3.Client) int64 {
	t.Helper()
	response, err := etcd.Get(t.Context(), "any", clientv3.WithCountOnly())
	if err != nil {
		t.Fatal(err)
	}
	return response.Header.Revision
}

func TestARestartedAPIServerHasTheSameObjectsAndAnEmptyMemory(t *testing.T) {
	c := controlPlane(t)
	configMaps := client(t, c).CoreV1().ConfigMaps("default")
	etcd, err := c.EtcdClient()
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	made, err := configMaps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "restarted"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// So that a watch from the first is older than what the caches are filled with.
	if _, err := configMaps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "restarted-later"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	open, err := configMaps.Watch(t.Context(), metav1.ListOptions{ResourceVersion: made.ResourceVersion})
	if err != nil {
		t.Fatal(err)
	}
	if event := <-open.ResultChan(); event.Type != watch.Added {
		t.Fatalf("before the restart the watch brings %+v", event)
	}
	before, address, old := head(t, etcd), c.Address().String(), c.apiserver

	if err := c.RestartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}

	for range open.ResultChan() { // it ends, or else this test does not
	}
	read, err := configMaps.Get(t.Context(), made.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal("the first request after the restart:", err)
	}
	if read.ResourceVersion != made.ResourceVersion || read.UID != made.UID {
		t.Errorf("made as %s %s, read as %s %s", made.UID, made.ResourceVersion, read.UID, read.ResourceVersion)
	}
	if after := head(t, etcd); after < before {
		t.Errorf("etcd was at %d, and is at %d", before, after)
	}
	again, err := configMaps.Watch(t.Context(), metav1.ListOptions{ResourceVersion: made.ResourceVersion})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Stop()
	if event := <-again.ResultChan(); event.Type != watch.Error || !strings.Contains(fmt.Sprint(event.Object), "too old resource version") {
		t.Errorf("a watch from before the restart brings %+v", event)
	}
	if c.apiserver == old || c.Address().String() != address {
		t.Errorf("another server: %v; it was at %s, and is at %s", c.apiserver != old, address, c.Address())
	}
	if _, err := os.Stat(c.credentials.tokenFile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the token's file is there: %v", err)
	}
	select {
	case err := <-c.Failed():
		t.Errorf("failed: %v", err)
	default:
	}
}

func TestAPostIsAnsweredRightAfterARestart(t *testing.T) {
	c := controlPlane(t)
	// Of a client that repeats nothing: net/http does not send a POST twice.
	const path = "/api/v1/namespaces/default/configmaps"
	post := func(name string) int {
		return ask(t, c, http.MethodPost, path, fmt.Sprintf(`{"metadata":{"name":%q}}`, name)).status
	}
	if got := post("before-restart"); got != http.StatusCreated {
		t.Fatal(got)
	}
	if err := c.RestartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := post("after-restart"); got != http.StatusCreated {
		t.Error(got)
	}
}

func TestRestartsPrintNothingAndLeaveNothing(t *testing.T) {
	for _, name := range []string{"restarted", "restart-cancelled", "restart-closed"} {
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			if output, err := runHelper(t, name, tmp); err != nil || output != "" {
				t.Errorf("printed %q, %v", output, err)
			}
			wantEmpty(t, tmp)
		})
	}
}

// inRestart starts a control plane and restarts its apiserver, and calls then once the old
// one has gone: that is when a watch ends.
func inRestart(ctx context.Context, then func(*ControlPlane)) (*ControlPlane, error) {
	c, err := Start(ctx, Options{})
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return nil, err
	}
	stream, err := client.CoreV1().RESTClient().Get().AbsPath("/api/v1/configmaps").Param("watch", "true").Stream(ctx)
	if err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for scanner := bufio.NewScanner(stream); scanner.Scan(); {
		}
		then(c)
	}()
	err = c.RestartAPIServer(ctx)
	<-done
	return c, err
}

// restartAndClose restarts twice, and closes.
func restartAndClose(ctx context.Context) error {
	c, err := inRestart(ctx, func(*ControlPlane) {})
	if err != nil {
		return err
	}
	if err := c.RestartAPIServer(ctx); err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return err
	}
	select {
	case err := <-c.Failed():
		return fmt.Errorf("failed: %w", err)
	default:
	}
	if err := c.RestartAPIServer(ctx); !errors.Is(err, errClosed) {
		return fmt.Errorf("a restart after the end says %w", err)
	}
	return nil
}

// cancelRestart gives up before a restart, which changes nothing, and within one, which
// must end the control plane.
func cancelRestart(ctx context.Context) error {
	if err := cancelBeforeRestart(ctx); err != nil {
		return err
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(ctx)
	c, err := inRestart(ctx, func(c *ControlPlane) { cancel(enough) })
	if !errors.Is(err, enough) {
		return fmt.Errorf("cancelled, the restart says %w", err)
	}
	select {
	case failed := <-c.Failed():
		if !errors.Is(failed, enough) {
			return fmt.Errorf("the control plane says %w", failed)
		}
	default:
		return errors.New("nobody was told that there is no kube-apiserver")
	}
	if again := c.RestartAPIServer(context.Background()); !errors.Is(again, enough) {
		return fmt.Errorf("a restart of what failed says %w", again)
	}
	return c.Close()
}

func cancelBeforeRestart(ctx context.Context) error {
	c, err := Start(ctx, Options{})
	if err != nil {
		return err
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := c.RestartAPIServer(ended); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("cancelled before, the restart says %w", err)
	}
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return err
	}
	if _, err := client.Discovery().ServerVersion(); err != nil {
		return fmt.Errorf("a restart that did not begin: %w", err)
	}
	return c.Close()
}

// closeInRestart closes the control plane within a restart.
func closeInRestart(ctx context.Context) error {
	closed := make(chan error, 1)
	c, err := inRestart(ctx, func(c *ControlPlane) { closed <- c.Close() })
	if !errors.Is(err, errClosed) {
		return fmt.Errorf("closed, the restart says %w", err)
	}
	select {
	case failed := <-c.Failed():
		return fmt.Errorf("closed, and failed: %w", failed)
	default:
	}
	return <-closed
}
