package cluster

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestTxnsMeetOnceAndNobodyWaitsForWhoHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := newGate(3)
		a, b, c := &scope{txn: door}, &scope{txn: door}, &scope{txn: door}
		began, passed := time.Now(), make(chan *scope, 2)
		for _, one := range []*scope{a, b} {
			go func() {
				if !one.meet(t.Context()) {
					t.Error("who waited was not held")
				}
				passed <- one
			}()
		}
		synctest.Wait()
		if len(passed) != 0 {
			t.Fatal("a Txn went on before the others' were there")
		}
		c.end() // it was refused, and sends none
		<-passed
		<-passed
		if a.meet(t.Context()) { // a second Txn, after a lost one
			t.Error("a second Txn was held")
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("waited %s", waited)
		}
	})
}

func TestATxnDoesNotWaitForEverForOneThatNeverComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		alone := &scope{txn: newGate(2)}
		began := time.Now()
		alone.meet(t.Context())
		if waited := time.Since(began); waited != meetWithin {
			t.Errorf("waited %s, want %s", waited, meetWithin)
		}
	})
}

func TestTheLastTxnToComeIsNotHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := newGate(2)
		first, last := &scope{txn: door}, &scope{txn: door}
		held := make(chan bool)
		go func() { held <- first.meet(t.Context()) }()
		synctest.Wait()
		if last.meet(t.Context()) || !<-held {
			t.Error("the first to come is held, and the last is not")
		}
	})
}
