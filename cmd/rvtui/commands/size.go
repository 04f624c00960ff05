package commands

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"rvtui/ui/cells"
)

// sizeFlag is --size, in cells. Zero is whatever there is.
type sizeFlag struct{ cells.Size }

var sizePattern = regexp.MustCompile(`^([1-9]\d{0,2})[x×]([1-9]\d{0,2})$`)

// Set takes a size such as 120x36.
func (f *sizeFlag) Set(value string) error {
	m := sizePattern.FindStringSubmatch(value)
	if m == nil {
		return fmt.Errorf("it takes columns and rows, such as 120x36")
	}
	f.Width, _ = strconv.Atoi(m[1])
	f.Height, _ = strconv.Atoi(m[2])
	return nil
}

// String and Type make it a pflag.Value.
func (f *sizeFlag) String() string {
	if f.Size == (cells.Size{}) {
		return ""
	}
	return fmt.Sprintf("%dx%d", f.Width, f.Height)
}

// Type is what usage shows as the flag's value.
func (f *sizeFlag) Type() string { return "COLSxROWS" }

// screenFlags are those of the commands that open the screen.
type screenFlags struct {
	auto bool
	size sizeFlag
}

func (f *screenFlags) add(command *cobra.Command) {
	command.Flags().BoolVar(&f.auto, "auto", false, "play to the end, a step every 5 s, and quit; for those who record the screen")
	command.Flags().Var(&f.size, "size", "the screen's size in cells, such as 120x36, whatever the terminal's is")
}
