package scenarios

import (
	"bytes"
	"encoding/json"
	"strings"
)

// place is where in a JSON value a string stands.
type place struct {
	field string // the field that it is the value of; "" in a list
	path  string // of a JSON patch's operation, where it is in one
}

// rewriteStrings replaces strings in a JSON value, but for the names of fields, and leaves all
// else as it is, byte for byte. What is no JSON comes back as it is.
func rewriteStrings(raw json.RawMessage, replace func(place, string) string) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	type frame struct {
		object, named bool // an object, whose next token is a value
		at            place
	}
	stack := []frame{{}}
	var out []byte
	copied := 0
	for {
		from := int(decoder.InputOffset())
		token, err := decoder.Token()
		if err != nil {
			break // the end, or no JSON: the rest is copied
		}
		top := &stack[len(stack)-1]
		text, isText := token.(string)
		switch {
		case token == json.Delim('{') || token == json.Delim('['):
			top.named = false
			stack = append(stack, frame{object: token == json.Delim('{')})
			continue
		case token == json.Delim('}') || token == json.Delim(']'):
			stack = stack[:len(stack)-1]
			continue
		case top.object && !top.named:
			top.at.field, top.named = text, true
			continue
		}
		if isText {
			if top.at.field == "path" {
				top.at.path = text
			}
			if replaced := replace(top.at, text); replaced != text {
				start := from + bytes.IndexByte(raw[from:], '"')
				out = append(append(out, raw[copied:start]...), encodedString(replaced)...)
				copied = int(decoder.InputOffset())
			}
		}
		top.named = false
	}
	if copied == 0 {
		return raw
	}
	return append(out, raw[copied:]...)
}

func encodedString(s string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(s) // a string can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}
