package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rvtui/scenarios"
)

// refusal is why a call is not made at all; it says what the call is.
type refusal string

func (r refusal) Error() string { return string(r) }

// permit refuses a call that would write to what the session did not make, that the cluster
// lacks the capability for, or that would write the mark of the redaction where a value was.
// It is asked before anything is sent.
func (s *Session) permit(ctx context.Context, call scenarios.Call) error {
	for _, other := range partsOf(call) {
		if err := s.permit(ctx, other); err != nil {
			return err
		}
	}
	if err := s.lacks(ctx, call); err != nil {
		return err
	}
	if err := s.pages(ctx, call); err != nil {
		return err
	}
	if slices.Contains(reaching, strings.ToLower(call.Subresource)) {
		return unreachable(call.Verb, nameOf(call)+"/"+call.Subresource)
	}
	switch call.Verb {
	case scenarios.VerbGet, scenarios.VerbList, scenarios.VerbEtcdGet, scenarios.VerbEtcdCompact, scenarios.VerbWatch, scenarios.VerbTogether, scenarios.VerbAPIServerRestart:
		return nil
	case scenarios.VerbRaw:
		return s.permitRaw(ctx, call)
	}
	kind, name := kindOf(call), nameOf(call)
	if kind.Kind == "Secret" && copiesContent(call.JSONPatch) {
		return refusal(fmt.Sprintf("%s of Secret %s: what a Secret holds is not copied to where it would be shown", call.Verb, name))
	}
	if writesBack(call, kind.Kind == "Secret") {
		return unwritable(call.Verb, kind.Kind+" "+name)
	}
	mapping, err := s.cluster.kinds.mapping(ctx, kind, s.pending)
	if err != nil {
		return err
	}
	switch {
	case mapping.Scope.Name() == meta.RESTScopeNameNamespace && s.given:
		return s.permitGiven(ctx, call, mapping)
	case mapping.Scope.Name() == meta.RESTScopeNameNamespace:
		return s.spare(call.Verb, mapping.Resource.GroupResource(), namesOf(call)...)
	case !s.cluster.can(scenarios.CapabilityAPIServerKinds):
		return &scenarios.LackError{Lack: []string{scenarios.CapabilityAPIServerKinds}, Why: "a " + kind.Kind + " is everybody's"}
	case s.made(mapping, name):
		return nil
	}
	switch call.Verb {
	case scenarios.VerbCreate:
		return nil // it makes one or is refused
	case scenarios.VerbKubectlApply, scenarios.VerbApply:
		_, err := s.cluster.books.Resource(mapping.Resource).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
	}
	return foreign(call.Verb, kind.Kind+" "+name)
}

// partsOf are the calls that a call is made of, beside itself.
func partsOf(call scenarios.Call) []scenarios.Call {
	return slices.Concat(call.Meanwhile, call.Together)
}

// permitRaw lets raw requests read anywhere, and write only below the session's namespace. What
// goes through the apiserver to a pod, a node or a service is neither.
func (s *Session) permitRaw(ctx context.Context, call scenarios.Call) error {
	if reaches(call) {
		return unreachable(scenarios.Verb(cmp.Or(call.Method, http.MethodGet)), call.Path)
	}
	switch call.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions:
		return nil
	}
	path, below := belowNamespace(s.namespace, call.Path)
	if !below {
		return foreign(scenarios.Verb(call.Method), call.Path)
	}
	if patch, ok := decodeJSON([]byte(call.Body)); ok && servesSecrets(call.Path) {
		if operations, ok := patch.([]any); ok && copiesContent(operations) {
			return refusal(fmt.Sprintf("%s of %s: what a Secret holds is not copied to where it would be shown", call.Method, call.Path))
		}
	}
	if writesBack(call, aboutSecrets(call.Path, []byte(call.Body))) {
		return unwritable(scenarios.Verb(call.Method), call.Path)
	}
	if s.given {
		return s.permitRawGiven(ctx, call, path)
	}
	return s.spareRaw(call, path)
}

func foreign(verb scenarios.Verb, target string) error {
	return refusal(fmt.Sprintf("%s of %s: a scenario writes only to what it made", verb, target))
}

func unreachable(verb scenarios.Verb, target string) error {
	return refusal(fmt.Sprintf("%s of %s: a scenario reads and writes objects, and reaches nothing through the apiserver", verb, target))
}

func unwritable(verb scenarios.Verb, target string) error {
	return refusal(fmt.Sprintf("%s of %s: what was read is recorded without its values, so it cannot be written back; patch it instead", verb, target))
}

// writesBack reports whether a call would write the mark of the redaction: what a writer
// holds is what was recorded. Other objects than Secrets may have it in their own right,
// so there it counts only where a whole object is written back.
func writesBack(call scenarios.Call, secret bool) bool {
	if !secret && call.Verb != scenarios.VerbReplace {
		return false
	}
	encoded, err := json.Marshal([]any{call.Object, call.JSONPatch, call.Set, call.Body})
	return err == nil && strings.Contains(string(encoded), hidden)
}

// copiesContent reports whether a JSON patch copies or moves something from outside of the
// metadata, which in a Secret is its content.
func copiesContent(patch []any) bool {
	return slices.ContainsFunc(patch, func(operation any) bool {
		fields, _ := operation.(map[string]any)
		from, ok := fields["from"].(string)
		return ok && !strings.HasPrefix(from, "/metadata/")
	})
}

// belowNamespace reports whether a path, with its query, is below the namespace's own. No
// segment may be one that a server could take for another path. It returns the path as a
// server reads it.
func belowNamespace(namespace, path string) (read string, below bool) {
	parsed, err := url.ParseRequestURI(path)
	if err != nil || parsed.Host != "" {
		return "", false
	}
	parts := strings.Split(strings.Trim(parsed.Path, "/"), "/")
	for _, part := range parts {
		if part == "" || len(content.IsPathSegmentName(part)) > 0 {
			return "", false
		}
	}
	switch {
	case len(parts) > 4 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 5 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return "", false
	}
	return parsed.Path, parts[0] == "namespaces" && parts[1] == namespace
}
