package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rvtui/ui/words"
)

// CleanOptions say what is removed from a cluster of the user's own.
type CleanOptions struct {
	All     bool   // what another rvtui may be working with, too
	DryRun  bool   // only tell
	Journal string // the directory of this machine's journals; "" for none
	Timeout time.Duration
}

// Leftover is something that a walk left on a cluster, and what became of it.
type Leftover struct {
	Kind, Namespace, Name string
	Scenario              string        // "" where nobody knows
	Age                   time.Duration // 0 where nobody knows
	Fate                  string        // removed, would be removed, kept, stays, not seen
	Why                   string
	Stays                 bool // it was to go, and did not, or nobody knows whether it did
}

// Cleaned is what became of what walks have left on a cluster.
type Cleaned struct {
	Left []Leftover
	// Unlisted says that the user may not list namespaces, and Looked that journals of this machine
	// name something to look for all the same.
	Unlisted, Looked bool
}

// Clean removes what walks have left on a cluster.
type Clean func(ctx context.Context, options CleanOptions) (Cleaned, error)

// errUnlooked says that nothing was looked for.
var errUnlooked = errors.New("you may not list namespaces, and no journal of this machine names anything there: nothing could be looked for")

// errStays says that something is left still. What it is is on stdout already.
var errStays = errors.New("something that was to go is still there")

func (p *Program) clean(s *settings) *cobra.Command {
	output := outputFlag{"table", []string{"table", "json"}}
	options := CleanOptions{}
	command := &cobra.Command{
		Use:   "clean",
		Short: "Remove what a crash left on a cluster of your own",
		Long: `Clean removes what rvtui has left on a cluster because it was killed, or because the cluster could not
be reached any more. It takes for its own only namespaces whose name begins with rvtui- and that have
both of rvtui's labels, app.kubernetes.io/managed-by=rvtui and rvtui.dev/run; each is deleted by its
UID, and nothing else is touched.

A namespace goes at once where it was made on this machine by an rvtui that has ended: each has a
journal, whose lock the system lets go of when the process ends. One from another machine goes when it
has expired, an hour after it was made: until then somebody may be working with it. --all takes it too.

In a namespace that you gave with --namespace there is no mark on rvtui's objects. What a killed rvtui
made there is in its journal on this machine, object by object, and only that is removed.

It exits 1 where something that was to go is still there, or may be, and 2 where nothing could be
looked for. Who may not list namespaces has only those looked for that a journal names.`,
		Example: "  rvtui clean --dry-run --context kind-dev\n  rvtui clean --context kind-dev",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := refuseMeaningless(command.Flags()); err != nil {
				return err
			}
			if !s.own {
				return usage("%s does not know which cluster is meant; --context NAME says it", command.CommandPath())
			}
			options.Journal = p.journal()
			cleaned, err := p.cleanOwn(command.Context(), options)
			left := cleaned.Left
			switch {
			case err == nil && cleaned.Unlisted && !cleaned.Looked && len(left) == 0:
				err = errUnlooked
			case err == nil && cleaned.Unlisted:
				p.warn("you may not list namespaces: only what this machine's journals name was looked for")
			}
			if len(left) > 0 || err == nil {
				err = errors.Join(p.write(func(w io.Writer) error { return writeLeftovers(w, cleaned, output.value) }), err)
			}
			if err == nil && slices.ContainsFunc(left, func(l Leftover) bool { return l.Stays }) {
				return errStays
			}
			return err
		},
	}
	p.addClusterFlags(command)
	command.Flags().VisitAll(func(flag *pflag.Flag) { flag.Hidden = flag.Hidden || meaningless(flag.Name) })
	output.add(command)
	command.Flags().BoolVar(&options.DryRun, "dry-run", false, "only say what would be removed")
	command.Flags().BoolVar(&options.All, "all", false, "also what another rvtui may be working with right now")
	command.Flags().DurationVar(&options.Timeout, "timeout", time.Minute, "how long to wait until what is deleted has gone")
	return command
}

// cleanOwn connects to the user's own cluster, and cleans it.
func (p *Program) cleanOwn(ctx context.Context, options CleanOptions) (cleaned Cleaned, err error) {
	line := p.statusLine()
	defer line.clear()
	plane, err := p.connect(ctx, line, ConnectOptions{})
	if err != nil {
		return Cleaned{}, err
	}
	defer func() { err = errors.Join(err, plane.Close()) }()
	line.set("looking for what rvtui has left, and removing it")
	return plane.Clean(ctx, options)
}

func writeLeftovers(w io.Writer, cleaned Cleaned, format string) error {
	left := cleaned.Left
	if format == "json" {
		rows := []map[string]any{}
		for _, l := range left {
			rows = append(rows, map[string]any{
				"kind": l.Kind, "namespace": l.Namespace, "name": l.Name, "scenario": l.Scenario,
				"ageSeconds": json.Number(fmt.Sprint(int64(l.Age.Seconds()))), "fate": l.Fate, "why": l.Why,
			})
		}
		return writeJSON(w, rows)
	}
	if len(left) == 0 && cleaned.Unlisted {
		_, err := io.WriteString(w, "nothing of what they name is there\n")
		return err
	}
	if len(left) == 0 {
		_, err := io.WriteString(w, "rvtui has left nothing there\n")
		return err
	}
	width := 0
	for _, l := range left {
		width = max(width, len(l.what()))
	}
	var b strings.Builder
	for _, l := range left {
		var about []string
		if l.Scenario != "" {
			about = append(about, l.Scenario)
		}
		if l.Age > 0 {
			about = append(about, "made "+l.Age.Round(time.Second).String()+" ago")
		}
		about = append(about, l.Why)
		fmt.Fprintf(&b, "%-16s  %s  %s\n", l.Fate, pad(words.Clean(l.what()), width), words.Clean(strings.Join(about, "; ")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// what names it.
func (l Leftover) what() string {
	name := strings.ToLower(l.Kind) + " " + l.Name
	if l.Namespace != "" {
		name += " in " + l.Namespace
	}
	return name
}

// journal is where what is made on clusters is noted, beside the file of what was run;
// "" where there is no home directory.
func (p *Program) journal() string {
	path := p.memoryPath()
	if path == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(path), "walks")
}
