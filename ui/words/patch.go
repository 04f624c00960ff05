package words

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Patch is what a patch says, in order: "data.owner: A" of one that has the object's form,
// "add /data/owner: A" of a JSON patch (RFC 6902).
func Patch(body json.RawMessage) []string {
	if object := Object(body); object != nil {
		return Flat(Bare(object))
	}
	var operations []map[string]any
	if json.Unmarshal(body, &operations) != nil {
		return nil
	}
	var out []string
	for _, operation := range operations {
		said := fmt.Sprintf("%v %v", operation["op"], operation["path"])
		if from, ok := operation["from"]; ok {
			said += fmt.Sprintf(" from %v", from)
		}
		if value, ok := operation["value"]; ok {
			switch value.(type) {
			case map[string]any, []any:
				said += ": " + strings.Join(Flat(map[string]any{"": PlainNumbers(value)}), ", ")
			default:
				said += fmt.Sprintf(": %v", PlainNumbers(value))
			}
		}
		out = append(out, said)
	}
	return out
}
