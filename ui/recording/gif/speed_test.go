package gif_test

import (
	"io"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"rvtui/ui/internal/recordtest"
	"rvtui/ui/internal/uitest"
	"rvtui/ui/recording"
	"rvtui/ui/recording/gif"
)

// BenchmarkWrite prints, beside the time: how much faster a GIF is written than it plays,
// its size, and the most memory that the program had of the system while it wrote.
func BenchmarkWrite(b *testing.B) {
	two := uitest.TwoWriters(b)
	for _, c := range []struct {
		name  string
		steps int
	}{{"two-writers", len(two.Steps)}, {"300-frames", 299}} {
		b.Run(c.name, func(b *testing.B) {
			r := recordtest.Record(b, uitest.Long(two, c.steps), recording.Options{Size: usual})
			var plays time.Duration
			for f := range r.Frames() {
				plays += f.Hold
			}
			debug.FreeOSMemory()
			var to watched
			for b.Loop() {
				to = watched{most: to.most}
				if err := gif.Write(&to, r); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(plays.Seconds()/(b.Elapsed().Seconds()/float64(b.N)), "times-faster")
			b.ReportMetric(float64(to.size)/1000, "kB")
			b.ReportMetric(float64(to.most)/1e6, "peak-MB")
		})
	}
}

// watched sees the program's memory whenever it is written to.
type watched struct {
	size int
	most uint64
}

var _ io.Writer = (*watched)(nil)

func (w *watched) Write(data []byte) (int, error) {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	w.size += len(data)
	w.most = max(w.most, now.Sys-now.HeapReleased)
	return len(data), nil
}
