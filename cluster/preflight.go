package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

// Preflight is what can be said before the first write.
type Preflight struct {
	User      string // as the apiserver sees the user; "" where it does not say
	Namespace string // the given one; "" where each walk has one of its own
	// Makes are the resources of what the scenarios make in a namespace, sorted.
	Makes  []string
	Walks  []string // the scenarios that can be walked through
	Skips  []Skip   // and those that cannot
	Denied []Right  // what the user may not do, of what the scenarios need
	// Refused is why nothing can be written at all, or "".
	Refused string
	// Remarks are what limits or changes the objects that are written: quotas, limit ranges,
	// what admission adds. Each is a line.
	Remarks []string
}

// Skip is a scenario that cannot be walked through.
type Skip struct{ Scenario, Why string }

// Preflight finds out what scenarios would do on the cluster, and what of it the user may do.
// It writes nothing. The scenarios for which rights are lacking are not opened from then on.
func (c *Cluster) Preflight(ctx context.Context, all []*scenarios.Scenario) (Preflight, error) {
	p := Preflight{User: c.user(ctx), Namespace: c.config.Namespace}
	namespace, base := c.config.Namespace, []Right(nil)
	if namespace == "" {
		namespace = namePrefix + c.config.Suffix()
		base = []Right{makeNamespace, {Resource: namespaces.Resource, Verb: "delete"}}
	}
	needs := map[string][]Right{}
	rights := slices.Clone(base)
	for _, scenario := range all {
		if lack := scenario.Lacks(c.config.Can); lack != nil {
			p.Skips = append(p.Skips, Skip{scenario.Name, (&scenarios.LackError{Lack: lack}).Error()})
			continue
		}
		needs[scenario.Name] = RightsOf(scenario, c.kinds.resourceOf)
		rights = append(rights, needs[scenario.Name]...)
	}
	slices.SortFunc(rights, compareRights)
	var err error
	if p.Denied, err = c.denied(ctx, namespace, slices.Compact(rights)); err != nil {
		return p, fmt.Errorf("preparing the first write: %w", err)
	}
	if lack := common(base, p.Denied); lack != nil {
		p.Refused = notAllowed(lack) + ": name a namespace that is there, with --namespace"
	}
	c.sortOut(&p, all, needs)
	if p.Refused == "" && len(p.Walks) > 0 {
		if err := c.tryOut(ctx, &p); err != nil {
			return p, fmt.Errorf("trying the first write: %w", err)
		}
	}
	return p, nil
}

// sortOut tells the scenarios that can be walked through from the others.
func (c *Cluster) sortOut(p *Preflight, all []*scenarios.Scenario, needs map[string][]Right) {
	lacks := map[string]string{}
	for _, scenario := range all {
		rights, can := needs[scenario.Name]
		if !can {
			continue
		}
		if lack := common(rights, p.Denied); lack != nil {
			lacks[scenario.Name] = notAllowed(lack)
			p.Skips = append(p.Skips, Skip{scenario.Name, lacks[scenario.Name]})
			continue
		}
		p.Walks = append(p.Walks, scenario.Name)
		for _, right := range rights {
			if right.Verb == "create" && right.Subresource == "" && !slices.Contains(p.Makes, right.Resource) {
				p.Makes = append(p.Makes, right.Resource)
			}
		}
	}
	slices.Sort(p.Makes)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lacksRights = lacks
}

// lackOf is why a scenario cannot be walked through, or "".
func (c *Cluster) lackOf(scenario string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lacksRights[scenario]
}

// tryOut has the apiserver do the first write without keeping it: admission, quotas too, says
// no here rather than in the middle. An error is no refusal: it could not be tried.
func (c *Cluster) tryOut(ctx context.Context, p *Preflight) error {
	options := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	wanted, client := c.newNamespace("preflight"), c.books.Resource(namespaces).Namespace("")
	if p.Namespace != "" {
		wanted = &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": namePrefix + c.config.Suffix()},
			"data": map[string]any{"owner": "nobody"},
		}}
		client = c.books.Resource(configMaps).Namespace(p.Namespace)
	}
	kind := wanted.GetKind()
	err := briefly(ctx, func(ctx context.Context) error {
		made, err := client.Create(ctx, wanted, options)
		if err == nil {
			p.Remarks = append(p.Remarks, added(kind, wanted, made)...)
		}
		return err
	})
	switch {
	case apierrors.IsNotFound(err) && p.Namespace != "":
		p.Refused = "there is no namespace " + p.Namespace
	case err != nil && (passing(err) || apierrors.IsUnauthorized(err)):
		return err
	case err != nil && strings.Contains(err.Error(), "does not support dry run"):
		// It says nothing of the write itself (NewDryRunUnsupportedErr in k8s.io/apiserver's webhook/errors).
		p.Remarks = append(p.Remarks, fmt.Sprintf("whether a %s may be made cannot be tried: %v", kind, err))
	case err != nil:
		p.Refused = fmt.Sprintf("a %s would be refused: %v", kind, err)
	}
	if p.Namespace != "" {
		p.Remarks = append(p.Remarks, c.limits(ctx, p.Namespace)...)
	}
	return nil
}

// added says what the server put into an object beside what every server does.
func added(kind string, wanted, made *unstructured.Unstructured) []string {
	var remarks []string
	for what, fields := range map[string][2]map[string]string{
		"label":      {wanted.GetLabels(), made.GetLabels()},
		"annotation": {wanted.GetAnnotations(), made.GetAnnotations()},
	} {
		for _, name := range slices.Sorted(maps.Keys(fields[1])) {
			// The apiserver itself labels a namespace with its name.
			if _, sent := fields[0][name]; !sent && name != "kubernetes.io/metadata.name" {
				remarks = append(remarks, fmt.Sprintf("admission adds the %s %s to each %s, so objects are not quite what a scenario sent", what, name, kind))
			}
		}
	}
	slices.Sort(remarks)
	return remarks
}

// limits are the quotas and limit ranges of a namespace, as far as they may be read.
func (c *Cluster) limits(ctx context.Context, namespace string) []string {
	var remarks []string
	for _, resource := range []string{"resourcequotas", "limitranges"} {
		_ = briefly(ctx, func(ctx context.Context) error {
			list, err := c.books.Resource(schema.GroupVersionResource{Version: "v1", Resource: resource}).Namespace(namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return err
			}
			for _, item := range list.Items {
				hard, _, _ := unstructured.NestedStringMap(item.Object, "status", "hard")
				used, _, _ := unstructured.NestedStringMap(item.Object, "status", "used")
				text := item.GetKind() + " " + item.GetName()
				for _, what := range slices.Sorted(maps.Keys(hard)) {
					text += fmt.Sprintf(", %s: %s of %s used", what, used[what], hard[what])
				}
				remarks = append(remarks, text)
			}
			return nil
		})
	}
	return remarks
}

// common are the rights that are in both.
func common(rights, denied []Right) []Right {
	var both []Right
	for _, right := range rights {
		if slices.Contains(denied, right) {
			both = append(both, right)
		}
	}
	return both
}
