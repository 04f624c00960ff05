package embedded

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/namespace"
)

// As kube-controller-manager has them where nobody configures it; see
// k8s.io/kubernetes/pkg/controller/namespace/config/v1alpha1.
const (
	namespaceSyncs  = 10
	namespaceResync = 5 * time.Minute
)

// namespaceControllerName is its user agent, which field managers are named after, and its
// logger's name.
const namespaceControllerName = "namespace-controller"

// namespaceController is the part of kube-controller-manager without which a namespace that
// is deleted stays Terminating for ever. It begins five seconds after the deletion
// (namespaceDeletionGracePeriod), and writes nothing while no namespace is being deleted.
type namespaceController struct {
	cancel  context.CancelFunc
	stopped chan struct{} // closed once nothing of it runs any more
}

// startNamespaceController starts it on a kube-apiserver that is ready. It lives on where
// that is restarted.
func startNamespaceController(ctx context.Context, config *rest.Config) (*namespaceController, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = namespaceControllerName
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	contents, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	known, err := client.ServerPreferredNamespacedResourcesWithContext(ctx)
	if err == nil && len(known) == 0 {
		err = errors.New("the kube-apiserver has no namespaced resources")
	}
	if err != nil {
		return nil, err
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	run = klog.NewContext(run, klog.FromContext(run).WithName(namespaceControllerName))
	// The first time it asks, it takes an error for a reason to end the process.
	resources := func() ([]*metav1.APIResourceList, error) {
		if first := known; first != nil {
			known = nil
			return first, nil
		}
		return client.ServerPreferredNamespacedResourcesWithContext(run)
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	controller := namespace.NewNamespaceController(run, client, contents, resources,
		factory.Core().V1().Namespaces(), namespaceResync, corev1.FinalizerKubernetes)
	factory.StartWithContext(run)
	c := &namespaceController{cancel: cancel, stopped: make(chan struct{})}
	go func() {
		defer close(c.stopped)
		defer factory.Shutdown()
		controller.Run(run, namespaceSyncs)
	}()
	return c, nil
}

// stop ends it. All its requests end with it, so that there is nothing to wait for.
func (c *namespaceController) stop() {
	c.cancel()
	select {
	case <-c.stopped:
	case <-time.After(stopTimeout):
	}
}
