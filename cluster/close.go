package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"rvtui/scenarios"
)

// closeTimeout bounds a clean-up that nobody waits for, and requestTimeout each request of
// the program's own: one that hangs must leave time for the others.
const (
	closeTimeout   = 10 * time.Second
	requestTimeout = 5 * time.Second
)

// insistInterval is how long a request waits that is asked for again.
const insistInterval = 200 * time.Millisecond

// goneInterval is how often it is asked whether an object has gone.
const goneInterval = 50 * time.Millisecond

// leave keeps what could not be removed.
func (c *Cluster) leave(left *scenarios.LeftError) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = append(c.left, left)
}

// Left is what could not be removed of what the walks have made, or nil. Each is a *scenarios.LeftError,
// and was returned by a Close too, which a screen may have no place to show.
func (c *Cluster) Left() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, left := range c.left {
		errs = append(errs, left)
	}
	return errors.Join(errs...)
}

// Close deletes what the walk made, and nothing else: its own namespace with all that is in
// it, or what it made in the given one, one by one. In a given namespace it returns once all
// of it has gone, for the next walk is in the same one.
func (s *Session) Close(ctx context.Context) error {
	if s.closed {
		return nil
	}
	s.closed = true
	s.follower.Stop()
	return s.end(ctx)
}

// end is Close without what reads the store.
func (s *Session) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	idle := s.idle(ctx)
	if idle != nil && s.given {
		// Its time is over, and what is under way may end yet; what is known goes all the same.
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
		defer cancel()
		ctx = late
	}
	errs := []error{idle}
	another := false
	if s.given {
		errs = append(errs, s.removeMade(ctx)...)
		<-s.cluster.turn
	} else {
		// What is in it must leave time for the namespace itself.
		first, cancel := context.WithTimeout(ctx, closeTimeout/2)
		is := s.whoseNamespace(first)
		another = is == somebodys
		if idle == nil {
			errs = append(errs, s.removeObjects(first, is)...)
		}
		cancel()
		if another {
			errs = append(errs, errAnother)
		}
		errs = append(errs, s.removeNamespace(ctx))
	}
	err := errors.Join(errs...)
	if err == nil {
		return nil
	}
	left := &scenarios.LeftError{Namespace: s.namespace, Given: s.given, Another: another, Clean: s.cluster.config.Clean, Why: s.cluster.config.Explain(err)}
	s.cluster.leave(left)
	return left
}

// whose is what a namespace that has the name of the session's own turns out to be.
type whose int

const (
	nobodyKnows whose = iota
	walks             // the one that the session made
	somebodys         // another one
	nobodys           // there is none any more
)

var errAnother = errors.New("its UID is another one")

// whoseNamespace looks at the namespace before anything in it is deleted by name: it may have been
// deleted in the meantime, and made again by somebody.
func (s *Session) whoseNamespace(ctx context.Context) whose {
	is := nobodyKnows
	_ = insist(ctx, func(ctx context.Context) error {
		there, err := s.cluster.names.Resource(namespaces).Get(ctx, s.namespace, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			is = nobodys
		case err == nil && there.UID == s.uid:
			is = walks
		case err == nil:
			is = somebodys
		}
		return err
	})
	return is
}

// removeNamespace deletes the session's own namespace. Nobody waits for it to be gone: a
// cluster's namespace controller takes its time, and where there is none it stays.
func (s *Session) removeNamespace(ctx context.Context) error {
	client := s.cluster.books.Resource(namespaces)
	err := gone(insist(ctx, func(ctx context.Context) error { return client.Delete(ctx, s.namespace, uidOnly(s.uid)) }))
	if err != nil {
		return err
	}
	return s.cluster.config.Journal.Gone(string(s.uid))
}

// removeObjects takes the finalizers off what is in the session's own namespace, for nobody
// else would, and deletes what the walk made outside of it. Where no controller empties the
// namespace it does that too, for each kind that a call named; all of a kind at once only if
// the namespace is known to be the walk's, for that names no UID.
func (s *Session) removeObjects(ctx context.Context, namespace whose) []error {
	var errs []error
	deleted, each := map[schema.GroupVersionResource]bool{}, map[schema.GroupVersionResource]bool{}
	for _, o := range s.objects {
		client := s.within(s.cluster.books, o.mapping)
		resource := o.mapping.Resource
		namespaced := o.mapping.Scope.Name() == meta.RESTScopeNameNamespace
		switch {
		case !namespaced && o.made:
			errs = append(errs, s.remove(ctx, client, o)...)
			continue
		case !namespaced, namespace == somebodys, namespace == nobodys:
			continue
		case !s.cluster.can(scenarios.CapabilityNoControllers):
		case namespace == nobodyKnows:
			each[resource] = true
		case !deleted[resource]:
			deleted[resource] = true
			err := gone(insist(ctx, func(ctx context.Context) error {
				return client.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
			}))
			if each[resource] = apierrors.IsForbidden(err); !each[resource] {
				errs = append(errs, err)
			}
		}
		switch {
		case each[resource] && o.made:
			errs = append(errs, s.remove(ctx, client, o)...)
		case o.finalizers && o.uid != "":
			errs = append(errs, gone(release(ctx, client, o.name, o.uid)))
		}
	}
	return errs
}

