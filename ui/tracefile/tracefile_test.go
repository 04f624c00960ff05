package tracefile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/internal/uitest"
)

// upTo is two-writers after n steps.
func upTo(t testing.TB, n int) scenarios.Trace {
	t.Helper()
	return uitest.UpTo(uitest.Trace(t, "two-writers"), n)
}

// wantHeld fails where a file is not the trace that it should be, alone in its directory.
func wantHeld(t *testing.T, path string, trace scenarios.Trace) {
	t.Helper()
	var want bytes.Buffer
	if err := trace.WriteJSON(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("it holds %d bytes, want %d: %v", len(got), want.Len(), err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside it are %v, %v", entries, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
}

func mustUpdate(t *testing.T, f *File, trace scenarios.Trace) {
	t.Helper()
	if _, err := f.Update(trace); err != nil {
		t.Fatal(err)
	}
}

func TestTheFileIsAtEachStepTheWholeTrace(t *testing.T) {
	f := New(filepath.Join(t.TempDir(), "x.json"))
	for _, n := range []int{0, 1, 1, 4, 6} {
		size, err := f.Update(upTo(t, n))
		if err != nil {
			t.Fatal(err)
		}
		wantHeld(t, f.Path(), upTo(t, n))
		if info, err := os.Stat(f.Path()); err != nil || info.Size() != int64(size) {
			t.Errorf("it has %d bytes, and %d were told, %v", info.Size(), size, err)
		}
	}
	mustUpdate(t, f, upTo(t, 2)) // one that comes late takes nothing away
	wantHeld(t, f.Path(), upTo(t, 6))
}

func TestWhoeverReadsTheFileFindsAWholeTrace(t *testing.T) {
	f := New(filepath.Join(t.TempDir(), "x.json"))
	traces := []scenarios.Trace{upTo(t, 0), upTo(t, 1), upTo(t, 2), upTo(t, 3), upTo(t, 4), upTo(t, 5), upTo(t, 6)}
	done := make(chan struct{})
	var writing sync.WaitGroup
	writing.Go(func() {
		defer close(done)
		for _, trace := range traces {
			if _, err := f.Update(trace); err != nil {
				t.Error(err)
			}
		}
	})
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		file, err := os.Open(f.Path())
		if errors.Is(err, fs.ErrNotExist) && reading {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenarios.ReadTrace(file); err != nil {
			t.Error(err)
		}
		file.Close()
	}
	writing.Wait()
}

func TestWhatIsThereAlreadyIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := New(path)
	if err := f.Free(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if _, err := f.Update(upTo(t, 1)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if content, err := os.ReadFile(path); string(content) != "mine" {
		t.Errorf("%q, %v", content, err)
	}
}

func TestAFileThatTookItsPlaceIsLeftAlone(t *testing.T) {
	f := New(filepath.Join(t.TempDir(), "x.json"))
	mustUpdate(t, f, upTo(t, 1))
	other := f.Path() + ".other"
	if err := errors.Join(os.WriteFile(other, []byte("mine"), 0o600), os.Rename(other, f.Path())); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Update(upTo(t, 2)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if content, err := os.ReadFile(f.Path()); string(content) != "mine" {
		t.Errorf("%q, %v", content, err)
	}
}

func TestAFileThatWasTakenAwayIsWrittenAgain(t *testing.T) {
	f := New(filepath.Join(t.TempDir(), "x.json"))
	mustUpdate(t, f, upTo(t, 1))
	if err := os.Remove(f.Path()); err != nil {
		t.Fatal(err)
	}
	mustUpdate(t, f, upTo(t, 2))
	wantHeld(t, f.Path(), upTo(t, 2))
}

func TestAfterAFailureTheNextUpdateHoldsAll(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "away")
	f := New(filepath.Join(directory, "x.json"))
	if err := f.Free(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	for _, n := range []int{0, 1} {
		if _, err := f.Update(upTo(t, n)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v", err)
		}
	}
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.Free(); err != nil {
		t.Error(err)
	}
	mustUpdate(t, f, upTo(t, 1))
	wantHeld(t, f.Path(), upTo(t, 1))
	if err := os.RemoveAll(directory); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Update(upTo(t, 3)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	mustUpdate(t, f, upTo(t, 3))
	wantHeld(t, f.Path(), upTo(t, 3))
}

// BenchmarkUpdate writes a trace of 1,000 steps after each of them, and the last of them alone.
func BenchmarkUpdate(b *testing.B) {
	trace := upTo(b, 6)
	long := trace
	for len(long.Steps) < 1000 {
		long.Steps, long.Plan = append(long.Steps, trace.Steps...), append(long.Plan, trace.Plan...)
	}
	at := func(n int) scenarios.Trace {
		so := long
		so.Steps = long.Steps[:n]
		return so
	}
	b.Run("1000steps", func(b *testing.B) {
		for b.Loop() {
			f := New(filepath.Join(b.TempDir(), "x.json"))
			for n := range 1000 {
				if _, err := f.Update(at(n)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("step1000", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			f := New(filepath.Join(b.TempDir(), "x.json"))
			if _, err := f.Update(at(999)); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			size, err := f.Update(at(1000))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(size))
		}
	})
	b.Run("encodingWhole", func(b *testing.B) { // what each step would cost without keeping
		for b.Loop() {
			var whole bytes.Buffer
			if err := at(1000).WriteJSON(&whole); err != nil {
				b.Fatal(err)
			}
		}
	})
}
