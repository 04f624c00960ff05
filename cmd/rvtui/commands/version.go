package commands

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func (p *Program) version() *cobra.Command {
	output := outputFlag{"text", []string{"text", "json"}}
	command := &cobra.Command{
		Use:   "version",
		Short: "Say the versions of rvtui and of what is built into it",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := p.Versions
			return p.write(func(w io.Writer) error {
				if output.value == "json" {
					return writeJSON(w, map[string]string{"rvtui": v.Rvtui, "kubernetes": v.Kubernetes, "etcd": v.Etcd, "go": v.Go})
				}
				_, err := io.WriteString(w, v.lines())
				return err
			})
		},
	}
	output.add(command)
	return command
}

// lines is the versions as a person reads them.
func (v Versions) lines() string {
	return fmt.Sprintf("rvtui %s\nkube-apiserver %s (embedded)\netcd %s (embedded)\n%s\n", v.Rvtui, v.Kubernetes, v.Etcd, v.Go)
}
