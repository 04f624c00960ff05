package scenarios

import (
	"fmt"
	"slices"
	"testing"
)

func TestUsesAreWhatAUserMustBeAllowedToDo(t *testing.T) {
	decoded, err := Decode("uses.yaml", []byte(`scenario: uses
chapter: conflicts
title: Uses
setup:
  - create: {name: cm1}
steps:
  - actor: A
    get: {apiVersion: apps/v1, kind: Deployment, name: web, subresource: scale}
  - actor: A
    raw: {method: POST, path: '/api/v1/namespaces/${ns}/events', body: '{}'}
  - actor: A
    raw: {path: '/apis/coordination.k8s.io/v1/namespaces/${ns}/leases/l1?x=/a/b'}
  - actor: A
    raw: {path: /version}
  - actor: A
    watch:
      meanwhile:
        - actor: B
          storm: {times: 3, do: {patch: {name: cm1, set: {data.a: b}}}}
  - actor: A
    retryOnConflict: {apiVersion: coordination.k8s.io/v1, kind: Lease, name: l1, set: {spec.a: b}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, use := range decoded.Uses() {
		got = append(got, fmt.Sprint(use.APIVersion, " ", use.Kind, use.Resource, "/", use.Subresource, " ", use.Verbs))
	}
	slices.Sort(got)
	want := []string{
		"apps/v1 Deployment/ [get list]",
		"apps/v1 Deployment/scale [get]",
		"coordination.k8s.io/v1 Lease/ [get list update]",
		"coordination.k8s.io/v1 leases/ [get list]",
		"v1 ConfigMap/ [create delete get list patch watch]",
		"v1 events/ [create delete get list]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
