package scenarios

import (
	"bytes"
	"encoding/json"
)

// Growing encodes a trace while it grows, each step once.
type Growing struct {
	begun bool
	steps int
}

// Append encodes what the trace has more than at the last call: at the first, all of it. Those
// bytes one after the other, and End behind them, are one document as WriteJSON writes it.
func (g *Growing) Append(t Trace) ([]byte, error) {
	var b bytes.Buffer
	if !g.begun {
		head := t
		head.Steps = []Observation{}
		if err := head.WriteJSON(&b); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - len(noSteps)) // steps are a trace's last field
	}
	steps := g.steps
	for ; steps < len(t.Steps); steps++ {
		if steps > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + inSteps)
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent(inSteps, indent)
		if err := encoder.Encode(t.Steps[steps]); err != nil {
			return nil, err
		}
		b.Truncate(b.Len() - 1) // Encode ends a line
	}
	g.begun, g.steps = true, steps
	return b.Bytes(), nil
}

// End is what a document needs behind what was appended so far, to be whole.
func (g *Growing) End() string {
	switch {
	case !g.begun:
		return ""
	case g.steps == 0:
		return noSteps
	}
	return "\n" + indent + noSteps
}

const (
	indent  = "  "
	inSteps = indent + indent // a step within the list within the trace
	noSteps = "]\n}\n"
)
