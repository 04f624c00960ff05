package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
)

// sideBySide is how many scenarios are walked through at the same time. Most of them wait
// for most of their time; each has a namespace of its own.
const sideBySide = 4

// checkOptions are the flags of check.
type checkOptions struct {
	format     outputFlag
	labels     []string
	skipLabels []string
	failFast   bool
}

func (p *Program) check() *cobra.Command {
	o := checkOptions{format: outputFlag{"table", []string{"table", "json", "junit"}}}
	command := &cobra.Command{
		Use:   "check [SCENARIO|FILE|DIRECTORY...]",
		Short: "Check every expectation, and exit 1 where one fails",
		Long: `Check walks through the scenarios, all built-in ones where none is named, and compares each
step with what the scenario says must happen. Of a directory it takes every scenario file below it.
Scenarios are walked through side by side, but for those that compact etcd or restart the apiserver,
which are everybody's: they come last, one by one. It exits 1 where an expectation failed.`,
		Example: "  rvtui check\n  rvtui check two-writers my-scenario.yaml\n  rvtui check --skip-label slow\n  rvtui check -o junit > junit.xml",
		Args:    cobra.ArbitraryArgs, ValidArgsFunction: completeNames,
		RunE: func(command *cobra.Command, args []string) error {
			all, err := playbill(command.Context(), args)
			if err != nil {
				return err
			}
			all = slices.DeleteFunc(all, func(s *scenarios.Scenario) bool { return !o.wants(s) })
			if len(all) == 0 {
				return usage("no scenario has these labels")
			}
			return p.withControlPlane(command.Context(), false, func(ctx context.Context, cluster scenarios.Cluster, line *statusLine) error {
				return p.checkAll(ctx, cluster, line, all, o)
			})
		},
	}
	o.format.add(command)
	command.Flags().StringSliceVar(&o.labels, "label", nil, "only scenarios with one of these labels")
	command.Flags().StringSliceVar(&o.skipLabels, "skip-label", nil, "no scenarios with one of these labels")
	command.Flags().BoolVar(&o.failFast, "fail-fast", false, "begin no other scenario once one has failed")
	return command
}

// wants reports whether a scenario's labels let it in.
func (o checkOptions) wants(s *scenarios.Scenario) bool {
	has := func(labels []string) bool {
		return slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(s.Labels, label) })
	}
	return (o.labels == nil || has(o.labels)) && !has(o.skipLabels)
}

// checkAll walks through the scenarios and writes each row once it and all before it are
// there, so that the table has the catalogue's order whatever ends first.
func (p *Program) checkAll(ctx context.Context, cluster scenarios.Cluster, line *statusLine, all []*scenarios.Scenario, o checkOptions) error {
	info := cluster.Info()
	result := report{Kubernetes: info.Kubernetes, Etcd: info.Etcd, Mode: info.Mode, Scenarios: []checked{}}
	width := 0
	for _, s := range all {
		width = max(width, len(s.Name))
	}
	began := p.Now()
	rows, err := p.checkSideBySide(ctx, cluster, line, all, o.failFast, func(row checked) error {
		if o.format.value != "table" {
			return nil
		}
		return line.above(func() error {
			return p.write(func(w io.Writer) error { return row.writeTo(w, width) })
		})
	})
	line.clear()
	if err != nil {
		return err
	}
	result.Scenarios = append(result.Scenarios, rows...)
	result.took = p.Now().Sub(began)
	err = p.write(func(w io.Writer) error {
		switch o.format.value {
		case "json":
			return writeJSON(w, result)
		case "junit":
			return result.writeJUnit(w)
		}
		return result.summarise(w)
	})
	return errors.Join(err, verdictError(result.verdict()))
}

