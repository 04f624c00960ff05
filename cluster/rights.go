package cluster

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

// Right is what a user must be allowed to do: a verb on a resource.
type Right struct {
	Group, Resource, Subresource, Verb string
}

// String is the right as a person says it: "patch deployments/status".
func (r Right) String() string {
	resource := r.Resource
	if r.Subresource != "" {
		resource += "/" + r.Subresource
	}
	return r.Verb + " " + resource
}

func compareRights(a, b Right) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource),
		cmp.Compare(a.Subresource, b.Subresource), cmp.Compare(a.Verb, b.Verb))
}

// RightsOf are the rights that a scenario needs. resourceOf finds the resource of a kind, and
// says that there is none: what nobody serves, nobody has to be allowed.
func RightsOf(scenario *scenarios.Scenario, resourceOf func(schema.GroupVersionKind) (schema.GroupResource, bool)) []Right {
	var rights []Right
	for _, use := range scenario.Uses() {
		gv, err := schema.ParseGroupVersion(use.APIVersion)
		if err != nil {
			continue
		}
		resource := schema.GroupResource{Group: gv.Group, Resource: use.Resource}
		if use.Kind != "" {
			var served bool
			if resource, served = resourceOf(gv.WithKind(use.Kind)); !served {
				continue
			}
		}
		for _, verb := range use.Verbs {
			right := Right{Group: resource.Group, Resource: resource.Resource, Subresource: use.Subresource, Verb: verb}
			if !slices.Contains(rights, right) {
				rights = append(rights, right)
			}
		}
	}
	slices.SortFunc(rights, compareRights)
	return rights
}

// resourceOf asks the apiserver's discovery.
func (k *kinds) resourceOf(kind schema.GroupVersionKind) (schema.GroupResource, bool) {
	mapping, err := k.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return schema.GroupResource{}, false
	}
	return mapping.Resource.GroupResource(), true
}

var (
	accessReviews  = schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "selfsubjectaccessreviews"}
	subjectReviews = schema.GroupVersionResource{Group: "authentication.k8s.io", Version: "v1", Resource: "selfsubjectreviews"}
)

// reviewsAtOnce is how many rights are asked for at the same time.
const reviewsAtOnce = 8

// denied are those of the rights that the user lacks in a namespace, sorted. Where the
// apiserver does not say, the right is not lacking: a refusal will be seen where it happens.
func (c *Cluster) denied(ctx context.Context, namespace string, rights []Right) ([]Right, error) {
	if all, err := c.allowed(ctx, namespace, Right{Group: "*", Resource: "*", Verb: "*"}); err != nil || all {
		return nil, err
	}
	var mu sync.Mutex
	var denied []Right
	var failed error
	next := make(chan Right)
	var asking sync.WaitGroup
	for range reviewsAtOnce {
		asking.Go(func() {
			for right := range next {
				allowed, err := c.allowed(ctx, namespace, right)
				mu.Lock()
				if err != nil {
					failed = err
				} else if !allowed {
					denied = append(denied, right)
				}
				mu.Unlock()
			}
		})
	}
	for _, right := range rights {
		next <- right
	}
	close(next)
	asking.Wait()
	slices.SortFunc(denied, compareRights)
	return denied, failed
}

// allowed asks whether the user has a right.
func (c *Cluster) allowed(ctx context.Context, namespace string, right Right) (bool, error) {
	attributes := map[string]any{"verb": right.Verb, "group": right.Group, "resource": right.Resource}
	if right.Subresource != "" {
		attributes["subresource"] = right.Subresource
	}
	// A namespace is in itself, as authorization has it, but for one that is yet to be made.
	if right != makeNamespace && right.Resource != definitions {
		attributes["namespace"] = namespace
	}
	allowed := false
	err := briefly(ctx, func(ctx context.Context) error {
		answer, err := c.books.Resource(accessReviews).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": map[string]any{"resourceAttributes": attributes},
		}}, metav1.CreateOptions{})
		if err == nil {
			allowed, _, _ = unstructured.NestedBool(answer.Object, "status", "allowed")
		}
		return err
	})
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		// It is not said: only the rights themselves are asked for then.
		return right.Verb != "*", nil
	}
	if err != nil {
		return false, fmt.Errorf("asking whether one may %s: %w", right, err)
	}
	return allowed, nil
}

var makeNamespace = Right{Resource: "namespaces", Verb: "create"}

// definitions are in no namespace, so the right is asked for without one.
const definitions = "customresourcedefinitions"

// user is who the apiserver takes the user for; "" where it does not say.
func (c *Cluster) user(ctx context.Context) string {
	name := ""
	_ = briefly(ctx, func(ctx context.Context) error {
		answer, err := c.books.Resource(subjectReviews).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview",
		}}, metav1.CreateOptions{})
		if err == nil {
			name, _, _ = unstructured.NestedString(answer.Object, "status", "userInfo", "username")
		}
		return err
	})
	return name
}

// notAllowed says which rights are lacking, in a few words.
func notAllowed(rights []Right) string {
	const most = 6
	var texts []string
	for i, right := range rights {
		if i == most-1 && len(rights) > most {
			texts = append(texts, fmt.Sprintf("%d more", len(rights)-i))
			break
		}
		texts = append(texts, right.String())
	}
	return "you may not " + strings.Join(texts, ", ")
}