// removeMade deletes what the walk made in the given namespace, all at once, and waits until
// it has gone.
func (s *Session) removeMade(ctx context.Context) []error {
	s.mu.Lock()
	objects, unanswered := s.objects, s.unanswered
	s.mu.Unlock()
	errs := make([]error, len(objects))
	var all sync.WaitGroup
	for i, o := range objects {
		if !o.made {
			continue
		}
		all.Go(func() {
			client := s.within(s.cluster.books, o.mapping)
			errs[i] = errors.Join(s.remove(ctx, client, o)...)
			for _, uid := range o.uids {
				if errs[i] == nil {
					errs[i] = awaitGone(ctx, client, o.mapping.GroupVersionKind.Kind, o.name, uid)
				}
			}
		})
	}
	all.Wait()
	if len(unanswered) > 0 {
		errs = append(errs, fmt.Errorf("no answer ever came to what may have made %s: look whether it is there", strings.Join(unanswered, ", ")))
	}
	return errs
}

// remove deletes an object that the session made, under each UID that it had: all but the
// last one have gone already. Another one of its name stays.
func (s *Session) remove(ctx context.Context, client dynamic.ResourceInterface, o object) []error {
	uids := o.uids
	if len(uids) == 0 {
		if s.given {
			return []error{fmt.Errorf("%s %s has no UID, so whose it is cannot be told", o.mapping.GroupVersionKind.Kind, o.name)}
		}
		uids = []types.UID{""}
	}
	var errs []error
	for _, uid := range uids {
		err := remove(ctx, client, o.name, uid)
		if err == nil && o.finalizers {
			err = gone(release(ctx, client, o.name, uid))
		}
		if err == nil {
			err = s.cluster.config.Journal.Gone(string(uid))
		}
		errs = append(errs, err)
	}
	return errs
}

// remove deletes one object, if it is still the one of that UID. Nobody needs a Pod's time to
// end in peace here.
func remove(ctx context.Context, client dynamic.ResourceInterface, name string, uid types.UID) error {
	options := uidOnly(uid)
	options.GracePeriodSeconds = new(int64(0))
	options.PropagationPolicy = new(metav1.DeletePropagationBackground)
	return gone(insist(ctx, func(ctx context.Context) error { return client.Delete(ctx, name, options) }))
}

// release takes the finalizers off an object, if it is still the one of that UID.
func release(ctx context.Context, client dynamic.ResourceInterface, name string, uid types.UID) error {
	patch := `{"metadata":{"finalizers":null}}`
	if uid != "" {
		patch = fmt.Sprintf(`{"metadata":{"uid":%q,"finalizers":null}}`, uid)
	}
	return insist(ctx, func(ctx context.Context) error {
		_, err := client.Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		return err
	})
}

// awaitGone waits until an object has gone, or another one has its name.
func awaitGone(ctx context.Context, client dynamic.ResourceInterface, kind, name string, uid types.UID) error {
	tick := time.NewTicker(goneInterval)
	defer tick.Stop()
	for {
		var there *unstructured.Unstructured
		err := insist(ctx, func(ctx context.Context) (err error) {
			there, err = client.Get(ctx, name, metav1.GetOptions{})
			return err
		})
		switch {
		case apierrors.IsNotFound(err), err == nil && there.GetUID() != uid:
			return nil
		case err != nil:
			return fmt.Errorf("waiting for %s %s to go: %w", kind, name, err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			why := ""
			if finalizers := there.GetFinalizers(); len(finalizers) > 0 {
				why = " (finalizers: " + strings.Join(finalizers, ", ") + ")"
			}
			return fmt.Errorf("waiting for %s %s to go%s: %w", kind, name, why, ctx.Err())
		}
	}
}

// briefly gives one request of the program's own a time to end in.
func briefly(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return do(ctx)
}

// insist repeats a request for as long as nothing but a passing trouble keeps the apiserver from
// doing it, such as its restart: what is not removed now stays. A delete under a UID may be
// asked for twice.
func insist(ctx context.Context, do func(context.Context) error) error {
	tick := time.NewTicker(insistInterval)
	defer tick.Stop()
	for {
		err := briefly(ctx, do)
		if !passing(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}

// passing reports whether what went wrong may be over in a moment: no answer came, or one that
// says that the server could not do it now.
func passing(err error) bool {
	var status apierrors.APIStatus
	switch {
	case err == nil, meta.IsNoMatchError(err):
		return false
	case errors.As(err, &status):
		code := status.Status().Code
		return code >= http.StatusInternalServerError || code == http.StatusTooManyRequests
	}
	return true
}

// gone is nil where an error only says that what is to go is no longer there: that nothing has
// its name or its kind, or that another object has it by now.
func gone(err error) error {
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) || meta.IsNoMatchError(err) {
		return nil
	}
	return err
}
