package commands

import (
	"errors"
	"fmt"
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
func playbill(args []string) ([]*scenarios.Scenario, error) {
	catalogue, err := scenarios.Catalogue()
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return catalogue, nil
	}
	var named []*scenarios.Scenario
	for _, arg := range args {
		scenario, err := find(catalogue, arg)
		if err != nil {
			return nil, err
		}
		named = append(named, scenario)
	}
	return named, nil
}

func find(catalogue []*scenarios.Scenario, arg string) (*scenarios.Scenario, error) {
	if !isFile(arg) {
		return scenarios.Find(catalogue, arg)
	}
	content, err := os.ReadFile(arg)
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, fmt.Errorf("cannot read the scenario file %s: %w", arg, err)
	}
	return scenarios.Decode(arg, content)
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
