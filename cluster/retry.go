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
// retry.RetryOnConflict: as its documentation asks, with the GET inside the closure, or in
// one of the wrong ways that are seen in the wild.
func (st *step) retryOnConflict(ctx context.Context, call scenarios.Call) error {
	backoff, err := backoffOf(call.Backoff)
	if err != nil {
		return err
	}
	client, err := st.client(ctx, call)
	if err != nil {
		return err
	}
	var first *unstructured.Unstructured // what the first GET brought
	read := func() (*unstructured.Unstructured, error) {
		current, err := client.Get(ctx, call.Name, metav1.GetOptions{})
		if st.called(call, "Get", err) != nil {
			return nil, err
		}
		if first == nil {
			first = current
			return current, st.others(ctx, call.Meanwhile)
		}
		return current, nil
	}
	// held is the object that the closure changes.
	var held func() (*unstructured.Unstructured, error)
	switch call.Read {
	case "", "inside":
		held = read
	case "outside":
		if _, err := read(); err != nil {
			return err
		}
		held = func() (*unstructured.Unstructured, error) { return first, nil }
	case "version":
		held = func() (*unstructured.Unstructured, error) {
			current, err := read()
			if err != nil {
				return nil, err
			}
			old := first.DeepCopy()
			old.SetResourceVersion(current.GetResourceVersion())
			return old, nil
		}
	default:
		return fmt.Errorf("unknown way to read %q", call.Read)
	}
	err = retry.RetryOnConflict(backoff, func() error {
		object, err := held()
		if err != nil {
			return err
		}
		changed := &unstructured.Unstructured{Object: scenarios.Change(object.Object, call.Set)}
		_, err = client.Update(ctx, changed, metav1.UpdateOptions{FieldManager: managerOf(call)})
		return st.called(call, "Update", err)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return st.called(call, "RetryOnConflict", err)
}

// backoffOf finds client-go's backoff of that name; none is a single try.
func backoffOf(name string) (wait.Backoff, error) {
	switch name {
	case "DefaultRetry", "":
		return retry.DefaultRetry, nil
	case "DefaultBackoff":
		return retry.DefaultBackoff, nil
	case "none":
		return wait.Backoff{Steps: 1}, nil
	}
	return wait.Backoff{}, fmt.Errorf("unknown backoff %q", name)
}
