package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"rvtui/scenarios"
)

// request does a call that is one call of a client-go client. That client repeats what
// is answered with 429 or 5xx and a Retry-After, up to ten times.
func (st *step) request(ctx context.Context, call scenarios.Call) error {
	client, err := st.client(ctx, call)
	if err != nil {
		return err
	}
	manager := managerOf(call)
	var dryRun []string
	if call.DryRun {
		dryRun = []string{metav1.DryRunAll}
	}
	var subresource []string
	if call.Subresource != "" {
		subresource = []string{call.Subresource}
	}
	name := ""
	switch call.Verb {
	case scenarios.VerbGet:
		name = "Get"
		_, err = client.Get(ctx, call.Name, metav1.GetOptions{ResourceVersion: call.ResourceVersion}, subresource...)
	case scenarios.VerbList:
		name = "List"
		_, err = client.List(ctx, metav1.ListOptions{
			ResourceVersion:      call.ResourceVersion,
			ResourceVersionMatch: metav1.ResourceVersionMatch(call.ResourceVersionMatch),
			Limit:                call.Limit,
			Continue:             call.Continue,
			FieldSelector:        call.FieldSelector,
		})
	case scenarios.VerbCreate:
		name = "Create"
		_, err = client.Create(ctx, body(call), metav1.CreateOptions{FieldManager: manager, DryRun: dryRun}, subresource...)
	case scenarios.VerbReplace:
		name = "Update"
		_, err = client.Update(ctx, body(call), metav1.UpdateOptions{FieldManager: manager, DryRun: dryRun}, subresource...)
	case scenarios.VerbPatch:
		name = "Patch"
		var kind types.PatchType
		var patch []byte
		if kind, patch, err = patchOf(call); err != nil {
			return err
		}
		_, err = client.Patch(ctx, call.Name, kind, patch, metav1.PatchOptions{FieldManager: manager, DryRun: dryRun}, subresource...)
	case scenarios.VerbApply:
		name = "Apply"
		_, err = client.Apply(ctx, nameOf(call), body(call), metav1.ApplyOptions{FieldManager: manager, DryRun: dryRun, Force: call.Force}, subresource...)
	case scenarios.VerbDelete:
		name = "Delete"
		err = client.Delete(ctx, call.Name, metav1.DeleteOptions{DryRun: dryRun, Preconditions: preconditionsOf(call)})
	default:
		return fmt.Errorf("unknown verb %q", call.Verb)
	}
	return st.called(call, name, err)
}

// managerOf is a call's field manager: the actor's own unless it says otherwise.
func managerOf(call scenarios.Call) string {
	if call.Manager != "" {
		return call.Manager
	}
	return fieldManager(call.Actor)
}

// preconditionsOf are those of a delete; nil if there are none.
func preconditionsOf(call scenarios.Call) *metav1.Preconditions {
	if call.UID == "" && call.ResourceVersion == "" {
		return nil
	}
	preconditions := &metav1.Preconditions{}
	if call.UID != "" {
		preconditions.UID = new(types.UID(call.UID))
	}
	if call.ResourceVersion != "" {
		preconditions.ResourceVersion = new(call.ResourceVersion)
	}
	return preconditions
}

// client is a client-go client of the call's actor for the call's kind. A writer's is the
// dynamic one: it sends the JSON that a reader of the scenario expects, field by field.
func (st *step) client(ctx context.Context, call scenarios.Call) (dynamic.ResourceInterface, error) {
	mapping, err := st.resolve(ctx, call)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(st.config(call.Actor))
	if err != nil {
		return nil, fmt.Errorf("making a client for %s: %w", call.Actor, err)
	}
	return st.within(client, mapping), nil
}

// within narrows a client to a kind, in the session's namespace if the kind has one.
func (s *Session) within(client dynamic.Interface, mapping *meta.RESTMapping) dynamic.ResourceInterface {
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return client.Resource(mapping.Resource).Namespace(s.namespace)
	}
	return client.Resource(mapping.Resource)
}

// kindOf is the kind that a call is about: a ConfigMap unless it says otherwise.
func kindOf(call scenarios.Call) schema.GroupVersionKind {
	apiVersion, kind := call.APIVersion, call.Kind
	if apiVersion == "" {
		apiVersion, _ = call.Object["apiVersion"].(string)
	}
	if kind == "" {
		kind, _ = call.Object["kind"].(string)
	}
	if apiVersion == "" {
		apiVersion = "v1"
	}
	if kind == "" {
		kind = "ConfigMap"
	}
	return schema.FromAPIVersionAndKind(apiVersion, kind)
}

// nameOf is the name of the object that a call is about; empty for a list.
func nameOf(call scenarios.Call) string {
	if call.Name != "" {
		return call.Name
	}
	metadata, _ := call.Object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// body is a call's object with its apiVersion, kind and name filled in where they are missing.
func body(call scenarios.Call) *unstructured.Unstructured {
	object := maps.Clone(call.Object)
	if object == nil {
		object = map[string]any{}
	}
	kind := kindOf(call)
	if object["apiVersion"] == nil {
		object["apiVersion"] = kind.GroupVersion().String()
	}
	if object["kind"] == nil {
		object["kind"] = kind.Kind
	}
	metadata, ok := object["metadata"].(map[string]any)
	if metadata = maps.Clone(metadata); metadata == nil {
		metadata = map[string]any{}
	}
	if metadata["name"] == nil && call.Name != "" {
		metadata["name"] = call.Name
	}
	if ok || object["metadata"] == nil {
		object["metadata"] = metadata
	}
	return &unstructured.Unstructured{Object: object}
}

// patchOf is the patch that a call sends.
func patchOf(call scenarios.Call) (types.PatchType, []byte, error) {
	var patch any = call.Object
	var kind types.PatchType
	switch call.PatchType {
	case "merge", "":
		kind = types.MergePatchType
	case "strategic":
		kind = types.StrategicMergePatchType
	case "json":
		kind, patch = types.JSONPatchType, call.JSONPatch
		if call.JSONPatch == nil {
			return "", nil, errors.New("a json patch needs operations")
		}
	default:
		return "", nil, fmt.Errorf("unknown type of patch %q", call.PatchType)
	}
	encoded, err := json.Marshal(patch)
	if err != nil {
		return "", nil, fmt.Errorf("encoding the patch: %w", err)
	}
	return kind, encoded, nil
}
