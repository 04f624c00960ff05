package embedded

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"go.uber.org/zap"
)

func TestAFatalMessageIsToldWithItsError(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := newControlPlane(quick)
	before := current.Swap(&logFile{file: file, failed: c.fail})
	defer current.Store(before)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		zapLogger("etcd", toCurrent{}).Fatal("failed to commit tx", zap.String("path", "db"), zap.Error(fmt.Errorf("write db: %w", syscall.ENOSPC)))
	}()
	<-ended
	const want = "etcd ended: failed to commit tx: write db: no space left on device; set TMPDIR to a directory with at least 64 MB free"
	if err := <-c.Failed(); err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestAStopEndsThoughNothingThatItCallsDoes(t *testing.T) {
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	hang := func() { <-never }
	stopWithin(0, 0, hang, hang)
}

func TestAStopCutsTheConnectionsAndWaitsForTheEnd(t *testing.T) {
	cut, ended := make(chan struct{}), false
	stopWithin(0, stopTimeout*10, func() { <-cut; ended = true }, func() { close(cut) })
	if !ended {
		t.Error("it did not wait")
	}
}
