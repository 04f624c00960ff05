package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"rvtui/cluster/journal"
	"rvtui/scenarios"
)

// What is on each namespace that rvtui makes. All of the labels, and a name that begins with
// namePrefix, are what Clean takes for its own. When it expires is an annotation: a label's
// value can hold no colon, which a time has.
const (
	labelManagedBy     = "app.kubernetes.io/managed-by"
	managedByRvtui     = "rvtui"
	labelRun           = "rvtui.dev/run" // the random name of the process's run
	annotationExpires  = "rvtui.dev/expires"
	annotationScenario = "rvtui.dev/scenario"

	namePrefix = "rvtui-"
	lifetime   = time.Hour
)

// openTimeout bounds what is asked of the apiserver to make room for a walk, and
// filledTimeout the wait for what a cluster's controllers put into a new namespace: half a
// second, mostly.
const (
	openTimeout   = 20 * time.Second
	filledTimeout = 5 * time.Second
)

var (
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
)

// filling is what controllers put into every namespace (k8s.io/kubernetes/pkg/controller:
// certificates/rootcacertpublisher and serviceaccount).
var filling = map[string]schema.GroupVersionResource{
	"kube-root-ca.crt": configMaps,
	"default":          {Version: "v1", Resource: "serviceaccounts"},
}

// newNamespace is a namespace for one walk, as it is sent.
func (c *Cluster) newNamespace(scenario string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{
			"name":   namePrefix + c.config.Suffix(),
			"labels": map[string]any{labelManagedBy: managedByRvtui, labelRun: c.run},
			"annotations": map[string]any{
				annotationExpires:  c.config.Now().Add(lifetime).UTC().Format(time.RFC3339),
				annotationScenario: scenario,
			},
		},
	}}
}

// openOwn makes a namespace for one walk alone.
func (c *Cluster) openOwn(ctx context.Context, scenario string) (*Session, error) {
	wanted := c.newNamespace(scenario)
	noted := journal.Made{Version: "v1", Resource: namespaces.Resource, Kind: "Namespace", Name: wanted.GetName()}
	// Before it is made: who is killed before the answer may have made it.
	if err := c.config.Journal.Plan(noted); err != nil {
		return nil, fmt.Errorf("making a namespace for %s: %w", scenario, err)
	}
	made, err := c.books.Resource(namespaces).Create(ctx, wanted, metav1.CreateOptions{})
	if err != nil {
		var left error
		if apierrors.ReasonForError(err) == metav1.StatusReasonUnknown {
			// No answer does not mean no namespace.
			left = c.discard(ctx, wanted.GetName())
		}
		if left == nil {
			left = c.config.Journal.Drop(noted)
		}
		return nil, errors.Join(fmt.Errorf("making a namespace for %s: %w", scenario, err), left)
	}
	s := c.session(made.GetName(), false)
	s.uid = made.GetUID()
	noted.UID = string(s.uid)
	if err := c.config.Journal.Note(noted); err != nil {
		return nil, errors.Join(fmt.Errorf("making a namespace for %s: %w", scenario, err), s.end(ctx))
	}
	if !c.can(scenarios.CapabilityNoControllers) {
		c.awaitFilling(ctx, s.namespace)
		for _, resource := range filling {
			s.look(ctx, resource)
		}
	}
	return s, nil
}

// discard deletes a namespace that this process may have made without being told.
func (c *Cluster) discard(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	found, err := c.books.Resource(namespaces).Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		left := &scenarios.LeftError{Namespace: name, Clean: c.config.Clean, Why: c.config.Explain(err)}
		c.leave(left)
		return left
	case found.GetLabels()[labelRun] != c.run || found.GetLabels()[labelManagedBy] != managedByRvtui:
		return nil
	}
	return c.books.Resource(namespaces).Delete(ctx, name, uidOnly(found.GetUID()))
}

// awaitFilling waits until controllers have put into a namespace what they put into each, so
// that nothing of it happens within a step. Where that may not be watched, or takes too long,
// the walk goes on all the same.
func (c *Cluster) awaitFilling(ctx context.Context, namespace string) {
	ctx, cancel := context.WithTimeout(ctx, filledTimeout)
	defer cancel()
	var all sync.WaitGroup
	for name, resource := range filling {
		all.Go(func() {
			// Without a resourceVersion a watch begins with what is there.
			stream, err := c.books.Resource(resource).Namespace(namespace).Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
			if err != nil {
				return
			}
			defer stream.Stop()
			for {
				select {
				case event, open := <-stream.ResultChan():
					if !open || event.Type == watch.Added || event.Type == watch.Error {
						return
					}
				case <-ctx.Done():
					return
				}
			}
		})
	}
	all.Wait()
}

// uidOnly deletes nothing but the object that is meant, whatever has its name by now.
func uidOnly(uid types.UID) metav1.DeleteOptions {
	if uid == "" {
		return metav1.DeleteOptions{}
	}
	return metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &uid}}
}
