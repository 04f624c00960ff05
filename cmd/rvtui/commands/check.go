package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
)

// report is `rvtui check -o json`.
type report struct {
	Kubernetes string    `json:"kubernetes"`
	Etcd       string    `json:"etcd"`
	Mode       string    `json:"mode"`
	Scenarios  []checked `json:"scenarios"`
}

// checked is what became of one scenario.
type checked struct {
	Name       string            `json:"name"`
	Verdict    scenarios.Verdict `json:"verdict"`
	Reason     string            `json:"reason"`
	DurationMs int64             `json:"durationMs"`
	Failed     []failedStep      `json:"failed,omitempty"`
}

// failedStep is a step that came out otherwise than expected.
type failedStep struct {
	Step      int             `json:"step"`
	Actor     scenarios.Actor `json:"actor"`
	Operation string          `json:"operation"`
	Expected  string          `json:"expected"`
	Got       string          `json:"got"`
}

func (p *Program) check() *cobra.Command {
	output := outputFlag{"table", []string{"table", "json"}}
	command := &cobra.Command{
		Use:   "check [SCENARIO|FILE...]",
		Short: "Check every expectation, and exit 1 where one fails",
		Long: `Check walks through the scenarios, all built-in ones where none is named, and compares each
step with what the scenario says must happen. It exits 1 where an expectation failed.`,
		Example: "  rvtui check\n  rvtui check two-writers my-scenario.yaml\n  rvtui check -o json",
		Args:    cobra.ArbitraryArgs, ValidArgsFunction: completeNames,
		RunE: func(command *cobra.Command, args []string) error {
			all, err := playbill(command.Context(), args)
			if err != nil {
				return err
			}
			return p.withControlPlane(command.Context(), func(ctx context.Context, cluster scenarios.Cluster, line *statusLine) error {
				return p.checkAll(ctx, cluster, line, all, output.value == "json")
			})
		},
	}
	output.add(command)
	return command
}

// checkAll walks through the scenarios one after the other and writes each row as soon
// as there is one.
func (p *Program) checkAll(ctx context.Context, cluster scenarios.Cluster, line *statusLine, all []*scenarios.Scenario, asJSON bool) error {
	info := cluster.Info()
	result := report{Kubernetes: info.Kubernetes, Etcd: info.Etcd, Mode: info.Mode, Scenarios: []checked{}}
	width := 0
	for _, s := range all {
		width = max(width, len(s.Name))
	}
	verdict := scenarios.OK
	for i, scenario := range all {
		line.set("%d/%d  %s", i+1, len(all), scenario.Name)
		row, err := p.checkOne(ctx, cluster, scenario, line)
		if err != nil {
			return err
		}
		if row.Verdict == scenarios.Failed {
			verdict = scenarios.Failed
		}
		result.Scenarios = append(result.Scenarios, row)
		if !asJSON {
			line.clear()
			if err := p.write(func(w io.Writer) error { return row.writeTo(w, width) }); err != nil {
				return err
			}
		}
	}
	line.clear()
	err := p.write(func(w io.Writer) error {
		if asJSON {
			return writeJSON(w, result)
		}
		return result.summarise(w)
	})
	return errors.Join(err, verdictError(verdict))
}

// checkOne walks through one scenario. An error means that the walk as a whole ends.
func (p *Program) checkOne(ctx context.Context, cluster scenarios.Cluster, scenario *scenarios.Scenario, line *statusLine) (checked, error) {
	began := p.Now()
	row := checked{Name: scenario.Name}
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

// writeTo writes the row of the table, and what failed below it.
func (c checked) writeTo(w io.Writer, width int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %6.1f s\n", pad(c.Name, width), pad(string(c.Verdict), len(scenarios.Skipped)), float64(c.DurationMs)/1000)
	for _, f := range c.Failed {
		fmt.Fprintf(&b, "  step %d, %s %s\n    expected  %s\n    got       %s\n", f.Step, f.Actor, f.Operation, f.Expected, f.Got)
	}
	if len(c.Failed) == 0 && c.Reason != "" {
		fmt.Fprintf(&b, "  %s\n", c.Reason)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// summarise writes the table's last line.
func (r report) summarise(w io.Writer) error {
	count := map[scenarios.Verdict]int{}
	var total time.Duration
	for _, s := range r.Scenarios {
		count[s.Verdict]++
		total += time.Duration(s.DurationMs) * time.Millisecond
	}
	_, err := fmt.Fprintf(w, "\n%d ok, %d failed, %d skipped in %.1f s, on kube-apiserver %s and etcd %s (%s)\n",
		count[scenarios.OK], count[scenarios.Failed], count[scenarios.Skipped], total.Seconds(), r.Kubernetes, r.Etcd, r.Mode)
	return err
}
