package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"rvtui/scenarios"
)

// The times of an election: short, and in the proportions of client-go's defaults of 15,
// 10 and 2 seconds.
const (
	leaseDuration = 2 * time.Second
	renewDeadline = 1500 * time.Millisecond
	retryPeriod   = 200 * time.Millisecond
)

// leaderElection lets A and B stand for one Lease, with client-go's leader election, until
// one of them leads and both know. They read at the same instant, and write at the same
// instant.
func (st *step) leaderElection(ctx context.Context, call scenarios.Call) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if _, err := st.resolve(ctx, call); err != nil {
		return err
	}
	actors := []scenarios.Actor{scenarios.A, scenarios.B}
	if err := st.cluster.connect(ctx, actors...); err != nil {
		return err
	}
	first, write := newGate(len(actors)), newGate(len(actors))
	seen := make(chan struct{}, len(actors)) // one for each candidate that knows the leader
	var electors []*leaderelection.LeaderElector
	var locks []*recordedLock
	for _, actor := range actors {
		own := call
		own.Actor = actor
		scoped := st.scoped(&scope{first: first, write: write})
		client, err := coordinationv1.NewForConfig(scoped.config(actor))
		if err != nil {
			return fmt.Errorf("making a client for %s: %w", actor, err)
		}
		lock := &recordedLock{st: scoped, call: own, Interface: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: st.namespace, Name: call.Name},
			Client:     client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: string(actor)},
		}}
		var once sync.Once
		elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock:          lock,
			LeaseDuration: leaseDuration,
			RenewDeadline: renewDeadline,
			RetryPeriod:   retryPeriod,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) {},
				OnStoppedLeading: func() {},
				OnNewLeader: func(identity string) {
					if identity == string(scenarios.A) || identity == string(scenarios.B) {
						once.Do(func() { seen <- struct{}{} })
					}
				},
			},
		})
		if err != nil {
			return fmt.Errorf("making a candidate of %s: %w", actor, err)
		}
		electors, locks = append(electors, elector), append(locks, lock)
	}

	var running sync.WaitGroup
	for _, elector := range electors {
		running.Go(func() { elector.Run(ctx) })
	}
	var err error
	for range electors {
		select {
		case <-seen:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	// What is under way is answered before all ends: a leader renews its Lease again and again.
	for _, lock := range locks {
		lock.stop()
	}
	cancel()
	running.Wait()
	return err
}

// recordedLock is a lock whose calls are kept as what they came to for the elector.
type recordedLock struct {
	resourcelock.Interface
	st   *step
	call scenarios.Call

	mu      sync.Mutex // held while a request is under way
	stopped bool
}

// stop waits for the request that is under way, and lets no other one go.
func (l *recordedLock) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
}

func (l *recordedLock) do(name string, do func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return context.Canceled
	}
	return l.st.called(l.call, name, do())
}

func (l *recordedLock) Get(ctx context.Context) (record *resourcelock.LeaderElectionRecord, raw []byte, err error) {
	err = l.do("Get", func() error {
		record, raw, err = l.Interface.Get(ctx)
		return err
	})
	return record, raw, err
}

func (l *recordedLock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.do("Create", func() error { return l.Interface.Create(ctx, record) })
}

func (l *recordedLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	return l.do("Update", func() error { return l.Interface.Update(ctx, record) })
}
