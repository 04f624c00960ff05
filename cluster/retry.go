package cluster

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"

	"rvtui/scenarios"
)

// retryOnConflict reads, changes and writes an object within client-go's
// retry.RetryOnConflict, as its documentation asks: with the GET inside the closure.
func (st *step) retryOnConflict(ctx context.Context, call scenarios.Call) error {
	backoff, err := backoffOf(call.Backoff)
	if err != nil {
		return err
	}
	client, err := st.client(ctx, call)
	if err != nil {
		return err
	}
	meanwhile := call.Meanwhile
	return retry.RetryOnConflict(backoff, func() error {
		current, err := client.Get(ctx, call.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		changed := &unstructured.Unstructured{Object: scenarios.Change(current.Object, call.Set)}
		if meanwhile != nil {
			// That it is refused is an answer, and no reason to stop.
			other := *meanwhile
			meanwhile = nil
			if err := st.do(ctx, other); err != nil && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		_, err = client.Update(ctx, changed, metav1.UpdateOptions{FieldManager: fieldManager(call.Actor)})
		return err
	})
}

// backoffOf finds client-go's backoff of that name.
func backoffOf(name string) (wait.Backoff, error) {
	switch name {
	case "DefaultRetry", "":
		return retry.DefaultRetry, nil
	case "DefaultBackoff":
		return retry.DefaultBackoff, nil
	}
	return wait.Backoff{}, fmt.Errorf("unknown backoff %q", name)
}
