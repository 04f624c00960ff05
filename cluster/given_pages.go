package cluster

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

// pages refuses a list that is to come in pages, where in a given namespace others have objects
// of that kind: how many of the walk's own a page holds, and whether there is a next one, is
// then no affair of the walk's. What controllers put into every namespace is no reason: a
// scenario's objects are sorted before kube-root-ca.crt.
func (s *Session) pages(ctx context.Context, call scenarios.Call) error {
	if !s.given {
		return nil
	}
	var resource schema.GroupVersionResource
	switch {
	case call.Verb == scenarios.VerbList && (call.Limit > 0 || call.Continue != ""):
		mapping, err := s.cluster.kinds.mapping(ctx, kindOf(call), s.pending)
		if err != nil {
			return err
		}
		resource = mapping.Resource
	case call.Verb == scenarios.VerbRaw && (call.Method == "" || call.Method == http.MethodGet):
		parsed, err := url.ParseRequestURI(call.Path)
		if err != nil {
			return nil // it cannot be sent
		}
		query := parsed.Query()
		of, name, ok := splitPath(s.namespace, parsed.Path)
		if !ok || name != "" || !slices.ContainsFunc(query["limit"], paged) && strings.Join(query["continue"], "") == "" {
			return nil
		}
		resource = of
	default:
		return nil
	}
	var list *metav1.PartialObjectMetadataList
	err := briefly(ctx, func(ctx context.Context) (err error) {
		list, err = s.cluster.names.Resource(resource).Namespace(s.namespace).List(ctx, metav1.ListOptions{Limit: 500})
		return err
	})
	if err != nil {
		return nil // the call itself will be refused likewise
	}
	for i := range list.Items {
		item := &list.Items[i]
		of, fills := filling[item.Name]
		fills = fills && of.GroupResource() == resource.GroupResource()
		if !fills && !s.madeUID(item.UID) {
			return &scenarios.LackError{Lack: []string{scenarios.LackNamespace}, Why: "other objects are in the namespace, and a page is counted with them"}
		}
	}
	return nil
}

// paged reports whether a limit is one.
func paged(limit string) bool { return limit != "" && limit != "0" }
