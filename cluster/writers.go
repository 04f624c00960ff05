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
	manager := fieldManager(call.Actor)
	switch call.Verb {
	case scenarios.VerbGet:
		_, err = client.Get(ctx, call.Name, metav1.GetOptions{ResourceVersion: call.ResourceVersion})
	case scenarios.VerbList:
		_, err = client.List(ctx, metav1.ListOptions{
			ResourceVersion:      call.ResourceVersion,
			ResourceVersionMatch: metav1.ResourceVersionMatch(call.ResourceVersionMatch),
			Limit:                call.Limit,
			Continue:             call.Continue,
			FieldSelector:        call.FieldSelector,
		})
	case scenarios.VerbCreate:
		_, err = client.Create(ctx, body(call), metav1.CreateOptions{FieldManager: manager})
	case scenarios.VerbReplace:
		_, err = client.Update(ctx, body(call), metav1.UpdateOptions{FieldManager: manager})
	case scenarios.VerbPatch:
		var kind types.PatchType
		var patch []byte
		if kind, patch, err = patchOf(call); err == nil {
			_, err = client.Patch(ctx, call.Name, kind, patch, metav1.PatchOptions{FieldManager: manager})
		}
	case scenarios.VerbDelete:
		err = client.Delete(ctx, call.Name, metav1.DeleteOptions{})
	default:
		err = fmt.Errorf("unknown verb %q", call.Verb)
	}
	return err
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
