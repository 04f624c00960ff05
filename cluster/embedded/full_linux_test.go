package embedded

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sizeVariable makes a helper mount a disk of that size on its temporary directory.
const sizeVariable = "RVTUI_TEST_DISK"

// onSmallDisk is a helper on a small disk, in a mount namespace of its own.
func onSmallDisk(run func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := syscall.Mount("tmpfs", os.TempDir(), "tmpfs", 0, "size="+os.Getenv(sizeVariable)); err != nil {
			return errors.Join(errNoMount, err)
		}
		return run(ctx)
	}
}

var errNoMount = errors.New("cannot mount a small disk")

func init() { helpers["small-disk"] = onSmallDisk(fillTheDisk) }

func TestAFullDiskIsToldAndEndsNothingForEver(t *testing.T) {
	for size, want := range map[string]string{
		"600k":  "cannot start etcd: ",
		"2400k": "etcd ended: failed to ",
	} {
		t.Run(size, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			command := helper(ctx, "small-disk", t.TempDir())
			command.Env = append(command.Env, sizeVariable+"="+size)
			command.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
			if os.Geteuid() != 0 { // who may mount only where it is nobody else's
				command.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
					UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
				}
			}
			printed, err := output(command)
			if errors.Is(err, syscall.EPERM) || strings.Contains(printed, errNoMount.Error()) {
				t.Skip("mounting is not allowed here")
			}
			if ctx.Err() != nil {
				t.Fatalf("it hangs, having printed %q", printed)
			}
			if err == nil || !strings.HasPrefix(printed, want) || !strings.Contains(printed, "no space left on device; set TMPDIR to a directory with at least ") || strings.Contains(printed, "\n") {
				t.Errorf("printed %q, %v; want %q", printed, err, want)
			}
		})
	}
}
