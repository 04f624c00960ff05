package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rvtui/scenarios"
	"rvtui/ui/theme"
)

// settings are the flags that every command has.
type settings struct {
	color string
	theme string
	lang  string
	plain bool
	// own says that the flags name a cluster of the user's own.
	own bool
}

// language is the one asked for, or that of the environment where rvtui speaks it, or
// else English.
func (s *settings) language(lookup func(string) (string, bool)) string {
	if s.lang != "" {
		return s.lang
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value, _ := lookup(name)
		if value == "" {
			continue
		}
		if strings.HasPrefix(strings.ToLower(value), scenarios.Chinese) {
			return scenarios.Chinese
		}
		return scenarios.English
	}
	return scenarios.English
}

// check refuses values that no flag has.
func (s *settings) check() error {
	if !slices.Contains([]string{"auto", "always", "never"}, s.color) {
		return usage("--color is %q; it takes auto, always or never", s.color)
	}
	if !slices.Contains([]string{"", scenarios.English, scenarios.Chinese}, s.lang) {
		return usage("--lang is %q; it takes en or zh", s.lang)
	}
	if !slices.Contains(theme.Names, s.theme) {
		return usage("--theme is %q; it takes %s", s.theme, strings.Join(theme.Names, ", "))
	}
	return nil
}

// outputFlag is -o, with the formats that a command has.
type outputFlag struct {
	value   string
	allowed []string
}

func (f *outputFlag) add(command *cobra.Command) {
	command.Flags().VarP(f, "output", "o", "what to write: "+strings.Join(f.allowed, ", "))
	_ = command.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(f.allowed, cobra.ShellCompDirectiveNoFileComp))
}

// String, Set and Type make it a pflag.Value.
func (f *outputFlag) String() string { return f.value }

// Type is what usage shows as the flag's value.
func (f *outputFlag) Type() string { return "format" }

// Set refuses a format that the command does not have.
func (f *outputFlag) Set(value string) error {
	if !slices.Contains(f.allowed, value) {
		return fmt.Errorf("it takes %s", strings.Join(f.allowed, ", "))
	}
	f.value = value
	return nil
}

// noArgs refuses arguments, in rvtui's words.
func noArgs(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no arguments, but got %q", command.CommandPath(), args[0])
	}
	return nil
}
