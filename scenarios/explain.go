package scenarios

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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
	Also     []string `yaml:"also" json:"also,omitempty"` // scenarios that show more of it

	match []*regexp.Regexp
}

// Explained is an error that was found in a text.
type Explained struct {
	*Explanation
	Words string // where the text speaks of it, in its own words, on one line

	start int
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
		var err error
		if all[i].match, err = patterns(all[i].Match); err != nil {
			return nil, fmt.Errorf("reading the explanations: %s: %w", all[i].Name, err)
		}
	}
	return all, nil
})

// patterns are for a text as squeeze leaves it. They are in small letters rather than
// marked as (?i), with which regexp would not skip to where a literal beginning stands.
func patterns(expressions []string) ([]*regexp.Regexp, error) {
	var all []*regexp.Regexp
	for _, expression := range expressions {
		pattern, err := regexp.Compile(strings.ToLower(strings.ReplaceAll(expression, " ", "")))
		if err != nil {
			return nil, err
		}
		all = append(all, pattern)
	}
	return all, nil
}

// Explain finds which errors a text is about, in the order in which it speaks of them, each
// once. The text may be what a client printed, a Go error, a Status in JSON, or lines of a
// log with whatever stands before. Nothing is returned where it knows nothing of the text.
func Explain(text string) ([]Explained, error) {
	all, err := explanations()
	if err != nil {
		return nil, err
	}
	read, from := squeeze(text)
	var found []Explained
	for i := range all {
		if start, end := take(read, all[i].match); start < end {
			words := strings.Join(strings.Fields(text[from[start]:from[end]]), " ")
			found = append(found, Explained{&all[i], words, start})
		}
	}
	slices.SortFunc(found, func(a, b Explained) int { return a.start - b.start })
	return found, nil
}

// take finds the first of what the patterns match, and takes all of it away from the
// explanations that come later: an error that wraps another is one error.
func take(read []byte, patterns []*regexp.Regexp) (start, end int) {
	for _, pattern := range patterns {
		for _, at := range pattern.FindAllIndex(read, -1) {
			if start == end || at[0] < start {
				start, end = at[0], at[1]
			}
			for i := at[0]; i < at[1]; i++ {
				read[i] = ' '
			}
		}
	}
	return start, end
}

// squeeze puts a text in small letters and leaves out what differs between the ways in which one message comes to
// be pasted: white space, as terminals and tools wrap lines even within words; what they
// draw beside wrapped lines; the escapes of a string within a string. from says, for each
// byte and for the end, where in the text it was.
func squeeze(text string) (read []byte, from []int) {
	read, from = make([]byte, 0, len(text)), make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		letter := text[i : i+size]
		switch {
		case r == '\\':
			for i+size < len(text) && text[i+size] == '\\' {
				size++
			}
			letter = ""
			switch rest := text[i+size:]; {
			case strings.HasPrefix(rest, "u0022"):
				letter, size = `"`, size+len("u0022")
			case rest != "" && strings.IndexByte("nrt", rest[0]) >= 0:
				size++
			}
		case r == '&':
			for _, quote := range []string{"&quot;", "&#34;"} {
				if strings.HasPrefix(text[i:], quote) {
					letter, size = `"`, len(quote)
				}
			}
		case r == '“' || r == '”':
			letter = `"`
		case r == '|' || r == '>' || '─' <= r && r <= '╿' || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r):
			letter = ""
		}
		for j := range len(letter) {
			small := letter[j]
			if 'A' <= small && small <= 'Z' {
				small += 'a' - 'A'
			}
			read, from = append(read, small), append(from, i)
		}
		i += size
	}
	return read, append(from, len(text))
}
