package cluster

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"rvtui/cluster/journal"
)

// place says where a record's walks were.
type place int

const (
	unknown place = iota // nobody knows, or the user may not know
	here
	elsewhere // on another cluster
)

// locate finds out which records are of this cluster. Of a living process's nothing is asked.
func (c *cleaner) locate(ctx context.Context) error {
	c.places = map[*journal.Record]place{}
	for _, record := range c.records {
		if record.Alive || record.Cluster.UID == "" {
			continue
		}
		var there *metav1.PartialObjectMetadata
		err := briefly(ctx, func(ctx context.Context) (err error) {
			there, err = c.names.Resource(namespaces).Get(ctx, record.Cluster.Namespace, metav1.GetOptions{})
			return err
		})
		switch {
		case apierrors.IsNotFound(err), apierrors.IsForbidden(err):
		case err != nil:
			return fmt.Errorf("asking which cluster it is: %w", err)
		case string(there.UID) == record.Cluster.UID:
			c.places[record] = here
		default:
			c.places[record] = elsewhere
		}
	}
	return nil
}

// concerns reports whether what a record names may be on this cluster, as far as anybody knows.
func (c *cleaner) concerns(record *journal.Record) bool {
	return c.places[record] == here || c.places[record] == unknown && record.Server == c.server
}

// forget crosses out what is not there, or no longer. A dry run crosses out nothing.
func (c *cleaner) forget(record *journal.Record, made journal.Made) {
	if !c.DryRun {
		_ = record.Gone(made)
	}
}

// crossOut notes that a namespace which was deleted here has gone.
func (c *cleaner) crossOut(namespace *metav1.PartialObjectMetadata) {
	for _, record := range c.records {
		for _, made := range slices.Clone(record.Left) {
			if names(record, made, namespace) {
				c.forget(record, made)
			}
		}
	}
}

// names reports whether a note is of a namespace that is there: by its UID or, where the
// process was killed before it knew that, by its run.
func names(record *journal.Record, made journal.Made, namespace *metav1.PartialObjectMetadata) bool {
	switch {
	case !isNamespace(made) || made.Name != namespace.Name || !ours(namespace):
		return false
	case made.UID == "":
		return namespace.Labels[labelRun] == record.Run
	}
	return string(namespace.UID) == made.UID
}

func isNamespace(made journal.Made) bool {
	return made.Resource == namespaces.Resource && made.Group == ""
}

// findNoted looks for the namespaces that this machine's journals name.
func (c *cleaner) findNoted(ctx context.Context) ([]metav1.PartialObjectMetadata, error) {
	var found []metav1.PartialObjectMetadata
	for _, record := range c.records {
		if c.places[record] == elsewhere {
			continue
		}
		for _, made := range record.Left {
			if !isNamespace(made) {
				continue
			}
			var namespace *metav1.PartialObjectMetadata
			err := briefly(ctx, func(ctx context.Context) (err error) {
				namespace, err = c.names.Resource(namespaces).Get(ctx, made.Name, metav1.GetOptions{})
				return err
			})
			switch {
			case err == nil && names(record, made, namespace):
				found = append(found, *namespace)
			case apierrors.IsForbidden(err) && c.concerns(record):
				c.tell(made, Unseen, "you may not look whether it is there")
			case err != nil && !apierrors.IsNotFound(err) && !apierrors.IsForbidden(err):
				return nil, fmt.Errorf("looking for namespace %s: %w", made.Name, err)
			}
		}
	}
	return found, nil
}

func (c *cleaner) tell(made journal.Made, fate Fate, why string) {
	c.Left = append(c.Left, Leftover{Kind: made.Kind, Namespace: made.Namespace, Name: made.Name, Fate: fate, Why: why})
}

// removeNoted removes what ended processes noted that they made, beside namespaces of their own.
func (c *cleaner) removeNoted(ctx context.Context) {
	for _, record := range c.records {
		if c.places[record] == elsewhere && record.Server != c.server {
			continue
		}
		for _, made := range slices.Clone(record.Left) {
			c.Looked = c.Looked || c.concerns(record)
			switch {
			case c.places[record] == elsewhere:
				c.tell(made, Kept, fmt.Sprintf("it was made on another cluster, which had this address (the UID of its namespace %s was another)", record.Cluster.Namespace))
			case isNamespace(made):
				c.forgetNamespace(ctx, record, made)
			default:
				c.removeObject(ctx, record, made)
			}
		}
	}
}

// removeObject removes one object, if it is still the one that was noted.
func (c *cleaner) removeObject(ctx context.Context, record *journal.Record, made journal.Made) {
	client := c.resource(made)
	var there *unstructured.Unstructured
	err := briefly(ctx, func(ctx context.Context) (err error) {
		there, err = client.Get(ctx, made.Name, metav1.GetOptions{})
		return err
	})
	switch {
	case apierrors.IsNotFound(err), err == nil && string(there.GetUID()) != made.UID:
		if c.places[record] == here { // or else it may be on another cluster
			c.forget(record, made)
		}
		return
	case err != nil && !c.concerns(record):
		return
	case apierrors.IsForbidden(err):
		c.tell(made, Unseen, "you may not look whether it is there")
		return
	case err == nil && c.DryRun:
		c.tell(made, Would, endedWhy)
		return
	case err == nil:
		err = c.removeSeen(ctx, client, made, len(there.GetFinalizers()) > 0)
	}
	if err != nil {
		c.tell(made, Stays, err.Error())
		return
	}
	c.forget(record, made)
	c.tell(made, Removed, endedWhy)
}

const endedWhy = "its rvtui has ended"

// removeSeen deletes an object by its UID, and waits until it has gone.
func (c *cleaner) removeSeen(ctx context.Context, client dynamic.ResourceInterface, made journal.Made, finalizers bool) error {
	uid := types.UID(made.UID)
	if err := remove(ctx, client, made.Name, uid); err != nil {
		return err
	}
	if finalizers {
		if err := gone(release(ctx, client, made.Name, uid)); err != nil {
			return err
		}
	}
	waiting, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return awaitGone(waiting, client, made.Kind, made.Name, uid)
}

// forgetNamespace crosses out a namespace that is no longer there.
func (c *cleaner) forgetNamespace(ctx context.Context, record *journal.Record, made journal.Made) {
	if c.places[record] != here {
		return // it may be on another cluster
	}
	_ = briefly(ctx, func(ctx context.Context) error {
		there, err := c.names.Resource(namespaces).Get(ctx, made.Name, metav1.GetOptions{})
		another := err == nil && (made.UID != "" && string(there.UID) != made.UID || made.UID == "" && there.Labels[labelRun] != record.Run)
		if apierrors.IsNotFound(err) || another {
			c.forget(record, made)
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
