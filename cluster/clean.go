package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"rvtui/cluster/journal"
)

// CleanOptions say what Clean removes.
type CleanOptions struct {
	All     bool          // what another rvtui may be working with, too
	DryRun  bool          // only tell
	Journal string        // the directory of this machine's journals; "" for none
	Timeout time.Duration // for what is deleted to be gone
	Now     func() time.Time
}

// Fate is what becomes of something that was left.
type Fate string

// The fates.
const (
	Removed Fate = "removed"
	Would   Fate = "would be removed" // but for a dry run
	Kept    Fate = "kept"             // it may be in use
	Stays   Fate = "stays"            // it was to go, and did not
	Unseen  Fate = "not seen"         // it may be there: the user may not look
)

// Cleaned is what became of a Clean.
type Cleaned struct {
	Left []Leftover
	// Unlisted says that the user may not list namespaces: only what this machine's journals name
	// was looked for then. Looked says that they name anything at all.
	Unlisted, Looked bool
}

// Leftover is something that a walk made and that is there still.
type Leftover struct {
	Kind, Namespace, Name string
	Scenario              string        // "" where it does not say
	Age                   time.Duration // 0 where it does not say
	Fate                  Fate
	Why                   string // in a few words
}

// cleaner is one Clean.
type cleaner struct {
	CleanOptions
	books   dynamic.Interface
	names   metadata.Interface
	kinds   *kinds
	server  string
	records []*journal.Record
	places  map[*journal.Record]place
	Cleaned
}

// Clean removes what rvtui left on a cluster: its namespaces, which it knows by their name and
// both of their labels, and what the journal of a killed process on this machine says that it
// made in a given namespace or outside of any.
//
// A namespace goes where its process is known to have ended, for its journal on this machine
// is nobody's any more, or where it has expired and no process here has it; what is younger
// may be another machine's, and is kept unless options say all. Each delete names the UID, so
// that nothing else of that name goes; of namespaces also the resourceVersion, so that what
// changed since it was looked at stays.
//
// A note is crossed out only where the journal is known to be of this cluster. A dry run writes
// nothing, neither to the cluster nor to a journal.
func Clean(ctx context.Context, config *rest.Config, options CleanOptions) (cleaned Cleaned, err error) {
	c := &cleaner{CleanOptions: options, server: config.Host}
	own := quiet(config)
	own.UserAgent = "rvtui"
	if c.books, err = dynamic.NewForConfig(own); err == nil {
		c.names, err = metadata.NewForConfig(own)
	}
	if err == nil {
		c.kinds, err = newKinds(own)
	}
	if err != nil {
		return Cleaned{}, fmt.Errorf("making a client of the apiserver: %w", err)
	}
	if options.Journal != "" {
		c.records, err = journal.Read(options.Journal)
		defer func() {
			for _, record := range c.records {
				end := record.Close
				if options.DryRun {
					end = record.Release
				}
				err = errors.Join(err, end())
			}
		}()
		if err != nil {
			return Cleaned{}, err
		}
	}
	if err := c.locate(ctx); err != nil {
		return Cleaned{}, err
	}
	found, err := c.find(ctx)
	if err != nil {
		return Cleaned{}, err
	}
	c.removeNamespaces(ctx, found)
	c.removeNoted(ctx)
	return c.Cleaned, ctx.Err()
}

// find lists rvtui's namespaces. Who may not list them sees those that this machine's journals name.
func (c *cleaner) find(ctx context.Context) ([]metav1.PartialObjectMetadata, error) {
	client := c.names.Resource(namespaces)
	var found []metav1.PartialObjectMetadata
	options := metav1.ListOptions{LabelSelector: labelManagedBy + "=" + managedByRvtui + "," + labelRun, Limit: 500}
	for {
		var list *metav1.PartialObjectMetadataList
		err := briefly(ctx, func(ctx context.Context) (err error) {
			list, err = client.List(ctx, options)
			return err
		})
		switch {
		case apierrors.IsForbidden(err):
			c.Unlisted = true
			return c.findNoted(ctx)
		case err != nil:
			return nil, fmt.Errorf("listing rvtui's namespaces: %w", err)
		}
		found = append(found, list.Items...)
		if options.Continue = list.Continue; options.Continue == "" {
			break
		}
	}
	return slices.DeleteFunc(found, func(n metav1.PartialObjectMetadata) bool { return !ours(&n) }), nil
}

// ours reports whether a namespace has all that rvtui's have: the name, and both labels.
func ours(namespace *metav1.PartialObjectMetadata) bool {
	return strings.HasPrefix(namespace.Name, namePrefix) &&
		namespace.Labels[labelManagedBy] == managedByRvtui && namespace.Labels[labelRun] != ""
}

// judge says whether a namespace is to go, and why or why not.
func (c *cleaner) judge(namespace *metav1.PartialObjectMetadata) (goes bool, why string) {
	at := slices.IndexFunc(c.records, func(r *journal.Record) bool { return r.Run == namespace.Labels[labelRun] })
	expires, err := time.Parse(time.RFC3339, namespace.Annotations[annotationExpires])
	switch {
	case namespace.DeletionTimestamp != nil:
		return true, "it is being deleted already"
	case at >= 0 && !c.records[at].Alive:
		return true, endedWhy
	case c.All:
		return true, "all are to go"
	case at >= 0:
		return false, "its rvtui is running on this machine; --all removes it too"
	case err != nil:
		return false, "it does not say when it expires; --all removes it too"
	case expires.Before(c.Now()):
		return true, "it has expired"
	}
	return false, fmt.Sprintf("it may be in use elsewhere, and expires in %s; --all removes it too", expires.Sub(c.Now()).Round(time.Minute))
}

