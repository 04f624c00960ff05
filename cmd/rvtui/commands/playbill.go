package commands

import (
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

func find(ctx context.Context, catalogue []*scenarios.Scenario, arg string) (*scenarios.Scenario, error) {
	if !isFile(arg) {
		return scenarios.Find(catalogue, arg)
	}
	content, err := readFile(ctx, arg)
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, fmt.Errorf("cannot read the scenario file %s: %w", arg, err)
	}
	return scenarios.Decode(arg, content)
}

// readFile reads no more than a scenario can be: not every file has an end.
func readFile(ctx context.Context, path string) ([]byte, error) {
	return await(ctx, func() ([]byte, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return io.ReadAll(io.LimitReader(file, scenarios.MaxFileBytes+1))
	})
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
		slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(arg))
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
