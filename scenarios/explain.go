package scenarios

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Explanation is what an error text means, what to do about it, and the scenario that
// shows it.
type Explanation struct {
	Name     string   `yaml:"name" json:"name"`
	Match    []string `yaml:"match" json:"-"` // regular expressions, of which one must match; letters' case does not matter
	Means    Text     `yaml:"means" json:"means"`
	Fix      Text     `yaml:"fix" json:"fix"` // two sentences
	Scenario string   `yaml:"scenario" json:"scenario"`

	patterns []*regexp.Regexp
}

//go:embed explanations.yaml
var explanationsFile []byte

// explanations are in the order in which they are tried: what says more comes first.
var explanations = sync.OnceValues(func() ([]Explanation, error) {
	var all []Explanation
	if err := yaml.Unmarshal(explanationsFile, &all); err != nil {
		return nil, fmt.Errorf("reading the explanations: %w", err)
	}
	for i := range all {
		for _, expression := range all[i].Match {
			pattern, err := regexp.Compile("(?i)" + expression)
			if err != nil {
				return nil, fmt.Errorf("reading the explanations: %s: %w", all[i].Name, err)
			}
			all[i].patterns = append(all[i].patterns, pattern)
		}
	}
	return all, nil
})

// Explain finds what an error text is about. The text may be what a client printed, a Go
// error, a Status in JSON, or a line of a log with whatever stands before. It returns nil
// where it knows nothing of it.
func Explain(text string) (*Explanation, error) {
	all, err := explanations()
	if err != nil {
		return nil, err
	}
	readings := readings(text)
	for i := range all {
		for _, pattern := range all[i].patterns {
			for _, reading := range readings {
				if pattern.MatchString(reading) {
					return &all[i], nil
				}
			}
		}
	}
	return nil, nil
}

// readings are the ways to read a text: as it is with its white space folded and its
// quotes unescaped, and, where it is or holds a Status, that Status' message and reason.
func readings(text string) []string {
	folded := strings.Join(strings.Fields(strings.NewReplacer(`\"`, `"`, `\n`, " ", `\t`, " ").Replace(text)), " ")
	all := []string{folded}
	if start := strings.IndexByte(text, '{'); start >= 0 {
		var status struct {
			Kind, Message, Reason string
			Object                *struct{ Message, Reason string } // of a watch's ERROR event
		}
		if json.NewDecoder(strings.NewReader(text[start:])).Decode(&status) == nil {
			all = append(all, status.Reason+": "+status.Message)
			if status.Object != nil {
				all = append(all, status.Object.Reason+": "+status.Object.Message)
			}
		}
	}
	return all
}