// removeNamespaces deletes those that are to go, and then waits for all of them.
func (c *cleaner) removeNamespaces(ctx context.Context, found []metav1.PartialObjectMetadata) {
	slices.SortFunc(found, func(a, b metav1.PartialObjectMetadata) int { return cmp.Compare(a.Name, b.Name) })
	var going []int // of found, by where it is in Left
	first := len(c.Left)
	for i := range found {
		n := &found[i]
		l := Leftover{Kind: "Namespace", Name: n.Name, Scenario: n.Annotations[annotationScenario], Age: c.Now().Sub(n.CreationTimestamp.Time), Fate: Kept}
		var goes bool
		goes, l.Why = c.judge(n)
		switch {
		case goes && c.DryRun:
			l.Fate = Would
		case goes:
			l.Fate = Removed
			if err := c.delete(ctx, n); err != nil {
				l.Fate, l.Why = Stays, err.Error()
			} else {
				going = append(going, i)
			}
		}
		c.Left = append(c.Left, l)
	}
	waiting, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	for _, i := range going {
		l := &c.Left[first+i]
		err := c.await(waiting, &found[i])
		switch {
		case apierrors.IsForbidden(err):
			l.Fate, l.Why = Unseen, "it is being deleted; you may not look whether it has gone"
		case err != nil:
			l.Fate, l.Why = Stays, err.Error()
		default:
			c.crossOut(&found[i])
		}
	}
}

// delete deletes a namespace as it was found. Nobody is left who would take off the finalizers
// of a killed walk.
func (c *cleaner) delete(ctx context.Context, n *metav1.PartialObjectMetadata) error {
	for _, resource := range []schema.GroupVersionResource{configMaps, leases} {
		if err := c.release(ctx, n.Name, resource); err != nil {
			return err
		}
	}
	if n.DeletionTimestamp != nil {
		return nil
	}
	options := uidOnly(n.UID)
	options.Preconditions.ResourceVersion = &n.ResourceVersion
	err := briefly(ctx, func(ctx context.Context) error { return c.books.Resource(namespaces).Delete(ctx, n.Name, options) })
	if apierrors.IsConflict(err) {
		return fmt.Errorf("it has just changed; try again: %w", err)
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

var leases = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}

// release takes the finalizers off what is in a namespace of rvtui's.
func (c *cleaner) release(ctx context.Context, namespace string, resource schema.GroupVersionResource) error {
	var list *metav1.PartialObjectMetadataList
	err := briefly(ctx, func(ctx context.Context) (err error) {
		list, err = c.names.Resource(resource).Namespace(namespace).List(ctx, metav1.ListOptions{})
		return err
	})
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking into namespace %s: %w", namespace, err)
	}
	client := c.books.Resource(resource).Namespace(namespace)
	for _, item := range list.Items {
		if len(item.Finalizers) > 0 {
			if err := gone(release(ctx, client, item.Name, item.UID)); err != nil {
				return err
			}
		}
	}
	return nil
}

// The wait for a namespace: how often it is looked at, and how many times before all kinds
// are searched for finalizers.
const (
	cleanInterval = 200 * time.Millisecond
	cleanPatience = 10
)

// await waits until a namespace has gone, and says what holds it otherwise.
func (c *cleaner) await(ctx context.Context, n *metav1.PartialObjectMetadata) error {
	tick := time.NewTicker(cleanInterval)
	defer tick.Stop()
	held := ""
	for tries := 0; ; tries++ {
		err := briefly(ctx, func(ctx context.Context) error {
			there, err := c.books.Resource(namespaces).Get(ctx, n.Name, metav1.GetOptions{})
			if err == nil && there.GetUID() != n.UID {
				return apierrors.NewNotFound(namespaces.GroupResource(), n.Name)
			}
			if err == nil {
				held = heldBy(there.Object)
			}
			return err
		})
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil && ctx.Err() == nil:
			return err
		}
		if tries == cleanPatience {
			if err := c.releaseAll(ctx, n.Name); err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("it is being deleted, but has not gone yet: %s", cmp.Or(held, "no namespace controller seems to be at work"))
		}
	}
}

// heldBy is what the namespace controller says of why a namespace is not gone yet.
func heldBy(namespace map[string]any) string {
	status, _ := namespace["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	var texts []string
	for _, condition := range conditions {
		fields, _ := condition.(map[string]any)
		if message, _ := fields["message"].(string); fields["status"] == "True" && message != "" {
			texts = append(texts, message)
		}
	}
	return strings.Join(texts, "; ")
}

// releaseAll is release for every kind that there is.
func (c *cleaner) releaseAll(ctx context.Context, namespace string) error {
	resources, err := c.kinds.namespaced()
	if err != nil {
		return fmt.Errorf("looking into namespace %s: %w", namespace, err)
	}
	for _, resource := range resources {
		if err := c.release(ctx, namespace, resource); err != nil {
			return err
		}
	}
	return nil
}
