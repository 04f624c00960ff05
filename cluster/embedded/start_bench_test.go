package embedded

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// stock is a start with the kube-apiserver's and etcd's defaults, and with RBAC, as every
// cluster has it. The address is one that nobody has: the default reconciler refuses loopback.
var stock = profile{
	flags:          []string{"--authorization-mode=Node,RBAC", "--advertise-address=192.0.2.1"},
	tickMs:         100,
	electionMs:     1000,
	walSegmentSize: 64 * 1000 * 1000,
}

// timeStart prints how many milliseconds a start takes in a new process.
func timeStart(ctx context.Context, options Options, profile profile) error {
	started := time.Now()
	c, err := start(ctx, options, profile)
	if err != nil {
		return err
	}
	fmt.Println(time.Since(started).Milliseconds())
	return c.Close()
}

// BenchmarkStart compares this package's start, with what the servers do inside recorded and
// without, with one that changes no default.
func BenchmarkStart(b *testing.B) {
	total := map[string]float64{}
	starts := 0
	for b.Loop() {
		starts++
		for _, name := range []string{"trimmed", "inside", "stock"} {
			output, err := runHelper(b, name, os.TempDir())
			if err != nil {
				b.Fatal(output, err)
			}
			ms, err := strconv.ParseFloat(output, 64)
			if err != nil {
				b.Fatal(err)
			}
			total[name] += ms
		}
	}
	b.ReportMetric(total["trimmed"]/float64(starts), "trimmed-ready-ms")
	b.ReportMetric(total["inside"]/float64(starts), "inside-ready-ms")
	b.ReportMetric(total["stock"]/float64(starts), "stock-ready-ms")
	b.ReportMetric(total["trimmed"]/total["stock"], "trimmed/stock")
}
