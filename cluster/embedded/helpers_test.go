package embedded

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"
)

// helpers are what a second process of the test binary can do. What one prints is a
// failure, but for the times that the benchmark asks for.
var helpers = map[string]func(context.Context) error{
	"twice":             startTwice,
	"cancelled":         startCancelled,
	"fatal":             surviveFatal,
	"killed":            startAndBeKilled,
	"restarted":         restartAndClose,
	"restart-cancelled": cancelRestart,
	"restart-closed":    closeInRestart,
	"kill-a-walk":       killAWalk,
	"hang":              walkAndHang,
	"rights":            walkWithLeastRights,
	"namespaces":        removeNamespaces,
	"walks":             timeWalks,
	"trimmed":           func(ctx context.Context) error { return timeStart(ctx, Options{}, quick) },
	"inside":            func(ctx context.Context) error { return timeStart(ctx, Options{Spans: inside, Log: lines}, quick) },
	"stock":             func(ctx context.Context) error { return timeStart(ctx, Options{}, stock) },
}

// startTwice starts a control plane, uses it well and badly, and closes it; twice.
func startTwice(ctx context.Context) error {
	for range 2 {
		c, err := Start(ctx, Options{Spans: inside, Log: lines})
		if err != nil {
			return err
		}
		if _, err := Start(ctx, Options{}); err == nil {
			return errors.New("a second control plane started beside the first")
		}
		client, err := kubernetes.NewForConfig(c.RESTConfig())
		if err != nil {
			return err
		}
		if _, err := client.CoreV1().ConfigMaps("kube-system").List(ctx, metav1.ListOptions{}); err != nil {
			return err
		}
		// A client that hangs up, one that is no client, and one that is still there at the end.
		short, cancel := context.WithTimeout(ctx, time.Millisecond)
		_, _ = client.CoreV1().Pods("").List(short, metav1.ListOptions{})
		cancel()
		conn, err := net.Dial("tcp", c.Address().String())
		if err != nil {
			return err
		}
		_, _ = fmt.Fprint(conn, "this is no TLS\n\n")
		_ = conn.Close()
		watch, err := client.CoreV1().ConfigMaps("").Watch(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		if err := c.Close(); err != nil {
			return err
		}
		for range watch.ResultChan() { // to its end
		}
		if err := c.Close(); err != nil {
			return fmt.Errorf("closed a second time: %w", err)
		}
		select {
		case err := <-c.Failed():
			return fmt.Errorf("failed while it was closed: %w", err)
		default:
		}
	}
	return nil
}

// startCancelled gives up at each phase of a start.
func startCancelled(ctx context.Context) error {
	for _, at := range []string{"", PhaseEtcd, PhaseAPIServer} {
		ctx, cancel := context.WithCancelCause(ctx)
		enough := errors.New("enough")
		if at == "" {
			cancel(enough)
		}
		_, err := Start(ctx, Options{Report: func(phase string) {
			if phase == at {
				cancel(enough)
			}
		}})
		if !errors.Is(err, enough) {
			return fmt.Errorf("cancelled at %q, the start says %w", at, err)
		}
	}
	return nil
}

// surviveFatal has a fatal message said in a goroutine.
func surviveFatal(ctx context.Context) error {
	c, err := Start(ctx, Options{})
	if err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		klog.Fatal("the end")
	}()
	<-ended
	select {
	case <-c.Failed():
	default:
		return errors.New("nobody was told of the fatal message")
	}
	return c.Close()
}

// startAndBeKilled ends without a chance to clean up.
func startAndBeKilled(ctx context.Context) error {
	if _, err := Start(ctx, Options{}); err != nil {
		return err
	}
	return syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// fillTheDisk writes until a server ends for it, and returns what is told then.
func fillTheDisk(ctx context.Context) error {
	c, err := Start(ctx, Options{Recorder: recorder})
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return err
	}
	etcd, err := c.EtcdClient()
	if err != nil {
		return err
	}
	defer etcd.Close()
	ctx, full := context.WithCancelCause(ctx)
	go func() { full(<-c.Failed()) }()
	go func() { // as a session does, all the time
		for range etcd.Watch(ctx, "", clientv3.WithPrefix()) {
			_, _ = etcd.Get(ctx, "compact_rev_key", clientv3.WithCountOnly())
		}
	}()
	for i := 0; ctx.Err() == nil; i++ {
		// Refusals are waited out too: the failure is what ends this.
		_, _ = client.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("filler-", i)},
			Data:       map[string]string{"filler": strings.Repeat("x", 900<<10)},
		}, metav1.CreateOptions{})
	}
	if err := c.Close(); err != nil {
		return err
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		return fmt.Errorf("left behind: %v, %w", left, err)
	}
	return context.Cause(ctx)
}
