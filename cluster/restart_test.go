package cluster

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"rvtui/scenarios"
)

var restart = scenarios.Call{Actor: scenarios.Admin, Verb: scenarios.VerbAPIServerRestart}

func TestARestartSendsNothingAndTheNextRequestIsAnswered(t *testing.T) {
	api := newFakeAPI(t)
	s := api.open(t)
	restarts := 0
	s.cluster.config.Restart = func(context.Context) error {
		restarts++
		api.CloseClientConnections()
		return nil
	}
	made := do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
	seen := do(t, s, restart)
	if restarts != 1 || len(seen.Exchanges) > 0 || len(seen.RPCs) > 0 {
		t.Errorf("%d restarts, exchanges %+v, RPCs %+v", restarts, seen.Exchanges, seen.RPCs)
	}
	if seen.Etcd != made.Etcd || len(seen.Objects) != 1 || seen.Objects[0].ResourceVersion != made.Objects[0].ResourceVersion {
		t.Errorf("after the restart: %+v", seen)
	}
	for _, actor := range []scenarios.Actor{scenarios.A, scenarios.B} {
		post := scenarios.Call{Actor: actor, Verb: scenarios.VerbRaw, Method: http.MethodPost, Path: "/api/v1/namespaces/rvtui-test/configmaps",
			Body: `{"metadata":{"name":"of-` + strings.ToLower(string(actor)) + `"}}`}
		if after := do(t, s, post); len(after.Exchanges) != 1 || after.Exchanges[0].Status != http.StatusCreated {
			t.Errorf("%s after the restart: %+v", actor, after.Exchanges)
		}
	}
}

func TestWhyARestartFailedIsSaid(t *testing.T) {
	s := newFakeAPI(t).open(t)
	if _, err := s.Do(t.Context(), restart, nil); err == nil || err.Error() != "needs apiserver.restart" {
		t.Errorf("where nobody can: %v", err)
	}
	broken := errors.New("it does not stop")
	s.cluster.config.Restart = func(context.Context) error { return broken }
	if _, err := s.Do(t.Context(), restart, nil); !errors.Is(err, broken) {
		t.Errorf("where it fails: %v", err)
	}
	// The watch itself was answered.
	watch := scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbWatch, Events: 1, Within: long, Meanwhile: []scenarios.Call{restart}}
	if seen, err := s.Do(t.Context(), watch, nil); !errors.Is(err, broken) || len(seen.Exchanges) != 1 {
		t.Errorf("where it fails within a watch: %v, %+v", err, seen.Exchanges)
	}
}

func TestACancelledStepCutsNoRestartShort(t *testing.T) {
	s := newFakeAPI(t).open(t)
	ctx, cancel := context.WithCancel(t.Context())
	release, left := make(chan struct{}), make(chan error, 1)
	s.cluster.config.Restart = func(ctx context.Context) error {
		cancel()
		<-release
		left <- ctx.Err()
		return nil
	}
	if _, err := s.Do(ctx, restart, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled step: %v", err)
	}
	// Another walk begins once it is over, and not before.
	opened := make(chan error, 1)
	go func() { opened <- s.cluster.settled(t.Context()) }()
	select {
	case <-opened:
		t.Error("a walk begins while the apiserver is restarted")
	default:
	}
	close(release)
	if err := <-left; err != nil {
		t.Errorf("the restart: %v", err)
	}
	if err := <-opened; err != nil {
		t.Errorf("the next walk: %v", err)
	}
	do(t, s, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: configMap(nil)})
}
