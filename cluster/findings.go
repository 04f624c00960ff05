package cluster

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rvtui/scenarios"
)

// findings is what a step's calls saw beside what the recording has. Calls that are made at the
// same time add to it.
type findings struct {
	noting sync.Mutex // guards what the session notes of its calls

	mu     sync.Mutex
	rpcs   []scenarios.RPC // that the program itself asked of etcd
	client []scenarios.ClientCall
}

func (f *findings) asked(rpc scenarios.RPC) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rpcs = append(f.rpcs, rpc)
}

func (f *findings) called(call scenarios.ClientCall) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.client = append(f.client, call)
}

// into adds what was found until now to an observation.
func (f *findings) into(seen *scenarios.Observation) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seen.RPCs = append(seen.RPCs, f.rpcs...)
	seen.Client = append(seen.Client, f.client...)
}

// called keeps what a client library's call came to for its caller, and returns the error.
func (st *step) called(call scenarios.Call, name string, err error) error {
	return st.command(call, name, err, "")
}

// command keeps what a command came to and what it printed, and returns the error.
func (st *step) command(call scenarios.Call, name string, err error, output string) error {
	seen := scenarios.ClientCall{
		Actor:           call.Actor,
		Call:            name,
		IsConflict:      apierrors.IsConflict(err),
		IsAlreadyExists: apierrors.IsAlreadyExists(err),
		IsInvalid:       apierrors.IsInvalid(err),
		IsNotFound:      apierrors.IsNotFound(err),
		IsGone:          apierrors.IsGone(err) || apierrors.IsResourceExpired(err),
		IsTimeout:       apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err),
		Output:          st.redactor().text(strings.TrimSpace(output)),
	}
	if err != nil {
		seen.Error = st.redactor().text(err.Error())
		if aboutSecretsCall(call) {
			seen.Error = withoutContent(err)
		}
	}
	st.found.called(seen)
	return err
}

// withoutContent is an error about a Secret. The server's texts of these reasons hold names
// alone; others, and what kubectl adds, may quote the Secret.
func withoutContent(err error) string {
	switch reason := apierrors.ReasonForError(err); reason {
	case metav1.StatusReasonConflict, metav1.StatusReasonNotFound, metav1.StatusReasonAlreadyExists:
		if text := err.Error(); !strings.ContainsAny(text, "{\n") {
			return text
		}
		return string(reason) + " " + hidden
	case metav1.StatusReasonUnknown:
		return hidden
	default:
		return string(reason) + " " + hidden
	}
}

// clean is an object as it may be recorded.
func (st *step) clean(resource string, object any) (json.RawMessage, error) {
	encoded, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return st.redactor().body(resource == "secrets", encoded), nil
}

// resolve is Session.resolve for calls that may be made at the same time.
func (st *step) resolve(ctx context.Context, call scenarios.Call) (*meta.RESTMapping, error) {
	st.found.noting.Lock()
	defer st.found.noting.Unlock()
	return st.Session.resolve(ctx, call)
}

// nameFromPath is Session.nameFromPath for calls that may be made at the same time.
func (st *step) nameFromPath(call scenarios.Call) {
	st.found.noting.Lock()
	defer st.found.noting.Unlock()
	st.Session.nameFromPath(call)
}
