package scenarios

import (
	"bytes"
	"encoding/json"
	"strings"
)

// cutTrace cuts a trace's JSON into its steps and the object without them. It looks for
// where values end alone: whether they are valid JSON is for those to say who decode them.
func cutTrace(content []byte) (head []byte, steps [][]byte, err error) {
	c := &cutter{rest: content}
	head = append(head, '{')
	err = c.list('{', '}', func() error {
		key, err := c.value()
		if err != nil {
			return err
		}
		if err := c.take(':'); err != nil {
			return err
		}
		var name string
		if json.Unmarshal(key, &name) == nil && strings.EqualFold(name, "steps") && c.next() == '[' { // as encoding/json takes names
			return c.list('[', ']', func() error {
				if mark := c.next(); mark != '{' && mark != 0 {
					return noTrace("one of its steps is no object")
				}
				raw, err := c.value()
				steps = append(steps, raw)
				return err
			})
		}
		value, err := c.value()
		if err != nil {
			return err
		}
		if len(head) > 1 {
			head = append(head, ',')
		}
		head = append(append(append(head, key...), ':'), value...)
		return nil
	})
	if err == nil && c.next() != 0 {
		err = noTrace("there is more behind the trace; a file holds one, and `rvtui run -o json` writes one for each scenario")
	}
	return append(head, '}'), steps, err
}

// cutter finds where JSON's values end.
type cutter struct{ rest []byte }

// next is the byte at which the next value or mark begins; 0 at the end.
func (c *cutter) next() byte {
	c.rest = bytes.TrimLeft(c.rest, " \t\r\n")
	if len(c.rest) == 0 {
		return 0
	}
	return c.rest[0]
}

// take takes a mark that must come.
func (c *cutter) take(mark byte) error {
	switch c.next() {
	case mark:
		c.rest = c.rest[1:]
		return nil
	case 0:
		return errCutOff()
	}
	return noTrace("it is no JSON as rvtui writes it: %q stands where %q should", c.rest[0], mark)
}

func errCutOff() error { return noTrace("it is cut off: its JSON has no end") }

// list takes what stands between two brackets, with commas between.
func (c *cutter) list(open, end byte, item func() error) error {
	if err := c.take(open); err != nil {
		return err
	}
	if c.next() == end {
		return c.take(end)
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if c.next() == end {
			return c.take(end)
		}
		if err := c.take(','); err != nil {
			return err
		}
	}
}

// value takes one value.
func (c *cutter) value() ([]byte, error) {
	n := 0
	switch c.next() {
	case 0:
		return nil, errCutOff()
	case '"':
		n = stringEnd(c.rest)
	case '{', '[':
		n = bracketEnd(c.rest)
	default:
		n = bytes.IndexAny(c.rest, ",:]} \t\r\n")
	}
	if n < 0 {
		return nil, errCutOff()
	}
	value := c.rest[:n]
	c.rest = c.rest[n:]
	return value, nil
}

// stringEnd is where the string ends that b begins with; -1 where it does not.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		quote := bytes.IndexByte(b[i:], '"')
		if quote < 0 {
			return -1
		}
		i += quote
		escapes := 0
		for b[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
	return -1
}

// bracketEnd is where the object or list ends that b begins with; -1 where it does not.
func bracketEnd(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			n := stringEnd(b[i:])
			if n < 0 {
				return -1
			}
			i += n - 1
		}
	}
	return -1
}
