package png_test

import (
	"bytes"
	"errors"
	"image/png"
	"io"
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/recordtest"
	"rvtui/ui/recording"
	pngs "rvtui/ui/recording/png"
)

type file struct {
	bytes.Buffer
	closed bool
	err    error // that closing gives
}

func (f *file) Close() error {
	f.closed = true
	return f.err
}

func write(t *testing.T, r *recording.Recording) []*file {
	t.Helper()
	var files []*file
	err := pngs.Write(r, func(n int, f recording.Frame) (io.WriteCloser, error) {
		if n != len(files) {
			t.Errorf("frame %d comes after %d", n, len(files))
		}
		files = append(files, &file{})
		return files[n], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEachFrameIsAPicture(t *testing.T) {
	for _, steps := range [][]int{nil, {4}} {
		r := recordtest.Fixture(t, "two-writers", recording.Options{Steps: steps, Lang: scenarios.Chinese})
		files := write(t, r)
		if len(files) != r.Len() || steps != nil && len(files) != 1 {
			t.Errorf("%d files", len(files))
		}
		for n, f := range files {
			picture, err := png.Decode(&f.Buffer)
			if err != nil || !f.closed {
				t.Fatalf("frame %d: closed: %v, %v", n, f.closed, err)
			}
			if b := picture.Bounds(); b.Dx() != 120*9+2*16 || b.Dy() != 36*18+2*16 {
				t.Errorf("frame %d is %v", n, b)
			}
		}
	}
}

func TestTwoRunsAreTheSameBytes(t *testing.T) {
	first, second := write(t, recordtest.Fixture(t, "two-writers", recording.Options{Size: cells.Size{Width: 40, Height: 10}})), write(t, recordtest.Fixture(t, "two-writers", recording.Options{Size: cells.Size{Width: 40, Height: 10}}))
	for n := range first {
		if !bytes.Equal(first[n].Bytes(), second[n].Bytes()) {
			t.Errorf("frame %d differs", n)
		}
	}
}

func TestErrorsOfFilesAreReported(t *testing.T) {
	full := errors.New("no room")
	for name, open := range map[string]func(int, recording.Frame) (io.WriteCloser, error){
		"opening": func(int, recording.Frame) (io.WriteCloser, error) { return nil, full },
		"closing": func(int, recording.Frame) (io.WriteCloser, error) { return &file{err: full}, nil },
	} {
		if err := pngs.Write(recordtest.Fixture(t, "two-writers", recording.Options{Size: cells.Size{Width: 40, Height: 10}}), open); !errors.Is(err, full) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
