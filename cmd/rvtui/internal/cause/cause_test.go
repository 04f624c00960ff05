package cause

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestTheCauseNamesNoFile(t *testing.T) {
	other := errors.New("other")
	for _, test := range []struct{ err, want error }{
		{&fs.PathError{Op: "open", Path: "a.tmp", Err: syscall.ENOSPC}, syscall.ENOSPC},
		{fmt.Errorf("wrapped: %w", &os.LinkError{Op: "link", Old: "a.tmp", New: "a", Err: fs.ErrExist}), fs.ErrExist},
		{other, other},
	} {
		if got := OfFile(test.err); !errors.Is(got, test.want) || got.Error() != test.want.Error() {
			t.Errorf("%v: got %v, want %v", test.err, got, test.want)
		}
	}
}