// checkSideBySide walks through the scenarios, the exclusive ones one by one after all
// others, and returns their rows in the order in which they were given. A row is told to
// done as soon as all before it were.
func (p *Program) checkSideBySide(ctx context.Context, cluster scenarios.Cluster, line *statusLine, all []*scenarios.Scenario, failFast bool, done func(checked) error) ([]checked, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	rows := make([]*checked, len(all))
	var mu sync.Mutex
	told, finished, failed := 0, 0, false
	tell := func(i int, row checked) {
		mu.Lock()
		defer mu.Unlock()
		rows[i] = &row
		finished++
		failed = failed || row.Verdict == scenarios.Failed
		line.set("%d of %d done  %s", finished, len(all), row.Name)
		for told < len(rows) && rows[told] != nil {
			if err := done(*rows[told]); err != nil {
				cancel(err)
			}
			told++
		}
	}
	one := func(i int) {
		mu.Lock()
		skip := failFast && failed
		mu.Unlock()
		if ctx.Err() != nil {
			return // nothing is said of what was not begun: the whole ends here
		}
		if skip {
			tell(i, checked{Name: all[i].Name, Verdict: scenarios.Skipped, Reason: "not begun: another scenario failed"})
			return
		}
		row, err := p.checkOne(ctx, cluster, all[i], line)
		if err != nil {
			cancel(err)
			return
		}
		tell(i, row)
	}

	next := make(chan int)
	var panicked sync.Once
	var value any
	var workers sync.WaitGroup
	for range min(sideBySide, len(all)) {
		workers.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					panicked.Do(func() { value = v })
					cancel(fmt.Errorf("internal error: %v", v))
					for range next { // let go of who hands out
					}
				}
			}()
			for i := range next {
				one(i)
			}
		})
	}
	for _, i := range slowFirst(all) {
		if !all[i].Exclusive() {
			next <- i
		}
	}
	close(next)
	workers.Wait()
	if value != nil {
		panic(value) // on Main's goroutine, which cleans up and reports
	}
	for i := range all {
		if all[i].Exclusive() {
			one(i)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	finishedRows := make([]checked, 0, len(rows))
	for _, row := range rows {
		finishedRows = append(finishedRows, *row)
	}
	return finishedRows, nil
}

// slowFirst is the order to begin in: what takes longest first, so that the rest is done
// beside it.
func slowFirst(all []*scenarios.Scenario) []int {
	var slow, quick []int
	for i, s := range all {
		if slices.Contains(s.Labels, "slow") {
			slow = append(slow, i)
		} else {
			quick = append(quick, i)
		}
	}
	// Those with most steps that say how long they take come first.
	slices.SortStableFunc(slow, func(a, b int) int { return slowSteps(all[b]) - slowSteps(all[a]) })
	return append(slow, quick...)
}

// slowSteps counts the steps that say how long they take.
func slowSteps(s *scenarios.Scenario) int {
	n := 0
	for i := range s.Steps {
		if s.Steps[i].Slow != "" {
			n++
		}
	}
	return n
}

// checkOne walks through one scenario. An error means that the walk as a whole ends.
func (p *Program) checkOne(ctx context.Context, cluster scenarios.Cluster, scenario *scenarios.Scenario, line *statusLine) (checked, error) {
	began := p.Now()
	row := checked{Name: scenario.Name, Chapter: scenario.Chapter}
	trace, err := walk(ctx, cluster, scenario, line, func(*scenarios.Trace) error { return nil })
	row.DurationMs = p.Now().Sub(began).Milliseconds()
	var missing *scenarios.MissingError
	var setup *scenarios.SetupError
	switch {
	case errors.As(err, &missing):
		row.Verdict, row.Reason = scenarios.Skipped, missing.Error()
		return row, nil
	case errors.As(err, &setup):
		row.Verdict, row.Reason = scenarios.Failed, setup.Error()
		return row, nil
	case err != nil:
		return row, err
	}
	row.Verdict = trace.Verdict()
	for i := range trace.Steps {
		o := &trace.Steps[i]
		switch o.Verdict {
		case scenarios.Failed:
			row.Failed = append(row.Failed, failedStep{o.Step, o.Actor, o.Operation, o.Expected, o.Got})
		case scenarios.Skipped:
			row.Reason = fmt.Sprintf("step %d %s", o.Step, o.Reason)
		}
	}
	if len(row.Failed) > 0 {
		first := row.Failed[0]
		row.Reason = fmt.Sprintf("step %d, %s %s: expected %s; got %s", first.Step, first.Actor, first.Operation, first.Expected, first.Got)
	}
	return row, nil
}
