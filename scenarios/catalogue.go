package scenarios

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
)

//go:embed catalogue/*/*.yaml
var catalogue embed.FS

// chapters is the order in which people meet them.
var chapters = []string{
	"conflicts", "no-conflict", "what-rv-is", "reads", "watch", "server-side-apply",
	"delete-create", "beyond-one-object", "claims",
}

// Catalogue lists the built-in scenarios, by chapter and then in each chapter's own
// order, which is that of its files' names.
func Catalogue() ([]*Scenario, error) {
	var files []string
	for _, chapter := range chapters {
		found, err := fs.Glob(catalogue, path.Join("catalogue", chapter, "*.yaml"))
		if err != nil {
			return nil, fmt.Errorf("listing the catalogue: %w", err)
		}
		slices.Sort(found)
		files = append(files, found...)
	}
	// On all processors: the first frame waits for it.
	all, errs := make([]*Scenario, len(files)), make([]error, len(files))
	var decoding sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		decoding.Go(func() {
			for i := range next {
				content, err := catalogue.ReadFile(files[i])
				if err == nil {
					all[i], err = decode(files[i], content, false)
				}
				errs[i] = err
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	decoding.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	return all, nil
}

// Source is the file of a built-in scenario, as it was written.
func Source(scenario *Scenario) ([]byte, error) {
	return catalogue.ReadFile(scenario.File)
}

// UnknownError says that there is no scenario of a name, and which come near it.
type UnknownError struct {
	Name string
	Near []string
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("no scenario is called %q", e.Name)
	switch len(e.Near) {
	case 0:
		return text + "; `rvtui list` shows all"
	case 1:
		return text + "; did you mean " + e.Near[0] + "?"
	}
	return text + "; the nearest are " + strings.Join(e.Near, ", ")
}

// Find returns the scenario of that name; the error is an *UnknownError.
func Find(all []*Scenario, name string) (*Scenario, error) {
	var names []string
	for _, scenario := range all {
		if scenario.Name == name {
			return scenario, nil
		}
		names = append(names, scenario.Name)
	}
	return nil, &UnknownError{Name: name, Near: Nearest(name, names, 3)}
}
