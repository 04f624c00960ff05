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
	scenarios  []string // of traces
	compare    string   // the control plane of rvtui's own, or a context
}

// compareEmbedded is what --compare calls the control plane of rvtui's own.
const compareEmbedded = "embedded"

func (p *Program) check(s *settings) *cobra.Command {
	o := checkOptions{format: outputFlag{"table", []string{"table", "json", "junit"}}}
	command := &cobra.Command{
		Use:   "check [SCENARIO|FILE|DIRECTORY|TRACE...]",
		Short: "Check every expectation, and exit 1 where one fails",
		Long: `Check walks through the scenarios, all built-in ones where none is named, and compares each
step with what the scenario says must happen. Of a directory it takes every scenario file below it.
Scenarios are walked through side by side, but for those that compact etcd or restart the apiserver,
which are everybody's: they come last, one by one. It exits 1 where an expectation failed, and 2 where
nothing could be checked.

With --compare the scenarios are walked through on a second cluster as well, and the steps that come
out otherwise there are told; what one of the two does not show is no difference.

A trace that was saved before, plain or gzipped, is judged again by what it recorded, with no
control plane: by the built-in scenario of its name, or by the one that --scenario gives. A verdict
that is not the recorded one is said to be so, and a step that the scenario does otherwise today is
not judged.`,
		Example: "  rvtui check\n  rvtui check two-writers my-scenario.yaml\n  rvtui check --skip-label slow\n  rvtui check -o junit > junit.xml\n" +
			"  rvtui check --context kind-dev --compare embedded\n  rvtui check two-writers.json\n  rvtui check --scenario my-scenario.yaml my-trace.json.gz",
		Args: cobra.ArbitraryArgs, ValidArgsFunction: completeNames,
		RunE: func(command *cobra.Command, args []string) error {
			return p.checkArgs(command.Context(), s, args, o)
		},
	}
	o.format.add(command)
	p.addClusterFlags(command)
	command.Flags().StringSliceVar(&o.labels, "label", nil, "only scenarios with one of these labels")
	command.Flags().StringSliceVar(&o.skipLabels, "skip-label", nil, "no scenarios with one of these labels")
	command.Flags().StringArrayVar(&o.scenarios, "scenario", nil, "the scenario's file, or name, that a trace is judged by")
	command.Flags().StringVar(&o.compare, "compare", "", "tell which steps come out otherwise on another one: embedded, or a context")
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

// checkArgs checks traces first, and then scenarios, on a control plane that is started for
// them alone.
func (p *Program) checkArgs(ctx context.Context, s *settings, args []string, o checkOptions) error {
	traces, names, err := sortOut(ctx, args, o.scenarios)
	if err != nil {
		return err
	}
	traces = slices.DeleteFunc(traces, func(t traceToCheck) bool { return !o.wants(t.scenario) })
	var all []*scenarios.Scenario
	if len(names) > 0 || len(args) == 0 {
		if all, err = playbill(ctx, names); err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(s *scenarios.Scenario) bool { return !o.wants(s) })
	}
	if len(traces)+len(all) == 0 {
		return usage("no scenario has these labels")
	}
	began := p.Now()
	table := o.format.value == "table"
	width := 0
	for _, t := range traces {
		width = max(width, len(checked{Name: t.scenario.Name, Trace: &checkedTrace{File: t.file}}.title()))
	}
	for _, s := range all {
		width = max(width, len(s.Name))
	}
	tell := func(row checked) error {
		if !table {
			return nil
		}
		return p.write(func(w io.Writer) error { return row.writeTo(w, width) })
	}
	rows, err := p.recheckAll(ctx, traces, tell)
	if err != nil {
		return err
	}
	result := report{Scenarios: rows}
	if len(all) == 0 || o.failFast && result.verdict() == scenarios.Failed {
		for _, s := range all {
			result.Scenarios = append(result.Scenarios, notBegun(s))
		}
		info := recordedOn(rows)
		result.Kubernetes, result.Etcd, result.Mode = info.Kubernetes, info.Etcd, info.Mode
		result.took = p.Now().Sub(began)
		return p.conclusion(result, o)
	}
	if o.compare == "" {
		return p.withControlPlane(ctx, place{own: s.own}, false, func(ctx context.Context, cluster scenarios.Cluster, line *statusLine) error {
			return p.checkOn(ctx, cluster, nil, line, all, result, tell, o)
		})
	}
	if o.compare == compareEmbedded && !s.own {
		return usage("--compare embedded holds a cluster of your own against the embedded control plane; --context says which")
	}
	// First of all both are reached, and what has to be asked is asked.
	other := place{own: o.compare != compareEmbedded, context: o.compare}
	return p.withControlPlane(ctx, place{own: s.own}, false, func(ctx context.Context, cluster scenarios.Cluster, _ *statusLine) error {
		return p.withControlPlane(ctx, other, false, func(ctx context.Context, against scenarios.Cluster, line *statusLine) error {
			return p.checkOn(ctx, cluster, against, line, all, result, tell, o)
		})
	})
}

