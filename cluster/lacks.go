package cluster

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rvtui/scenarios"
)

// What a cluster that others use too is spared: more requests at the same instant than
// quietTogether, and reads of a revision that is so far ahead of the newest one that it will
// not come while the apiserver waits for it.
const (
	quietTogether = 8
	nearFuture    = 10_000
)

// lacks says which capability a call would need that the cluster lacks; nil for none.
func (s *Session) lacks(ctx context.Context, call scenarios.Call) error {
	lack := func(capability, format string, values ...any) error {
		return &scenarios.LackError{Lack: []string{capability}, Why: fmt.Sprintf(format, values...)}
	}
	switch {
	case call.Verb == scenarios.VerbEtcdCompact && s.cluster.config.Compact == nil:
		return &scenarios.LackError{Lack: []string{scenarios.CapabilityEtcdCompact}}
	case call.Verb == scenarios.VerbAPIServerRestart && s.cluster.config.Restart == nil:
		return &scenarios.LackError{Lack: []string{scenarios.CapabilityAPIServerRestart}}
	case s.cluster.can(scenarios.CapabilityAPIServerLoad):
		return nil
	case atOnce(call) > quietTogether:
		return lack(scenarios.CapabilityAPIServerLoad, "%d requests at once", atOnce(call))
	}
	asked := readRevision(call)
	if asked <= nearFuture {
		return nil // whatever the head is, it is not far behind
	}
	head, err := s.knownHead(ctx)
	if err != nil {
		return fmt.Errorf("asking for the newest resourceVersion: %w", err)
	}
	if asked > head+nearFuture {
		return lack(scenarios.CapabilityAPIServerLoad, "a read of resourceVersion %d, where the newest is %d", asked, head)
	}
	return nil
}

// atOnce is how many requests a call may have under way at the same time: what is done at once
// may itself be several things at once. Those done meanwhile come one after the other, beside
// the call's own.
func atOnce(call scenarios.Call) int {
	n, beside := 0, 0
	for _, other := range call.Together {
		n += atOnce(other)
	}
	for _, other := range call.Meanwhile {
		beside = max(beside, atOnce(other))
	}
	return max(n, 1) + beside
}

// readRevision is the highest resourceVersion that a call reads at; 0 for none.
func readRevision(call scenarios.Call) uint64 {
	versions := []string{}
	switch call.Verb {
	case scenarios.VerbGet, scenarios.VerbList, scenarios.VerbWatch:
		versions = append(versions, call.ResourceVersion)
	case scenarios.VerbRaw:
		if parsed, err := url.ParseRequestURI(call.Path); err == nil { // or the request cannot be made
			versions = append(versions, parsed.Query()["resourceVersion"]...)
		}
	case scenarios.VerbEtcdGet:
		return uint64(max(call.Revision, 0))
	}
	highest := uint64(0)
	for _, version := range versions {
		// As the apiserver reads it (k8s.io/apiserver/pkg/storage, APIObjectVersioner).
		if n, err := strconv.ParseUint(version, 10, 64); err == nil {
			highest = max(highest, n)
		}
	}
	return highest
}

// knownHead is the newest revision that was seen, or else that of a list.
func (s *Session) knownHead(ctx context.Context) (uint64, error) {
	if s.head > 0 {
		return uint64(s.head), nil
	}
	var head int64
	err := briefly(ctx, func(ctx context.Context) error {
		list, err := s.cluster.names.Resource(configMaps).Namespace(s.namespace).List(ctx, metav1.ListOptions{Limit: 1})
		if err == nil {
			head = scenarios.ParseRevision(list.ResourceVersion)
		}
		return err
	})
	return uint64(max(head, 0)), err
}
