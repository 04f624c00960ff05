package cluster

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"rvtui/cluster/journal"
)

// removeNoted removes what ended processes noted that they made, beside namespaces of their own.
func (c *cleaner) removeNoted(ctx context.Context) {
	for _, record := range c.records {
		for _, made := range slices.Clone(record.Left) {
			if made.Resource == namespaces.Resource && made.Group == "" {
				c.forgetNamespace(ctx, record, made)
				continue
			}
			l := Leftover{Kind: made.Kind, Namespace: made.Namespace, Name: made.Name, Fate: Removed, Why: "its rvtui has ended"}
			client := c.resource(made)
			there, err := client.Get(ctx, made.Name, metav1.GetOptions{})
			switch {
			case apierrors.IsNotFound(err), err == nil && string(there.GetUID()) != made.UID:
				if record.Server == c.server { // it may be on another cluster
					_ = record.Gone(made.UID)
				}
				continue
			case err == nil && c.DryRun:
				l.Fate = Would
			case err == nil:
				err = remove(ctx, client, made.Name, there.GetUID())
				if err == nil && len(there.GetFinalizers()) > 0 {
					err = gone(release(ctx, client, made.Name, there.GetUID()))
				}
				if err == nil {
					waiting, cancel := context.WithTimeout(ctx, c.Timeout)
					err = awaitGone(waiting, client, made.Kind, made.Name, there.GetUID())
					cancel()
				}
				if err == nil {
					_ = record.Gone(made.UID)
				}
			}
			if err != nil {
				l.Fate, l.Why = Stays, err.Error()
			}
			c.left = append(c.left, l)
		}
	}
}

// forgetNamespace crosses out a namespace that is no longer there.
func (c *cleaner) forgetNamespace(ctx context.Context, record *journal.Record, made journal.Made) {
	if record.Server != c.server {
		return
	}
	_ = briefly(ctx, func(ctx context.Context) error {
		there, err := c.names.Resource(namespaces).Get(ctx, made.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) || err == nil && string(there.UID) != made.UID {
			return record.Gone(made.UID)
		}
		return err
	})
}

func (c *cleaner) resource(made journal.Made) dynamic.ResourceInterface {
	client := c.books.Resource(schema.GroupVersionResource{Group: made.Group, Version: made.Version, Resource: made.Resource})
	if made.Namespace == "" {
		return client
	}
	return client.Namespace(made.Namespace)
}

// crossOut notes that what has a UID is gone.
func (c *cleaner) crossOut(uid string) {
	for _, record := range c.records {
		if slices.ContainsFunc(record.Left, func(m journal.Made) bool { return m.UID == uid }) {
			_ = record.Gone(uid)
		}
	}
}
