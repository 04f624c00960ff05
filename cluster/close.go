package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// closeTimeout bounds a clean-up that nobody waits for.
const closeTimeout = 5 * time.Second

// Close deletes what the walk made, and its namespace, and waits for neither to be gone:
// the embedded control plane has no controller that ends a namespace.
func (s *Session) Close(ctx context.Context) error {
	if s.closed {
		return nil
	}
	s.closed = true
	s.follower.Stop()
	var errs []error
	if err := s.idle(ctx); err != nil {
		errs = append(errs, err)
	} else {
		errs = s.deleteObjects(ctx)
	}
	errs = append(errs, s.cluster.books.Resource(namespaces).Delete(ctx, s.namespace, metav1.DeleteOptions{}))
	for i, err := range errs {
		if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
			errs[i] = nil
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("deleting namespace %s: %w", s.namespace, err)
	}
	return nil
}

// deleteObjects deletes the objects in the namespace, of each kind that a call named, and
// the objects outside of it that a call made. Finalizers that were seen on them are taken
// off, for nobody is there who would.
func (s *Session) deleteObjects(ctx context.Context) []error {
	var errs []error
	deleted := map[schema.GroupVersionResource]bool{}
	for _, o := range s.objects {
		client := s.within(s.cluster.books, o.mapping)
		namespaced := o.mapping.Scope.Name() == meta.RESTScopeNameNamespace
		switch {
		case !namespaced && !o.made:
			continue
		case !namespaced:
			errs = append(errs, client.Delete(ctx, o.name, metav1.DeleteOptions{}))
		case !deleted[o.mapping.Resource]:
			deleted[o.mapping.Resource] = true
			errs = append(errs, client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
		}
		if o.finalizers {
			_, err := client.Patch(ctx, o.name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
			errs = append(errs, err)
		}
	}
	return errs
}