// checkOn checks scenarios on a cluster and, where there is one, on another to compare with.
func (p *Program) checkOn(ctx context.Context, cluster, against scenarios.Cluster, line *statusLine, all []*scenarios.Scenario, result report, tell func(checked) error, o checkOptions) error {
	check := func(on scenarios.Cluster, into *report, tell func(checked) error) error {
		info, began := on.Info(), p.Now() // the start is no part of the check
		into.Kubernetes, into.Etcd, into.Mode = info.Kubernetes, info.Etcd, info.Mode
		defer func() { into.took = p.Now().Sub(began) }()
		rows, err := p.checkSideBySide(ctx, on, line, all, o.failFast, tell)
		line.clear()
		into.Scenarios = append(into.Scenarios, rows...)
		return err
	}
	if err := check(cluster, &result, func(row checked) error { return line.above(func() error { return tell(row) }) }); err != nil {
		if o.format.value == "table" || len(result.Scenarios) == 0 {
			return err
		}
		// A report of those that came to an end is better than none, where a program reads it.
		return errors.Join(err, p.report(result, o))
	}
	if against != nil {
		var there report
		all = seenOf(all, result) // what the one cannot show need not be waited for on the other
		if err := check(against, &there, func(checked) error { return nil }); err != nil {
			return err
		}
		result.Compared = result.compareWith(there)
	}
	return p.conclusion(result, o)
}

// seenOf are the scenarios that a report does not say to be skipped.
func seenOf(all []*scenarios.Scenario, r report) []*scenarios.Scenario {
	rows := r.Scenarios[len(r.Scenarios)-len(all):] // after those of traces
	var seen []*scenarios.Scenario
	for i, s := range all {
		if rows[i].Verdict != scenarios.Skipped {
			seen = append(seen, s)
		}
	}
	return seen
}

// conclusion reports, and says by its error what it came to.
func (p *Program) conclusion(result report, o checkOptions) error {
	err := p.report(result, o)
	walked := func(row checked) bool { return row.Trace != nil || row.Verdict != scenarios.Skipped }
	if err == nil && !slices.ContainsFunc(result.Scenarios, walked) {
		return errors.New("nothing was checked: every scenario was skipped")
	}
	return errors.Join(err, verdictError(result.verdict()))
}

// report writes what the table ends with, or all of another format.
func (p *Program) report(result report, o checkOptions) error {
	return p.write(func(w io.Writer) error {
		switch o.format.value {
		case "json":
			return writeJSON(w, result)
		case "junit":
			return result.writeJUnit(w)
		}
		return result.summarise(w)
	})
}

// checkSideBySide walks through the scenarios, the exclusive ones one by one after all
// others, and returns their rows in the order in which they were given: with an error, of those
// that came to an end. A row is told to done as soon as all before it were.
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
			tell(i, notBegun(all[i]))
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
	beside := sideBySide
	if c, ok := cluster.(interface{ Alone() bool }); ok && c.Alone() {
		beside = 1 // all are in the namespace that the user has given
	}
	for range min(beside, len(all)) {
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
	finishedRows := make([]checked, 0, len(rows))
	for _, row := range rows {
		if row != nil {
			finishedRows = append(finishedRows, *row)
		}
	}
	if ctx.Err() != nil {
		return finishedRows, context.Cause(ctx)
	}
	return finishedRows, nil
}

// notBegun is the row of a scenario that --fail-fast left out.
func notBegun(s *scenarios.Scenario) checked {
	return checked{Name: s.Name, Verdict: scenarios.Skipped, Reason: "not begun: another scenario failed"}
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
		row.Verdict, row.Reason, row.lack = scenarios.Skipped, missing.Error(), missing.Missing
		return row, nil
	case errors.As(err, &setup) && setup.Denied && cluster.Info().Mode != compareEmbedded:
		// The rules of somebody's cluster are no difference in what the scenario is about: as
		// with rights that are lacking, it could not be looked at.
		row.Verdict, row.Reason = scenarios.Skipped, setup.Error()
		return row, nil
	case errors.As(err, &setup):
		row.Verdict, row.Reason = scenarios.Failed, setup.Error()
		return row, nil
	case err != nil:
		return row, err
	}
	row.Verdict, row.Steps = trace.Verdict(), stepsOf(&trace)
	for _, one := range trace.Admitted() {
		row.Remarks = append(row.Remarks, one.In(scenarios.English))
	}
	for i := range trace.Steps {
		if o := &trace.Steps[i]; o.Verdict == scenarios.Failed {
			row.Failed = append(row.Failed, failedOf(o))
		}
	}
	if row.NotSeen = notSeenOf(&trace); row.NotSeen != nil {
		row.Reason = row.NotSeen.text()
	}
	if len(row.Failed) > 0 {
		row.Reason = failedText(row.Failed)
	}
	return row, nil
}
