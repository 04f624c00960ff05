package embedded

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

// makeNamespace makes a namespace with a ConfigMap in it.
func makeNamespace(ctx context.Context, client kubernetes.Interface, name string) error {
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, err = client.CoreV1().ConfigMaps(name).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "cm1"}}, metav1.CreateOptions{})
	return err
}

// deleteNamespace deletes one, and returns once it is gone.
func deleteNamespace(ctx context.Context, client kubernetes.Interface, name string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	namespaces := client.CoreV1().Namespaces()
	changes, err := namespaces.Watch(ctx, metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", name).String()})
	if err != nil {
		return err
	}
	defer changes.Stop()
	if err := namespaces.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		return err
	}
	for change := range changes.ResultChan() {
		if change.Type == watch.Deleted {
			return nil
		}
	}
	return fmt.Errorf("the namespace %s stays: %w", name, context.Cause(ctx))
}

// observed is a transport that tells of each request.
type observed struct {
	http.RoundTripper
	tell func(*http.Request)
}

func (o observed) RoundTrip(request *http.Request) (*http.Response, error) {
	o.tell(request)
	return o.RoundTripper.RoundTrip(request)
}

func TestTheNamespaceControllerRemovesWhatIsDeletedAndWritesNothingElse(t *testing.T) {
	c := controlPlane(t)
	var mu sync.Mutex
	written := map[string]int{} // by namespace
	config := c.RESTConfig()
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return observed{next, func(request *http.Request) {
			if request.Method == http.MethodGet {
				return
			}
			_, of, _ := strings.Cut(request.URL.Path, "/namespaces/")
			name, _, _ := strings.Cut(of, "/")
			mu.Lock()
			defer mu.Unlock()
			written[name]++
		}}
	})
	controller, err := startNamespaceController(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(controller.stop)
	all := client(t, c)
	for _, name := range []string{"kept", "gone"} {
		if err := makeNamespace(t.Context(), all, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := deleteNamespace(t.Context(), all, "gone"); err != nil {
		t.Fatal(err)
	}
	controller.stop()
	if written["gone"] == 0 {
		t.Error("the namespace is gone, and the controller wrote nothing")
	}
	// Of other tests there may be namespaces that have waited for a controller.
	for name := range written {
		so, err := all.CoreV1().Namespaces().Get(t.Context(), name, metav1.GetOptions{})
		if name == "" || err == nil && so.DeletionTimestamp == nil || err != nil && !apierrors.IsNotFound(err) {
			t.Errorf("the controller wrote to %q, which nobody has deleted: %v", name, err)
		}
	}
	if left := ask(t, c, http.MethodGet, "/api/v1/namespaces/gone/configmaps/cm1", ""); left.status != http.StatusNotFound {
		t.Errorf("what was in it is answered with %d", left.status)
	}
}

func TestAControlPlaneWithTheNamespaceControllerLeavesNothing(t *testing.T) {
	tmp := t.TempDir()
	if output, err := runHelper(t, "namespaces", tmp); err != nil || output != "" {
		t.Errorf("printed %q, %v", output, err)
	}
	wantEmpty(t, tmp)
}

// removeNamespaces has namespaces removed before and after a restart of the kube-apiserver.
func removeNamespaces(ctx context.Context) error {
	c, err := Start(ctx, Options{Namespaces: true})
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return err
	}
	for _, name := range []string{"before", "after"} {
		if name == "after" {
			if err := c.RestartAPIServer(ctx); err != nil {
				return err
			}
		}
		if err := makeNamespace(ctx, client, name); err != nil {
			return err
		}
		if err := deleteNamespace(ctx, client, name); err != nil {
			return err
		}
	}
	// One is still being removed at the end.
	if err := makeNamespace(ctx, client, "late"); err != nil {
		return err
	}
	if err := client.CoreV1().Namespaces().Delete(ctx, "late", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return err
	}
	select {
	case <-c.namespaces.stopped:
	default:
		return errors.New("the namespace controller outlives the control plane")
	}
	return goroutinesEnd(ctx, "pkg/controller/namespace", "client-go/util/workqueue")
}

// goroutinesEnd waits until no goroutine is in one of the packages, nor was started by one.
func goroutinesEnd(ctx context.Context, packages ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		stacks := make([]byte, 4<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if !slices.ContainsFunc(packages, func(name string) bool { return strings.Contains(string(stacks), name) }) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("goroutines are left:\n%s", stacks)
		}
	}
}
