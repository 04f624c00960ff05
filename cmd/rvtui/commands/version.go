package commands

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// ClusterFacts are what there is to know of a cluster of the user's own. What nobody knows is
// empty.
type ClusterFacts struct {
	Name         string            `json:"name"` // the context's, or else the server's host
	Server       string            `json:"server"`
	Kubernetes   string            `json:"kubernetes"`
	User         string            `json:"user"` // as the cluster sees it
	Groups       []string          `json:"groups"`
	Etcd         string            `json:"etcd"`       // its version
	EtcdSource   string            `json:"etcdSource"` // where the evidence on etcd comes from
	Capabilities []CapabilityFacts `json:"capabilities"`
}

// CapabilityFacts are one of scenarios.Capabilities, whether a cluster has it, and why.
type CapabilityFacts struct {
	Name string `json:"name"`
	Has  bool   `json:"has"`
	Why  string `json:"why"`
}

// versionFacts are version's JSON.
type versionFacts struct {
	Rvtui      string        `json:"rvtui"`
	Kubernetes string        `json:"kubernetes"`
	Etcd       string        `json:"etcd"`
	Go         string        `json:"go"`
	Cluster    *ClusterFacts `json:"cluster,omitempty"`
}

func (p *Program) version(s *settings) *cobra.Command {
	output := outputFlag{"text", []string{"text", "json"}}
	command := &cobra.Command{
		Use:   "version",
		Short: "Say the versions of rvtui and of what is built into it, and what a cluster of your own can show",
		Long: `Version says the versions of rvtui and of what is built into it. With --context, or another flag that
names a cluster of your own, it also says what that is, who you are there, and what can be shown of it
and why. It writes nothing to it.`,
		Args: noArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			v := p.Versions
			facts := versionFacts{Rvtui: v.Rvtui, Kubernetes: v.Kubernetes, Etcd: v.Etcd, Go: v.Go}
			if s.own {
				cluster, err := p.clusterFacts(command.Context())
				if err != nil {
					return err
				}
				facts.Cluster = &cluster
			}
			return p.write(func(w io.Writer) error {
				if output.value == "json" {
					return writeJSON(w, facts)
				}
				text := v.lines()
				if facts.Cluster != nil {
					text += "\n" + facts.Cluster.lines()
				}
				_, err := io.WriteString(w, text)
				return err
			})
		},
	}
	output.add(command)
	p.addClusterFlags(command)
	return command
}

// clusterFacts connects to the user's own cluster, and looks.
func (p *Program) clusterFacts(ctx context.Context) (facts ClusterFacts, err error) {
	line := p.statusLine()
	defer line.clear()
	plane, err := p.connect(ctx, line, ConnectOptions{})
	if err != nil {
		return ClusterFacts{}, err
	}
	facts, err = plane.Describe(ctx)
	if closing := plane.Close(); err == nil {
		err = closing
	}
	return facts, err
}

// lines is the versions as a person reads them.
func (v Versions) lines() string {
	return fmt.Sprintf("rvtui %s\nkube-apiserver %s (embedded)\netcd %s (embedded)\n%s\n", v.Rvtui, v.Kubernetes, v.Etcd, v.Go)
}

// lines is the same of a cluster.
func (f ClusterFacts) lines() string {
	or := func(text, otherwise string) string {
		if text == "" {
			return otherwise
		}
		return text
	}
	user := or(f.User, "not known")
	if len(f.Groups) > 0 {
		user += " (" + strings.Join(f.Groups, ", ") + ")"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "cluster %s\n  server          %s\n  kube-apiserver  %s\n  user            %s\n  etcd            %s; seen through: %s\n",
		f.Name, f.Server, f.Kubernetes, user, or(f.Etcd, "version not known"), f.EtcdSource)
	b.WriteString("what it can show\n")
	width := 0
	for _, c := range f.Capabilities {
		width = max(width, len(c.Name))
	}
	for _, c := range f.Capabilities {
		has := "no"
		if c.Has {
			has = "yes"
		}
		fmt.Fprintf(&b, "  %-*s  %-3s  %s\n", width, c.Name, has, c.Why)
	}
	return b.String()
}
