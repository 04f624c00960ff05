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
				one.meet(t.Context())
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
		a.meet(t.Context()) // a second Txn, after a lost one
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
