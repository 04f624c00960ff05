// Package recordtest is for the tests of the formats that recordings are written in. Nothing
// but tests may import it.
package recordtest

import (
	"testing"

	"rvtui/scenarios"
	"rvtui/ui/cells"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
)

// Usual is the size of what has no other.
var Usual = cells.Size{Width: 120, Height: 36}

// Record is a recording of a trace.
func Record(t testing.TB, trace scenarios.Trace, options recording.Options) *recording.Recording {
	t.Helper()
	if options.Size == (cells.Size{}) {
		options.Size = Usual
	}
	r, err := recording.New(&trace, options)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Fixture is one of a recorded trace.
func Fixture(t testing.TB, name string, options recording.Options) *recording.Recording {
	t.Helper()
	return Record(t, uitest.Trace(t, name), options)
}
