package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// timeWalks walks through all scenarios that are not slow, one after the other, each with
// what the servers do inside recorded and without. It prints how many milliseconds all
// walks took with it, and without.
func timeWalks(ctx context.Context) error {
	plane, err := Start(ctx, Options{Recorder: recorder, Spans: inside, Log: lines})
	if err != nil {
		return err
	}
	etcd, err := plane.EtcdClient()
	if err != nil {
		return err
	}
	all, err := scenarios.Catalogue()
	if err != nil {
		return err
	}
	var took [2]time.Duration
	for k := range 2 { // a kind that a scenario has made takes a while to go before it can be made again
		for i, scenario := range all {
			if slices.Contains(scenario.Labels, "slow") {
				continue
			}
			which := (i + k) % 2 // so that neither always comes first
			config := cluster.Config{}
			if which == 0 {
				config = cluster.Config{Spans: inside, Log: lines}
			}
			c, err := newCluster(plane, etcd, config)
			if err != nil {
				return err
			}
			started := time.Now()
			if err := walkThrough(ctx, c, scenario); err != nil {
				return fmt.Errorf("walking through %s: %w", scenario.Name, err)
			}
			took[which] += time.Since(started)
		}
	}
	fmt.Println(took[0].Milliseconds(), took[1].Milliseconds())
	return errors.Join(etcd.Close(), plane.Close())
}

func walkThrough(ctx context.Context, c scenarios.Cluster, scenario *scenarios.Scenario) error {
	run, err := scenarios.Begin(ctx, c, scenario)
	if err != nil {
		return err
	}
	for err == nil {
		_, err = run.Step(ctx, nil)
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return run.Close(ctx)
}

// BenchmarkInside compares walks with what the servers do inside recorded, and without.
func BenchmarkInside(b *testing.B) {
	var with, without float64
	for b.Loop() {
		output, err := runHelper(b, "walks", os.TempDir())
		if err != nil {
			b.Fatal(output, err)
		}
		var inside, outside float64
		if _, err := fmt.Sscan(output, &inside, &outside); err != nil {
			b.Fatal(output, err)
		}
		with, without = with+inside, without+outside
	}
	b.ReportMetric(with/float64(b.N), "inside-ms")
	b.ReportMetric(without/float64(b.N), "outside-ms")
	b.ReportMetric(with/without, "inside/outside")
}
