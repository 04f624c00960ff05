package commands

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
)

// playbill is the scenarios that the arguments name: built-in ones by name, others by
// file. Without arguments it is the whole catalogue.
func playbill(ctx context.Context, args []string) ([]*scenarios.Scenario, error) {
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return catalogue, nil
	}
	var named []*scenarios.Scenario
	for _, arg := range args {
		files := []string{arg}
		if info, err := os.Stat(arg); err == nil && info.IsDir() && isFile(arg) {
			if files, err = scenarioFiles(arg); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			scenario, err := find(ctx, catalogue, file)
			if err != nil {
				return nil, err
			}
			named = append(named, scenario)
		}
	}
	return named, nil
}

// scenarioFiles lists the YAML files below a directory.
func scenarioFiles(directory string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the directory %s: %w", directory, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no scenario file, .yaml or .yml, below %s", directory)
	}
	return files, nil
}

// find is the scenario of a name, or of a file. A trace's file is a *traceError.
func find(ctx context.Context, catalogue []*scenarios.Scenario, arg string) (*scenarios.Scenario, error) {
	if !isFile(arg) {
		return scenarios.Find(catalogue, arg)
	}
	scenario, trace, err := readEither(ctx, arg)
	if trace != nil {
		return nil, &traceError{File: arg}
	}
	return scenario, err
}

// traceError says that a scenario was expected where a trace is.
type traceError struct{ File string }

func (e *traceError) Error() string {
	return fmt.Sprintf("%s is a saved trace, and no scenario; `rvtui play %[1]s` opens it, and `rvtui check %[1]s` judges it again", quoted(e.File))
}

// quoted is an argument as a shell takes it.
func quoted(arg string) string {
	if strings.ContainsAny(arg, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return arg
}

// sniffed is how much of a file is looked at to tell a trace from a scenario.
const sniffed = 64 << 10

// readEither reads a scenario's file, or a trace's, whichever it is: once, for a pipe gives
// what it has but once.
func readEither(ctx context.Context, file string) (scenario *scenarios.Scenario, trace *scenarios.SavedTrace, err error) {
	var content []byte
	trace, err = await(ctx, func() (*scenarios.SavedTrace, error) {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		from := bufio.NewReaderSize(opened, sniffed)
		beginning, _ := from.Peek(sniffed) // what is wrong with it, the reading says
		if scenarios.IsTrace(beginning) {
			return scenarios.ReadTrace(from)
		}
		content, err = io.ReadAll(io.LimitReader(from, scenarios.MaxFileBytes+1)) // not every file has an end
		return nil, err
	})
	var wrong *scenarios.TraceError
	var cause *fs.PathError
	switch {
	case errors.As(err, &wrong):
		return nil, nil, fmt.Errorf("cannot read the trace %s: %w", file, err)
	case errors.As(err, &cause):
		return nil, nil, fmt.Errorf("cannot read the scenario file %s: %w", file, cause.Err)
	case err != nil:
		return nil, nil, fmt.Errorf("cannot read the scenario file %s: %w", file, err)
	case trace != nil:
		return nil, trace, nil
	}
	scenario, err = scenarios.Decode(file, content)
	return scenario, nil, err
}

// readAll reads to the end, or until ctx ends.
func readAll(ctx context.Context, from io.Reader) ([]byte, error) {
	return await(ctx, func() ([]byte, error) { return io.ReadAll(from) })
}

// await gives up where ctx ends: a pipe may have nobody who writes to it.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// isFile tells a file from a name: names have neither a slash nor a dot.
func isFile(arg string) bool {
	return strings.ContainsRune(arg, filepath.Separator) ||
		slices.Contains([]string{".yaml", ".yml", ".json", ".gz"}, filepath.Ext(arg))
}

// completeNames offers the built-in scenarios, with their titles.
func completeNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, scenario := range catalogue {
		if !slices.Contains(args, scenario.Name) {
			names = append(names, scenario.Name+"\t"+scenario.Title.In(scenarios.English))
		}
	}
	return names, cobra.ShellCompDirectiveDefault // files as well
}
