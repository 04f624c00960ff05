package scenarios

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
)

// What a trace file may hold at most; one of 100,000 steps has up to 900 MB and 20
// million values. The bytes are counted once unpacked, since a small file can unpack to any size.
// The values are counted, by the commas between them, since one of 1 byte can take hundreds
// once decoded.
const (
	maxTraceBytes  = 1 << 30
	maxTraceValues = 32 << 20
)

// TraceError says why something is no trace that can be read.
type TraceError struct {
	Step int // in which step; 0 where it is in none
	Text string
}

func (e *TraceError) Error() string {
	if e.Step > 0 {
		return fmt.Sprintf("step %d: %s", e.Step, e.Text)
	}
	return e.Text
}

func noTrace(format string, values ...any) error {
	return &TraceError{Text: fmt.Sprintf(format, values...)}
}

// SavedTrace is a trace that was read. Its steps are decoded one by one, when they are asked
// for, so that a long trace opens as soon as its bytes are there: encoding/json decodes some
// 70 MB a second.
type SavedTrace struct {
	Head  Trace // all but the steps
	steps [][]byte
}

// checkedBytes is how much of a trace's steps is decoded when it is read, to see what is
// wrong before anything is shown. It is all of any trace but a monstrous one, of which a
// damaged step is found when it is asked for.
const checkedBytes = 16 << 20

// ReadTrace reads one trace, as WriteJSON writes it, plain or gzipped. What is no trace, is
// damaged, or is of a newer format is a *TraceError; what from says is returned as it is.
func ReadTrace(from io.Reader) (*SavedTrace, error) {
	content, err := unpacked(from)
	if err != nil {
		return nil, err
	}
	if len(content) > maxTraceBytes {
		return nil, noTrace("it is larger than %d MiB, and no trace is", maxTraceBytes>>20)
	}
	if bytes.Count(content, []byte(",")) > maxTraceValues {
		return nil, noTrace("it holds more than %d values, and no trace does", maxTraceValues)
	}
	if len(bytes.TrimSpace(content)) == 0 {
		return nil, noTrace("it is empty")
	}
	head, steps, err := cutTrace(content)
	if err != nil {
		return nil, err
	}
	t := &SavedTrace{steps: steps}
	if t.Head, err = decodeHead(head); err != nil {
		return nil, err
	}
	return t, t.check()
}

// Len is the number of steps.
func (t *SavedTrace) Len() int { return len(t.steps) }

// Step is what was seen of step n, from 1 to Len. A damaged step is a *TraceError.
func (t *SavedTrace) Step(n int) (Observation, error) {
	var o Observation
	if err := json.Unmarshal(t.steps[n-1], &o); err != nil {
		return Observation{}, &TraceError{Step: n, Text: decodingText(err)}
	}
	if choices := len(t.Head.Plan[n-1].Choices); o.Right < 0 || o.Right > choices {
		return Observation{}, &TraceError{Step: n, Text: fmt.Sprintf("its right answer is number %d, and there are %d", o.Right, choices)}
	}
	o.Step = n
	return o, nil
}

// All is the whole trace.
func (t *SavedTrace) All() (Trace, error) {
	whole := t.Head
	whole.Steps = make([]Observation, 0, t.Len())
	for n := range t.steps {
		o, err := t.Step(n + 1)
		if err != nil {
			return Trace{}, err
		}
		whole.Steps = append(whole.Steps, o)
	}
	return whole, nil
}

// check says what is wrong with a trace that types alone let pass, and with its steps.
func (t *SavedTrace) check() error {
	head := &t.Head
	switch {
	case head.Scenario == "":
		return noTrace("it is JSON, but no trace: it names no scenario")
	case !scenarioName.MatchString(head.Scenario):
		return noTrace("its scenario is %q, which is no scenario's name", head.Scenario)
	case len(head.Plan) == 0:
		return noTrace("it is JSON, but no trace: it has no plan")
	case t.Len() > len(head.Plan):
		return noTrace("it has %d steps, and its plan only %d", t.Len(), len(head.Plan))
	}
	checked := 0
	for n, raw := range t.steps {
		if checked += len(raw); checked > checkedBytes {
			break
		}
		if _, err := t.Step(n + 1); err != nil {
			return err
		}
	}
	return nil
}

// IsTrace tells from a file's beginning whether it is meant to be a trace: gzipped, or JSON
// with a field that a trace has and a scenario has not.
func IsTrace(beginning []byte) bool {
	if bytes.HasPrefix(beginning, []byte(gzipMagic)) {
		return true
	}
	decoder := json.NewDecoder(bytes.NewReader(beginning))
	if mark, err := decoder.Token(); err != nil || mark != json.Delim('{') {
		return false
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return false
		}
		if name == "version" || name == "plan" {
			return true
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return false
		}
	}
	return false
}

const gzipMagic = "\x1f\x8b"

// unpacked reads no more than a trace can be: not everything has an end.
func unpacked(from io.Reader) ([]byte, error) {
	packed := bufio.NewReader(from)
	if magic, _ := packed.Peek(2); string(magic) != gzipMagic {
		var content bytes.Buffer
		content.Grow(sizeOf(from) + bytes.MinRead) // growing to 200 MB by and by takes a third of the time
		_, err := content.ReadFrom(io.LimitReader(packed, maxTraceBytes+1))
		return content.Bytes(), err
	}
	unpacking, err := gzip.NewReader(packed)
	var content []byte
	if err == nil {
		content, err = io.ReadAll(io.LimitReader(unpacking, maxTraceBytes+1))
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, noTrace("it is cut off: its gzip stream has no end")
	case err != nil:
		return nil, noTrace("it cannot be unpacked: %s", err)
	}
	return content, nil
}

// sizeOf is a file's size, as far as a trace can have it; 0 where it is not known.
func sizeOf(from io.Reader) int {
	if file, ok := from.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := file.Stat(); err == nil {
			return int(min(info.Size(), maxTraceBytes))
		}
	}
	return 0
}

// decodeHead decodes a trace without its steps.
func decodeHead(head []byte) (Trace, error) {
	// The version first: a newer format may have other fields.
	var version struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(head, &version); err != nil {
		return Trace{}, noTrace("%s", decodingText(err))
	}
	if version.Version > TraceVersion {
		return Trace{}, noTrace("its format is version %d, and this rvtui reads version %d; a newer rvtui reads it", version.Version, TraceVersion)
	}
	var trace Trace
	if err := json.Unmarshal(head, &trace); err != nil {
		return Trace{}, noTrace("%s", decodingText(err))
	}
	trace.Version, trace.Steps = TraceVersion, nil
	return trace, nil
}

// decodingText is what is wrong with JSON, in a file's words and not in Go's.
func decodingText(err error) string {
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return fmt.Sprintf("%q should be %s, and is the JSON %s", wrongType.Field, jsonName(wrongType.Type), wrongType.Value)
	}
	return "it is no JSON: " + err.Error()
}

func jsonName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
