package scenarios

// Scenario is one experiment, as its file says it.
type Scenario struct {
	Name    string   `yaml:"scenario" json:"name"`
	Chapter string   `yaml:"chapter" json:"chapter"`
	Title   Text     `yaml:"title" json:"title"`
	Summary Text     `yaml:"summary,omitempty" json:"summary,omitempty"`
	See     Text     `yaml:"see,omitempty" json:"see,omitempty"`         // what the reader will see, in a line
	Met     []string `yaml:"met,omitempty" json:"met,omitempty"`         // the error texts by which people meet it
	Fix     Text     `yaml:"fix,omitempty" json:"fix,omitempty"`         // what to do instead
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty"` // documentation pages, KEPs, files and what to read in them
	Labels  []string `yaml:"labels,omitempty" json:"labels,omitempty"`   // "slow", for one
	Needs   []string `yaml:"needs,omitempty" json:"needs,omitempty"`     // capabilities: etcd.read, etcd.rpc, etcd.compact, apiserver.restart

	Setup []Step `yaml:"setup,omitempty" json:"setup,omitempty"`
	Steps []Step `yaml:"steps" json:"steps"`

	File string `yaml:"-" json:"-"` // where it was read from
}

// Exclusive reports whether the scenario does what every other one on the same cluster would
// feel: it compacts etcd, or restarts the apiserver. It must be walked through alone.
func (s *Scenario) Exclusive() bool { return anyExclusive(s.Setup) || anyExclusive(s.Steps) }
