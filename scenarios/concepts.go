package scenarios

import (
	_ "embed"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Concept is a word that one has to know in order to follow the scenarios.
type Concept struct {
	Name     string `yaml:"name"`  // as one word: watch-cache
	Title    Text   `yaml:"title"` // the same as it is written; empty where it is the name
	Says     []Text `yaml:"says"`  // three sentences
	Scenario string `yaml:"scenario"`
}

// Called is the concept as it is written in a language.
func (c *Concept) Called(lang string) string {
	if c.Title.Empty() {
		return c.Name
	}
	return c.Title.In(lang)
}

//go:embed concepts.yaml
var conceptsFile []byte

// Concepts lists all of them, the more fundamental ones first.
var Concepts = sync.OnceValues(func() ([]Concept, error) {
	var all []Concept
	if err := yaml.Unmarshal(conceptsFile, &all); err != nil {
		return nil, fmt.Errorf("reading the concepts: %w", err)
	}
	return all, nil
})
